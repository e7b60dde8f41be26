import { Array, Effect, Option, Result } from "effect"
import { HistoryParameters } from "../api/History.ts"
import { ProviderName } from "../domain/ProviderName.ts"
import { knownPlatform } from "../domain/RequestRules.ts"
import type { SwapState } from "../domain/Swap.ts"
import { Registry } from "../providers/Registry.ts"
import { accept } from "./accept.ts"
import { queryParameters } from "./rawParameters.ts"
import { parameterReader } from "./readParameters.ts"

const read = parameterReader(HistoryParameters, [], ["status"])

const defaultStates: Array.NonEmptyReadonlyArray<SwapState> = ["completed"]

/** Which part of the history `/swaps` asks for, with the defaults of decision 24 but for the limit. */
export const readHistoryQuery = Effect.gen(function* () {
  const providers = yield* (yield* Registry).enabled
  const { values, issues } = read(yield* queryParameters)
  const platform = knownPlatform(values.platform, providers.map((provider) => provider.name))
  return yield* accept(
    [issues],
    Result.map(platform, (name) => ({
      offset: values.offset,
      limit: values.limit,
      states: Array.match(values.status ?? [], {
        onEmpty: () => defaultStates,
        onNonEmpty: (states) => states,
      }),
      sort: values.sort ?? "descending",
      platform: Option.map(Option.fromUndefinedOr(name), (text) => ProviderName.make(text)),
    })),
  )
})
