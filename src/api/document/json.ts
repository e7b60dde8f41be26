import { BigDecimal, Predicate } from "effect"
import { formatDecimal } from "#domain/money/Decimal.ts"

/** An object of the document. Its members have no type, as the library's own types do not know our additions. */
export type Members = Readonly<Record<string, unknown>>

/** A replacer of `JSON.stringify`: an amount that was read as a double gets all its digits again, by its `…Native` twin. */
export function withAllDigits(this: unknown, name: string, value: unknown): unknown {
  const native = Predicate.isObject(this) ? this[`${name}Native`] : undefined
  if (typeof value !== "number" || value === 0 || typeof native !== "string") return value
  const decimals = Math.round(Math.log10(Number(native) / value))
  return JSON.rawJSON(formatDecimal(BigDecimal.make(BigInt(native), decimals)))
}

export const mapMembers = (object: unknown, change: (member: unknown, name: string) => unknown): unknown =>
  Predicate.isObject(object)
    ? Object.fromEntries(Object.entries(object).map(([name, member]) => [name, change(member, name)]))
    : object

/** The object with the part changed that these names of members lead to. */
export const changeAt = (
  json: unknown,
  [name, ...others]: ReadonlyArray<string>,
  change: (part: unknown) => unknown,
): unknown =>
  name === undefined
    ? change(json)
    : mapMembers(json, (member, own) => own === name ? changeAt(member, others, change) : member)

export const mapOperations = (
  paths: unknown,
  change: (operation: Members, path: string, method: string) => Members,
): unknown =>
  mapMembers(
    paths,
    (operations, path) =>
      mapMembers(
        operations,
        (operation, method) => Predicate.isObject(operation) ? change(operation, path, method) : operation,
      ),
  )
