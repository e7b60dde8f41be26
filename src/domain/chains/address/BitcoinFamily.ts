import { sha256 } from "@noble/hashes/sha2.js"
import { bech32, bech32m, createBase58check } from "@scure/base"
import { Address } from "@scure/btc-signer/payment.js"
import { PubT, validatePubkey } from "@scure/btc-signer/utils.js"
import { Option, Result } from "effect"
import { type BitcoinFamily, type BitcoinForms, Network } from "../catalogue/ChainRow.ts"
import { checksumFault, decodeBase58Check, foreignCharacterFault, lengthFault } from "./Base58.ts"

// Addresses of Bitcoin Cash (CashAddr, its specification of 2017). Hand-written for @bitauth/libauth, which has them beside
// a virtual machine, wallets and four engines in WebAssembly: 10 MB for what stands below.

const alphabet = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
const foreignCharacter = new RegExp(`[^${alphabet}]`, "u")
const checksumWords = 8
const generators = [0x98f2bc8e61n, 0x79b76d99e2n, 0xf33e5fb3c4n, 0xae2eabe2a8n, 0x1e4f43e470n]

const polymod = (words: ReadonlyArray<number>): bigint =>
  words.reduce((state, word) => {
    const top = state >> 35n
    const shifted = ((state & 0x07ffffffffn) << 5n) ^ BigInt(word)
    return generators.reduce(
      (sum, generator, bit) => (top >> BigInt(bit)) & 1n ? sum ^ generator : sum,
      shifted,
    )
  }, 1n) ^ 1n

/** The five lower bits of each letter, and a zero. */
const prefixWords = (prefix: string): ReadonlyArray<number> =>
  [...prefix].map((letter) => letter.charCodeAt(0) & 0x1f).concat(0)

/** Bytes of five-bit words; undefined where the bits that are left over are not zeros, or make a word of their own. */
const toBytes = (words: ReadonlyArray<number>): Uint8Array | undefined => {
  const bits = words.map((word) => word.toString(2).padStart(5, "0")).join("")
  const whole = bits.length - bits.length % 8
  if (bits.length - whole >= 5 || bits.slice(whole).includes("1")) return undefined
  return Uint8Array.from(
    { length: whole / 8 },
    (_, index) => Number.parseInt(bits.slice(8 * index, 8 * index + 8), 2),
  )
}

const toWords = (bytes: Uint8Array): ReadonlyArray<number> => {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("")
  return Array.from(
    { length: Math.ceil(bits.length / 5) },
    (_, index) => Number.parseInt(bits.slice(5 * index, 5 * index + 5).padEnd(5, "0"), 2),
  )
}

/** The kinds of payees by the four bits of a version byte that name them. */
const kinds = ["keyHash", "scriptHash"] as const
/** The bytes of a hash by the three lower bits of a version byte. */
const hashLengths = [20, 24, 28, 32, 40, 48, 56, 64]

/** Who is paid: a public key by its hash, or a script. */
export interface CashPayee {
  readonly kind: typeof kinds[number]
  readonly hash: Uint8Array
}

const payeeOf = (bytes: Uint8Array): Result.Result<CashPayee, string> => {
  const [version = 0x80, ...hash] = bytes
  const kind = kinds[version >> 3]
  if (version >> 3 === 2 || version >> 3 === 3) {
    return Result.fail("it is an address for tokens; use the one that begins with q or p")
  }
  if (kind === undefined) return Result.fail("it is of a kind that Bitcoin Cash does not have")
  // A script may be hashed with 32 bytes, a key with 20 alone.
  const isOfLength = hash.length === hashLengths[version & 7] &&
    (hash.length === 20 || kind === "scriptHash" && hash.length === 32)
  return isOfLength ? Result.succeed({ kind, hash: Uint8Array.from(hash) }) : Result.fail(lengthFault)
}

