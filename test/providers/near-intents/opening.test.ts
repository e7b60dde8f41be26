import { limitNotMet } from "#providers/Capabilities.ts"
import { assert, channelsOf, describe, it, TestClock } from "../support.ts"
import { BigDecimal, Effect, Option, Schema } from "effect"
import { Bps, BrokerAccount, NativeAmount, Price, type SwapRequest, SwapStatus } from "#exports/domain.ts"
import { type Answer, plain, providerOver, quoted, reasonOf, type Script } from "./fakeOneClick.ts"
import { depositAddress, dryFigures, order } from "./fixtures/quote.ts"
import { swapRequest } from "./requests.ts"

const now = Date.parse("2026-11-21T05:00:00.000Z")
/** The end that is told: before the deadline of the request, and days before the times of the answer. */
const told = Date.parse("2026-11-22T05:40:00.000Z")

const priced = (price: string): SwapRequest => ({
  ...swapRequest,
  minimumPrice: Price.make(BigDecimal.fromStringUnsafe(price)),
})

const open = (script: Script = {}, request: SwapRequest = swapRequest) =>
  Effect.gen(function* () {
    const [provider, asked] = yield* providerOver(script)
    yield* TestClock.setTime(now)
    const opened = yield* channelsOf(provider).open(request)
    return { ...opened, sent: asked.filter(({ method }) => method === "POST") }
  })

const faultOf = (script: Script, request: SwapRequest = swapRequest) =>
  Effect.flatMap(
    providerOver(script),
    ([provider, asked]) =>
      Effect.map(reasonOf(channelsOf(provider).open(request)), (reason) => ({
        reason: plain(reason),
        openings: asked.filter(({ body }) => body["dry"] === false).length,
      })),
  )

const toJson = Schema.encodeSync(Schema.toCodecJson(SwapStatus))

describe("Opening a 1Click deposit address", () => {
  it.effect("is one call that is not dry, at any price, with the caller's addresses", function* () {
    const { sent } = yield* open()
    assert.deepStrictEqual<unknown>(sent.map(({ body }) => body), [{
      dry: false,
      swapType: "FLEX_INPUT",
      slippageTolerance: 10_000,
      originAsset: "1cs_v1:btc:native:coin",
      depositType: "ORIGIN_CHAIN",
      destinationAsset: "nep141:eth.omft.near",
      amount: "10000000",
      refundTo: "bc1q6mte80265ghwq4vsrpm9lnaz46uvdreu9z8wly",
      refundType: "ORIGIN_CHAIN",
      recipient: "0xcac3C41676deF4FE375E57118f3eB83A99105577",
      recipientType: "DESTINATION_CHAIN",
      // What is told, a day, 25 minutes to be confirmed and 150 blocks of patience, and four hours more.
      deadline: "2026-11-22T09:40:00.000Z",
      appFees: [{ recipient: "operator.near", fee: 25 }],
    }])
  })

  it.effect("gives the address with coordinates of our own and the waiting record", function* () {
    const { channel, status } = yield* open()
    const issuedBlock = now / 6_000
    const { channelId } = channel.id
    assert.deepStrictEqual<unknown>(channel, {
      id: { issuedBlock, network: "Bitcoin", channelId },
      depositAddress,
      sourceExpiryBlock: Math.floor(told / 600_000),
      openingFee: 0n,
      explorerUrl: `https://explorer.test/${depositAddress}`,
    })
    assert.isTrue(Number.isSafeInteger(channelId) && channelId > 0)
    const signed = status.depositChannel?.providerSignature
    assert.include(signed?.text, `"depositAddress":"${depositAddress}"`)
    assert.match(signed?.signature ?? "", /^ed25519:/)
    assert.deepStrictEqual<unknown>(toJson(status), {
      state: "waiting",
      sourceAsset: "btc.btc",
      destinationAsset: "eth.eth",
      destinationAddress: "0xcac3C41676deF4FE375E57118f3eB83A99105577",
      depositChannel: {
        id: { issuedBlock, network: "Bitcoin", channelId },
        createdAt: now,
        brokerCommissionBps: 25,
        affiliateBrokers: [],
        depositAddress,
        sourceChainExpiryBlock: Math.floor(told / 600_000),
        estimatedExpiryTime: told,
        isExpired: false,
        openedThroughBackend: false,
        expectedDepositAmount: "10000000",
        expectedOutputAmount: "3000000000000000000",
        providerSignature: signed,
      },
      estimatedDuration: 2_312_000,
      sourceChainRequiredBlockConfirmations: 2,
      fees: [],
      brokers: [{ account: "operator.near", commissionBps: 25 }],
      fillOrKill: {
        retryDurationBlocks: 150,
        refundAddress: "bc1q6mte80265ghwq4vsrpm9lnaz46uvdreu9z8wly",
        minimumPrice: "0",
      },
    })
  })

  it.effect("counts time by the upstream's clock where its answer says it", function* () {
    const date = "Sat, 21 Nov 2026 12:00:00 GMT"
    const { status } = yield* open({ order: (asked) => ({ ...quoted(order)(asked), headers: { date } }) })
    assert.strictEqual<number | undefined>(status.depositChannel?.createdAt, Date.parse(date))
  })

  it.effect("gives two addresses two numbers", function* () {
    const one = yield* open()
    const other = yield* open({
      order: quoted({ ...order, depositAddress: "1BoatSLRHtKNngkdXEeobR76b53LETtpyT" }),
    })
    assert.notStrictEqual(one.channel.id.channelId, other.channel.id.channelId)
  })

  const soon = "2026-11-21T09:00:00.000Z"
  const times: ReadonlyArray<readonly [name: string, order: Answer, earliest: number]> = [
    ["ours, four hours before the request's deadline, where the others are days later", quoted(order), told],
    ["the deadline of the echo", quoted(order, { deadline: soon }), Date.parse(soon)],
    ["the order's deadline", quoted({ ...order, deadline: soon }), Date.parse(soon)],
    [
      "the time when nobody watches the address",
      quoted({ ...order, timeWhenInactive: soon }),
      Date.parse(soon),
    ],
    [
      "ours, where nothing else is said",
      quoted({ ...order, deadline: null, timeWhenInactive: null }),
      told,
    ],
  ]

  it.effect.each(times)("ends at the earliest of its times: %s", function* ([, order, earliest]) {
    const { status } = yield* open({ order })
    assert.strictEqual<number | undefined>(status.depositChannel?.estimatedExpiryTime, earliest)
  })

  it.effect("under a price limit asks first how far the quote is above it", function* () {
    const { sent } = yield* open({}, priced("29.7"))
    assert.deepStrictEqual(
      sent.map(({ body }) => [body["dry"], body["slippageTolerance"], body["recipient"]]),
      [
        [true, 100, swapRequest.destinationAddress],
        [false, 100, swapRequest.destinationAddress],
      ],
    )
  })

  it.effect.each<readonly [price: string, bps: number]>([
    ["30", 0],
    ["29.999", 0],
    ["29.99", 3],
    ["0.000001", 9_999],
  ])("a limit of %s leaves %d basis points", function* ([price, bps]) {
    const generous = quoted({ ...order, minAmountOut: dryFigures.amountOut })
    const { sent } = yield* open({ order: generous }, priced(price))
    assert.strictEqual(sent[1]?.body["slippageTolerance"], bps)
  })
})

