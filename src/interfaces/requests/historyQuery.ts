import { Array, Effect, Option, Result } from "effect"
import type { HistoryParameters } from "#api/History.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { knownPlatform } from "#domain/RequestRules.ts"
import { SwapState } from "#domain/swaps/Swap.ts"
import { Registry } from "#providers/Registry.ts"

const defaultStates: Array.NonEmptyReadonlyArray<SwapState> = ["completed"]

/** The part of the history that a query asks for, with the defaults of decision 24 except the limit. */
export const historyQuery = Effect.fnUntraced(
  function* ({ limit, offset, platform, result = [], sort, status }: typeof HistoryParameters.Type) {
    const providers = yield* (yield* Registry).enabled
    return Result.map(knownPlatform(platform, providers.map(({ name }) => name)), (name) => ({
      offset,
      limit,
      states: Array.match(status ?? [], {
        onEmpty: () => result.length === 0 ? defaultStates : SwapState.literals,
        onNonEmpty: (states) => states,
      }),
      ...(result.length === 0 ? {} : { results: result }),
      sort: sort ?? "descending",
      platform: Option.map(Option.fromUndefinedOr(name), (text) => ProviderName.make(text)),
    }))
  },
)
