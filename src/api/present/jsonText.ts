import { formatUnits } from "../../domain/Amount.ts"
import type { AssetId } from "../../domain/Asset.ts"
import { type EpochMillis, toIsoDate } from "../../domain/Time.ts"

/*
 * JSON that is written straight as text, which takes a small part of the time that a schema takes to encode it.
 * A member is its name and value behind a comma, or nothing where there is no value (decision 19), so that
 * members are put together by writing them one after the other.
 */

/** The object of members. */
export const object = (members: string): string => `{${members.slice(1)}}`

/** A list of values that are each JSON. */
export const list = <A>(values: ReadonlyArray<A>, write: (value: A) => string): string =>
  `[${values.map(write).join(",")}]`

/** A member whose value is JSON. */
export const member = (name: string, json: string | number | boolean): string => `,"${name}":${json}`

/** Nearly all text: addresses, hashes and names need no escaping. */
const needsNoEscape = /^[\w .:/+-]*$/

/** A member whose value is text of any kind. */
export const textMember = (name: string, text: string | undefined): string =>
  text === undefined
    ? ""
    : needsNoEscape.test(text)
    ? `,"${name}":"${text}"`
    : `,"${name}":${JSON.stringify(text)}`

/** A member whose value is a number that a double holds. */
export const numberMember = (name: string, value: number | undefined): string =>
  value === undefined ? "" : `,"${name}":${value}`

/** A member that is written in its own way. */
export const when = <A>(name: string, value: A | undefined, write: (value: A) => string): string =>
  value === undefined ? "" : `,"${name}":${write(value)}`

/** An amount in both forms (decision 19). */
export const amountMembers = (name: string, asset: AssetId, amount: bigint | undefined): string =>
  amount === undefined ? "" : `,"${name}":${formatUnits(asset, amount)},"${name}Native":"${amount}"`

/** A time in both forms (decision 20). */
export const timeMembers = (name: string, at: EpochMillis | undefined): string =>
  at === undefined ? "" : `,"${name}":${at},"${name}Date":"${toIsoDate(at)}"`
