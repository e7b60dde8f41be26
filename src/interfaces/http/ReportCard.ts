import { BigDecimal, Effect, Result } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "#api/Api.ts"
import type { ReportCardBody, ReportCardParameters } from "#api/ReportCard.ts"
import { ReportCards } from "#application/business/ReportCards.ts"
import { combineIssues, issueAbout, noIssues } from "#domain/Issues.ts"
import { mostCardDays, type Report, type ReportCard, utcDayOf } from "#domain/operations/ReportCard.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { defined, optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { Overview } from "#providers/Overview.ts"
import { accept } from "../requests/parameterIssues.ts"
import { failAsProblem } from "../requests/failAsProblem.ts"
import { knownProvider } from "./Providers.ts"
import { dayMillis } from "#domain/Time.ts"

/** Millionths as percent: four decimals. */
const percent = (ppm: number): BigDecimal.BigDecimal => BigDecimal.make(BigInt(ppm), 4)

const presentReport = ({ best, offered, p50Millis, p90Millis, uptimePpm, ...counts }: Report) => ({
  calls: counts.calls,
  ...optionalMembers(uptimePpm, (ppm) => ({ uptimePercent: percent(ppm) })),
  ...defined({ p50Millis, p90Millis }),
  offered,
  ...(offered === 0 ? {} : { bestPercent: percent(Math.floor(best * 1_000_000 / offered)) }),
  swaps: counts.swaps,
  stalls: counts.stalls,
  kept: counts.kept.map(({ ppm, ...share }) => ({ ...share, percent: percent(ppm) })),
})

/** A report card as the contract shows it. */
const presentReportCard = ({ days, from, provider, to, total }: ReportCard): ReportCardBody => ({
  provider,
  from,
  to,
  total: presentReport(total),
  days: days.map(({ day, ...report }) => ({ day, ...presentReport(report) })),
})

const cardDays = 30

/** The days that a card is asked for: the last thirty unless the query says otherwise. */
const cardDaysOf = Effect.fnUntraced(function* (query: ReportCardParameters) {
  const now = yield* currentMillis
  const to = query.to ?? utcDayOf(now)
  const from = query.from ?? utcDayOf(Math.max(0, Date.parse(to) - (cardDays - 1) * dayMillis))
  const earliest = utcDayOf(Math.max(0, now - (mostCardDays - 1) * dayMillis))
  const issues = combineIssues([
    from > to ? issueAbout("from", "must not be after to") : noIssues,
    from < earliest ? issueAbout("from", `must be ${earliest} or later`) : noIssues,
    to > utcDayOf(now) ? issueAbout("to", "must not be after today (UTC)") : noIssues,
  ])
  return yield* accept([issues], Result.succeed({ from, to }))
})

export const ReportCardHandlers = HttpApiBuilder.group(
  Api,
  "reportCards",
  Effect.fnUntraced(function* (handlers) {
    const overview = yield* Overview
    const cards = yield* ReportCards
    const report = Effect.fnUntraced(function* (path: string, query: ReportCardParameters) {
      const { name } = yield* knownProvider(overview, path)
      const { from, to } = yield* cardDaysOf(query)
      return presentReportCard(yield* cards.read(name, from, to))
    })
    return handlers.handle("reportCard", ({ params, query }) => failAsProblem(report(params.name, query)))
  }),
)
