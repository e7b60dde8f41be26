import { Effect, Layer, type Option } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as HttpApiClient from "effect/http-api/HttpApiClient"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpEffect from "effect/http/HttpEffect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import { heldKeyIssues } from "../accounts/ApiKey.ts"
import { CurrentActor, OperatorAuthorization } from "../api/Authorization.ts"
import type { Actor } from "../domain/Audit.ts"
import { combineIssues, hasIssues } from "../domain/Issues.ts"
import type { ProviderName } from "../domain/ProviderName.ts"
import { type ProviderSwitch, type SwitchChange, switchIssues } from "../domain/ProviderSwitch.ts"
import { AlertsHandlers } from "../http/Alerts.ts"
import { BusinessHandlers } from "../http/Business.ts"
import { OperatorHandlers } from "../http/Operator.ts"
import { PortalHandlers } from "../http/Portal.ts"
import { PublicUrl } from "../requests/PublicUrl.ts"
import { ParameterFaultsLayer } from "../requests/ParameterFaults.ts"
import { OperatorRequestErrorsHandlers } from "../requests/RequestErrors.ts"
import { TreasuryHandlers, TreasuryOrdersHandlers } from "../http/Treasury.ts"
import { OperatorWebhooksHandlers } from "../http/Webhooks.ts"
import { currentMillis } from "../platform/currentMillis.ts"
import { SwitchesRepo } from "../store/accounts/SwitchesRepo.ts"
import { CommandFailed, orDatabaseFailed } from "./failures.ts"
import { OperatorApi, OperatorClient, type ProviderActs, type ProviderSeen } from "./OperatorClient.ts"

/** The actor of changes, and the providers of the service. */
export interface DatabaseOptions {
  readonly actor: Actor
  /** The names of the enabled providers (setting `PROVIDERS`). */
  readonly providers: ReadonlyArray<ProviderName>
  /** The URL of the service (setting `PUBLIC_URL`): without it, links are only paths. */
  readonly publicUrl: Option.Option<URL>
}

/** Admits every request, without an account; the audit log names `actor`. */
const letIn = (actor: Actor): Layer.Layer<OperatorAuthorization> => {
  const authorize = Effect.provideService(CurrentActor, actor)
  return Layer.succeed(OperatorAuthorization, {
    apiKeyQuery: authorize,
    apiKeyHeader: authorize,
    bearer: authorize,
  })
}

/** The service's handlers of the operator's endpoints, called within this process. */
const inProcess = ({ actor, publicUrl }: DatabaseOptions) =>
  Layer.effect(
    FetchHttpClient.Fetch,
    Effect.gen(function* () {
      const app = yield* HttpRouter.toHttpEffect(
        HttpApiBuilder.layer(OperatorApi).pipe(
          Layer.provide([
            OperatorHandlers,
            PortalHandlers,
            BusinessHandlers,
            OperatorWebhooksHandlers,
            OperatorRequestErrorsHandlers,
            AlertsHandlers,
            TreasuryHandlers,
            TreasuryOrdersHandlers,
          ]),
          Layer.provide([letIn(actor), ParameterFaultsLayer, Layer.succeed(PublicUrl, publicUrl)]),
          Layer.provide(HttpServer.layerServices),
        ),
      )
      const answer = app.pipe(
        Effect.tapDefect(Effect.logError),
        Effect.withSpan("cli"),
        HttpEffect.toWebHandlerWith(yield* Effect.context()),
      )
      return (input, init) => answer(new Request(input, init))
    }),
  )

const seen = (name: ProviderName, latest: ReadonlyArray<ProviderSwitch>): ProviderSeen => {
  const off = latest.filter(({ platform, enabled }) => platform === name && !enabled)
  const whole = off.find(({ operation, asset }) => operation === undefined && asset === undefined)
  return {
    name,
    enabled: whole === undefined,
    ...(whole === undefined ? {} : { disabledReason: whole.reason }),
    switches: off.map(({ platform: _platform, enabled: _enabled, ...rest }) => rest),
  }
}

/** The switches only: whether a provider is registered, and its state, only a running service knows. */
const providerActs = Effect.fnUntraced(function* ({ actor, providers }: DatabaseOptions) {
  const switches = yield* SwitchesRepo
  const acts: ProviderActs = {
    list: orDatabaseFailed(
      Effect.map(switches.latest, (latest) => providers.map((name) => seen(name, latest))),
    ),
    switch: Effect.fnUntraced(function* (change: SwitchChange) {
      const issues = combineIssues([switchIssues(change), heldKeyIssues("reason", change.reason, [])])
      if (hasIssues(issues)) {
        return yield* new CommandFailed({ kind: "usage", detail: Object.values(issues).flat().join("\n") })
      }
      if (!providers.includes(change.platform)) {
        const detail = `There is no provider "${change.platform}"; enabled are ${providers.join(", ")}`
        return yield* new CommandFailed({ kind: "refused", detail })
      }
      yield* orDatabaseFailed(switches.add(change, { actor, at: yield* currentMillis }))
      return seen(change.platform, yield* orDatabaseFailed(switches.latest))
    }),
    reindex: () =>
      new CommandFailed({
        kind: "refused",
        detail: "Only a running service can ask a provider: set BROKER_URL and BROKER_API_KEY",
      }),
  }
  return acts
})

/** The operator's acts in the database, without a running service; a running one follows within a second. */
export const overDatabase = (options: DatabaseOptions) =>
  Layer.effect(
    OperatorClient,
    Effect.gen(function* () {
      const client = yield* HttpApiClient.make(OperatorApi, { baseUrl: "http://database" })
      return OperatorClient.of({ ...client, providers: yield* providerActs(options) })
    }),
  ).pipe(Layer.provide(FetchHttpClient.layer), Layer.provide(inProcess(options)))
