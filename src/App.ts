import { BigDecimal, Context, Effect, Latch, Layer, Option } from "effect"
import { type HttpClient, HttpRouter } from "effect/http"
import { AffiliateNames } from "#application/accounts/AffiliateNames.ts"
import { ServiceTerms } from "#application/accounts/accountTerms.ts"
import { Limit } from "#domain/accounts/OwnTerms.ts"
import { Bps } from "#domain/money/Bps.ts"
import { bootstrap } from "#application/accounts/firstAccount.ts"
import { OperatorsMerchant } from "#application/accounts/Merchants.ts"
import { accountsLayer } from "#application/accounts/mod.ts"
import { signing } from "#interfaces/http/server/signature.ts"
import { CaseKeys } from "#application/cases/CaseKeys.ts"
import { Cases } from "#application/cases/Cases.ts"
import { Business } from "#application/business/Business.ts"
import { ReportCards } from "#application/business/ReportCards.ts"
import { Reports } from "#interfaces/requests/Authorization.ts"
import { measureChannels } from "#application/business/measureChannels.ts"
import { dashboard, dashboardFailures, dashboardPaths } from "#interfaces/dashboard/Dashboard.tsx"
import { CurrentMode, shownMode } from "#interfaces/pages/mode.tsx"
import { requestErrorsAtWork } from "#application/accounts/RequestErrors.ts"
import { Alerts } from "#application/alerts/Alerts.ts"
import { alertsAtWork } from "#application/alerts/layers.ts"
import { EventStreams, Notices } from "#application/events/EventStreams.ts"
import { Outbox } from "#application/events/Outbox.ts"
import { clientAddress, Server } from "#interfaces/http/server/Server.ts"
import { payer, payerFailures, payerPaths } from "#interfaces/payer/Payer.tsx"
import { ShownSettings } from "#interfaces/http/docs/reference.tsx"
import { rowsOf } from "#infrastructure/config/pageOrder.ts"
import { Guide } from "#application/guidance/Guide.ts"
import type { Merchant } from "#domain/accounts/Merchant.ts"
import { longestQuoteId } from "#domain/quotes/BoundQuote.ts"
import { fewestSwaps } from "#domain/operations/TrackRecord.ts"
import { EventSettings } from "#interfaces/http/serverSentEvents.ts"
import { announce, drain } from "#interfaces/http/lifecycle.ts"
import { LogoUrls, PublicUrl } from "#interfaces/requests/PublicUrl.ts"
import { type AuthorizationFor, paths, routes } from "#interfaces/http/router.ts"
import { RpcLimits } from "#interfaces/http/rpc/RpcLimits.ts"
import { mcp, mcpPaths } from "#interfaces/mcp/Mcp.ts"
import { Health } from "#infrastructure/ops/Health.ts"
import { ProviderHistory } from "#infrastructure/ops/ProviderHistory.ts"
import { recordKeys } from "#infrastructure/ops/recordKeys.ts"
import { endpointCalendar } from "#infrastructure/ops/EndpointCalendar.ts"
import { Refusals } from "#infrastructure/ops/Refusals.ts"
import { processFigures } from "#infrastructure/ops/processFigures.ts"
import { fetchOnce } from "#infrastructure/platform/fetchOnce.ts"
import { logging } from "#infrastructure/platform/logging.ts"
import { Serving } from "#infrastructure/platform/whenReady.ts"
import { logAtStop } from "#infrastructure/platform/runMain.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { telemetry } from "#infrastructure/platform/telemetry.ts"
import { AssetCatalogue } from "#providers/AssetCatalogue.ts"
import { Budgets } from "#providers/Budgets.ts"
import { layerOf } from "#providers/definition.ts"
import { keepBudgets } from "#providers/keepBudgets.ts"
import { BrokerBalance } from "#providers/BrokerBalance.ts"
import { Guard } from "#providers/guard/Guard.ts"
import { Contacts, Overview, realAndSimulated, Registry } from "#providers/Registry.ts"
import { Switches } from "#providers/Switches.ts"
import { Prices, recordHourlyPrices } from "#application/quoting/Prices.ts"
import { Minimums } from "#application/quoting/Minimums.ts"
import { forgetUsedIds, quoteIdKey, QuoteIds } from "#application/quoting/QuoteIds.ts"
import { Quoting } from "#application/quoting/Quoting.ts"
import { TrackRecords } from "#application/quoting/TrackRecords.ts"
import type { Network } from "#domain/chains/Chain.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import { recordKeysOf, type Settings } from "./settings.ts"
import { recordJson } from "#api/presentSwap.ts"
import { replicaState } from "#application/replicas/replicaState.ts"
import { storeLayer } from "#infrastructure/store/Store.ts"
import { StoreDeadline } from "#infrastructure/store/database/storeOperation.ts"
import { notifyReplicas } from "#infrastructure/store/database/notifyReplicas.ts"
import { OpeningRules } from "#application/swapping/opening/OpeningRules.ts"
import { DisputedEnds } from "#application/swapping/following/DisputedEnds.ts"
import { Idempotency } from "#application/swapping/opening/Idempotency.ts"
import { Journals } from "#application/swapping/Journals.ts"
import { HourPrices } from "#application/swapping/following/judgeOutcome.ts"
import { UsualTimes } from "#application/swapping/following/Stalling.ts"
import { Lookups } from "#application/swapping/following/Lookups.ts"
import { SwapTransfers } from "#application/swapping/SwapTransfers.ts"
import { PayLinks } from "#application/swapping/PayLinks.ts"
import { Reindexing } from "#application/swapping/following/Reindexing.ts"
import { searching } from "#application/swapping/payloads/PayloadSearch.ts"
import { OpeningChecks } from "#application/swapping/opening/OpeningChecks.ts"
import { reconcileOpenings } from "#application/swapping/opening/reconcileOpenings.ts"
import { SwapNetworks } from "#providers/SwapNetworks.ts"
import { Swaps } from "#application/swapping/Swaps.ts"
import { Tracker } from "#application/swapping/following/Tracker.ts"
import { retentionJobs } from "#application/swapping/RetentionJobs.ts"
import { VaultSwaps } from "#application/swapping/payloads/VaultSwaps.ts"
import { StallDetector } from "#application/swapping/following/StallDetector.ts"
import { treasury } from "#application/treasury/layers.ts"
import { webhooks, webhooksAtWork } from "#application/webhooks/layers.ts"
import { WireWitness } from "#providers/witness/WireWitness.ts"
import { checkProviders } from "#providers/checkProviders.ts"
import { brokerAccountPrefix } from "#providers/chainflip/settings.ts"
import { makeOutages, Outages } from "#infrastructure/platform/outages.ts"

