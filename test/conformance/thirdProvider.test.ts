import { unitsOf } from "#domain/quotes/ExactOutput.ts"
import { assert, layer } from "#test/support/it.ts"
import { BigDecimal, Duration, Effect, Layer, Redacted } from "effect"
import { CircuitBreaker } from "effect/persistence"
import { Address } from "#domain/chains/Address.ts"
import { NativeAmount, noAmount } from "#domain/money/Amount.ts"
import { Bps, noBps } from "#domain/money/Bps.ts"
import type { ChannelId, DepositChannel } from "#domain/swaps/Channel.ts"
import { anyPrice, Price } from "#domain/money/Price.ts"
import { AssetDisabled, ProviderError } from "#domain/ProviderError.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import type { QuoteRequest } from "#domain/quotes/Quote.ts"
import type { SwapRequest } from "#domain/swaps/SwapRequest.ts"
import * as Chainflip from "#providers/chainflip/provider.ts"
import { Budgets } from "#providers/Budgets.ts"
import { Guard } from "#providers/guard/Guard.ts"
import type { GroupOptions } from "#providers/guard/GroupGuard.ts"
import type { Provider } from "#providers/Provider.ts"
import { Registry } from "#providers/Registry.ts"
import { Quoting } from "#application/quoting/Quoting.ts"
import { TrackRecords } from "#application/quoting/TrackRecords.ts"
import { Sandbox } from "#sandbox/Sandbox.ts"
import { Lookups } from "#application/swapping/following/Lookups.ts"
import { Swaps } from "#application/swapping/Swaps.ts"
import { noIds, options } from "#test/application/quoting/quotingOver.ts"
import { ethereumAddress } from "#test/sandbox/support.ts"
import { callerWith } from "#test/support/account.ts"
import { newAccount, stores } from "#test/support/store.ts"
import { waitingStatus } from "#test/support/swap.ts"
import { noRequests } from "#test/support/swapping.ts"
import { atGenesis, SandboxWorld } from "./sandbox/SandboxWorld.ts"

// A provider that nothing in src/ knows of: one value behind the port, and one layer that registers it.

const name = ProviderName.make("two-thousand")

const channelId: ChannelId = { issuedBlock: 7, network: "Ethereum", channelId: 1 }

const channel: DepositChannel = {
  id: channelId,
  depositAddress: Address.make("0x2222222222222222222222222222222222222222"),
  sourceExpiryBlock: 99,
  openingFee: noAmount,
  explorerUrl: "https://two-thousand.test/1",
}

const isOurs = ({ sourceAsset, destinationAsset }: Pick<QuoteRequest, "sourceAsset" | "destinationAsset">) =>
  sourceAsset === "eth.eth" && destinationAsset === "usdc.eth"

const notOurs = new ProviderError({
  provider: name,
  operation: "quote",
  reason: new AssetDisabled({ detail: "It swaps eth.eth to usdc.eth and nothing else" }),
})

/** Two thousand USDC for an Ether, whatever the market says. */
const twoThousand: Provider = {
  name,
  capabilities: {
    maximumCommissionBps: 0,
    affiliates: false,
    boost: false,
    dca: false,
    ccm: false,
    needsAmount: false,
    retry: true,
    lateDeposit: "untold",
    ends: { limit: "on arrival", deposit: "ordered", paysByDeposit: false, pays: "several" },
  },
  assets: Effect.succeed([
    { asset: "eth.eth", ingress: true, egress: false, minimumDeposit: noAmount },
    { asset: "usdc.eth", ingress: false, egress: true, minimumDeposit: noAmount },
  ]),
  quotes: (request) =>
    isOurs(request)
      ? Effect.succeed([{
        platform: name,
        ingress: { asset: request.sourceAsset, amount: unitsOf(request.amount) },
        egress: {
          asset: request.destinationAsset,
          amount: NativeAmount.make(unitsOf(request.amount) * 2_000n / 10n ** 12n),
        },
        fees: [],
        pools: [],
        lowLiquidityWarning: false,
        durations: { deposit: 60_000, swap: 1, egress: 1 },
        totalDuration: 60_002,
        estimatedPrice: Price.make(BigDecimal.fromBigInt(2_000n)),
        recommendedSlippageTolerancePercent: BigDecimal.fromBigInt(0n),
      }])
      : Effect.fail(notOurs),
  channels: {
    open: (request) =>
      Effect.succeed({ channel, status: waitingStatus(request, channel), refundsTo: "address" }),
    status: (_channel, known) => Effect.succeedSome({ status: known, body: "{}" }),
  },
}

const third = Layer.effectDiscard(Effect.flatMap(Registry, ({ register }) => register(twoThousand)))

const builtIn = Layer.unwrap(
  Effect.map(Sandbox, ({ chainflip }) =>
    Chainflip.layer({
      ...chainflip,
      brokerUrl: Redacted.make(chainflip.brokerUrl),
      explorerUrl: "https://scan.test/{channelId}",
    })),
)

