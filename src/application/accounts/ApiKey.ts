import { base32 } from "@scure/base"
import { Data, Redacted } from "effect"
import { createHmac, hash, timingSafeEqual } from "node:crypto"
import { issueAbout, type Issues, noIssues } from "#domain/Issues.ts"
import { KeyId } from "#domain/accounts/Key.ts"
import type { KeySecret } from "#infrastructure/store/accounts/KeySecretRepo.ts"

/**
 * A key of ours is `sbk_`, its public id, `_`, 120 random bits, a MAC of 80 bits and a checksum of all before it, in
 * lower-case base32:
 *
 *     sbk_7f3kq2mzr5xwa6hd_ 24 random characters, 16 of the MAC, then 8 of the checksum
 *
 * The prefix tells people and secret scanners that it is a key. The checksum tells a mistyped key from an unknown one,
 * and the MAC (HMAC-SHA-256 of all before it, under a secret of the database) tells a key that was issued here from an
 * invented one, both without a look into the database. Keys of the first releases have random bits in place of the MAC
 * and still work; a first key that the operator chose may have any form.
 */
const prefix = "sbk_"
const form = /^(sbk_([a-z2-7]{16})_[a-z2-7]{40})([a-z2-7]{8})$/

/** Base32 of multiples of five bytes needs no padding. */
const idByteCount = 10
const randomByteCount = 15
const macByteCount = 10
const checksumByteCount = 5

/** The parts of a key: the text that the MAC is of, and the MAC. */
const withMac = /^(sbk_[a-z2-7]{16}_[a-z2-7]{24})([a-z2-7]{16})[a-z2-7]{8}$/

/** The fewest characters of a key; a shorter one could be guessed. */
export const minimumKeyLength = 24

const encode = (bytes: Uint8Array): string => base32.encode(bytes).toLowerCase()

const random = (byteCount: number): string => encode(crypto.getRandomValues(new Uint8Array(byteCount)))

/** SHA-256 of the runtime: every request has its key hashed, and one written in JavaScript takes four times as long. */
const digest = (text: string): Uint8Array => hash("sha256", text, "buffer")

const checksum = (text: string): string => encode(digest(text).subarray(0, checksumByteCount))

export const newKeyId = (): KeyId => KeyId.make(random(idByteCount))

const macOf = (text: string, secret: KeySecret): Uint8Array =>
  createHmac("sha256", Redacted.value(secret)).update(text).digest().subarray(0, macByteCount)

const keyOf = (text: string, mac: string): Redacted.Redacted<string> =>
  Redacted.make(`${text}${mac}${checksum(`${text}${mac}`)}`)

/** A new random key with this public id and a MAC under the secret of the database. */
export const newKey = (id: KeyId, secret: KeySecret): Redacted.Redacted<string> => {
  const text = `${prefix}${id}_${random(randomByteCount)}`
  return keyOf(text, encode(macOf(text, secret)))
}

/** A new key for an operator to choose before there is a database. Nothing tells it from an invented key. */
export const newKeyWithoutMac = (id: KeyId): Redacted.Redacted<string> =>
  keyOf(`${prefix}${id}_${random(randomByteCount)}`, random(macByteCount))

/** The public id of a key that was issued with this secret, whether the key is still good or not. */
export const issuedId = (key: Redacted.Redacted<string>, secret: KeySecret): KeyId | undefined => {
  const form = formOf(key)
  if (form._tag !== "Ours") return undefined
  const [, text = "", mac = ""] = withMac.exec(Redacted.value(key)) ?? []
  return sameHash(base32.decode(mac.toUpperCase()), macOf(text, secret)) ? form.id : undefined
}

/** The form of a key, judged by its text alone. */
export type KeyForm = Data.TaggedEnum<{
  /** A key of our form, with a matching checksum. */
  Ours: { readonly id: KeyId }
  /** A key that cannot exist: it is too short, or begins like ours but is cut off or has a wrong character. */
  Impossible: object
  /** A key of another form, which only `BOOTSTRAP_API_KEY` brings in. */
  Foreign: object
}>
export const KeyForm = Data.taggedEnum<KeyForm>()

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

/** Whether a text holds a key: one of `keys`, or any of our form. Too short a text holds none. */
export const holdsKey = (text: string, keys: ReadonlyArray<Redacted.Redacted<string>>): boolean =>
  oursInside.test(text) ||
  keys.map(Redacted.value).some((key) => key.length >= minimumKeyLength && text.includes(key))

/** The SHA-256 of a key, which is all that is kept of it. Keys are random, so a slower hash would protect nothing. */
export const hashKey = (key: Redacted.Redacted<string>): Uint8Array => digest(Redacted.value(key))

/** Compares two hashes in constant time. */
export const sameHash = (left: Uint8Array, right: Uint8Array): boolean =>
  left.length === right.length && timingSafeEqual(left, right)

/** Issues of a stored text that holds an API key: one of `keys`, or another of ours (decision 1). */
export const heldKeyIssues = (
  parameter: string,
  text: string | undefined,
  keys: ReadonlyArray<Redacted.Redacted<string>>,
): Issues =>
  text !== undefined && holdsKey(text, keys)
    ? issueAbout(parameter, "contains an API key, which is never stored; leave it out")
    : noIssues