describe("An opening that is refused opens nothing", () => {
  const btc = BrokerAccount.make("cFAffiliate")
  const requests: ReadonlyArray<readonly [name: string, request: SwapRequest, parameter: string]> = [
    ["affiliates", {
      ...swapRequest,
      affiliates: [{ account: btc, commissionBps: Bps.make(1) }],
    }, "affiliate1"],
    ["boost", { ...swapRequest, maximumBoostFeeBps: Bps.make(5) }, "boostFee"],
    ["DCA", { ...swapRequest, dca: { numberOfChunks: 2, chunkIntervalBlocks: 2 } }, "numberOfChunks"],
    [
      "a message",
      { ...swapRequest, ccm: { gasBudget: NativeAmount.make(1n), message: "0x00" } },
      "ccmPayload",
    ],
    ["too much commission", { ...swapRequest, commissionBps: Bps.make(501) }, "commissionBps"],
  ]

  it.effect.each(requests)("with %s", function* ([, request, parameter]) {
    const [provider, asked] = yield* providerOver({})
    const reason = yield* reasonOf(channelsOf(provider).open(request))
    assert.isTrue(reason._tag === "RequestRefused" && Object.keys(reason.errors).join() === parameter)
    assert.strictEqual(asked.length, 0)
  })

  it.effect("without an amount", function* () {
    const [provider, asked] = yield* providerOver({})
    const { amount: _, ...request } = swapRequest
    const reason = yield* reasonOf(channelsOf(provider).open(request))
    assert.deepStrictEqual(plain(reason), {
      _tag: "RequestRefused",
      errors: { amount: ["amount is required by near-intents, which prices each deposit"] },
    })
    assert.strictEqual(asked.length, 0)
  })

  it.effect("with a commission that nobody could be paid", function* () {
    const [provider] = yield* providerOver({}, { feeAccount: Option.none() })
    assert.strictEqual((yield* reasonOf(channelsOf(provider).open(swapRequest)))._tag, "RequestRefused")
    const free = yield* channelsOf(provider).open({ ...swapRequest, commissionBps: Bps.make(0) })
    assert.deepStrictEqual(free.status.brokers, [])
  })

  it.effect("where the quote is below the price limit", function* () {
    assert.deepStrictEqual(yield* faultOf({}, priced("30.000001")), {
      reason: { _tag: "RequestRefused", errors: limitNotMet.errors },
      openings: 0,
    })
  })

  const before: ReadonlyArray<readonly [name: string, script: Script, reason: unknown]> = [
    ["there are no tokens", { tokens: { status: 503, body: "" } }, {
      _tag: "Unreachable",
      detail: "The 1Click service answered 503",
      reached: false,
    }],
    ["the price cannot be asked for", { dry: { status: 500, body: { message: "Internal server error" } } }, {
      _tag: "DepositChannelFailed",
      detail: "The 1Click service reports an internal error",
    }],
    ["the price cannot be read", { dry: { body: "" } }, {
      _tag: "MalformedBody",
      detail: "body: expected JSON, got 0 characters of something else (1Click service)",
      reached: false,
    }],
  ]

  it.effect.each(before)("where %s", function* ([, script, reason]) {
    assert.deepStrictEqual(yield* faultOf(script, priced("20")), { reason, openings: 0 })
  })
})
