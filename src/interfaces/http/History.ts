import { Effect, Option, Result } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { Commissions } from "#application/accounts/Commissions.ts"
import { Api } from "#api/Api.ts"
import { type CommissionBody, CommissionParameters, HistoryParameters, mostDays } from "#api/History.ts"
import { CurrentAccount } from "#api/Authorization.ts"
import { type HistoryQuery, SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { Registry } from "#providers/Registry.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { OpeningRules } from "#application/swapping/opening/OpeningRules.ts"
import { type HistoryPage, Swaps } from "#application/swapping/Swaps.ts"
import { accept, readBy, readerOf } from "../requests/parameterIssues.ts"
import { historyCsv } from "../requests/csv.ts"
import { jsonResponse } from "./jsonResponse.ts"
import { linkToNext } from "./pages.ts"
import { prefersCsv } from "./prefersCsv.ts"
import { presentSum } from "#api/commissionFigures.ts"
import { payablesJson } from "#api/presentSwap.ts"
import { historyQuery } from "../requests/historyQuery.ts"
import { failAsProblem } from "../requests/failAsProblem.ts"
import {
  type CommissionQuery,
  daysWithin,
  type EarnedCommission,
  sumsByAsset,
} from "#domain/money/Commission.ts"
import { issueAbout, type Issues, noIssues } from "#domain/Issues.ts"

/** Earned commission as the API shows it: each amount exact, in units of the asset and in native units. */
const presentCommission = (
  { from, to }: CommissionQuery,
  earned: ReadonlyArray<EarnedCommission>,
): CommissionBody => ({
  from,
  to,
  totals: [...sumsByAsset(earned)].toSorted(([one], [other]) => one < other ? -1 : 1)
    .map(([asset, sum]) => presentSum(asset, sum)),
  days: earned.map(({ day, asset, ...sum }) => ({ day, ...presentSum(asset, sum) })),
})

/** The commission that a query asks for: of one day at least, and of at most as many days as one answer covers. */
export const commissionQuery = (
  { from, to, asset }: Partial<typeof CommissionParameters.Type>,
): Result.Result<CommissionQuery, Issues> => {
  // An issue for a missing or unreadable day was raised where the parameters were read.
  if (from === undefined || to === undefined) return Result.fail(noIssues)
  const days = daysWithin(from, to)
  if (days < 1) return Result.fail(issueAbout("from", "must not be after to"))
  if (days > mostDays) return Result.fail(issueAbout("to", `must be at most ${mostDays - 1} days after from`))
  return Result.succeed({ from, to, ...(asset === undefined ? {} : { asset }) })
}

/** How the parameters of a refused query are read again, to tell every issue. */
export const historyReadings = {
  swaps: readBy(readerOf(HistoryParameters), historyQuery),
  commission: readBy(readerOf(CommissionParameters), (asked) => Effect.succeed(commissionQuery(asked))),
}

const empty: HistoryPage = { records: [] }

const defaultLimit = 50

/** How many swaps of a CSV without a limit are in memory at a time. */
const lotSize = 500

export const HistoryHandlers = HttpApiBuilder.group(
  Api,
  "history",
  Effect.fnUntraced(function* (handlers) {
    const swaps = yield* Swaps
    const registry = yield* Registry
    const commissions = yield* Commissions
    const { networkOf } = yield* OpeningRules

    const page = Effect.fnUntraced(
      function* ({ offset, ...query }: Omit<HistoryQuery, "offset"> & { readonly offset?: number }) {
        // No swap has an id below 1, so a descending list from 0 is empty and an ascending one is whole.
        if (offset === 0 && query.sort === "descending") return empty
        return yield* swaps.history(yield* CurrentAccount, {
          ...query,
          ...Option.match(SwapRecordId.makeOption(offset ?? 0), {
            onNone: () => ({}),
            onSome: (id) => ({ offset: id }),
          }),
        })
      },
    )

    const answer = Effect.fnUntraced(function* (asked: typeof HistoryParameters.Type) {
      const { limit, offset, platform, ...filters } = yield* accept([], yield* historyQuery(asked))
      const { headers } = yield* HttpServerRequest.HttpServerRequest
      const asCsv = prefersCsv(headers.accept)
      const query = {
        ...filters,
        ...(offset === undefined ? {} : { offset }),
        ...Option.match(platform, { onNone: () => ({}), onSome: (name) => ({ platform: name }) }),
        limit: limit ?? (asCsv ? lotSize : defaultLimit),
      }
      const first = yield* page(query)
      const account = yield* CurrentAccount
      if (asCsv && limit === undefined) {
        return historyCsv(first, (from) => swaps.history(account, { ...query, offset: from }))
      }
      if (first.next !== undefined) yield* linkToNext(first.next)
      if (asCsv) return historyCsv(first)
      return jsonResponse(payablesJson(first.records, { networkOf, now: yield* currentMillis }))
    }, Effect.map(HttpServerResponse.setHeader("vary", "accept")))

    const commission = Effect.fnUntraced(function* (asked: typeof CommissionParameters.Type) {
      const query = yield* accept([], commissionQuery(asked))
      return presentCommission(query, yield* commissions.earned(yield* CurrentAccount, query))
    })

    return handlers.handleAll({
      swaps: ({ query }) => answer(query).pipe(failAsProblem, Effect.provideService(Registry, registry)),
      commission: ({ query }) => failAsProblem(commission(query)),
    })
  }),
)
