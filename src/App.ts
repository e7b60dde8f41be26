import { Duration, Effect, Layer, Option } from "effect"
import * as HttpRouter from "effect/http/HttpRouter"
import { accountsLayer } from "./accounts/mod.ts"
import { announce, bootstrap } from "./app/announce.ts"
import { drain } from "./app/drain.ts"
import { databaseLocation } from "./app/databaseLocation.ts"
import { guardKnobs } from "./app/guardKnobs.ts"
import { replicaState } from "./app/replicaState.ts"
import { checkProviders } from "./app/checkProviders.ts"
import { logging } from "./app/logging.ts"
import { telemetry } from "./app/telemetry.ts"
import { swapSettings } from "./app/swapSettings.ts"
import { Upstreams } from "./app/Upstreams.ts"
import type { Settings } from "./Config.ts"
import { EventStreams } from "./events/EventStreams.ts"
import { clientAddress } from "./http/clientAddress.ts"
import { EventSettings } from "./http/EventSettings.ts"
import { type AuthorizationFor, methods, pathHeaders, routes } from "./http/Routes.ts"
import { LogoUrls } from "./http/LogoUrls.ts"
import { RpcLimits } from "./http/rpc/RpcLimits.ts"
import { Server } from "./http/Server.ts"
import { Health } from "./ops/Health.ts"
import { processFigures } from "./ops/processFigures.ts"
import { fetchOnce } from "./platform/fetchOnce.ts"
import { AssetCatalogue } from "./providers/AssetCatalogue.ts"
import { Guard } from "./providers/Guard.ts"
import { providers } from "./providers/mod.ts"
import { Overview } from "./providers/Overview.ts"
import { Registry } from "./providers/Registry.ts"
import { Switches } from "./providers/Switches.ts"
import { Prices } from "./quoting/Prices.ts"
import { Quoting } from "./quoting/Quoting.ts"
import { Outbox } from "./events/Outbox.ts"
import { storeLayer } from "./store/Store.ts"
import { StoreDeadline } from "./store/storeDeadline.ts"
import { wakeReplicas } from "./store/wakeReplicas.ts"
import { Idempotency } from "./swapping/Idempotency.ts"
import { Journals } from "./swapping/Journals.ts"
import { Moves } from "./swapping/Moves.ts"
import { Lookups } from "./swapping/Lookups.ts"
import { Swaps } from "./swapping/Swaps.ts"
import { AddressPolicy } from "./swapping/AddressPolicy.ts"
import { Tracker } from "./swapping/Tracker.ts"
import { VaultSwaps } from "./swapping/VaultSwaps.ts"
import { webhooks, webhooksAtWork } from "./app/webhooks.ts"
import { upkeep } from "./swapping/Upkeep.ts"
import { Watchdog } from "./swapping/Watchdog.ts"

/** The providers, each registered and guarded. */
const registered = (settings: Settings) =>
  Layer.unwrap(Effect.map(Upstreams, (upstreams) => providers(upstreams.providers))).pipe(
    Layer.provide(fetchOnce),
    Layer.provideMerge(Registry.layer(settings.providers)),
    Layer.provideMerge(Guard.layerSwitched(guardKnobs(settings))),
    Layer.provideMerge(Switches.layer),
    Layer.provideMerge(replicaState(settings)),
  )

/** How much faster than the clock the world turns that swaps are followed in. */
const timeScale = ({ mode, sandboxSpeed }: Settings): number =>
  mode === "sandbox" ? Math.max(1, sandboxSpeed) : 1

const statusMaxAge = ({ mode, statusMaxAge }: Settings): Duration.Duration =>
  Option.getOrElse(statusMaxAge, () => mode === "sandbox" ? Duration.zero : Duration.seconds(6))

const trackerInterval = ({ mode, trackerInterval }: Settings): Duration.Duration =>
  Option.getOrElse(trackerInterval, () => mode === "sandbox" ? Duration.millis(200) : Duration.seconds(1))

/** Later than the deadline, so that a call that hangs ends by itself and its circuit hears of it. */
const lookupTimeout = ({ statusDeadline }: Settings): Duration.Duration =>
  Duration.sum(statusDeadline, Duration.seconds(1))

/** Whether others may write events. Hearing of it takes a connection, which must not be the only one. */
const hasReplicas = ({ databaseConnections, databaseUrl }: Settings): boolean =>
  Option.isSome(databaseUrl) && databaseConnections > 1

