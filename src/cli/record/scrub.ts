import { shake256 } from "@noble/hashes/sha3.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import { Predicate, Result } from "effect"
import { isOnCurve as isOfTaproot } from "#domain/chains/address/BitcoinFamily.ts"
import { isOnCurve, ownerlessFault } from "#domain/chains/address/ownerless.ts"
import { type Spelling, spellingOf } from "#domain/chains/address/spelling.ts"
import { chains } from "#domain/chains/Chain.ts"

/*
 * Stand-ins for whatever names somebody: accounts, hashes, IDs, signatures. A stand-in is made of its number in the file,
 * so nothing of the original can be searched for, and has the form of the original. Bytes have one stand-in, however they
 * are spelled: in capitals or not, with 0x or without, in base58 or hexadecimal, in memos. Calldata is replaced as a whole.
 */

/** Shorter names and IDs occur by chance: they are replaced, and not searched for. */
const shortest = 6

/** Members that hold an ID: not those of chains, which are public. */
const idMember = /(?:^i|I|_i)ds?$|[tT]ag$/
const publicId = /(?:chain|asset|token|currency|contract)_?ids?$/i
/** Members that say who or with which tag. */
const whoMember =
  /(?:address|account|recipient|refundTo|sender|user|owner|referral|referrer|affiliate|partner|memo|tag)(?:_?name)?$/i
const isIdMember = (member: string): boolean => idMember.test(member) && !publicId.test(member)
/** Members whose number is no ID, though an ID may be equal to it. */
const amountMember = /(?:amount\w{0,20}|native|fee|value|price)s?$/i
const isAmountMember = (member: string): boolean => amountMember.test(member) && !isIdMember(member)
/** A number that is neither a part of a word nor of a fraction. */
const numbers = /(?<![A-Za-z0-9.])\d{1,40}(?![A-Za-z0-9.])/g
const idForm = /^\d{1,40}(?:-[A-Za-z]{1,40}-\d{1,40})?$/
const uuids = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi
/** An asset of NEAR, whose name has the contract of a token. */
const nearAsset = /^(?:nep|1cs_v)\d{1,4}:/
/** Such an asset, or what may name somebody: base64 or a token, or letters and digits. */
const tokens = /(?:nep|1cs_v)\d{1,4}:[\w.:-]{1,200}|[A-Za-z0-9+/_=-]{20,}/g
const pieces = /[A-Za-z0-9]{20,}/g

const isMixed = (text: string): boolean => /[0-9]/.test(text) && /[A-Za-z]/.test(text)

/** Bytes that depend on nothing but numbers. */
const bytesOf = (number: number, attempt: number, length: number): Uint8Array =>
  shake256(utf8ToBytes(`stand-in ${number}.${attempt}`), { dkLen: length })

/** Keys of people and of programs, and keys of taproot, differ by their curve. */
const isOfKind = (original: Uint8Array, made: Uint8Array): boolean =>
  original.length !== 32 ||
  isOnCurve(made) === isOnCurve(original) && isOfTaproot(made) === isOfTaproot(original)

/** Digits in the place of digits and letters in the place of letters; a number has no zero at its beginning. */
const inShapeOf = (text: string, bytes: Uint8Array): string => {
  const letters = /^[0-9a-f-]+$/i.test(text) ? "abcdef" : "abcdefghijklmnopqrstuvwxyz"
  const alphabets = ["0123456789", letters, letters.toUpperCase()]
  return [...text].map((character, index) => {
    const alphabet = alphabets.find((one) => one.includes(character)) ?? character
    const byte = bytes[index] ?? 0
    return alphabet[index === 0 && alphabet.length === 10 ? 1 + byte % 9 : byte % alphabet.length]
  }).join("")
}

/** How often a stand-in for a short text is made anew until it differs from the others. */
const patience = 400

/** Nobody's: the asset of a chain, a token's contract, a program, or zeros. */
const isPublic = (text: string, bytes: Uint8Array): boolean =>
  bytes.every((byte) => byte === 0) ||
  chains().some((chain) =>
    [text, `0x${bytesToHex(bytes)}`].some((one) => ownerlessFault(chain, one) !== undefined)
  )

const escaped = (text: string): string => text.replaceAll(/[^A-Za-z0-9]/g, "\\$&")