/** The URL of the simulated networks; none in live mode. */
class SandboxPlace extends Context.Service<SandboxPlace, {
  readonly url: Option.Option<URL>
}>()("swap-broker/SandboxPlace") {}

/** The sandbox inside this process, on a port that only this machine reaches. Live mode never loads it. */
const ownSandbox = ({ sandbox: { world } }: Settings) =>
  Layer.unwrap(Effect.map(
    Effect.promise(() => import("#sandbox/Sandbox.ts")),
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
    const { limited } = yield* Budgets
    const configured = yield* settings.providersAt(url)
    for (const { lack } of configured) {
      if (lack?.isFault === true) yield* Effect.logWarning(`${lack.detail}. ${lack.todo}`)
    }
    return layerOf(configured, settings.surroundings, limited)
  })).pipe(
    Layer.merge(more),
    Layer.provide(fetchOnce),
    Layer.provideMerge(Registry.layer(settings.enabledProviders)),
    Layer.provideMerge(BrokerBalance.layerGuarding(settings.funds)),
    Layer.provideMerge(Guard.layerSwitched(settings.guard)),
    Layer.provideMerge(Switches.layer),
    Layer.provideMerge(ProviderHistory.layerRunning(settings.history)),
    Layer.provideMerge(Refusals.layerRunning),
    Layer.provideMerge(endpointCalendar),
    Layer.provideMerge(keepBudgets),
    Layer.provideMerge(replicaState(settings)),
  )

/** The services that open, encode and follow swaps. */
const swapping = ({ enabledProviders, isSimulated, lookups, swaps, tracker, vaultSwaps }: Settings) =>
  searching(vaultSwaps).pipe(
    Layer.provideMerge(VaultSwaps.layer({ ...vaultSwaps, isSimulated })),
    Layer.provideMerge(Layer.mergeAll(
      Swaps.layer(swaps),
      Idempotency.layer(swaps),
      retentionJobs(swaps),
      reconcileOpenings(swaps),
      OpeningChecks.layer(swaps),
      StallDetector.layerRunning(enabledProviders),
      Journals.layer,
      DisputedEnds.layer,
      SwapTransfers.layer,
      PayLinks.layer,
      Reindexing.layer,
      Tracker.layerRunning(enabledProviders, tracker),
    )),
    Layer.provideMerge(Lookups.layer(lookups)),
  )

