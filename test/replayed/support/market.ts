import { Match } from "effect"
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, concatBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import { base58, base58xrp, bech32, createBase58check } from "@scure/base"
import { Address, type AssetId, type Chain, chainFacts } from "#exports/domain.ts"
import { encodeSs58 } from "#domain/chains/address/Ss58.ts"
import { typicalAmount } from "#test/contract/support/assets.ts"
import { encodeCashAddr } from "#domain/chains/address/BitcoinFamily.ts"

/** What all replayed upstreams have in common: amounts, addresses and transactions that no body can have recorded. */

/** What goes in, in native units: some thousand dollars. */
export const amountIn = (asset: AssetId): bigint => BigInt(typicalAmount(asset))

/** What comes out: two percent less in value, and the commission that is charged. */
export const amountOut = (asset: AssetId, chargedBps: number): bigint =>
  amountIn(asset) * BigInt(9_800 - chargedBps) / 10_000n

const hash = (...name: ReadonlyArray<string | number>): Uint8Array => sha256(utf8ToBytes(name.join("/")))

const base58check = createBase58check(sha256)

const base58Of = (version: number, bytes: Uint8Array): string =>
  base58check.encode(
    Uint8Array.of(...(version > 0xff ? [version >> 8] : []), version & 0xff, ...bytes.slice(0, 20)),
  )

/** A mainnet address of a chain, of bytes. */
const written = (chain: Chain, bytes: Uint8Array): string =>
  Match.valueTags(chainFacts(chain).family, {
    bitcoin: ({ forms: { mainnet: { bech32: segwit, cashAddr, keyHash = 0 } } }) =>
      segwit !== undefined
        ? bech32.encode(segwit, [0, ...bech32.toWords(bytes.slice(0, 20))])
        : cashAddr !== undefined
        ? encodeCashAddr(cashAddr, { kind: "keyHash", hash: bytes.slice(0, 20) })
        : base58Of(keyHash, bytes),
    evm: () => `0x${bytesToHex(bytes.slice(0, 20))}`,
    solana: () => base58.encode(bytes),
    tron: () => base58Of(0x41, bytes),
    substrate: () => encodeSs58(0, bytes),
    xrpl: () => {
      const body = concatBytes(Uint8Array.of(0), bytes.slice(0, 20))
      return base58xrp.encode(concatBytes(body, sha256(sha256(body)).slice(0, 4)))
    },
  })

/** An address of this name; another name has another. */
export const addressOf = (chain: Chain, ...name: ReadonlyArray<string | number>): Address =>
  Address.make(written(chain, hash(chain, ...name)))

/** A transaction of this name, as its chain writes it. */
export const transactionOf = (chain: Chain, ...name: ReadonlyArray<string | number>): string => {
  const hex = bytesToHex(hash("transaction", chain, ...name))
  return Match.valueTags(chainFacts(chain).family, {
    bitcoin: () => hex,
    evm: () => `0x${hex}`,
    solana: () => base58.encode(concatBytes(hash("one", ...name), hash("two", ...name))),
    tron: () => hex,
    // A block's number and an index.
    substrate: () => `${Number.parseInt(hex.slice(0, 7), 16)}-${Number.parseInt(hex.slice(8, 10), 16)}`,
    xrpl: () => hex.toUpperCase(),
  })
}
