import { Context, Effect, Layer, Option } from "effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as HttpRouter from "effect/http/HttpRouter"
import { bootstrap } from "./accounts/firstAccount.ts"
import { accountsLayer } from "./accounts/mod.ts"
import { EventStreams } from "./events/EventStreams.ts"
import { Outbox } from "./events/Outbox.ts"
import { clientAddress } from "./http/server/clientAddress.ts"
import { ShownSettings } from "./http/docs/settingsPage.ts"
import { EventSettings } from "./http/EventSettings.ts"
import { announce, drain } from "./http/lifecycle.ts"
import { LogoUrls } from "./http/LogoUrls.ts"
import { type AuthorizationFor, paths, routes } from "./http/Routes.ts"
import { RpcLimits } from "./http/rpc/RpcLimits.ts"
import { Server } from "./http/server/Server.ts"
import { Health } from "./ops/Health.ts"
import { processFigures } from "./ops/processFigures.ts"
import { fetchOnce } from "./platform/fetchOnce.ts"
import { logging } from "./platform/logging.ts"
import { telemetry } from "./platform/telemetry.ts"
import { AssetCatalogue } from "./providers/AssetCatalogue.ts"
import { layerOf } from "./providers/definition.ts"
import { Guard } from "./providers/Guard.ts"
import { Overview } from "./providers/Overview.ts"
import { Registry } from "./providers/Registry.ts"
import { Switches } from "./providers/Switches.ts"
import { Prices } from "./quoting/Prices.ts"
import { Quoting } from "./quoting/Quoting.ts"
import type { Settings } from "./settings.ts"
import { recordJson } from "./api/presentSwap.ts"
import { replicaState } from "./replicas/replicaState.ts"
import { storeLayer } from "./store/Store.ts"
import { StoreDeadline } from "./store/database/storeOperation.ts"
import { wakeReplicas } from "./store/database/wakeReplicas.ts"
import { AddressPolicy } from "./swapping/AddressPolicy.ts"
import { Idempotency } from "./swapping/Idempotency.ts"
import { Journals } from "./swapping/Journals.ts"
import { Lookups } from "./swapping/Lookups.ts"
import { Moves } from "./swapping/Moves.ts"
import { Repairs } from "./swapping/Repairs.ts"
import { Swaps } from "./swapping/Swaps.ts"
import { Tracker } from "./swapping/Tracker.ts"
import { upkeep } from "./swapping/Upkeep.ts"
import { VaultSwaps } from "./swapping/VaultSwaps.ts"
import { Watchdog } from "./swapping/Watchdog.ts"
import { webhooks, webhooksAtWork } from "./webhooks/layers.ts"
import { checkProviders } from "./providers/checkProviders.ts"
import { brokerAccountPrefix } from "./providers/chainflip/settings.ts"

/** The URL of the simulated networks; none in live mode. */
class SandboxPlace extends Context.Service<SandboxPlace, {
  readonly url: Option.Option<URL>
}>()("swap-broker/SandboxPlace") {}

/** The sandbox inside this process, on a port that only this machine reaches. Live mode never loads it. */
const ownSandbox = ({ sandbox: { world } }: Settings) =>
  Layer.unwrap(Effect.map(
    Effect.promise(() => import("./sandbox/Sandbox.ts")),
    ({ Sandbox }) =>
      Layer.effect(SandboxPlace, Effect.map(Sandbox, ({ url }) => ({ url: Option.some(url) }))).pipe(
        Layer.provide(Sandbox.layer({ ...world, hostname: "127.0.0.1", port: 0 })),
      ),
  ))

const sandboxPlace = (settings: Settings) => {
  if (settings.mode === "live") return Layer.succeed(SandboxPlace, { url: Option.none() })
  const { url } = settings.sandbox
  return Option.isSome(url) ? Layer.succeed(SandboxPlace, { url }) : ownSandbox(settings)
}

