import { Predicate } from "effect"

/**
 * A member of a recorded answer that follows the request, and what it is then. Steps of a path are names and numbers,
 * `*` is every item of a list; a value of undefined leaves the member out, as JSON does. A path that ends with `?` names a member that the recorded answer may lack.
 */
export type Row = readonly [path: string, value: unknown]

interface Placing {
  readonly path: string
  readonly steps: ReadonlyArray<string>
  readonly value: unknown
}

const nothingAt = (rows: ReadonlyArray<Placing>): Error =>
  new Error(`Nothing is recorded at ${rows[0]?.path}`)

/** Puts rows in whose first steps lead here. A row for the whole undoes those before it. */
const placed = (recorded: unknown, rows: ReadonlyArray<Placing>, depth: number): unknown => {
  const whole = rows.findLastIndex(({ steps }) => steps.length === depth)
  const from = whole < 0 ? recorded : rows[whole]?.value
  const inner = rows.slice(whole + 1)
  if (inner.length === 0) return from
  const byStep = Map.groupBy(inner, ({ steps }) => steps[depth] ?? "")
  if (Array.isArray(from)) {
    const items: Array<unknown> = [...from]
    for (const [step, rows] of byStep) {
      if (step !== "*" && items[Number(step)] === undefined) throw nothingAt(rows)
      const indexes = step === "*" ? items.keys() : [Number(step)]
      for (const index of indexes) items[index] = placed(items[index], rows, depth + 1)
    }
    return items
  }
  if (!Predicate.isObject(from)) throw nothingAt(inner)
  const members: Record<string, unknown> = { ...from }
  for (const [step, rows] of byStep) {
    const name = step.replace(/\?$/, "")
    if (name === step && !(name in members)) throw nothingAt(rows)
    members[name] = placed(members[name], rows, depth + 1)
  }
  return members
}

/** A recorded answer, of which some members follow the request. What is not recorded is never put in by mistake. */
export const follow = (recorded: unknown, rows: ReadonlyArray<Row>): unknown =>
  placed(recorded, rows.map(([path, value]) => ({ path, steps: path.split("."), value })), 0)
