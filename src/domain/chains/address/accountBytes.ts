import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import { Match, Result } from "effect"
import { type Chain, chainFacts } from "../catalogue/Catalogue.ts"
import type { BitcoinFamily } from "../catalogue/ChainRow.ts"
import { decodeBase58Check, decodeBase58OfLength, longestAddress, tooLong } from "./Base58.ts"
import { encodeCashAddr, readCashAddr } from "./BitcoinFamily.ts"
import { decodeSs58 } from "./Ss58.ts"
import { checkXrpl } from "./Xrpl.ts"

const publicKeyLength = 32
const tronLength = 21
const hex = /^0x(?:[0-9a-fA-F]{2})+$/
/** Tron's account in hexadecimal, with or without the byte that its addresses begin with. */
const tronHex = /^(?:0x)?(?:41)?[0-9a-fA-F]{40}$/

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

const cashPrefixes = (forms: BitcoinFamily["forms"]): ReadonlyArray<string> =>
  Object.values(forms).flatMap(({ cashAddr }) => cashAddr === undefined ? [] : [cashAddr])

/** The first byte tells a hash of a script from that of a key. */
const fromCashAddr = (prefixes: ReadonlyArray<string>, text: string): Result.Result<Uint8Array, string> =>
  Result.map(
    readCashAddr(prefixes, text),
    ({ payee: { hash, kind } }) => concatBytes(Uint8Array.of(kind === "keyHash" ? 0 : 1), hash),
  )

const isWitness = (forms: BitcoinFamily["forms"], text: string): boolean =>
  Object.values(forms).some(({ bech32 }) =>
    bech32 !== undefined && text.toLowerCase().startsWith(`${bech32}1`)
  )

/** Whether the letters of an address mean the same in either case: those of bech32 and of CashAddr do. */
export const isInEitherCase = (chain: Chain, address: string): boolean => {
  const { family } = chainFacts(chain)
  if (family._tag !== "bitcoin") return family._tag === "evm"
  return isWitness(family.forms, address) || family.forms.mainnet.cashAddr !== undefined
}

/** An address travels as its text, as a Bitcoin one does to Chainflip; its newer kinds may be written in capitals. */
const fromBitcoin = ({ forms }: BitcoinFamily, text: string): Result.Result<Uint8Array, string> => {
  const prefixes = cashPrefixes(forms)
  if (prefixes.length > 0) return fromCashAddr(prefixes, text)
  return Result.succeed(utf8ToBytes(isWitness(forms, text) ? text.toLowerCase() : text))
}

/** The account that an address names, as bytes: the same for every spelling of the address. */
export const accountBytes = (chain: Chain, address: string): Result.Result<Uint8Array, string> =>
  address.length > longestAddress ? Result.fail(tooLong) : Match.valueTags(chainFacts(chain).family, {
    bitcoin: (family) => fromBitcoin(family, address),
    evm: () => fromHex(address),
    solana: () => fromBase58(address),
    tron: () => fromTron(address),
    substrate: () => fromSs58(address),
    xrpl: () => checkXrpl(address),
  })

/** An upstream's address as its chain writes it (Bitcoin Cash has three forms); other text unchanged. */
export const inOwnForm = (chain: Chain, text: string): string => {
  const { family } = chainFacts(chain)
  const read = readCashAddr(family._tag === "bitcoin" ? cashPrefixes(family.forms) : [], text)
  return Result.match(read, {
    onSuccess: ({ payee, prefix }) => encodeCashAddr(prefix, payee),
    onFailure: () => text,
  })
}

/** One text for every spelling of an address; text that is no address of the chain stands for itself. */
export const accountText = (chain: Chain, address: string): string =>
  Result.match(accountBytes(chain, address), { onSuccess: bytesToHex, onFailure: () => address })
