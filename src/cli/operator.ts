import { Effect, Layer, type Option, Schema } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { FetchHttpClient, HttpClient, HttpEffect, HttpRouter, HttpServer } from "effect/http"
import { heldKeyIssues } from "#application/accounts/ApiKey.ts"
import { ServiceTerms } from "#application/accounts/accountTerms.ts"
import { accountsLayer } from "#application/accounts/mod.ts"
import { Alerts } from "#application/alerts/Alerts.ts"
import { OperatorApi, type OperatorHandled } from "#api/Api.ts"
import { CurrentActor, OperatorAuthorization, type ParameterFaults } from "#api/Authorization.ts"
import { ProvidersGroup } from "#api/Providers.ts"
import { SandboxGroup } from "#api/Sandbox.ts"
import { Business } from "#application/business/Business.ts"
import type { Actor } from "#domain/operations/Audit.ts"
import { combineIssues, hasIssues } from "#domain/Issues.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import { type ProviderSwitch, SwitchChange, switchIssues } from "#domain/operations/ProviderSwitch.ts"
import { Guide } from "#application/guidance/Guide.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { PublicUrl } from "#interfaces/requests/PublicUrl.ts"
import { ParameterFaultsLayer } from "#interfaces/requests/ParameterFaults.ts"
import { EndpointEndingsRepo, type OwnedEnding } from "#infrastructure/store/ops/EndpointEndingsRepo.ts"
import { SwitchesRepo } from "#infrastructure/store/accounts/SwitchesRepo.ts"
import { DisputedEnds } from "#application/swapping/following/DisputedEnds.ts"
import { Journals } from "#application/swapping/Journals.ts"
import { SwapTransfers } from "#application/swapping/SwapTransfers.ts"
import { treasuryOfRecords } from "#application/treasury/layers.ts"
import { webhooks } from "#application/webhooks/layers.ts"
import { CommandFailed, databaseFailed, orDatabaseFailed } from "./failures.ts"
import { asking, type Endpoint, type Given, OperatorClient, overNetwork } from "./OperatorClient.ts"
import type { ProviderSeen } from "./providers.ts"
import { userInfo } from "node:os"
import type { DatabaseLocation } from "#infrastructure/store/database/DatabaseLocation.ts"
import { recordJson } from "#api/presentSwap.ts"
import { storeLayer } from "#infrastructure/store/Store.ts"
import { CommandTarget, place } from "./settings.ts"

