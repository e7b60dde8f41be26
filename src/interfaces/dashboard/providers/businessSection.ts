import { Effect } from "effect"
import { Business } from "#application/business/Business.ts"
import type { BusinessFigure, Period } from "#domain/operations/Business.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import { EpochMillis } from "#domain/Time.ts"
import { ProviderHistory } from "#infrastructure/ops/ProviderHistory.ts"
import { totalsOf } from "../overview/period.ts"

/** What a provider brought in a period. */
export interface Brought {
  readonly totals: ReturnType<typeof totalsOf>
  /** Lists of quotes with an offer of it, and those of them in which its offer was the best. */
  readonly offered: number
  readonly best: number
}

const dayMillis = 86_400_000

const offersOf = Effect.fnUntraced(function* (provider: ProviderName, { before, from }: Period) {
  const parts = yield* (yield* ProviderHistory).figures({ provider, from, to: before, partMillis: dayMillis })
  const sum = (name: "offered" | "best") =>
    parts.reduce((total, { figures }) => total + (figures[name] ?? 0), 0)
  return { offered: sum("offered"), best: sum("best") }
})

/** The figures of all providers in a period, which `broughtBy` picks from. */
export const figuresIn = Effect.fnUntraced(function* (period: Period) {
  return yield* (yield* Business).figures({ ...period, step: "day" })
})

/** What a provider brought, from the figures of all of them. */
export const broughtBy = Effect.fnUntraced(
  function* (provider: ProviderName, period: Period, figures: ReadonlyArray<BusinessFigure>) {
    const brought: Brought = {
      totals: totalsOf(figures.filter(({ platform }) => platform === provider)),
      ...(yield* offersOf(provider, period)),
    }
    return brought
  },
)

/** The last 7 days, today included. */
export const lastWeek = (now: EpochMillis): Period => ({
  from: EpochMillis.make(now - now % dayMillis - 6 * dayMillis),
  before: now,
})