/** The services that quote, and prices that are derived of quotes. */
const quoting = ({ addresses: { networks }, quoting }: Settings) =>
  Layer.mergeAll(Prices.layer, Minimums.layer, forgetUsedIds).pipe(
    Layer.provideMerge(Quoting.layer({ ...quoting, networks })),
    Layer.provideMerge(QuoteIds.layer(quoteIdKey(quoting.idKey))),
    Layer.provide(TrackRecords.layerRunning),
  )

/** The prices by which the ends of swaps are looked at that nothing else promised. */
const hourPrices = Layer.effect(
  HourPrices,
  Effect.gen(function* () {
    const { list } = yield* AssetCatalogue
    const { known } = yield* Prices
    return Effect.flatMap(list, known)
  }),
)

/** How long swaps of a pair take by our own history, where there are enough of them to tell. */
const usualTimes = Layer.effect(
  UsualTimes,
  Effect.map(TrackRecords, ({ of }) => (platform, source, destination) => {
    const { times } = of(platform, source, destination)
    return times === undefined || times.n < fewestSwaps ? undefined : times.p90 * 1_000
  }),
).pipe(Layer.provide(TrackRecords.layerRunning))

/** Who payers deal with where their account has nobody of its own. */
const operatorsMerchant = ({ merchant: { colour, logo, name, returnUrl, support } }: Settings): Merchant => ({
  ...optionalMembers(Option.getOrUndefined(name), (displayName) => ({ displayName })),
  ...optionalMembers(Option.getOrUndefined(colour), (colour) => ({ colour })),
  ...optionalMembers(Option.getOrUndefined(logo), (logo) => ({ logo })),
  ...optionalMembers(Option.getOrUndefined(support), (support) => ({ support })),
  ...optionalMembers(Option.getOrUndefined(returnUrl), (returnUrl) => ({ returnUrl })),
})

/** What accounts without terms of their own have. A rate of 0 is no limit. */
const serviceTerms = (
  { enabledProviders, quotas: { account, accountSwap }, quoting, swaps, webhooks }: Settings,
): typeof ServiceTerms.Service => ({
  providers: enabledProviders,
  terms: {
    ...optionalMembers(account, ({ tokens }) => ({ requestsPerMinute: Limit.make(tokens) })),
    ...optionalMembers(accountSwap, ({ tokens }) => ({ openingsPerMinute: Limit.make(tokens) })),
    maximumOpenChannels: Limit.make(swaps.openChannelsMost),
    ...optionalMembers(
      Option.getOrUndefined(swaps.dailyVolumeMost),
      (most) => ({ maximumDailyVolumeUsd: Limit.make(most) }),
    ),
    maximumWebhooks: Limit.make(webhooks.most),
    maximumSlippageToleranceBps: Bps.make(Math.floor(BigDecimal.toNumberUnsafe(quoting.toleranceMost) * 100)),
  },
})

/** The networks that swaps are on: the sandbox of a simulated provider alone, whatever the mode. */
const networksOf = ({ addresses: { realNetwork }, isSimulated }: Settings) => ({
  realNetwork,
  networkOf: (platform: ProviderName): Network => isSimulated(platform) ? "sandbox" : realNetwork,
})

/** The addresses and accounts that requests may name. */
const openingRules = (settings: Settings) =>
  Layer.effect(
    OpeningRules,
    Effect.gen(function* () {
      const { current: affiliateNames } = yield* AffiliateNames
      return OpeningRules.of({
        ...settings.addresses,
        ...networksOf(settings),
        brokerAccountPrefix,
        affiliateNames,
        toleranceMost: settings.quoting.toleranceMost,
      })
    }),
  )