/** The actor of changes, and the providers of the service. */
interface DatabaseOptions {
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

/** What the service's handlers of the operator's endpoints need of a database. */
export const operatorServices = (
  webhookSettings: Parameters<typeof webhooks>[0],
  { providers }: Pick<DatabaseOptions, "providers">,
) =>
  Layer.mergeAll(
    Layer.provideMerge(treasuryOfRecords, accountsLayer),
    Business.layer,
    Alerts.layer,
    Journals.layer,
    DisputedEnds.layer,
    SwapTransfers.layer,
    Layer.provideMerge(webhooks(webhookSettings), Guide.layerOfRecords),
  ).pipe(Layer.provide(Layer.succeed(ServiceTerms, { terms: {}, providers })))

/** The service's handlers of the operator's endpoints. A face imports no other: whoever starts the commands hands them in. */
export type OperatorHandlers = Layer.Layer<
  OperatorHandled,
  never,
  Layer.Success<ReturnType<typeof operatorServices>> | OperatorAuthorization | ParameterFaults
>

/** The service's handlers, called within this process. */
const inProcess = ({ actor, publicUrl }: DatabaseOptions, handlers: OperatorHandlers) =>
  Layer.effect(FetchHttpClient.Fetch)(Effect.gen(function* () {
    const app = yield* HttpRouter.toHttpEffect(
      HttpApiBuilder.layer(OperatorApi).pipe(
        Layer.provide(handlers),
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
  }))

const seen = (
  name: ProviderName,
  latest: ReadonlyArray<ProviderSwitch>,
  endings: ReadonlyArray<OwnedEnding>,
): ProviderSeen => {
  const off = latest.filter(({ platform, enabled }) => platform === name && !enabled)
  const whole = off.find(({ operation, asset }) => operation === undefined && asset === undefined)
  return {
    name,
    enabled: whole === undefined,
    ...(whole === undefined ? {} : { disabledReason: whole.reason }),
    endings: endings.flatMap(({ ending, provider }) => provider === name ? [ending] : []),
    switches: off.map(({ platform: _platform, enabled: _enabled, ...rest }) => rest),
  }
}

const readChange = Schema.decodeUnknownEffect(SwitchChange)

const refuse = (detail: string) => new CommandFailed({ kind: "refused", detail })

/** The acts on providers that a database can answer: it has their switches, and not their state. */
const actsOnProviders = Effect.fnUntraced(function* ({ actor, providers }: DatabaseOptions) {
  const switches = yield* SwitchesRepo
  const { recent } = yield* EndpointEndingsRepo
  const all = Effect.all([switches.latest, recent])
  const { providers: list, reindexSwap, switch: change } = ProvidersGroup.endpoints
  return new Map<Endpoint, (given: Given) => Effect.Effect<unknown, CommandFailed>>([
    [
      list,
      () => orDatabaseFailed(Effect.map(all, (records) => providers.map((name) => seen(name, ...records)))),
    ],
    [
      change,
      Effect.fnUntraced(function* ({ name, ...given }) {
        const wish = yield* Effect.orDie(readChange({ platform: name, ...given }))
        const issues = combineIssues([switchIssues(wish), heldKeyIssues("reason", wish.reason, [])])
        if (hasIssues(issues)) {
          return yield* new CommandFailed({ kind: "usage", detail: Object.values(issues).flat().join("\n") })
        }
        if (!providers.includes(wish.platform)) {
          return yield* refuse(`There is no provider "${wish.platform}"; enabled are ${providers.join(", ")}`)
        }
        yield* orDatabaseFailed(switches.add(wish, { actor, at: yield* currentMillis }))
        return seen(wish.platform, ...yield* orDatabaseFailed(all))
      }),
    ],
    [
      reindexSwap,
      () => refuse("Only a running service can ask a provider: set BROKER_URL and BROKER_API_KEY"),
    ],
    [
      SandboxGroup.endpoints.view,
      () =>
        new CommandFailed({
          kind: "usage",
          detail: "Set BROKER_URL and BROKER_API_KEY to the running service",
        }),
    ],
  ])
})

/** The operator's acts in the database, without a running service; a running one follows within a second. */
export const overDatabase = (options: DatabaseOptions, handlers: OperatorHandlers) =>
  Layer.effect(OperatorClient)(Effect.gen(function* () {
    const { ask } = asking(yield* HttpClient.HttpClient, "http://database")
    const acts = yield* actsOnProviders(options)
    return {
      ask: (endpoint, given) => {
        const act = acts.get(endpoint)
        return act === undefined
          ? ask(endpoint, given)
          : Effect.map(act(given), (body) => ({ text: JSON.stringify(body), next: undefined }))
      },
    }
  })).pipe(Layer.provide(FetchHttpClient.layer), Layer.provide(inProcess(options, handlers)))

/** The user at the command line, by the operating system's name; some containers have none. */
const actor: Effect.Effect<Actor> = Effect.try(() => userInfo().username).pipe(
  Effect.match({ onFailure: () => ({ type: "cli" }), onSuccess: (user) => ({ type: "cli", user }) }),
)

/** The store in the settings' database, for as long as a command runs. */
const openStore = (location: DatabaseLocation) =>
  Layer.catch(
    // Commands read no settings of providers, by which networks are known.
    storeLayer(location, (record, priceAt) => recordJson(record, { networkOf: () => undefined, priceAt })),
    (error) => Layer.effectContext(Effect.fail(databaseFailed(error))),
  )

/** The operator's client for the place in the settings. */
export const operatorLayer = (handlers: OperatorHandlers): Layer.Layer<OperatorClient, CommandFailed> =>
  Layer.unwrap(Effect.map(
    place,
    CommandTarget.$match({
      Service: (service): Layer.Layer<OperatorClient, CommandFailed> =>
        overNetwork(service).pipe(Layer.provide(FetchHttpClient.layer)),
      Database: ({ location, providers, publicUrl, webhooks }) =>
        Layer.unwrap(
          Effect.map(actor, (actor) => overDatabase({ actor, providers, publicUrl }, handlers)),
        ).pipe(Layer.provide(operatorServices(webhooks, { providers })), Layer.provide(openStore(location))),
    }),
  ))
