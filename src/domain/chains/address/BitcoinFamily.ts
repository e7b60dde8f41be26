import { sha256 } from "@noble/hashes/sha2.js"
import { bech32, bech32m, createBase58check } from "@scure/base"
import { Address } from "@scure/btc-signer/payment.js"
import { PubT, validatePubkey } from "@scure/btc-signer/utils.js"
import { Option, Result } from "effect"
import { type BitcoinFamily, type BitcoinForms, Network } from "../catalogue/ChainRow.ts"
import { checksumFault, decodeBase58Check, foreignCharacterFault, lengthFault } from "./Base58.ts"
import { decodeCashAddr } from "./CashAddr.ts"

const witnessForeignCharacter = /[^qpzry9x8gf2tvdw0s3jn54khce6mua7l]/u
const hashLength = 20
/** Taproot; versions 2 to 16 are reserved and have no rules for spending yet. */
const lastWitnessVersion = 1

const base58check = createBase58check(sha256)

const versionBytes = (version: number): Uint8Array =>
  version > 0xff ? Uint8Array.of(version >> 8, version & 0xff) : Uint8Array.of(version)

const versionsOf = ({ keyHash, scriptHash }: BitcoinForms): ReadonlyArray<Uint8Array> =>
  [keyHash, scriptHash].flatMap((version) => version === undefined ? [] : [versionBytes(version)])

const allForms = ({ forms }: BitcoinFamily): ReadonlyArray<BitcoinForms> =>
  Network.literals.map((network) => forms[network])

/** No version byte has this value, so that only segwit addresses are read. */
const noVersion = -1

const coderOf = (prefix: string) =>
  Address({ bech32: prefix, pubKeyHash: noVersion, scriptHash: noVersion, wif: noVersion })

/** Who can spend what is paid to an address. */
export type Payee = ReturnType<ReturnType<typeof coderOf>["decode"]>

/** The bytes of base58check text; none where it is no such text. */
const bytesOf = Option.liftThrowable((text: string) => base58check.decode(text))

const readBase58 = (bytes: Uint8Array, { keyHash, scriptHash }: BitcoinForms): Payee | undefined => {
  const hashOf = (version: number | undefined) => {
    if (version === undefined) return undefined
    const begin = versionBytes(version)
    const isOf = bytes.length === begin.length + hashLength && begin.every((byte, at) => bytes[at] === byte)
    return isOf ? Uint8Array.from(bytes.slice(begin.length)) : undefined
  }
  const [key, script] = [hashOf(keyHash), hashOf(scriptHash)]
  return key !== undefined
    ? { type: "pkh", hash: key }
    : script === undefined
    ? undefined
    : { type: "sh", hash: script }
}

const readSegwit = (text: string, prefix: string): Payee | undefined =>
  Option.getOrUndefined(Option.liftThrowable(coderOf(prefix).decode)(text))

const readCashAddr = (text: string, prefix: string): Payee | undefined =>
  Result.match(decodeCashAddr(prefix, text), {
    onFailure: () => undefined,
    onSuccess: ({ hash, kind }) => ({ type: kind === "keyHash" ? "pkh" : "sh", hash: Uint8Array.from(hash) }),
  })

const isSegwit = (text: string, { bech32 }: BitcoinForms): boolean =>
  bech32 !== undefined && text.toLowerCase().startsWith(`${bech32}1`)

const read = (text: string, bytes: Uint8Array | undefined, forms: BitcoinForms): Payee | undefined => {
  if (forms.bech32 !== undefined && isSegwit(text, forms)) return readSegwit(text, forms.bech32)
  if (forms.cashAddr !== undefined) return readCashAddr(text, forms.cashAddr)
  return bytes === undefined ? undefined : readBase58(bytes, forms)
}

/** An address's payee and networks; some forms are of several. Base58 is read once, and not in segwit, to save time. */
const readings = (family: BitcoinFamily, text: string) => {
  const bytes = allForms(family).some((forms) => isSegwit(text, forms))
    ? undefined
    : Option.getOrUndefined(bytesOf(text))
  return Network.literals.flatMap((network) => {
    const payee = read(text, bytes, family.forms[network])
    return payee === undefined ? [] : [{ network, payee }]
  })
}

const explainBase58 = (title: string, versionLength: number, text: string): string =>
  Result.match(decodeBase58Check(text, versionLength + hashLength), {
    onFailure: (fault) => fault,
    onSuccess: () => `it is of a kind that ${title} does not have`,
  })

