import { bytesToHex, concatBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { base58, bech32, createBase58check } from "@scure/base"
import { Address } from "../../domain/Address.ts"
import { encodeSs58 } from "../../domain/address/Ss58.ts"
import type { Chain } from "../../domain/Chain.ts"
import { markedDigest } from "./digest.ts"

const checksumLength = 8

const checksumOf = (body: Uint8Array): Uint8Array =>
  sha256(concatBytes(utf8ToBytes("swap broker sandbox account"), body)).slice(0, checksumLength)

/**
 * The sandbox's accounts begin with the mark, 5a4db0, and end with a checksum over the rest. Eleven bytes are
 * fixed so, which no real key meets by chance in practice.
 */
const withChecksum = (body: Uint8Array): Uint8Array => concatBytes(body, checksumOf(body))

/** How a chain writes an account: its bytes, their text, and a regular expression that all of them meet. */
interface Form {
  readonly accountLength: number
  readonly write: (account: Uint8Array) => string
  readonly pattern: string
}

const base58check = createBase58check(sha256)

/** Pay to witness public key hash, on regtest: no other Bitcoin network takes it. */
const bitcoin: Form = {
  accountLength: 20,
  write: (account) => bech32.encode("bcrt", [0, ...bech32.toWords(account)]),
  pattern: "^bcrt1qtfxm[qp][02-9ac-hj-np-z]{33}$",
}
const evm: Form = {
  accountLength: 20,
  write: (account) => `0x${bytesToHex(account)}`,
  pattern: "^0x5a4db0[0-9a-f]{34}$",
}
const solana: Form = {
  accountLength: 32,
  write: (account) => base58.encode(account),
  pattern: "^75WQ[1-9A-HJ-NP-Za-km-z]{40}$",
}
/** The prefix of substrate networks in general rather than Polkadot's own. */
const substrate: Form = {
  accountLength: 32,
  write: (account) => encodeSs58(42, account),
  pattern: "^5E77F[1-9A-HJ-NP-Za-km-z]{43}$",
}
const tron: Form = {
  accountLength: 20,
  write: (account) => base58check.encode(concatBytes(Uint8Array.of(0x41), account)),
  pattern: "^TJCgt[1-9A-HJ-NP-Za-km-z]{29}$",
}

const forms: Readonly<Record<Chain, Form>> = {
  Bitcoin: bitcoin,
  Ethereum: evm,
  Arbitrum: evm,
  Bsc: evm,
  Solana: solana,
  Assethub: substrate,
  Polkadot: substrate,
  Tron: tron,
}

/** The deposit address of a channel, by the chain and its number there; never the same twice. */
export const depositAddress = (seed: string, chain: Chain, channelId: number): Address => {
  const { accountLength, write } = forms[chain]
  const body = markedDigest(accountLength - checksumLength, seed, "deposit address", chain, channelId)
  return Address.make(write(withChecksum(body)))
}

/** The vault of a chain, or another part of it: addresses of the sandbox's kind, alike in every sandbox. */
export const vaultAddress = (chain: Chain, part: string = "vault"): Address => {
  const { accountLength, write } = forms[chain]
  return Address.make(write(withChecksum(markedDigest(accountLength - checksumLength, part, chain))))
}

/** Regular expressions, as text, which all deposit and vault addresses of the sandbox meet and hardly any other does. */
export const addressPatterns: Readonly<Record<Chain, string>> = {
  Bitcoin: forms.Bitcoin.pattern,
  Ethereum: forms.Ethereum.pattern,
  Arbitrum: forms.Arbitrum.pattern,
  Solana: forms.Solana.pattern,
  Assethub: forms.Assethub.pattern,
  Tron: forms.Tron.pattern,
  Polkadot: forms.Polkadot.pattern,
  Bsc: forms.Bsc.pattern,
}
