import { assert, describe, it, TestClock } from "../support.ts"
import { Effect, Option } from "effect"
import { Bps, formatDecimal, NativeAmount, type QuoteRequest } from "#exports/domain.ts"
import { maya } from "#providers/thorchain/networks.ts"
import { inbound, inboundAddresses, lastBlock, pools, quote, vaults } from "./bodies.ts"
import { begin, plain, providerOver, reasonOf, type Script } from "./fakeNode.ts"

const asked: QuoteRequest = {
  sourceAsset: "btc.btc",
  destinationAsset: "eth.eth",
  amount: NativeAmount.make(10_000_000n),
  commissionBps: Bps.make(25),
}

const refusal = (script: Script, request: QuoteRequest = asked) =>
  Effect.flatMap(providerOver(script), ([provider]) => Effect.map(reasonOf(provider.quotes(request)), plain))

const error = (message: string) => ({ quote: { status: 400, body: { code: 3, message, details: [] } } })

describe("quotes of THORChain", () => {
  it.effect("asks for the amount in 1e-8 of a unit, with the commission for the operator", function* () {
    const [provider, requests] = yield* providerOver({})
    yield* provider.quotes(asked)
    const [first, second] = requests.filter(({ url }) => url.pathname.endsWith("/quote/swap"))
    assert.strictEqual(first?.url.pathname, "/chain/thorchain/quote/swap")
    const plainly = {
      from_asset: "BTC.BTC",
      to_asset: "ETH.ETH",
      amount: "10000000",
      affiliate: "sb",
      affiliate_bps: "25",
    }
    assert.deepStrictEqual(Object.fromEntries(first?.url.searchParams ?? []), plainly)
    assert.deepStrictEqual(Object.fromEntries(second?.url.searchParams ?? []), {
      ...plainly,
      streaming_interval: "1",
      streaming_quantity: "8",
    })
  })

  it.effect("reads every member, and offers as many chunks as the network makes", function* () {
    const [provider] = yield* providerOver({})
    const [regular, inChunks, ...others] = yield* provider.quotes(asked)
    assert.isDefined(regular)
    const { estimatedPrice, priceImpactPercent, recommendedSlippageTolerancePercent, ...rest } = regular
    assert.isDefined(priceImpactPercent)
    assert.deepStrictEqual<unknown>(rest, {
      platform: "thorchain",
      ingress: { asset: "btc.btc", amount: 10_000_000n },
      egress: { asset: "eth.eth", amount: 2_995_500_000_000_000_000n },
      fees: [
        { type: "broker", asset: "eth.eth", amount: 3_000_000_000_000_000n },
        { type: "egress", asset: "eth.eth", amount: 600_000_000_000_000n },
        { type: "liquidity", asset: "eth.eth", amount: 900_000_000_000_000n },
      ],
      pools: [],
      lowLiquidityWarning: false,
      durations: { deposit: 900_000, swap: 6_000, egress: 126_000 },
      totalDuration: 1_032_000,
      expiresAt: begin + 900_000,
      minimumDeposit: 10_800n,
    })
    assert.strictEqual(formatDecimal(estimatedPrice), "29.955")
    assert.strictEqual(formatDecimal(recommendedSlippageTolerancePercent), "3")
    assert.deepStrictEqual(inChunks?.dca, { numberOfChunks: 8, chunkIntervalBlocks: 1 })
    assert.deepStrictEqual(others, [])
  })

  it.effect("tells the least that is advised, or that pays out more than dust, with a sample to ask for", function* () {
    const dust = [
      inbound("BTC", vaults.bitcoin, { router: "" }),
      inbound("ETH", vaults.evm, { router: vaults.router, dust_threshold: "1000000" }),
    ]
    const [provider] = yield* providerOver({ inbound: { body: dust } })
    const [bitcoin] = yield* provider.assets
    // A ten-thousandth of the pool beside the dust.
    assert.deepStrictEqual<unknown>([bitcoin?.minimumDeposit, bitcoin?.sampleDeposit], [10_001n, 10_010_001n])
    const [quoted] = yield* provider.quotes(asked)
    // (1,000,002 + 60,000) of 299,610,000 for 10,000,000, and a hundredth more.
    assert.strictEqual(quoted?.minimumDeposit, 35_734n)
  })

  it.effect("leaves the offer in chunks out where there is none, and keeps the other", function* () {
    const [provider] = yield* providerOver({
      quote: ({ url }) =>
        url.searchParams.has("streaming_quantity")
          ? { status: 400, body: { error: "streaming swaps are paused" } }
          : { body: quote },
    })
    assert.strictEqual((yield* provider.quotes(asked)).length, 1)
  })

  it.effect("does without the numbers that a node leaves out because they are 0", function* () {
    const { inbound_confirmation_seconds: _, outbound_delay_seconds: __, ...others } = quote
    const { max_streaming_quantity: ___, recommended_min_amount_in: ____, ...few } = others
    const [provider] = yield* providerOver({ quote: { body: few } })
    const [regular] = yield* provider.quotes(asked)
    assert.deepStrictEqual(regular?.durations, { deposit: 300_000, swap: 6_000, egress: 6_000 })
  })

  it.effect("refuses a commission that nobody would get", function* () {
    const [provider] = yield* providerOver({}, { affiliate: Option.none() })
    assert.strictEqual((yield* reasonOf(provider.quotes(asked)))._tag, "RequestRefused")
    assert.isNotEmpty(yield* provider.quotes({ ...asked, commissionBps: Bps.make(0) }))
  })

  it.effect("names the minimum in the caller's units", function* () {
    const little = { ...asked, amount: NativeAmount.make(10_799n) }
    assert.deepInclude(yield* refusal({}, little), {
      _tag: "DepositBelowMinimum",
      asset: "btc.btc",
      minimum: 10_800n,
    })
    const [provider] = yield* providerOver(
      error("amount less than min swap amount (recommended_min_amount_in: 1080012345)"),
    )
    const told = yield* reasonOf(provider.quotes({ ...asked, sourceAsset: "trx.tron" }))
    assert.deepInclude(told, {
      _tag: "DepositBelowMinimum",
      asset: "trx.tron",
      minimum: NativeAmount.make(10_800_124n),
    })
  })

  it.effect("refuses what the network cannot count", function* () {
    const dust = { ...asked, sourceAsset: "eth.eth", amount: NativeAmount.make(9_999_999_999n) } as const
    assert.deepInclude(yield* refusal({}, dust), { _tag: "AmountBelowMinimum" })
  })

  it.effect("offers nothing that is stale already", function* () {
    const stale = { body: { ...quote, expiry: begin / 1_000 } }
    assert.deepInclude(yield* refusal({ quote: stale }), { _tag: "MalformedBody" })
  })

  it.effect("reads pools whose balance is left out, as what is 0 is", function* () {
    const [provider] = yield* providerOver({
      pools: { body: [...pools, { asset: "ETH.FOO-0XDEAD", status: "Staged" }] },
    })
    assert.isAbove((yield* provider.quotes(asked)).length, 0)
  })

  it.effect("refuses an answer about another asset", function* () {
    const other = { body: { ...quote, fees: { ...quote.fees, asset: "BTC.BTC" } } }
    assert.deepInclude(yield* refusal({ quote: other }), { _tag: "MalformedBody" })
  })

  it.effect("asks nothing about a chain that is at rest, and pauses with the network", function* () {
    const halt = (more: Readonly<Record<string, unknown>>) => ({
      inbound: { body: [inbound("BTC", vaults.bitcoin, more), ...inboundAddresses.slice(1)] },
    })
    assert.deepInclude(yield* refusal(halt({ halted: true })), { _tag: "AssetDisabled" })
    assert.deepInclude(yield* refusal(halt({ chain_trading_paused: true })), { _tag: "AssetDisabled" })
    // What is not said to be at work counts as at rest, and takes no other chain with it.
    assert.deepInclude(yield* refusal(halt({ halted: null })), {
      _tag: "AssetDisabled",
      detail: "Swaps with btc.btc are halted: Bitcoin is at rest in the network",
    })
    assert.deepInclude(yield* refusal(halt({ global_trading_paused: true })), { _tag: "QuotingMaintenance" })
    assert.deepInclude(yield* refusal({ inbound: { body: inboundAddresses.slice(1) } }), {
      _tag: "AssetDisabled",
    })
  })

  it.effect("takes a height that does not move for a halt, though no flag says so", function* () {
    const [provider] = yield* providerOver({})
    yield* provider.quotes(asked)
    yield* TestClock.adjust("30 seconds")
    yield* provider.quotes(asked)
    yield* TestClock.adjust("1 second")
    assert.strictEqual((yield* reasonOf(provider.quotes(asked)))._tag, "QuotingMaintenance")
  })

  it.effect("goes on with a height that moves", function* () {
    let height = 21_000_000
    const [provider] = yield* providerOver({ lastBlock: () => ({ body: lastBlock(height++) }) })
    yield* provider.quotes(asked)
    yield* TestClock.adjust("10 minutes")
    assert.isNotEmpty(yield* provider.quotes(asked))
  })

  it.effect("offers no more chunks than an hour has blocks, however many the network allows", function* () {
    const [provider] = yield* providerOver({ quote: { body: { ...quote, max_streaming_quantity: 14_400 } } })
    const quotes = yield* provider.quotes(asked)
    assert.deepStrictEqual(quotes.map(({ dca }) => dca?.numberOfChunks), [undefined, 600])
  })

  const messages = [
    ["amount less than dust threshold", "AmountBelowMinimum"],
    ["amount less than min swap amount (recommended_min_amount_in: 9999999999999999)", "DepositBelowMinimum"],
    // Recorded on 2026-06-27 and 2026-10-04: the one names a minimum, the other one that was kept.
    ["swap too small; recommended minimum: 9999999999999999", "DepositBelowMinimum"],
    [
      "amount less than min swap amount (recommended_min_amount_in: 10): invalid request",
      "InsufficientLiquidity",
    ],
    ["pool ZEC.ZEC not found: invalid request", "AssetNotListed"],
    ["failed to simulate swap: pool ETH.FOO-0XDEAD doesn't exist", "AssetNotListed"],
    ["bad to asset: invalid symbol: invalid request", "AssetNotListed"],
    ["failed to simulate swap: not enough asset to pay for fees", "EgressFeeNotCovered"],
    ["invariant broken: emit 5 less than outbound fee 7", "EgressFeeNotCovered"],
    ["outbound amount does not meet requirements (5/7)", "EgressFeeNotCovered"],
    ["trading is halted, can't process swap", "AssetDisabled"],
    ["trading is globally halted", "QuotingMaintenance"],
    ["trading globally paused", "QuotingMaintenance"],
    // A pause comes first, with its verb and without.
    ["trading halted", "AssetDisabled"],
    ["trading paused for this asset", "AssetDisabled"],
    ["swaps are paused", "AssetDisabled"],
    ["the pool is paused", "AssetDisabled"],
    ["pool ZEC.ZEC is paused", "AssetDisabled"],
    ["chain ZEC halted", "AssetDisabled"],
    ["trading paused; not enough asset to pay for fees", "AssetDisabled"],
    ["amount less than dust threshold; trading halted", "AssetDisabled"],
    ["streaming swaps paused", "RequestRefused"],
    ["fail swap, not enough fee", "EgressFeeNotCovered"],
    ["fail swap, not enough fees to pay out", "EgressFeeNotCovered"],
    ["streaming swaps are paused", "RequestRefused"],
    ["failed to simulate swap: emit asset 5 less than price limit 7", "InsufficientLiquidity"],
    ["pool does not exist", "AssetNotListed"],
    ["bad destination address: unknown", "UpstreamFailed"],
    ["bad amount: too much", "RequestRefused"],
    ["total affiliate fee must not be more than 1000 bps", "RequestRefused"],
    ["generated memo too long for source chain", "RequestRefused"],
    ["the moon is full", "UpstreamFailed"],
  ] as const
  for (const [message, tag] of messages) {
    it.effect(`understands "${message}" in both forms`, function* () {
      assert.deepInclude(yield* refusal(error(`rpc error: ${message}: invalid request`)), { _tag: tag })
      assert.deepInclude(yield* refusal({ quote: { status: 400, body: { error: message } } }), { _tag: tag })
    })
  }

  it.effect("understands the limits of a gateway", function* () {
    const busy = { status: 429, headers: { "retry-after": "7" }, body: "slow down" }
    assert.deepInclude(yield* refusal({ quote: busy }), { _tag: "RateLimited", retryAfterSeconds: 7 })
    assert.deepInclude(yield* refusal({ quote: { status: 503, body: "" } }), { _tag: "Unreachable" })
  })
})

