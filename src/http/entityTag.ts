import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { base64urlnopad } from "@scure/base"

/** Enough of a hash that no two bodies share it by chance. */
const tagBytes = 20

/** The strong entity tag of a body: another one byte for byte has another one (RFC 9110 8.8.3). */
export const entityTag = (body: string): string =>
  `"${base64urlnopad.encode(sha256(utf8ToBytes(body)).subarray(0, tagBytes))}"`

/** One entity tag in a list; commas may stand inside the quotes. */
const listedTag = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g

/**
 * Whether an `If-None-Match` holds the entity tag. Weak tags are those of the same answer, too, and `*` is that
 * of any (RFC 9110 13.1.2). What cannot be read matches nothing.
 */
export const isKnownTag = (ifNoneMatch: string, tag: string): boolean =>
  ifNoneMatch.trim() === "*" || [...ifNoneMatch.matchAll(listedTag)].some(([, listed]) => listed === tag)
