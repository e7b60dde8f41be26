import { Redacted } from "effect"
import { chai } from "vitest"

/**
 * Makes every deep comparison of `assert` look at all that a value holds. Without it errors are compared by name,
 * message and code alone, so that those of one kind are equal whatever their fields; secrets and headers, which
 * show no member that differs, are always equal.
 */
chai.config.deepEqual = (one, other) => isSame(one, other)

// Only tells of misspelt members, as the type check does, and would take half of the time of each assertion.
chai.config.useProxy = false

const isSame = (one: unknown, other: unknown): boolean => chai.util.eql(one, other, { comparator })

/** Whether two values are the same; null leaves it to chai, which asks again for each of their members. */
const comparator = (one: unknown, other: unknown): boolean | null => {
  if (one instanceof Error && other instanceof Error) {
    return kindOf(one) === kindOf(other) && isSame(membersOf(one), membersOf(other))
  }
  if (Redacted.isRedacted(one) && Redacted.isRedacted(other)) {
    return one.label === other.label && isSame(Redacted.value(one), Redacted.value(other))
  }
  if (one instanceof Headers && other instanceof Headers) return isSame([...one], [...other])
  if (one instanceof URLSearchParams && other instanceof URLSearchParams) return isSame([...one], [...other])
  return null
}

const kindOf = (error: Error): unknown => Reflect.getPrototypeOf(error)

/** What an error says of a failure, and not the place where it was made or the error that led to it. */
const membersOf = (error: Error): ReadonlyMap<string, unknown> =>
  new Map([
    ["name", error.name],
    ["message", error.message],
    ...Reflect.ownKeys(error)
      .filter((key) => key !== "stack" && key !== "cause")
      .map((key): [string, unknown] => [String(key), Reflect.get(error, key)]),
  ])
