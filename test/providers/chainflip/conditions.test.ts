import { assert, channelsOf, collectLogs, describe, it, TestClock } from "../support.ts"
import { Effect } from "effect"
import { NativeAmount } from "#domain/money/Amount.ts"
import { type Asked, providerOver, reasonOf, result, rpcError, type Script } from "./fakeChainflip.ts"
import { environment, networkInfo, safeMode, switches } from "./fixtures/environment.ts"
import { regular } from "./fixtures/quotes.ts"
import { quoteRequest, swapRequest } from "./requests.ts"

const infoPath = "/chainflip/backend/api/networkInfo"
const quotePath = "/chainflip/backend/v2/quote"

const count = (asked: ReadonlyArray<Asked>, method: string) =>
  asked.filter(({ call }) => call?.method === method).length

describe("What Chainflip allows now", () => {
  it.effect("names every known asset that the upstream names, with its switches and minimum", function* () {
    const [provider] = yield* providerOver({
      [infoPath]: {
        body: networkInfo(
          switches("Btc"),
          switches("Eth", { creation: false }),
          switches("ArbEth", { deposits: false }),
          switches("HubDot", { egress: false }),
          switches("Bnb"),
        ),
      },
    })
    assert.deepStrictEqual<unknown>(yield* provider.assets, [
      {
        asset: "btc.btc",
        ingress: true,
        egress: true,
        minimumDeposit: 40_000n,
        maximumDeposit: 5_000_000_000n,
      },
      { asset: "eth.eth", ingress: false, egress: true, minimumDeposit: 10n ** 16n },
      { asset: "eth.arb", ingress: false, egress: true, minimumDeposit: 3_900_000_000_000_000n },
      { asset: "dot.hub", ingress: true, egress: false, minimumDeposit: 40_000_000_000n },
      { asset: "bnb.bsc", ingress: true, egress: true, minimumDeposit: 0n },
    ])
  })

  it.effect("is off for an asset whose switches cannot be read, and as it is for all others", function* () {
    const [provider] = yield* providerOver({
      [infoPath]: {
        body: {
          assets: [{ asset: "Btc", egressEnabled: true }, switches("Eth"), { asset: "Neptune" }, null],
        },
      },
    })
    const { lines, value } = yield* collectLogs(provider.assets)
    assert.deepStrictEqual(value.map(({ asset }) => asset), ["eth.eth"])
    assert.deepStrictEqual(lines, [
      "Left out btc.btc: assets[0].depositChannelDepositsEnabled: expected a value, got nothing",
    ])
  })

  it.effect("needs no margin of confirmations", function* () {
    const { witness_safety_margins: _, ...older } = environment.ingress_egress
    const [provider] = yield* providerOver({
      cf_environment: result({ ...environment, ingress_egress: older }),
    })
    assert.isAbove((yield* provider.assets).length, 0)
  })

  it.effect("is asked for once by many, and again when it is too old", function* () {
    const [provider, asked] = yield* providerOver({ [quotePath]: { body: [regular] } })
    assert.strictEqual(asked.length, 0)
    yield* Effect.all(Array.from({ length: 20 }, () => provider.quotes(quoteRequest)), {
      concurrency: "unbounded",
    })
    assert.strictEqual(count(asked, "cf_environment"), 1)
    yield* TestClock.adjust("59 seconds")
    yield* provider.assets
    assert.strictEqual(count(asked, "cf_environment"), 1)
    yield* TestClock.adjust("1 second")
    yield* provider.assets
    assert.strictEqual(count(asked, "cf_environment"), 2)
  })

  it.effect("is asked for again at once after a failure", function* () {
    let failures = 1
    const answer = (asked: Asked) =>
      failures-- > 0 ? rpcError(-32603, "Internal error")(asked) : result(environment)(asked)
    const [provider] = yield* providerOver({ cf_environment: answer })
    const reason = yield* reasonOf(provider.assets)
    assert.deepInclude(reason, { detail: "The node answered error -32603: Internal error" })
    assert.isNotEmpty(yield* provider.assets)
  })

  const notOffered = [
    rpcError(-32601, "Method not found"),
    rpcError(-32000, "The method cf_safe_mode_statuses does not exist/is not available"),
  ]

  it.effect.each(notOffered)(
    "does without the safe mode of a node that does not tell it",
    function* (answer) {
      const [provider] = yield* providerOver({
        [quotePath]: { body: [regular] },
        cf_safe_mode_statuses: answer,
      })
      assert.lengthOf(yield* provider.quotes(quoteRequest), 1)
    },
  )

  it.effect("is not known where the node fails to tell the safe mode", function* () {
    const [provider] = yield* providerOver({ cf_safe_mode_statuses: rpcError(-32603, "Internal error") })
    assert.strictEqual((yield* reasonOf(provider.quotes(quoteRequest)))._tag, "UpstreamFailed")
  })

  it.effect("names the path of what does not fit", function* () {
    const [provider] = yield* providerOver({
      cf_environment: result({
        ...environment,
        swapping: { maximum_swap_amounts: { Bitcoin: { BTC: "x" } } },
      }),
    })
    assert.deepInclude(yield* reasonOf(provider.assets), {
      detail:
        "result.swapping.maximum_swap_amounts.Bitcoin.BTC: expected an amount (safe integer, 0x hex or digits)" +
        `, got "x"`,
    })
  })
})

