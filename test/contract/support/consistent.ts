import { assert } from "@effect/vitest"
import { isList, isObject, type Json, JsonNumber } from "./Json.ts"

/** An exact decimal: no sign, exponent, leading or trailing zeros (decision 19). */
export const exactDecimal = /^(?:0|[1-9][0-9]*)(?:\.[0-9]*[1-9])?$/

/** Members that tell how far one figure is from another. */
const isDifference = /\.(?:relativeToBestBps|bps)$/
const signedInteger = /^(?:0|-?[1-9][0-9]*)$/

const nativeAmount = /^(?:0|[1-9][0-9]*)$/
const blockIndex = /^[0-9]+-[0-9]+$/

/** An instant as decision 20 writes it, worked out apart from the product's own way. */
export const isoDate = (millis: string): string => {
  const [, whole = "", fraction = ""] =
    /^(.{19})\.([0-9]{3})Z$/.exec(new Date(Number(millis)).toISOString()) ?? []
  const digits = fraction.replace(/0+$/, "")
  return `${whole}${digits === "" ? "" : `.${digits}`}+00:00`
}

const assertTime = (name: string, value: Json, date: Json | undefined, path: string): void => {
  assert.isTrue(value instanceof JsonNumber && /^[0-9]{13}$/.test(value.text), `${path}.${name} is no time`)
  if (date !== undefined && value instanceof JsonNumber) {
    assert.strictEqual(date, isoDate(value.text), `${path}.${name} and its date differ`)
  }
}

type Members = Readonly<Record<string, Json>>

/** What each member's name promises, whatever it is a member of. */
const promises: ReadonlyArray<
  readonly [name: RegExp, holds: (name: string, value: Json, siblings: Members, path: string) => void]
> = [
  [/At$/, (name, value, siblings, path) => assertTime(name, value, siblings[`${name}Date`], path)],
  [
    /Time$/,
    (name, value, siblings, path) => assertTime(name, value, siblings[name.replace(/Time$/, "Date")], path),
  ],
  [/BlockIndex$/, (name, value, _, path) => {
    assert.isTrue(typeof value === "string" && blockIndex.test(value), `${path}.${name} is no block index`)
  }],
  [/Native$/, (name, value, siblings, path) => {
    assert.isTrue(
      typeof value === "string" && nativeAmount.test(value),
      `${path}.${name} is no native amount`,
    )
    // A payload is for machines, which have no use for the human form (decision 13).
    if ("nulldataPayload" in siblings) return
    // Parameters are sent back as they are: a number beside the text could only lose its digits (decision 30).
    if (path.endsWith(".swapParameters")) return
    assert.isTrue(siblings[name.replace(/Native$/, "")] instanceof JsonNumber, `${path}.${name} has no twin`)
  }],
]

/**
 * What the conventions of the contract say of every body (decision 19): nothing is null, numbers are exact,
 * times have the dates that belong to them, native amounts their human twins.
 */
export const assertConsistent = (json: Json, path = "body"): void => {
  assert.isNotNull(json, `${path} is null`)
  if (json instanceof JsonNumber) {
    assert.match(json.text, isDifference.test(path) ? signedInteger : exactDecimal, path)
  }
  if (isList(json)) json.forEach((item, index) => assertConsistent(item, `${path}[${index}]`))
  if (!isObject(json)) return
  for (const [name, value] of Object.entries(json)) {
    assertConsistent(value, `${path}.${name}`)
    for (const [pattern, holds] of promises) {
      if (pattern.test(name)) holds(name, value, json, path)
    }
  }
}
