import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import { Result } from "effect"
import type { Chain } from "../Chain.ts"
import { decodeBase58Check, decodeBase58OfLength } from "./Base58.ts"
import { decodeSs58 } from "./Ss58.ts"

const publicKeyLength = 32
const tronLength = 21
const hex = /^0x(?:[0-9a-fA-F]{2})+$/
/** Tron's account in hexadecimal, with or without the byte that its addresses begin with. */
const tronHex = /^(?:0x)?(?:41)?[0-9a-fA-F]{40}$/
const witness = /^(?:bc|tb|bcrt)1/i

const fromHex = (text: string): Result.Result<Uint8Array, string> =>
  hex.test(text) ? Result.succeed(hexToBytes(text.slice(2))) : Result.fail("it is not hexadecimal")

/** An account in hexadecimal, as other networks write it, of exactly `length` bytes. */
const fromHexOf = (text: string, length: number): Result.Result<Uint8Array, string> =>
  Result.filterOrFail(fromHex(text), (bytes) => bytes.length === length, () => "it has another length")

const fromBase58 = (text: string): Result.Result<Uint8Array, string> =>
  text.startsWith("0x") ? fromHexOf(text, publicKeyLength) : decodeBase58OfLength(text, publicKeyLength)

const fromTron = (text: string): Result.Result<Uint8Array, string> => {
  if (tronHex.test(text)) return fromHex(`0x${text.slice(-2 * (tronLength - 1))}`)
  return Result.map(decodeBase58Check(text, tronLength), (bytes) => bytes.slice(1))
}

const fromSs58 = (text: string): Result.Result<Uint8Array, string> =>
  text.startsWith("0x") ? fromHex(text) : Result.map(decodeSs58(text), ({ publicKey }) => publicKey)

const readers: Readonly<Record<Chain, (text: string) => Result.Result<Uint8Array, string>>> = {
  // A Bitcoin address travels as its text; its newer kinds may also be written in capitals.
  Bitcoin: (text) => Result.succeed(utf8ToBytes(witness.test(text) ? text.toLowerCase() : text)),
  Ethereum: fromHex,
  Arbitrum: fromHex,
  Bsc: fromHex,
  Solana: fromBase58,
  Tron: fromTron,
  Polkadot: fromSs58,
  Assethub: fromSs58,
}

/** No address is longer; the time to read base58 grows with the square of the length. */
const maximumLength = 90

/** The account that an address names, as bytes: the same for every spelling of the address. */
export const accountBytes = (chain: Chain, address: string): Result.Result<Uint8Array, string> =>
  address.length > maximumLength ? Result.fail("it is longer than any address") : readers[chain](address)

/** One text for every spelling of an address; text that is no address of the chain stands for itself. */
export const accountText = (chain: Chain, address: string): string =>
  Result.match(accountBytes(chain, address), { onSuccess: bytesToHex, onFailure: () => address })
