import { Array, Effect, Option, Result } from "effect"
import { type CommissionParameters, type HistoryParameters, mostDays } from "../api/History.ts"
import { type CommissionQuery, daysWithin } from "../domain/Commission.ts"
import { issueAbout, type Issues, noIssues } from "../domain/Issues.ts"
import { ProviderName } from "../domain/ProviderName.ts"
import { knownPlatform } from "../domain/RequestRules.ts"
import type { SwapState } from "../domain/Swap.ts"
import { Registry } from "../providers/Registry.ts"

/** Which commission a query asks for: of at least a day, and of at most as many as one answer covers. */
export const commissionQuery = (
  { from, to, asset }: Partial<typeof CommissionParameters.Type>,
): Result.Result<CommissionQuery, Issues> => {
  // Days that are missing or unreadable are told of where the parameters are read.
  if (from === undefined || to === undefined) return Result.fail(noIssues)
  const days = daysWithin(from, to)
  if (days < 1) return Result.fail(issueAbout("from", "must not be after to"))
  if (days > mostDays) return Result.fail(issueAbout("to", `must be at most ${mostDays - 1} days after from`))
  return Result.succeed({ from, to, ...(asset === undefined ? {} : { asset }) })
}

const defaultStates: Array.NonEmptyReadonlyArray<SwapState> = ["completed"]

/** Which part of the history a query asks for, with the defaults of decision 24 but for the limit. */
export const historyQuery = Effect.fnUntraced(
  function* ({ limit, offset, platform, sort, status }: typeof HistoryParameters.Type) {
    const providers = yield* (yield* Registry).enabled
    return Result.map(knownPlatform(platform, providers.map(({ name }) => name)), (name) => ({
      offset,
      limit,
      states: Array.match(status ?? [], {
        onEmpty: () => defaultStates,
        onNonEmpty: (states) => states,
      }),
      sort: sort ?? "descending",
      platform: Option.map(Option.fromUndefinedOr(name), (text) => ProviderName.make(text)),
    }))
  },
)
