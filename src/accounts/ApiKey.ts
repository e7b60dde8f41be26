import { base32 } from "@scure/base"
import { Data, Redacted } from "effect"
import { createHmac, hash, timingSafeEqual } from "node:crypto"
import { issueAbout, type Issues, noIssues } from "../domain/Issues.ts"
import { KeyId } from "../domain/Key.ts"
import type { KeySecret } from "../store/accounts/KeySecretRepo.ts"

/**
 * A key of ours is `sbk_`, its public id, `_`, 120 random bits, a MAC of 80 bits and a checksum of all before it,
 * in lower-case base32:
 *
 *     sbk_7f3kq2mzr5xwa6hd_ 24 characters that nobody guesses, 16 of the MAC, then 8 of checksum
 *
 * The prefix tells people and secret scanners what it is; the checksum tells a slip of the pen from an unknown
 * key, and the MAC (HMAC-SHA-256 of all before it, under a secret of the database) a key that was issued here from
 * one that was made up, both without a look into the database. Keys of the first releases have random bits in the
 * place of the MAC, and go on working; a first key that the operator chose may have any form.
 */
const prefix = "sbk_"
const form = /^(sbk_([a-z2-7]{16})_[a-z2-7]{40})([a-z2-7]{8})$/

/** Of multiples of five bytes, base32 needs no padding. */
const idByteCount = 10
const randomByteCount = 15
const macByteCount = 10
const checksumByteCount = 5

/** The parts of a key: the text that the MAC is of, and the MAC. */
const withMac = /^(sbk_[a-z2-7]{16}_[a-z2-7]{24})([a-z2-7]{16})[a-z2-7]{8}$/

/** A key is as good as a password: what has fewer characters can be guessed. */
export const minimumKeyLength = 24

const encode = (bytes: Uint8Array): string => base32.encode(bytes).toLowerCase()

const random = (byteCount: number): string => encode(crypto.getRandomValues(new Uint8Array(byteCount)))

/** The runtime's own SHA-256: every request has its key hashed, and one written in JavaScript takes four times as long. */
const digest = (text: string): Uint8Array => hash("sha256", text, "buffer")

const checksum = (text: string): string => encode(digest(text).subarray(0, checksumByteCount))

/** A new public id. */
export const newKeyId = (): KeyId => KeyId.make(random(idByteCount))

const macOf = (text: string, secret: KeySecret): Uint8Array =>
  createHmac("sha256", Redacted.value(secret)).update(text).digest().subarray(0, macByteCount)

const keyOf = (text: string, mac: string): Redacted.Redacted<string> =>
  Redacted.make(`${text}${mac}${checksum(`${text}${mac}`)}`)

/** A new key that cannot be guessed, of this public id, with a MAC under the secret of the database. */
export const newKey = (id: KeyId, secret: KeySecret): Redacted.Redacted<string> => {
  const text = `${prefix}${id}_${random(randomByteCount)}`
  return keyOf(text, encode(macOf(text, secret)))
}

/** A key for an operator to choose, where there is no database yet: nothing tells it from one that is made up. */
export const newKeyWithoutMac = (id: KeyId): Redacted.Redacted<string> =>
  keyOf(`${prefix}${id}_${random(randomByteCount)}`, random(macByteCount))

/** The public id of a key that was issued with this secret, whether it is still good or not. */
export const issuedId = (key: Redacted.Redacted<string>, secret: KeySecret): KeyId | undefined => {
  const form = formOf(key)
  if (form._tag !== "Ours") return undefined
  const [, text = "", mac = ""] = withMac.exec(Redacted.value(key)) ?? []
  return sameHash(base32.decode(mac.toUpperCase()), macOf(text, secret)) ? form.id : undefined
}

/** The form of a key, told from its text alone. */
export type KeyForm = Data.TaggedEnum<{
  /** A key of our form, with a checksum that fits. */
  Ours: { readonly id: KeyId }
  /** Nobody has it: it is too short, or begins like one of ours but is cut off or has a wrong character. */
  Impossible: object
  /** A key of another form, which only `BOOTSTRAP_API_KEY` brings in. */
  Foreign: object
}>
export const KeyForm = Data.taggedEnum<KeyForm>()

/** Which form a key has. */
export const formOf = (key: Redacted.Redacted<string>): KeyForm => {
  const text = Redacted.value(key)
  if (text.length < minimumKeyLength) return KeyForm.Impossible()
  if (!text.startsWith(prefix)) return KeyForm.Foreign()
  const [, before = "", id = "", check] = form.exec(text) ?? []
  return before !== "" && check === checksum(before)
    ? KeyForm.Ours({ id: KeyId.make(id) })
    : KeyForm.Impossible()
}

const oursInside = /sbk_[a-z2-7]{16}_[a-z2-7]{48}/

/**
 * Whether a text that will be kept holds a key: one of these, or any of our form. What is too short to be a key
 * is none.
 */
export const holdsKey = (text: string, keys: ReadonlyArray<Redacted.Redacted<string>>): boolean =>
  oursInside.test(text) ||
  keys.map(Redacted.value).some((key) => key.length >= minimumKeyLength && text.includes(key))

/** What is kept of a key: its SHA-256. Keys are random, so there is nothing for a slower hash to protect. */
export const hashKey = (key: Redacted.Redacted<string>): Uint8Array => digest(Redacted.value(key))

/** Compares two hashes in a time that does not tell where they differ. */
export const sameHash = (left: Uint8Array, right: Uint8Array): boolean =>
  left.length === right.length && timingSafeEqual(left, right)

/**
 * What is wrong with a text of the caller's own words that is kept and shown to others: it must not hold an API
 * key, neither one of `keys` nor another of ours (decision 1).
 */
export const heldKeyIssues = (
  parameter: string,
  text: string | undefined,
  keys: ReadonlyArray<Redacted.Redacted<string>>,
): Issues =>
  text !== undefined && holdsKey(text, keys)
    ? issueAbout(parameter, "holds an API key, which is written down nowhere: leave it out")
    : noIssues