/** The HTTP face over all services. */
const served = (settings: Settings, authorization?: AuthorizationFor) =>
  Layer.unwrap(
    Effect.map(
      Effect.all([SandboxPlace, CaseKeys, realAndSimulated(settings)]),
      ([{ url }, caseKeys, [real]]) => {
        const { http, mcp: agents } = settings
        const mode = shownMode(settings.mode, real)
        const sandbox = Option.getOrUndefined(url)
        return Server.layer({
          hostname: http.hostname,
          port: http.port,
          clientAddress: clientAddress(Option.getOrElse(http.trustedProxies, () => [])),
          paths: new Map([
            ...paths(sandbox),
            ...dashboardPaths,
            ...payerPaths,
            ...(agents.isOn ? mcpPaths : []),
          ]),
          tellsOtherwise: [dashboardFailures(mode), payerFailures],
          headers: sandbox === undefined ? {} : { "x-broker-mode": mode },
          sign: signing(caseKeys),
        }).pipe(
          Layer.provide([
            routes(sandbox, authorization),
            dashboard,
            payer,
            agents.isOn ? mcp(agents, sandbox) : Layer.empty,
          ]),
          Layer.provide(fetchOnce),
          Layer.provide(Layer.succeed(RpcLimits, http.rpc)),
          Layer.provide([Layer.succeed(CurrentMode, mode), Layer.succeed(PublicUrl, http.logos.publicUrl)]),
          Layer.provide(HttpRouter.layer),
          Layer.provide(Layer.succeed(HttpRouter.RouterConfig, {
            caseSensitive: true,
            // The longest value in a path is the id of a quote.
            maxParamLength: longestQuoteId,
          })),
        )
      },
    ),
  )

/**
 * The layer graph of the service, which serves for as long as the layer lives. `more` registers further providers;
 * `authorization` is that of `routes`.
 */
export const app = (
  settings: Settings,
  more: MoreProviders = Layer.empty,
  authorization?: AuthorizationFor,
) => {
  const [quotes, catalogue] = [quoting(settings), AssetCatalogue.layer(settings.assets)]
  const rules = Layer.provide(openingRules(settings), accountsLayer)
  const networks = networksOf(settings)
  const guide = Layer.provide(Guide.layer(settings), [Overview.layer, catalogue])
  return announce(settings).pipe(
    Layer.merge(drain(settings.http)),
    Layer.provideMerge(served(settings, authorization)),
    Layer.provide([bootstrap(settings.bootstrap), checkProviders(settings.enabledProviders)]),
    Layer.provide(alertsAtWork(settings)),
    Layer.provide([
      quotes,
      rules,
      usualTimes,
      Layer.provide(
        swapping(settings),
        Layer.mergeAll(quotes, rules, usualTimes, Layer.provide(hourPrices, [quotes, catalogue])),
      ),
      EventStreams.layer(settings.events).pipe(Layer.provideMerge(Notices.layer)),
      Layer.succeed(EventSettings, settings.events),
      treasury({ ...settings.treasury, ...settings.addresses }).pipe(Layer.provideMerge(accountsLayer)),
      Business.layer,
      ReportCards.layer,
      Layer.succeed(Reports, { arePublic: settings.history.isPublic }),
      measureChannels(settings.enabledProviders),
      Layer.provide(recordHourlyPrices, [quotes, catalogue]),
      Layer.provide(requestErrorsAtWork(settings.accounts), accountsLayer),
      Layer.provide(
        Layer.merge(webhooks(settings.webhooks), webhooksAtWork(settings.webhooks, settings.dispatch)),
        guide,
      ),
      Health.layer,
      Alerts.layer,
      Overview.layer,
      WireWitness.layerRunning({
        ...settings.witness,
        commissionBps: settings.bootstrap.commissionBps,
        parties: settings.addresses.fallbackRefundAddresses,
      }),
      recordKeys(recordKeysOf(settings)),
      Cases.layer.pipe(
        Layer.provideMerge(CaseKeys.layer(settings.cases)),
        Layer.provideMerge(guide),
        Layer.provideMerge(catalogue),
      ),
      LogoUrls.layer(settings.http.logos),
      Layer.succeed(ShownSettings, rowsOf(settings.variables)),
    ]),
    Layer.provide(registered(settings, more)),
    Layer.provide([Outbox.layer, settings.database.hasReplicas ? notifyReplicas : Layer.empty]),
    Layer.provide([
      sandboxPlace(settings),
      storeLayer(
        settings.database.location,
        (record, priceAt) => recordJson(record, { ...networks, priceAt }),
      ),
    ]),
    Layer.provide(Layer.succeed(SwapNetworks, networks)),
    Layer.provide(Layer.succeed(StoreDeadline, settings.database.deadline)),
    Layer.provide(Layer.succeed(Contacts, settings.contacts)),
    Layer.provide([
      Layer.succeed(OperatorsMerchant, operatorsMerchant(settings)),
      Layer.succeed(ServiceTerms, serviceTerms(settings)),
    ]),
    Layer.provide([processFigures, Layer.effect(Serving, Latch.make()), Layer.sync(Outages, makeOutages)]),
    Layer.provide(telemetry(settings.telemetry)),
    Layer.provide(Layer.effectDiscard(logAtStop("Stopped"))),
    Layer.provide(logging(settings.log)),
  )
}