const explainWitness = (text: string): string => {
  const lower = text.toLowerCase()
  if (text !== lower && text !== text.toUpperCase()) return "it mixes capital and small letters"
  const foreign = foreignCharacterFault(lower.slice(lower.indexOf("1") + 1), witnessForeignCharacter)
  if (foreign !== undefined) return foreign
  const inBech32 = bech32.decodeUnsafe(lower)
  const decoded = inBech32 ?? bech32m.decodeUnsafe(lower)
  if (decoded === undefined) return checksumFault
  const [version] = decoded.words
  if (version === undefined) return lengthFault
  // Version 0 has the checksum of bech32; later versions have that of bech32m (BIP-350).
  if ((version === 0) !== (inBech32 !== undefined)) return checksumFault
  return version > lastWitnessVersion ? `its witness version ${version} has no owner` : lengthFault
}

/** The first letters of addresses with a version: those of its lowest and its highest hash, which lie side by side. */
const firstLetters = (version: Uint8Array): ReadonlyArray<string> =>
  [0x00, 0xff].map((byte) =>
    base58check.encode(Uint8Array.of(...version, ...new Uint8Array(hashLength).fill(byte))).slice(
      0,
      version.length,
    )
  )

/** Why text is refused by its beginning, although the chain may have such addresses. */
export const refusedStart = ({ refused }: BitcoinFamily, text: string): string | undefined =>
  Object.entries(refused).find(([start]) => text.toLowerCase().startsWith(start))?.[1]

/** Why text that no network of the chain decodes is no address of it. */
const explain = (family: BitcoinFamily, title: string, text: string): string => {
  const lower = text.toLowerCase()
  const forms = allForms(family)
  if (forms.some(({ bech32 }) => bech32 !== undefined && lower.startsWith(`${bech32}1`))) {
    return explainWitness(text)
  }
  const cashAddr = forms.find(({ cashAddr }) =>
    cashAddr !== undefined && (lower.startsWith(`${cashAddr}:`) || /^[qpzr]/.test(lower))
  )?.cashAddr
  if (cashAddr !== undefined) {
    return Result.match(decodeCashAddr(cashAddr, text), {
      onFailure: (fault) => fault,
      onSuccess: () => checksumFault,
    })
  }
  const version = forms.flatMap(versionsOf).find((version) =>
    firstLetters(version).some((start) => text.startsWith(start))
  )
  return version === undefined
    ? `a ${title} address begins with ${family.begins}`
    : explainBase58(title, version.length, text)
}

/** Bitcoin's own names of the networks. */
const nativeName: Readonly<Record<Network, string>> = {
  mainnet: "mainnet",
  testnet: "testnet",
  sandbox: "regtest",
}

const naming = (networks: ReadonlyArray<Network>, conjunction: "and" | "or"): string =>
  networks.map((network) => nativeName[network]).join(` ${conjunction} `)

export const isOnCurve = (key: Uint8Array): boolean =>
  Result.isSuccess(Result.try(() => validatePubkey(key, PubT.schnorr)))

const payeeFault = (payee: Payee): string | undefined => {
  if (payee.type === "tr" && !isOnCurve(payee.pubkey)) {
    return "its taproot key is not valid, so the money could not be spent"
  }
  if (payee.type === "p2a") return "it is an anchor address, from which anyone could spend the money"
  return undefined
}

/**
 * An address of a chain of Bitcoin's family that belongs to one of the networks: in base58check, in bech32 with witness
 * version 0, as taproot in bech32m, or in CashAddr, as the chain has them. Witness versions without a meaning so far,
 * anchors, and taproot keys that are not on the curve are refused: nobody, or everybody, could spend money sent there.
 */
export const checkBitcoinFamily = (
  family: BitcoinFamily,
  title: string,
  networks: ReadonlyArray<Network>,
  text: string,
): Result.Result<Payee, string> => {
  const found = readings(family, text)
  const [first] = found
  if (first === undefined) return Result.fail(explain(family, title, text))
  const homes = found.map(({ network }) => network)
  if (!homes.some((network) => networks.includes(network))) {
    return Result.fail(
      `it is a ${naming(homes, "or")} address, but this broker serves ${naming(networks, "and")}`,
    )
  }
  const fault = payeeFault(first.payee)
  return fault === undefined ? Result.succeed(first.payee) : Result.fail(fault)
}
