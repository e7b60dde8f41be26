import { hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import { Result } from "effect"
import type { Chain } from "../Chain.ts"
import { decodeBase58Check, decodeBase58OfLength } from "./Base58.ts"
import { decodeSs58 } from "./Ss58.ts"

const publicKeyLength = 32
const tronLength = 21
const hex = /^0x(?:[0-9a-fA-F]{2})+$/
const witness = /^(?:bc|tb|bcrt)1/i

const fromHex = (text: string): Result.Result<Uint8Array, string> =>
  hex.test(text) ? Result.succeed(hexToBytes(text.slice(2))) : Result.fail("it is not hexadecimal")

const fromSs58 = (text: string): Result.Result<Uint8Array, string> =>
  text.startsWith("0x") ? fromHex(text) : Result.map(decodeSs58(text), ({ publicKey }) => publicKey)

const readers: Readonly<Record<Chain, (text: string) => Result.Result<Uint8Array, string>>> = {
  // An address of Bitcoin travels as its text; its newer kinds may be written in capitals, too.
  Bitcoin: (text) => Result.succeed(utf8ToBytes(witness.test(text) ? text.toLowerCase() : text)),
  Ethereum: fromHex,
  Arbitrum: fromHex,
  Bsc: fromHex,
  Solana: (text) => decodeBase58OfLength(text, publicKeyLength),
  Tron: (text) => Result.map(decodeBase58Check(text, tronLength), (bytes) => bytes.slice(1)),
  Polkadot: fromSs58,
  Assethub: fromSs58,
}

/** The account that an address names, as bytes: the same for every way in which a chain writes it. */
export const accountBytes = (chain: Chain, address: string): Result.Result<Uint8Array, string> =>
  readers[chain](address)
