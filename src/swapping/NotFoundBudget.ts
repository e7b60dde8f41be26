import { Data, Effect, Option, Semaphore } from "effect"
import type { ProviderName } from "../domain/ProviderName.ts"
import { EpochMillis } from "../domain/Time.ts"
import { currentMillis } from "../platform/currentMillis.ts"
import type { LookupPace } from "./LookupPolicy.ts"

/** The upstream blocks an address after more than 10 unknown channels a minute (chainflip.md 3.5). */
const perWindow = 5
const windowMillis = 60_000
/** Look-ups that may find nothing, at the same time; with those of the window they stay under the limit. */
const atOnce = 3

/** No look-up that may find nothing is allowed before this time. */
export class BudgetExhausted extends Data.TaggedError("BudgetExhausted")<{ readonly until: EpochMillis }> {}

interface Spending {
  readonly semaphore: Semaphore.Semaphore
  /** When the upstream last said that it does not know a channel. */
  times: ReadonlyArray<number>
}

/** Keeps the number of look-ups that find nothing below what an upstream tolerates. One for each process. */
export interface NotFoundBudget {
  /** Runs a look-up that may find nothing, while there is more budget for it than is reserved for others. */
  readonly spend: <A, E, R>(
    provider: ProviderName,
    lookUp: Effect.Effect<Option.Option<A>, E, R>,
    reserved?: number,
  ) => Effect.Effect<Option.Option<A>, E | BudgetExhausted, R>
}

/** An untouched budget. */
export const makeNotFoundBudget = (pace: LookupPace): NotFoundBudget => {
  const window = windowMillis / pace.timeScale
  const spendings = new Map<ProviderName, Spending>()

  const spendingOf = (provider: ProviderName): Spending => {
    const known = spendings.get(provider)
    if (known !== undefined) return known
    const fresh: Spending = { semaphore: Semaphore.makeUnsafe(atOnce), times: [] }
    spendings.set(provider, fresh)
    return fresh
  }

  const check = (spending: Spending, now: number, most: number): Effect.Effect<void, BudgetExhausted> => {
    spending.times = spending.times.filter((time) => time > now - window)
    const [oldest] = spending.times
    return oldest === undefined || spending.times.length < most
      ? Effect.void
      : Effect.fail(new BudgetExhausted({ until: EpochMillis.make(Math.ceil(oldest + window)) }))
  }

  return {
    spend: (provider, lookUp, reserved = 0) => {
      const spending = spendingOf(provider)
      return spending.semaphore.withPermit(Effect.gen(function* () {
        yield* check(spending, yield* currentMillis, perWindow - reserved)
        const found = yield* lookUp
        if (Option.isNone(found)) spending.times = [...spending.times, yield* currentMillis]
        return found
      }))
    },
  }
}