/** Both a quote and an opening fail for the same reason, and neither asks anything of its own. */
const refused = (script: Script, amount: bigint, reason: unknown) =>
  Effect.gen(function* () {
    const [provider, asked] = yield* providerOver(script)
    const native = NativeAmount.make(amount)
    const quote = yield* reasonOf(provider.quotes({ ...quoteRequest, amount: native }))
    const opening = yield* reasonOf(channelsOf(provider).open({ ...swapRequest, amount: native }))
    assert.deepStrictEqual<unknown>({ ...quote }, reason)
    assert.deepStrictEqual<unknown>({ ...opening }, reason)
    assert.isFalse(asked.some(({ url }) => url.pathname === quotePath || url.host === "broker.test"))
  })

describe("What is refused before the upstream is asked", () => {
  const amount = quoteRequest.amount
  it.effect.each<readonly [name: string, script: Script, amount: bigint, reason: unknown]>([
    ["an amount below the minimum", {}, 39_999n, {
      _tag: "DepositBelowMinimum",
      asset: "btc.btc",
      minimum: 40_000n,
    }],
    ["an amount above the maximum", {}, 5_000_000_001n, {
      _tag: "DepositAboveMaximum",
      asset: "btc.btc",
      maximum: 5_000_000_000n,
    }],
    [
      "a source without channels",
      { [infoPath]: { body: networkInfo(switches("Btc", { creation: false }), switches("Eth")) } },
      amount,
      { _tag: "AssetDisabled", detail: "Deposits of btc.btc are switched off" },
    ],
    [
      "a source without deposits",
      { [infoPath]: { body: networkInfo(switches("Btc", { deposits: false }), switches("Eth")) } },
      amount,
      { _tag: "AssetDisabled", detail: "Deposits of btc.btc are switched off" },
    ],
    [
      "a destination without payouts",
      { [infoPath]: { body: networkInfo(switches("Btc"), switches("Eth", { egress: false })) } },
      amount,
      { _tag: "AssetDisabled", detail: "Payouts of eth.eth are switched off" },
    ],
    [
      "an asset that the upstream does not name",
      { [infoPath]: { body: networkInfo(switches("Btc")) } },
      amount,
      { _tag: "AssetNotListed", detail: "The network does not have eth.eth" },
    ],
    [
      "anything while swaps are off",
      { cf_safe_mode_statuses: result(safeMode(false)) },
      amount,
      { _tag: "SwappingMaintenance", detail: "The network has switched swaps off: try again later" },
    ],
    [
      "anything while deposits are off",
      { cf_safe_mode_statuses: result(safeMode(true, false)) },
      amount,
      { _tag: "SwappingMaintenance", detail: "The network has switched swaps off: try again later" },
    ],
    [
      "anything during maintenance",
      {
        [infoPath]: {
          status: 503,
          body: { message: "The swap service is currently unavailable due to maintenance" },
        },
      },
      amount,
      { _tag: "SwappingMaintenance", detail: "Swaps are in maintenance. Try again later" },
    ],
  ])("%s", ([, script, amount, reason]) => refused(script, amount, reason))

  it.effect("durations over the live limits, all at once", function* () {
    const [provider] = yield* providerOver({})
    const reason = yield* reasonOf(
      channelsOf(provider).open({
        ...swapRequest,
        retryDurationBlocks: 601,
        dca: { numberOfChunks: 7202, chunkIntervalBlocks: 2 },
      }),
    )
    assert.isTrue(reason._tag === "RequestRefused")
    assert.deepStrictEqual(reason._tag === "RequestRefused" && reason.errors, {
      retryDurationInBlocks: ["retryDurationInBlocks must be at most 600 blocks now"],
      numberOfChunks: [
        "numberOfChunks makes the swap too long: (numberOfChunks − 1) × chunkIntervalBlocks must be at " +
        "most 14400 blocks now",
      ],
    })
  })

  it.effect("nothing that is exactly at a limit, or that has none", function* () {
    const opened = {
      address: "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0",
      issued_block: 1,
      channel_id: 2,
      source_chain_expiry_block: 3,
      channel_opening_fee: "0x0",
    }
    const old = { ingress_egress: environment.ingress_egress, swapping: {} }
    const request = {
      ...swapRequest,
      retryDurationBlocks: 600,
      dca: { numberOfChunks: 7201, chunkIntervalBlocks: 2 },
      amount: NativeAmount.make(5_000_000_000n),
    }
    const script = { broker_request_swap_deposit_address: result(opened) }
    const atLimits = yield* Effect.flatMap(
      providerOver(script),
      ([provider]) => channelsOf(provider).open(request),
    )
    assert.strictEqual(atLimits.channel.id.channelId, 2)
    const [provider] = yield* providerOver({
      ...script,
      cf_environment: result(old),
      cf_safe_mode_statuses: result({}),
    })
    const unlimited = yield* channelsOf(provider).open({
      ...request,
      retryDurationBlocks: 14_400,
      amount: NativeAmount.make(10n ** 20n),
    })
    assert.strictEqual(unlimited.channel.id.channelId, 2)
  })
})