const makeStandIns = (names: ReadonlyArray<string>) => {
  const made = new Map<string, Uint8Array | "public">()
  const shapes = new Map<string, string>()
  const isName = new Set(names.filter((name) => name !== "" && spellingOf(name) === undefined))
  const originals = new Set([...isName].filter(({ length }) => length >= shortest))
  const ids = new Set<string>()

  const create = (original: Uint8Array, attempt = 0): Uint8Array => {
    const next = bytesOf(made.size + 1, attempt, original.length)
    return isOfKind(original, next) ? next : create(original, attempt + 1)
  }

  const spelled = (text: string, { bytes, write }: Spelling): string => {
    const key = bytesToHex(bytes)
    const standIn = made.get(key) ?? (isPublic(text, bytes) ? "public" : create(bytes))
    made.set(key, standIn)
    if (standIn === "public") return text
    originals.add(text).add(key).add(bytesToHex(utf8ToBytes(text)))
    return write(standIn)
  }

  const shaped = (text: string): string => {
    const taken = new Set(shapes.values())
    for (let attempt = 0; !shapes.has(text) && attempt <= patience; attempt += 1) {
      const next = inShapeOf(text, bytesOf(shapes.size + 1, attempt, text.length))
      if (next !== text && !taken.has(next) || attempt === patience) shapes.set(text, next)
    }
    if (text.length >= shortest) (/^\d+$/.test(text) ? ids : originals).add(text)
    return shapes.get(text) ?? ""
  }

  const withoutIds = (text: string): string =>
    text.replace(numbers, (number) => ids.has(number) ? shaped(number) : number)

  const piece = (text: string): string => {
    const spelling = spellingOf(text)
    if (spelling !== undefined) return spelled(text, spelling)
    const prefix = /^0x/i.exec(text)?.[0] ?? ""
    return isMixed(text) ? `${prefix}${shaped(text.slice(prefix.length))}` : text
  }

  const token = (text: string): string => {
    if (nearAsset.test(text)) return text
    const isOpaque = text.length >= 40 && /[+/_=-]/.test(text) && isMixed(text) &&
      text !== text.toLowerCase() &&
      !(text.match(pieces) ?? []).some((part) => spellingOf(part) !== undefined)
    return isOpaque ? shaped(text) : text.replace(pieces, piece)
  }

  const bounded = [...isName].map((name) =>
    new RegExp(name.length < shortest ? `(?<=[:/])${escaped(name)}(?=[:/]|$)` : escaped(name), "g")
  )

  const inText = (text: string): string =>
    bounded.reduce(
      (left, name) => left.replace(name, shaped),
      text.replace(uuids, (uuid) => shaped(uuid.toLowerCase())).replace(tokens, token),
    )

  const text = (value: string, member: string): string => {
    if (isName.has(value)) return shaped(value)
    if (isIdMember(member) && idForm.test(value)) return value.replaceAll(/\d{1,40}/g, shaped)
    const written = inText(value)
    if (written !== value || !whoMember.test(member) || /[:\s]/.test(value)) return written
    const end = value.includes(".") ? value.lastIndexOf(".") : value.length
    return spellingOf(value) === undefined ? `${shaped(value.slice(0, end))}${value.slice(end)}` : value
  }

  const walk = (value: unknown, member: string): unknown => {
    if (Predicate.isString(value)) {
      return isAmountMember(member) && /^\d+$/.test(value) ? value : withoutIds(text(value, member))
    }
    if (JSON.isRawJSON(value)) {
      const isId = isIdMember(member) || ids.has(value.rawJSON) && !isAmountMember(member)
      return isId && /^\d+$/.test(value.rawJSON) ? JSON.rawJSON(shaped(value.rawJSON)) : value
    }
    if (Array.isArray(value)) return value.map((item) => walk(item, member))
    if (!Predicate.isObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [withoutIds(inText(name)), walk(item, name)]),
    )
  }

  return { originals, walk }
}

/** An original that text has: letters and digits around a short one make it another word. */
const leftIn = (text: string, originals: ReadonlySet<string>): string | undefined => {
  const lower = text.toLowerCase()
  return [...originals].find((original) => {
    const sought = original.toLowerCase()
    return sought.length < 16
      ? new RegExp(`(?<![a-z0-9.])${escaped(sought)}(?![a-z0-9.])`).test(lower)
      : lower.includes(sought)
  })
}

/**
 * The JSON text of a value, numbers as `JSON.rawJSON`, with a stand-in in the place of whatever names somebody; also of
 * `names`, which no form shows as such. Amounts, times, blocks, assets and words stay, an amount even where an ID is
 * equal to it. Fails with the beginning of an original that is left in the text, which must not be given away then.
 */
export const scrub = (value: unknown, names: ReadonlyArray<string>): Result.Result<string, string> => {
  const { originals, walk } = makeStandIns(names)
  // The first walk finds the IDs, which the second replaces in texts before them, too.
  walk(value, "")
  const text = JSON.stringify(walk(value, ""), undefined, 1)
  const left = leftIn(text, originals)
  return left === undefined ? Result.succeed(text) : Result.fail(left.slice(0, 6))
}
