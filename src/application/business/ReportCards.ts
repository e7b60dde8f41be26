import { Duration, Effect, Exit } from "effect"
import { service } from "#infrastructure/platform/service.ts"
import type { UtcDay } from "#domain/money/Commission.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import {
  byDay,
  mostCardDays,
  type ProviderFacts,
  reportCard,
  utcDayOf,
} from "#domain/operations/ReportCard.ts"
import type { StoreEffect } from "#domain/StoreError.ts"
import { dayMillis, EpochMillis } from "#domain/Time.ts"
import { ProviderHistory } from "#infrastructure/ops/ProviderHistory.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { SumsRepo } from "#infrastructure/store/business/SumsRepo.ts"
import { StallsRepo } from "#infrastructure/store/swaps/StallsRepo.ts"

/** How long what was read is told again: a public card costs the database the same, however often it is asked for. */
const keptFor = (read: Exit.Exit<unknown, unknown>) =>
  Exit.isSuccess(read) ? Duration.minutes(1) : Duration.zero

/** How providers did, day by day (UTC), for those who choose among them. Figures are a minute old at most. */
export class ReportCards extends service<ReportCards>()(
  "swap-broker/business/ReportCards",
  Effect.gen(function* () {
    const history = yield* ProviderHistory
    const sums = yield* SumsRepo
    const stalls = yield* StallsRepo

    const read = Effect.fn("ReportCards.read")(function* (provider: ProviderName) {
      const now = yield* currentMillis
      const today = now - now % dayMillis
      const from = EpochMillis.make(Math.max(0, today - (mostCardDays - 1) * dayMillis))
      const to = EpochMillis.make(today + dayMillis)
      const ended = yield* sums.ended({ from, before: to, step: "day" })
      const commission = yield* sums.commission({
        from: utcDayOf(from),
        to: utcDayOf(today),
        by: ["day"],
        platform: provider,
      })
      return byDay({
        calls: yield* history.figures({ provider, from, to, partMillis: dayMillis }),
        ended: ended.filter(({ platform }) => platform === provider),
        commission: commission.flatMap(({ day, ...sum }) => day === undefined ? [] : [{ ...sum, day }]),
        stalled: yield* stalls.byDay(provider, utcDayOf(from), utcDayOf(today)),
      })
    })

    const cached = new Map<ProviderName, StoreEffect<ReadonlyMap<UtcDay, ProviderFacts>>>()
    const factsOf = Effect.fnUntraced(function* (provider: ProviderName) {
      const facts = cached.get(provider) ?? (yield* Effect.cachedWithTTL(read(provider), keptFor))
      cached.set(provider, facts)
      return yield* facts
    })

    return {
      /** From one day to the other, both included and within the last `mostCardDays`. */
      read: (provider: ProviderName, from: UtcDay, to: UtcDay) =>
        Effect.map(factsOf(provider), (facts) => reportCard({ provider, from, to }, facts)),
    }
  }),
) {}