describe("assets of the networks", () => {
  it.effect("lists the pools of assets of ours, with their prices", function* () {
    const [provider] = yield* providerOver({})
    const assets = yield* provider.assets
    const told = Object.fromEntries(
      assets.map(({ asset, egress, ingress, usdPrice }) => [
        asset,
        [ingress, egress, usdPrice === undefined ? undefined : formatDecimal(usdPrice)],
      ]),
    )
    assert.deepStrictEqual<unknown>(told, {
      "btc.btc": [true, true, "64550"],
      "eth.eth": [true, true, "1904"],
      "usdc.eth": [true, true, "1"],
      "wbtc.eth": [false, false, "64550"],
      "bnb.bsc": [true, true, undefined],
      "usdt.bsc": [true, true, "64550"],
      "trx.tron": [true, true, "64550"],
      "usdt.tron": [true, true, "64550"],
      "sol.sol": [false, true, "64550"],
      "xrp.xrp": [true, true, "64550"],
    })
  })

  it.effect("prices Maya's by the pool of a dollar coin, whatever the digits of its native coin", function* () {
    const [provider] = yield* providerOver({
      inbound: { body: [{ chain: "BTC", address: vaults.bitcoin, halted: false }] },
      lastBlock: { body: [{ chain: "BTC", mayachain: 9_000_000 }] },
      pools: {
        body: [
          {
            asset: "BTC.BTC",
            status: "Available",
            balance_asset: "1000000000",
            balance_cacao: "6455000000000000",
          },
          {
            asset: "ETH.USDC-0XA0B86991C6218B36C1D19D4A2E9EB0CE3606EB48",
            status: "Available",
            balance_asset: "64550000000000",
            balance_cacao: "6455000000000000",
          },
        ],
      },
    }, { family: maya })
    const [btc, usdc] = yield* provider.assets
    assert.strictEqual(btc?.usdPrice === undefined ? "" : formatDecimal(btc.usdPrice), "64550")
    assert.isTrue(btc?.ingress)
    assert.isFalse(usdc?.ingress, "a chain without a vault")
  })
})