/** A layer that registers providers besides those of the settings. `PROVIDERS` has to name them. */
export type MoreProviders = Layer.Layer<never, never, Registry | HttpClient.HttpClient>

/** The registry, with every provider guarded. */
const registered = (settings: Settings, more: MoreProviders) =>
  Layer.unwrap(Effect.gen(function* () {
    const { url } = yield* SandboxPlace
    return layerOf(yield* settings.providersAt(url), settings.surroundings)
  })).pipe(
    Layer.merge(more),
    Layer.provide(fetchOnce),
    Layer.provideMerge(Registry.layer(settings.enabledProviders)),
    Layer.provideMerge(Guard.layerSwitched(settings.guard)),
    Layer.provideMerge(Switches.layer),
    Layer.provideMerge(replicaState(settings)),
  )

/** The services that open, encode and follow swaps. */
const swapping = ({ enabledProviders, lookups, swaps, tracker, vaultSwaps }: Settings) =>
  VaultSwaps.layer(vaultSwaps).pipe(
    Layer.provideMerge(Layer.mergeAll(
      Swaps.layer(swaps),
      Idempotency.layer(swaps),
      upkeep(swaps),
      Watchdog.layerRunning(enabledProviders),
      Journals.layer,
      Moves.layer,
      Repairs.layer,
      Tracker.layerRunning(enabledProviders, tracker),
    )),
    Layer.provide(Lookups.layer(lookups)),
  )

/** The HTTP face over all services. */
const served = ({ http }: Settings, authorization?: AuthorizationFor) =>
  Layer.unwrap(Effect.map(SandboxPlace, ({ url }) => {
    const sandbox = Option.getOrUndefined(url)
    return Server.layer({
      hostname: http.hostname,
      port: http.port,
      clientAddress: clientAddress(Option.getOrElse(http.trustedProxies, () => [])),
      paths: paths(sandbox),
      headers: sandbox === undefined ? {} : { "x-broker-mode": "sandbox" },
    }).pipe(
      Layer.provide(routes(sandbox, authorization)),
      Layer.provide(fetchOnce),
      Layer.provide(Layer.succeed(RpcLimits, http.rpc)),
      Layer.provide(HttpRouter.layer),
      Layer.provide(Layer.succeed(HttpRouter.RouterConfig, { caseSensitive: true })),
    )
  }))

/**
 * The layer graph of the service, which serves for as long as the layer lives. `more` registers further providers;
 * `authorization` is that of `routes`.
 */
export const app = (
  settings: Settings,
  more: MoreProviders = Layer.empty,
  authorization?: AuthorizationFor,
) =>
  announce(settings).pipe(
    Layer.merge(drain(settings.http)),
    Layer.provideMerge(served(settings, authorization)),
    Layer.provide([bootstrap(settings.bootstrap), checkProviders(settings.enabledProviders)]),
    Layer.provide([
      Layer.provideMerge(Prices.layer, Quoting.layer(settings.quoting)),
      swapping(settings),
      EventStreams.layer(settings.events),
      Layer.succeed(EventSettings, settings.events),
      accountsLayer,
      webhooks(settings.webhooks),
      webhooksAtWork(settings.webhooks, settings.dispatch),
      Health.layer,
      Overview.layer,
      AssetCatalogue.layer(settings.assets),
      LogoUrls.layer(settings.http.logos),
      Layer.succeed(ShownSettings, settings.variables),
      Layer.succeed(AddressPolicy, { ...settings.addresses, brokerAccountPrefix }),
    ]),
    Layer.provide(registered(settings, more)),
    Layer.provide([Outbox.layer, settings.database.hasReplicas ? wakeReplicas : Layer.empty]),
    Layer.provide([sandboxPlace(settings), storeLayer(settings.database.location, recordJson)]),
    Layer.provide(Layer.succeed(StoreDeadline, settings.database.deadline)),
    Layer.provide(processFigures),
    Layer.provide(telemetry(settings.telemetry)),
    Layer.provide(logging(settings.log)),
  )
