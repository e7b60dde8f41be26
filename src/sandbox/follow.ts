import { Predicate } from "effect"

/**
 * A member of a recorded answer that follows the request, and what it is then. Steps of a path are names and numbers,
 * `*` is every item of a list. A path that ends with `?` names a member that the recorded answer may lack.
 */
export type Row = readonly [path: string, value: unknown]

const isMembers = Predicate.isObject

const placed = (
  whole: unknown,
  [step, ...rest]: ReadonlyArray<string>,
  value: unknown,
  path: string,
): unknown => {
  if (step === undefined) return value
  if (Array.isArray(whole)) {
    const items: ReadonlyArray<unknown> = whole
    if (step !== "*" && items[Number(step)] === undefined) throw new Error(`Nothing is recorded at ${path}`)
    return items.map((item, index) =>
      step === "*" || step === `${index}` ? placed(item, rest, value, path) : item
    )
  }
  const name = step.replace(/\?$/, "")
  if (!isMembers(whole) || (name === step && !(name in whole))) {
    throw new Error(`Nothing is recorded at ${path}`)
  }
  return { ...whole, [name]: placed(Reflect.get(whole, name), rest, value, path) }
}

/** A recorded answer, of which some members follow the request. What is not recorded is never put in by mistake. */
export const follow = (recorded: unknown, rows: ReadonlyArray<Row>): unknown =>
  rows.reduce((whole, [path, value]) => placed(whole, path.split("."), value, path), recorded)
