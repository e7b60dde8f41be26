import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js"
import { createBase58check } from "@scure/base"
import { p2pkh, p2sh, p2tr, p2wpkh, p2wsh } from "@scure/btc-signer"
import { hash160, pubECDSA, pubSchnorr } from "@scure/btc-signer/utils.js"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Result, Schema } from "effect"
import { addr } from "micro-eth-signer"
import { checkAddress } from "#domain/chains/Address.ts"
import { encodeSs58 } from "#domain/chains/address/Ss58.ts"
import { type Chain, Network } from "#domain/chains/Chain.ts"

/** Each way of writing an address with a checksum: its chain, its characters, and one for a private key. */
interface Form {
  readonly name: string
  readonly chain: Chain
  readonly alphabet: string
  readonly write: (key: Uint8Array) => string | undefined
}

const base58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
const bech32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
const hex = "0123456789abcdefABCDEF"
const base58check = createBase58check(sha256)

const bitcoin = (name: string, alphabet: string, write: Form["write"]): Form => ({
  name: `Bitcoin ${name}`,
  chain: "Bitcoin",
  alphabet,
  write,
})

const ss58 = (chain: Chain, prefix: number): Form => ({
  name: `${chain} ss58 of prefix ${prefix}`,
  chain,
  alphabet: base58,
  write: (key) => encodeSs58(prefix, pubSchnorr(key)),
})

const forms: ReadonlyArray<Form> = [
  bitcoin("P2PKH", base58, (key) => p2pkh(pubECDSA(key)).address),
  bitcoin("P2SH", base58, (key) => p2sh(p2wpkh(pubECDSA(key))).address),
  bitcoin("P2WPKH", bech32, (key) => p2wpkh(pubECDSA(key)).address),
  bitcoin("P2WSH", bech32, (key) => p2wsh(p2pkh(pubECDSA(key))).address),
  bitcoin("P2TR", bech32, (key) => p2tr(pubSchnorr(key)).address),
  ss58("Polkadot", 0),
  ss58("Assethub", 42),
  ss58("Polkadot", 2112),
  {
    name: "Tron",
    chain: "Tron",
    alphabet: base58,
    write: (key) => base58check.encode(Uint8Array.of(0x41, ...hash160(pubECDSA(key)))),
  },
  { name: "EIP-55", chain: "Ethereum", alphabet: hex, write: (key) => addr.fromPrivateKey(bytesToHex(key)) },
]

const isAccepted = (chain: Chain, text: string): boolean =>
  Result.isSuccess(checkAddress(chain, Network.literals, text))

const PrivateKey = Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 1n, maximum: 2n ** 255n }))
const Choice = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100_000 }))

/**
 * The seed is fixed because a checksum of two bytes (ss58) or of some fifteen bits (EIP-55) lets a wrong
 * address pass now and then.
 */
const options = { arbitrary: { seed: "mutation", runs: 60 } }

describe("mutation", () => {
  for (const { name, chain, alphabet, write } of forms) {
    it.effect.prop(
      `is noticed wherever one character of a valid address is replaced: ${name}`,
      [PrivateKey, Choice, Choice],
      ([privateKey, place, replacement]) =>
        Effect.sync(() => {
          const text = write(hexToBytes(privateKey.toString(16).padStart(64, "0"))) ?? ""
          const position = place % text.length
          const others = [...alphabet].filter((character) => character !== text[position])
          const mutated = text.slice(0, position) + others[replacement % others.length] +
            text.slice(position + 1)
          assert.isTrue(isAccepted(chain, text), text)
          assert.isFalse(isAccepted(chain, mutated), `${text} as ${mutated}`)
        }),
      options,
    )
  }
})
