import { assert } from "@effect/vitest"
import { BigDecimal } from "effect"
import { type AssetId, factsOf } from "#domain/chains/Asset.ts"
import { type Found, NumberText, objectsIn } from "./json.ts"

const plainNumber = /^(?:0|[1-9][0-9]*)(?:\.[0-9]*[1-9])?$/
const isoDate = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?\+00:00$/
const millisName = /(?:At|Time)$/

/**
 * Every native amount has a human twin beside it that is the same amount, exactly, in units of its asset; but for
 * parameters, which are sent back as they are.
 */
export const assertAmountTwins = (
  json: unknown,
  assetOf: (amount: string, where: Found) => AssetId,
): number => {
  let pairs = 0
  for (const found of objectsIn(json)) {
    for (const [name, native] of Object.entries(found.object)) {
      if (!name.endsWith("Native") || found.path.endsWith(".swapParameters")) continue
      const human = found.object[name.slice(0, -"Native".length)]
      const where = `${found.path}.${name}`
      if (typeof native !== "string" || !(human instanceof NumberText)) {
        return assert.fail(`${where} has no twin`)
      }
      assert.match(human.text, plainNumber, where)
      const { decimals } = factsOf(assetOf(name, found))
      const units = BigDecimal.multiply(
        BigDecimal.fromStringUnsafe(human.text),
        BigDecimal.make(10n ** BigInt(decimals), 0),
      )
      assert.isTrue(
        BigDecimal.equals(units, BigDecimal.make(BigInt(native), 0)),
        `${where}: ${human.text} ${native}`,
      )
      pairs++
    }
  }
  return pairs
}

/** Every time in milliseconds has a date beside it that is the same moment, and the reverse. */
export const assertDateTwins = (json: unknown): void => {
  for (const { path, object } of objectsIn(json)) {
    for (const [name, value] of Object.entries(object)) {
      const where = `${path}.${name}`
      if (millisName.test(name)) {
        const date = object[`${name}Date`] ?? object[name.replace(/Time$/, "Date")]
        if (typeof date !== "string" || !(value instanceof NumberText)) {
          return assert.fail(`${where} has no twin`)
        }
        assert.match(date, isoDate, where)
        assert.strictEqual(Date.parse(date), Number(value.text), where)
      }
      if (name.endsWith("Date")) {
        assert.isTrue(name.replace(/Date$/, "") in object || name.replace(/Date$/, "Time") in object, where)
      }
    }
  }
}

/** Nothing is null: what is absent is not there (decision 19). */
export const assertNothingNull = (json: unknown): void => {
  for (const { path, object } of objectsIn(json)) {
    for (const [name, value] of Object.entries(object)) assert.isNotNull(value, `${path}.${name}`)
  }
}