/** The payee of an address, which may lack its prefix, or what is wrong with it. */
export const decodeCashAddr = (prefix: string, text: string): Result.Result<CashPayee, string> => {
  const lower = text.toLowerCase()
  if (text !== lower && text !== text.toUpperCase()) return Result.fail("it mixes capital and small letters")
  const bare = lower.startsWith(`${prefix}:`) ? lower.slice(prefix.length + 1) : lower
  const foreign = foreignCharacterFault(bare, foreignCharacter)
  if (foreign !== undefined) return Result.fail(foreign)
  const words = [...bare].map((letter) => alphabet.indexOf(letter))
  if (words.length <= checksumWords) return Result.fail(lengthFault)
  if (polymod([...prefixWords(prefix), ...words]) !== 0n) return Result.fail(checksumFault)
  const bytes = toBytes(words.slice(0, -checksumWords))
  return bytes === undefined ? Result.fail(lengthFault) : payeeOf(bytes)
}

export const encodeCashAddr = (prefix: string, { hash, kind }: CashPayee): string => {
  const version = kinds.indexOf(kind) << 3 | hashLengths.indexOf(hash.length)
  const payload = toWords(Uint8Array.of(version, ...hash))
  const sum = polymod([...prefixWords(prefix), ...payload, ...new Array<number>(checksumWords).fill(0)])
  const checksum = Array.from(
    { length: checksumWords },
    (_, index) => Number(sum >> BigInt(5 * (checksumWords - 1 - index)) & 0x1fn),
  )
  return `${prefix}:${[...payload, ...checksum].map((word) => alphabet[word]).join("")}`
}

/** The version bytes that Bitcoin Cash has had from Bitcoin. */
const legacyKinds: ReadonlyMap<number, CashPayee["kind"]> = new Map([[0x00, "keyHash"], [0x05, "scriptHash"]])

/** An address's payee in any form of the chain, as upstreams send; customers' are CashAddr alone. */
export const readCashPayee = (prefix: string, text: string): Result.Result<CashPayee, string> =>
  Result.orElse(decodeCashAddr(prefix, text), (fault) =>
    Result.flatMap(
      Result.try({ try: () => base58check.decode(text), catch: () => fault }),
      ([version = 0xff, ...hash]) => {
        const kind = legacyKinds.get(version)
        return kind === undefined || hash.length !== 20
          ? Result.fail(fault)
          : Result.succeed({ kind, hash: Uint8Array.from(hash) })
      },
    ))

/** A payee, and the prefix of its network. */
interface CashAddress {
  readonly prefix: string
  readonly payee: CashPayee
}

/** As `readCashPayee`, with the first of the prefixes that an address fits: one without a prefix does not say its network. */
export const readCashAddr = (
  prefixes: ReadonlyArray<string>,
  text: string,
): Result.Result<CashAddress, string> =>
  prefixes.reduce<Result.Result<CashAddress, string>>(
    (found, prefix) =>
      Result.orElse(found, () => Result.map(readCashPayee(prefix, text), (payee) => ({ prefix, payee }))),
    Result.fail("it has no prefix"),
  )

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

const payeeOfCashAddr = (text: string, prefix: string): Payee | undefined =>
  Result.match(decodeCashAddr(prefix, text), {
    onFailure: () => undefined,
    onSuccess: ({ hash, kind }) => ({ type: kind === "keyHash" ? "pkh" : "sh", hash: Uint8Array.from(hash) }),
  })

const isSegwit = (text: string, { bech32 }: BitcoinForms): boolean =>
  bech32 !== undefined && text.toLowerCase().startsWith(`${bech32}1`)

const read = (text: string, bytes: Uint8Array | undefined, forms: BitcoinForms): Payee | undefined => {
  if (forms.bech32 !== undefined && isSegwit(text, forms)) return readSegwit(text, forms.bech32)
  if (forms.cashAddr !== undefined) return payeeOfCashAddr(text, forms.cashAddr)
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
