import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, concatBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import { base58, bech32, createBase58check } from "@scure/base"
import { Address, type AssetId, type Chain, factsOf } from "../../../src/exports/domain.ts"
import { encodeSs58 } from "../../../src/domain/address/Ss58.ts"
import { typicalAmount } from "../../contract/support/assets.ts"

/** What all replayed upstreams have in common: amounts, addresses and transactions that no body can have recorded. */

/** What goes in, in native units: some thousand dollars. */
export const amountIn = (asset: AssetId): bigint => BigInt(typicalAmount(asset))

/** What comes out: two percent less in value, and the commission that is charged. */
export const amountOut = (asset: AssetId, chargedBps: number): bigint =>
  amountIn(asset) * BigInt(9_800 - chargedBps) / 10_000n

/** The least that comes out where so many basis points less may be. */
export const leastOut = (out: bigint, slippageBps: number): bigint =>
  out * BigInt(10_000 - slippageBps) / 10_000n

const hash = (...name: ReadonlyArray<string | number>): Uint8Array => sha256(utf8ToBytes(name.join("/")))

const base58check = createBase58check(sha256)

const evmAddress = (bytes: Uint8Array): string => `0x${bytesToHex(bytes.slice(0, 20))}`
const ss58Address = (bytes: Uint8Array): string => encodeSs58(0, bytes)

/** A mainnet address of each chain, of bytes. */
const written: Readonly<Record<Chain, (bytes: Uint8Array) => string>> = {
  Bitcoin: (bytes) => bech32.encode("bc", [0, ...bech32.toWords(bytes.slice(0, 20))]),
  Ethereum: evmAddress,
  Arbitrum: evmAddress,
  Bsc: evmAddress,
  Solana: (bytes) => base58.encode(bytes),
  Tron: (bytes) => base58check.encode(concatBytes(Uint8Array.of(0x41), bytes.slice(0, 20))),
  Assethub: ss58Address,
  Polkadot: ss58Address,
}

/** An address of this name; another name has another. */
export const addressOf = (chain: Chain, ...name: ReadonlyArray<string | number>): Address =>
  Address.make(written[chain](hash(chain, ...name)))

/** A transaction of this name, as its chain writes it. */
export const transactionOf = (chain: Chain, ...name: ReadonlyArray<string | number>): string => {
  const hex = bytesToHex(hash("transaction", chain, ...name))
  // Asset Hub's transactions are a block's number and an index.
  if (chain === "Assethub") {
    return `${Number.parseInt(hex.slice(0, 7), 16)}-${Number.parseInt(hex.slice(8, 10), 16)}`
  }
  if (chain === "Solana") return base58.encode(concatBytes(hash("one", ...name), hash("two", ...name)))
  return chain === "Bitcoin" || chain === "Tron" ? hex : `0x${hex}`
}

/** 32 bytes as hex, with 0x before them. */
export const idOf = (...name: ReadonlyArray<string | number>): string =>
  `0x${bytesToHex(hash("id", ...name))}`

/** Human units, as upstreams write beside native ones; never read. */
export const formatted = (asset: AssetId, amount: bigint): string =>
  `${Number(amount) / 10 ** factsOf(asset).decimals}`
