import { Effect, Option, Result, Schema } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Api } from "../api/Api.ts"
import { CurrentActor } from "../api/Authorization.ts"
import { healthOf, Overview } from "../providers/Overview.ts"
import { Watchdog } from "../swapping/Watchdog.ts"
import { ProviderUnknown } from "./HttpFailure.ts"
import { presentProvider } from "./present/providers.ts"
import { orProblem } from "./orProblem.ts"
import { Switches } from "../providers/Switches.ts"
import { SwitchBody } from "../api/Providers.ts"
import type { Issues } from "../domain/Issues.ts"
import type { ProviderName } from "../domain/ProviderName.ts"
import { type SwitchChange, switchIssues } from "../domain/ProviderSwitch.ts"
import { alreadyTold } from "../domain/RequestRules.ts"
import { accept } from "./accept.ts"
import { keptTextIssues } from "./keptTextIssues.ts"
import { bodyMembers } from "./rawParameters.ts"
import { parameterReader } from "./readParameters.ts"

const readBody = parameterReader(
  SwitchBody.mapFields(({ enabled, reason, ...fields }) => ({
    ...fields,
    enabled: Schema.optionalKey(enabled),
    reason: Schema.optionalKey(reason),
  })),
  ["enabled", "reason"],
)

type Wish = ReturnType<typeof readBody>["values"]

const switchOf = (
  platform: ProviderName,
  { operation, asset, enabled, reason }: Wish,
): Result.Result<SwitchChange, Issues> => {
  // Members that are missing have been told of where they were read.
  if (enabled === undefined || reason === undefined) return alreadyTold
  return Result.succeed({
    platform,
    ...(operation === undefined ? {} : { operation }),
    ...(asset === undefined ? {} : { asset }),
    enabled,
    reason,
  })
}

/** What a body wants switched of a provider. */
const readSwitch = (platform: ProviderName) =>
  Effect.gen(function* () {
    const { values, issues } = readBody(yield* bodyMembers)
    const kept = yield* keptTextIssues("reason", values.reason)
    return yield* accept([issues, switchIssues(values), kept], switchOf(platform, values))
  })

export const ProvidersHandlers = HttpApiBuilder.group(
  Api,
  "providers",
  Effect.fnUntraced(function* (handlers) {
    const overview = yield* Overview
    const switches = yield* Switches
    const watchdog = yield* Watchdog

    const known = (name: string) =>
      Effect.flatMap(
        overview.find(name),
        Option.match({
          onNone: () => Effect.fail(new ProviderUnknown()),
          onSome: Effect.succeed,
        }),
      )

    const view = Effect.gen(function* () {
      const stalls = yield* watchdog.stalls
      return yield* Effect.forEach(yield* overview.all, (standing) => presentProvider(standing, stalls))
    })

    const change = Effect.fnUntraced(function* (path: string) {
      const { name } = yield* known(path)
      yield* switches.set(yield* readSwitch(name), yield* CurrentActor)
      return yield* presentProvider(yield* known(name), yield* watchdog.stalls)
    })

    return handlers
      .handle("providers", () => orProblem(view))
      .handleRaw("switch", ({ params }) => orProblem(change(params.name)))
  }),
)

export const ProviderHealthHandlers = HttpApiBuilder.group(
  Api,
  "providerHealth",
  Effect.fnUntraced(function* (handlers) {
    const overview = yield* Overview
    const health = Effect.map(overview.all, (all) =>
      all
        .filter(({ registered }) => registered !== undefined)
        .map((standing) => ({ name: standing.name, status: healthOf(standing) })))
    return handlers.handle("health", () => health)
  }),
)
