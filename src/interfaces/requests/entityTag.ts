import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { base64urlnopad } from "@scure/base"

/** The bytes of the hash in a tag: enough that no two bodies share a tag by chance. */
const tagBytes = 20

/** The strong entity tag of a body: bodies that differ in a byte have different tags (RFC 9110 8.8.3). */
export const entityTag = (body: string): string =>
  `"${base64urlnopad.encode(sha256(utf8ToBytes(body)).subarray(0, tagBytes))}"`

/** An entity tag in a list; commas may stand inside its quotes. */
const listedTag = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g

/**
 * Whether an `If-None-Match` holds the entity tag. Weak tags match, too, and `*` matches any (RFC 9110 13.1.2). Text
 * that cannot be read matches nothing.
 */
export const isKnownTag = (ifNoneMatch: string, tag: string): boolean =>
  ifNoneMatch.trim() === "*" || [...ifNoneMatch.matchAll(listedTag)].some(([, listed]) => listed === tag)