const knobs: GroupOptions = {
  attemptTimeout: Duration.seconds(3),
  retries: 0,
  deadline: Duration.seconds(5),
  bulkhead: 16,
  trip: CircuitBreaker.consecutive(5),
}

const guard = Guard.layer({
  circuit: {
    openTime: Duration.seconds(5),
    openTimeMost: Duration.seconds(120),
    retryAfterMost: Duration.minutes(10),
  },
  sharing: { share: 1, wait: Duration.zero },
  groups: { quote: knobs, open: knobs, status: knobs, node: knobs, treasury: knobs },
}).pipe(Layer.provide([CircuitBreaker.layerStoreMemory(), Budgets.layer]))

const second = Duration.seconds(1)
const pace = { timeScale: 1 }

/** The broker without its faces, with the third provider merged in beside those that it has. */
const broker = Layer.mergeAll(
  Quoting.layer({
    ...options,
    deadline: second,
    grace: second,
    lifetime: second,
    reuse: { quotes: second, refusals: second },
  }).pipe(Layer.provide([TrackRecords.layerEmpty, noIds])),
  Swaps.layer({
    ...pace,
    statusMaxAge: second,
    refreshTimeout: second,
    openTimeout: second,
    keyLifetime: second,
    openChannelsMost: 10,
    soleProcess: true,
  }).pipe(
    Layer.provide(noRequests),
    Layer.provide(
      Lookups.layer({
        ...pace,
        lookupTimeout: second,
        lookupsPerSecond: 1_000,
        followQuietFor: Duration.days(60),
        soleProcess: true,
      }),
    ),
  ),
).pipe(
  Layer.provideMerge(Layer.mergeAll(builtIn, third)),
  Layer.provide(SandboxWorld.layer),
  Layer.provideMerge(Registry.layer([ProviderName.make("chainflip"), name])),
  Layer.provide(guard),
)

const etherToUsdc: QuoteRequest = {
  sourceAsset: "eth.eth",
  destinationAsset: "usdc.eth",
  amount: NativeAmount.make(1_234_567_890_123_456_789n),
  commissionBps: noBps,
}

const openingRequest: SwapRequest = {
  ...etherToUsdc,
  destinationAddress: Address.make(ethereumAddress),
  refundAddress: Address.make(ethereumAddress),
  minimumPrice: anyPrice,
  retryDurationBlocks: 0,
  maximumBoostFeeBps: noBps,
  affiliates: [],
}

const quotes = (request: QuoteRequest, platform: ProviderName | undefined) =>
  Effect.flatMap(
    Quoting,
    (quoting) =>
      Effect.map(quoting.quotes(callerWith(), { ...request, platform }), (ranked) => ranked.quotes),
  )

const platformsOf = (
  quotes: ReadonlyArray<{ readonly platform: ProviderName }>,
) => [...new Set(quotes.map(({ platform }) => platform))]

for (const store of stores) {
  layer(broker.pipe(Layer.provideMerge(store.layer), Layer.provide(atGenesis)))(
    `A third provider, registered from outside, on ${store.name}`,
    (it) => {
      it.effect("is quoted beside the built-in ones, the better offer first", function* () {
        const [best, ...others] = yield* quotes(etherToUsdc, undefined)
        assert.strictEqual(best?.platform, name)
        assert.strictEqual(best?.egress.amount, 2_469_135_780n)
        assert.deepStrictEqual(platformsOf(others), [ProviderName.make("chainflip")])
      })

      it.effect("is the only one that is asked when it is named, and is not asked when another is", function* () {
        assert.deepStrictEqual(platformsOf(yield* quotes(etherToUsdc, name)), [name])
        assert.notInclude(platformsOf(yield* quotes(etherToUsdc, ProviderName.make("chainflip"))), name)
      })

      it.effect("does not stand in the way of pairs that only others serve", function* () {
        const answer = yield* quotes({ ...etherToUsdc, destinationAsset: "btc.btc" }, undefined)
        assert.deepStrictEqual(platformsOf(answer), [ProviderName.make("chainflip")])
      })

      it.effect("is passed over for a commission that it cannot charge", function* () {
        const answer = yield* quotes({ ...etherToUsdc, commissionBps: Bps.make(10) }, undefined)
        assert.deepStrictEqual(platformsOf(answer), [ProviderName.make("chainflip")])
      })

      it.effect("opens a swap of its own, which stays with it", function* () {
        const swaps = yield* Swaps
        const account = yield* newAccount
        const opened = yield* swaps.open(account, { request: openingRequest, platform: name })
        assert.strictEqual(opened.platform, name)
        assert.strictEqual(opened.channel.depositAddress, channel.depositAddress)
        const { platform, status } = yield* swaps.byChannel(account, channelId)
        assert.strictEqual(platform, name)
        assert.strictEqual(status.state, "waiting")
      })
    },
  )
}
