import { Context, Effect } from "effect"
import { currentMillis } from "./currentMillis.ts"

/** The lines of one kind in the present second, and the number left out since the last line. */
interface Kind {
  readonly since: number
  readonly lines: number
  readonly leftOut: number
}

/** The counts by kind of line; there are only as many kinds as the code names. */
const Kinds = Context.Reference<Map<string, Kind>>("swap-broker/platform/rateLimitedLog/Kinds", {
  defaultValue: () => new Map(),
})

const secondMillis = 1_000

type Log = typeof Effect.logWarning

const sparsely = (log: Log) =>
  Effect.fnUntraced(function* (
    kind: string,
    perSecond: number,
    message: string,
    ...more: ReadonlyArray<unknown>
  ) {
    const kinds = yield* Kinds
    const now = yield* currentMillis
    const known = kinds.get(kind) ?? { since: now, lines: 0, leftOut: 0 }
    // The difference counts in both directions, as a clock may be set back.
    const current = Math.abs(now - known.since) < secondMillis ? known : { ...known, since: now, lines: 0 }
    if (current.lines >= perSecond) {
      kinds.set(kind, { ...current, leftOut: current.leftOut + 1 })
      return
    }
    kinds.set(kind, { ...current, lines: current.lines + 1, leftOut: 0 })
    const told = current.leftOut === 0
      ? message
      : `${message} (${current.leftOut} more like this were left out)`
    yield* log(told, ...more)
  })

/** Warns `perSecond` times at most of a kind of event that callers can cause. No kind holds their text. */
export const warnSparsely = sparsely(Effect.logWarning)

/** The same, as errors. */
export const logErrorSparsely = sparsely(Effect.logError)
