import { Effect, Option } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Api } from "../api/Api.ts"
import { CurrentActor } from "../api/Authorization.ts"
import { healthOf, Overview } from "../providers/Overview.ts"
import type { ProviderError } from "../domain/ProviderError.ts"
import { NoProviderAvailable } from "../quoting/Quoting.ts"
import { Repairs } from "../swapping/Repairs.ts"
import { Watchdog } from "../swapping/Watchdog.ts"
import { swapId } from "./pathNames.ts"
import { unclassifiedRetrySeconds } from "./told.ts"
import { ProviderUnknown } from "./HttpFailure.ts"
import { presentProvider } from "./present/providers.ts"
import { orProblem } from "./orProblem.ts"
import { Switches } from "../providers/Switches.ts"
import { SwitchBody } from "../api/Providers.ts"
import { heldKeyIssues } from "../accounts/ApiKey.ts"
import { switchIssues } from "../domain/ProviderSwitch.ts"
import { readerOf } from "./explain.ts"
import { bodyBy } from "./rawParameters.ts"

/** Reads the body of a switch. */
const readSwitch = bodyBy(
  readerOf(SwitchBody),
  (wish, keys) => [switchIssues(wish), heldKeyIssues("reason", wish.reason, keys)],
)

/** A provider that does not answer is to be asked again; why it does not is in the log and at `GET /providers`. */
const toUnavailable = (error: ProviderError) =>
  Effect.fail(
    new NoProviderAvailable({
      detail: `${error.provider} could not be asked: try again`,
      retryAfterSeconds: unclassifiedRetrySeconds,
    }),
  )

export const ProvidersHandlers = HttpApiBuilder.group(
  Api,
  "providers",
  Effect.fnUntraced(function* (handlers) {
    const overview = yield* Overview
    const switches = yield* Switches
    const watchdog = yield* Watchdog
    const repairs = yield* Repairs

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
      yield* switches.set({ ...(yield* readSwitch), platform: name }, yield* CurrentActor)
      return yield* presentProvider(yield* known(name), yield* watchdog.stalls)
    })

    const reindex = Effect.fnUntraced(function* (path: string) {
      const found = yield* repairs.reindex(yield* swapId(path))
      return { found: found.map(({ amount, ...balance }) => ({ ...balance, amountNative: `${amount}` })) }
    }, Effect.catchTag("ProviderError", toUnavailable))

    return handlers
      .handle("providers", () => orProblem(view))
      .handleRaw("switch", ({ params }) => orProblem(change(params.name)))
      .handle("reindexSwap", ({ params }) => orProblem(reindex(params.id)))
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
