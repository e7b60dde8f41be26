import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, concatBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import { base58, base58xrp, bech32, createBase58check } from "@scure/base"
import { Match, Result } from "effect"
import { Address, checkAddress } from "#domain/chains/Address.ts"
import { encodeSs58 } from "#domain/chains/address/Ss58.ts"
import { encodeCashAddr } from "#domain/chains/address/BitcoinFamily.ts"
import type { BitcoinFamily } from "#domain/chains/catalogue/ChainRow.ts"
import { type Chain, chainFacts, chains, Network as ChainNetwork } from "#domain/chains/Chain.ts"
import type { Network } from "./State.ts"

/** The addresses and transaction references of the sandbox: determined by the seed, and recognisable as its own. */

/** The first bytes of every identifier of the sandbox. */
const mark = Uint8Array.of(0x5a, 0x4d, 0xb0)

/** 32 bytes that depend only on the seed and the name. */
export const digest = (seed: string, ...name: ReadonlyArray<string | number>): Uint8Array =>
  sha256(utf8ToBytes(JSON.stringify([seed, ...name])))

/** As `digest`, `length` bytes up to 64, of which the first three are the mark. */
const markedDigest = (length: number, seed: string, ...name: ReadonlyArray<string | number>): Uint8Array =>
  concatBytes(mark, digest(seed, "first", ...name), digest(seed, "second", ...name)).slice(0, length)

const checksumLength = 8

const checksumOf = (body: Uint8Array): Uint8Array =>
  sha256(concatBytes(utf8ToBytes("swap broker sandbox account"), body)).slice(0, checksumLength)

/** Accounts begin with the mark 5a4db0 and end with a checksum: no real key matches by chance. */
const withChecksum = (body: Uint8Array): Uint8Array => concatBytes(body, checksumOf(body))

/** The parts that determine a transaction's reference; no other transaction has the same number. */
interface TransactionName {
  readonly seed: string
  readonly block: number
  readonly number: number
}

interface Form {
  readonly accountLength: number
  readonly write: (account: Uint8Array) => string
  readonly transaction: (chain: Chain, name: TransactionName) => string
}

const hash = (length: number, chain: Chain, name: TransactionName): Uint8Array =>
  markedDigest(length, name.seed, "transaction", chain, name.block, name.number)

const plainHex: Form["transaction"] = (chain, name) => bytesToHex(hash(32, chain, name))

const base58check = createBase58check(sha256)

/** Addresses of a chain's regression test network where it has one that no other network accepts. */
const bitcoin = (
  { forms: { sandbox: { bech32: segwit, cashAddr, keyHash = 0x6f } } }: BitcoinFamily,
): Form => ({
  accountLength: 20,
  write: (account) =>
    segwit !== undefined
      ? bech32.encode(segwit, [0, ...bech32.toWords(account)])
      : cashAddr !== undefined
      ? encodeCashAddr(cashAddr, { kind: "keyHash", hash: account })
      : base58check.encode(
        Uint8Array.of(...(keyHash > 0xff ? [keyHash >> 8] : []), keyHash & 0xff, ...account),
      ),
  transaction: plainHex,
})
const evm: Form = {
  accountLength: 20,
  write: (account) => `0x${bytesToHex(account)}`,
  transaction: (chain, name) => `0x${plainHex(chain, name)}`,
}
const solana: Form = {
  accountLength: 32,
  write: (account) => base58.encode(account),
  transaction: (chain, name) => base58.encode(hash(64, chain, name)),
}
/** Accounts with the prefix of substrate networks in general, not Polkadot's own. */
const substrate: Form = {
  accountLength: 32,
  write: (account) => encodeSs58(42, account),
  transaction: (_, name) => `${name.block}-${name.number}`,
}
const tron: Form = {
  accountLength: 20,
  write: (account) => base58check.encode(concatBytes(Uint8Array.of(0x41), account)),
  transaction: plainHex,
}

const xrpl: Form = {
  accountLength: 20,
  write: (account) => {
    const body = concatBytes(Uint8Array.of(0), account)
    return base58xrp.encode(concatBytes(body, sha256(sha256(body)).slice(0, 4)))
  },
  transaction: (chain, name) => plainHex(chain, name).toUpperCase(),
}

const formOf = (chain: Chain): Form =>
  Match.valueTags(chainFacts(chain).family, {
    bitcoin,
    evm: () => evm,
    solana: () => solana,
    tron: () => tron,
    substrate: () => substrate,
    xrpl: () => xrpl,
  })

/** The deposit address of a channel, by the chain and its number there; never the same twice. */
export const depositAddress = (seed: string, chain: Chain, channelId: number): Address => {
  const { accountLength, write } = formOf(chain)
  const body = markedDigest(accountLength - checksumLength, seed, "deposit address", chain, channelId)
  return Address.make(write(withChecksum(body)))
}

/** The address of a chain's vault, or of another part of it, the same in every sandbox. */
export const vaultAddress = (chain: Chain, part: string = "vault"): Address => {
  const { accountLength, write } = formOf(chain)
  return Address.make(write(withChecksum(markedDigest(accountLength - checksumLength, part, chain))))
}

/** What all accounts of the sandbox on a chain begin with, as the mark decides it; the checksum may move the last letter. */
const beginOf = (chain: Chain): string => {
  const { accountLength, write } = formOf(chain)
  const [low = "", high = ""] = [0x00, 0xff].map((byte) =>
    write(concatBytes(mark, new Uint8Array(accountLength - mark.length).fill(byte)))
  )
  return low.slice(0, [...low].findIndex((letter, index) => letter !== high[index]))
}

/** Regular expressions, as text, that match all deposit and vault addresses of the sandbox and hardly any other. */
export const addressPatterns = (): Readonly<Record<string, string>> =>
  Object.fromEntries(chains().map((chain) => [chain, `^${beginOf(chain)}[0-9A-Za-z]+$`]))

/** Whether a text is an address of a chain, on whichever of its networks. */
export const isAddressOn = (chain: Chain, text: string): boolean =>
  Result.isSuccess(checkAddress(chain, ChainNetwork.literals, text))

/** A reference in the chain's form (chainflip/wire.md 3.6), beginning with the mark; extrinsics are `block-index`. */
export const transactionReference = (chain: Chain, name: TransactionName): string =>
  formOf(chain).transaction(chain, name)

/** The reference of a new transaction in a block of a chain. */
export const nextTransaction = (network: Network, chain: Chain, block: number): string =>
  transactionReference(chain, { seed: network.seed, block, number: ++network.transactionCount })