/** Opening, encoding and following swaps. */
const swapping = (settings: Settings) => {
  const pace = { timeScale: timeScale(settings) }
  // The embedded database lets no other process in.
  const soleProcess = Option.isNone(settings.databaseUrl)
  const openings = {
    ...pace,
    openTimeout: settings.openTimeout,
    keyLifetime: settings.idempotencyKeep,
    openChannelsMost: settings.openChannelsMost,
  }
  return Layer.mergeAll(
    Swaps.layer({
      ...openings,
      statusMaxAge: statusMaxAge(settings),
      refreshTimeout: settings.statusDeadline,
      soleProcess,
    }),
    Idempotency.layer(openings),
    upkeep(settings),
    Watchdog.layerRunning(settings.providers),
    Journals.layer,
    Moves.layer,
    Tracker.layerRunning(settings.providers, {
      concurrency: settings.trackerConcurrency,
      pollInterval: trackerInterval(settings),
    }),
  ).pipe(
    (services) =>
      Layer.provideMerge(
        VaultSwaps.layer({
          ...pace,
          simulatedTime: settings.mode === "sandbox",
          vaultAddresses: Option.getOrElse(settings.vaultAddresses, () => []),
        }),
        services,
      ),
    Layer.provide(Lookups.layer({
      ...pace,
      soleProcess,
      lookupTimeout: lookupTimeout(settings),
      lookupsPerSecond: settings.lookupsPerSecond,
      followQuietFor: settings.followQuietFor,
    })),
  )
}

/** The embedded database is in this process: it neither goes away nor hangs. */
const storeDeadline = ({ databaseTimeout, databaseUrl }: Settings) =>
  Layer.succeed(StoreDeadline, Option.as(databaseUrl, databaseTimeout))

const rpcLimits = ({ rpcBatchConcurrency, rpcBatchMost }: Settings) =>
  Layer.succeed(RpcLimits, { batchMost: rpcBatchMost, batchConcurrency: rpcBatchConcurrency })

/** Streams of what happens to swaps. */
const eventStreams = ({ eventHeartbeat, eventStreamsMost }: Settings) =>
  Layer.merge(
    EventStreams.layer({ mostPerAccount: eventStreamsMost }),
    Layer.succeed(EventSettings, { heartbeat: eventHeartbeat }),
  )

/** The HTTP face over all of it. */
const served = (settings: Settings, authorization?: AuthorizationFor) =>
  Layer.unwrap(Effect.map(Upstreams, ({ sandboxUrl }) => {
    const sandbox = Option.getOrUndefined(sandboxUrl)
    return Server.layer({
      hostname: settings.host,
      port: settings.port,
      clientAddress: clientAddress(Option.getOrElse(settings.trustedProxies, () => [])),
      methods: methods(sandbox),
      pathHeaders,
      headers: sandbox === undefined ? {} : { "x-broker-mode": "sandbox" },
    }).pipe(
      Layer.provide(routes(sandbox, authorization)),
      Layer.provide(fetchOnce),
      Layer.provide(rpcLimits(settings)),
      Layer.provide(HttpRouter.layer),
      Layer.provide(Layer.succeed(HttpRouter.RouterConfig, { caseSensitive: true })),
    )
  }))

/** The layer graph of the service: it serves for as long as the layer lives. `authorization` as for `routes`. */
export const app = (settings: Settings, authorization?: AuthorizationFor) =>
  announce(settings).pipe(
    Layer.merge(drain(settings)),
    Layer.provideMerge(served(settings, authorization)),
    Layer.provide([bootstrap(settings), checkProviders(settings)]),
    Layer.provide([
      Layer.provideMerge(
        Prices.layer,
        Quoting.layer({
          deadline: settings.quoteDeadline,
          grace: settings.quoteGrace,
          reuse: { quotes: settings.quoteReuse, refusals: settings.refusalReuse },
        }),
      ),
      swapping(settings),
      eventStreams(settings),
      accountsLayer,
      webhooks(settings),
      webhooksAtWork(settings),
      Health.layer,
      Overview.layer,
      AssetCatalogue.layer({ maxAge: settings.assetsMaxAge }),
      LogoUrls.layer({ publicUrl: settings.publicUrl, template: settings.logoUrl }),
      Layer.effect(AddressPolicy, swapSettings(settings)),
    ]),
    Layer.provide(registered(settings)),
    Layer.provide([Outbox.layer, hasReplicas(settings) ? wakeReplicas : Layer.empty]),
    Layer.provide([Upstreams.layer(settings), storeLayer(databaseLocation(settings))]),
    Layer.provide(storeDeadline(settings)),
    Layer.provide(processFigures),
    Layer.provide(telemetry(settings)),
    Layer.provide(logging(settings)),
  )
