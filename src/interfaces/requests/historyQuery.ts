import { Array, Effect, Result } from "effect"
import type { HistoryParameters } from "#api/History.ts"
import { checkAnyAddress } from "#domain/chains/Address.ts"
import { issueAbout, issuesOf } from "#domain/Issues.ts"
import { createdRange } from "#domain/Period.ts"
import { knownPlatform } from "#domain/RequestRules.ts"
import { SwapState } from "#domain/swaps/Swap.ts"
import { defined } from "#infrastructure/platform/optionalMembers.ts"
import { Registry } from "#providers/Registry.ts"

const defaultStates: Array.NonEmptyReadonlyArray<SwapState> = ["completed"]

const periodOf = ({ from, to }: Pick<typeof HistoryParameters.Type, "from" | "to">) =>
  Result.fromNullishOr(createdRange(from, to), () => issueAbout("from", "must not be after to"))

const addressOf = ({ address }: Pick<typeof HistoryParameters.Type, "address">) =>
  address === undefined ? Result.succeed(address) : checkAnyAddress(address).pipe(
    Result.mapError((fault) => issueAbout("address", fault)),
  )

/** The part of the history that a query asks for, with the defaults of decision 24 except the limit. */
export const historyQuery = Effect.fnUntraced(function* (asked: typeof HistoryParameters.Type) {
  const { destinationAsset, limit, offset, result = [], sort, sourceAsset, status } = asked
  const providers = yield* (yield* Registry).enabled
  const parts = [
    knownPlatform(asked.platform, providers.map(({ name }) => name)),
    periodOf(asked),
    addressOf(asked),
  ] as const
  return Result.map(Result.all(parts), ([platform, period, address]) => ({
    offset,
    limit,
    states: Array.match(status ?? [], {
      onEmpty: () => result.length === 0 ? defaultStates : SwapState.literals,
      onNonEmpty: (states) => states,
    }),
    ...(result.length === 0 ? {} : { results: result }),
    sort: sort ?? "descending",
    ...period,
    ...defined({ address, destinationAsset, sourceAsset, platform }),
  })).pipe(Result.mapError(() => issuesOf(parts)))
})
