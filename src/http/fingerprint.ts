import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex } from "@noble/hashes/utils.js"
import { Effect, Predicate } from "effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import { Fingerprint } from "../domain/Idempotency.ts"
import type { RawParameters } from "./readParameters.ts"

/** One way of writing what can be written in many: members in the order of their names, all the way down. */
const canonical = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(canonical)
  if (!Predicate.isObject(value)) return value
  return Object.entries(value)
    .map(([name, member]) => [name, canonical(member)] as const)
    .toSorted(([one], [other]) => one < other ? -1 : 1)
}

const known = (raw: RawParameters, names: ReadonlyArray<string>): RawParameters =>
  Object.fromEntries(Object.entries(raw).filter(([name]) => names.includes(name)))

/**
 * What makes two requests the same: method, path and those of the parameters that are given which have one of the
 * `names`, wherever they stand and in whatever order. The credential was taken away before; unknown parameters are ignored as
 * everywhere (decision 3).
 */
export const fingerprint = Effect.fnUntraced(function* (names: ReadonlyArray<string>, given: RawParameters) {
  const { method, url } = yield* HttpServerRequest.HttpServerRequest
  const { pathname } = new URL(url, "http://localhost")
  const text = JSON.stringify([method, pathname, canonical(known(given, names))])
  return Fingerprint.make(bytesToHex(sha256(new TextEncoder().encode(text))))
})
