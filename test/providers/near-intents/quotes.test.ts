import { assert, describe, it, TestClock } from "../support.ts"
import { Effect, Option } from "effect"
import { checkAddress } from "#domain/chains/Address.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { Bps } from "#domain/money/Bps.ts"
import { formatDecimal } from "#domain/money/Decimal.ts"
import type { QuoteRequest } from "#domain/quotes/Quote.ts"
import { plain, providerOver, quoted, reasonOf, type Reply } from "./fakeOneClick.ts"
import { dryFigures } from "./fixtures/quote.ts"
import { quoteRequest } from "./requests.ts"
import { placeholderOn } from "#providers/upstream/servedChains.ts"
import { chains } from "#domain/chains/Chain.ts"

const quotesOf = (request: QuoteRequest = quoteRequest, figures: Record<string, unknown> = dryFigures) =>
  Effect.flatMap(providerOver({ dry: quoted(figures) }), ([provider]) => provider.quotes(request))

describe("1Click quotes", () => {
  it.effect("asks for a dry quote, with the commission as an app fee and addresses that nobody owns", function* () {
    const [provider, asked] = yield* providerOver({})
    yield* TestClock.setTime(Date.parse("2026-11-21T05:00:00.000Z"))
    yield* provider.quotes(quoteRequest)
    const sent = asked.filter(({ method }) => method === "POST")
    assert.deepStrictEqual<unknown>(sent.map(({ body }) => body), [{
      dry: true,
      swapType: "FLEX_INPUT",
      slippageTolerance: 100,
      originAsset: "1cs_v1:btc:native:coin",
      depositType: "ORIGIN_CHAIN",
      destinationAsset: "nep141:eth.omft.near",
      amount: "10000000",
      refundTo: "34xp4vRoCGJym3xR7yCVPFHoCNxv4Twseo",
      refundType: "ORIGIN_CHAIN",
      recipient: "0x000000000000000000000000000000000000dEaD",
      recipientType: "DESTINATION_CHAIN",
      // A day, 25 minutes to be confirmed and four hours more, as blocks of Bitcoin vary.
      deadline: "2026-11-22T09:25:00.000Z",
      appFees: [{ recipient: "operator.near", fee: 25 }],
    }])
    assert.strictEqual(sent[0]?.url.href, "http://one-click.test/near-intents/v0/quote")
    assert.strictEqual(sent[0]?.headers["authorization"], "Bearer partner-token")
    assert.strictEqual(sent[0]?.headers["x-api-key"], "partner-token")
    assert.notProperty(sent[0]?.headers, "traceparent")
  })

  it.effect.each(
    [
      ["both", "Bearer partner-token", "partner-token"],
      ["x-api-key", undefined, "partner-token"],
      ["bearer", "Bearer partner-token", undefined],
    ] as const,
  )("sends the token in the header of the setting: %s", function* ([tokenHeader, bearer, key]) {
    const [provider, asked] = yield* providerOver({}, { tokenHeader })
    yield* provider.quotes(quoteRequest)
    for (const { headers } of asked) {
      assert.deepStrictEqual([headers["authorization"], headers["x-api-key"]], [bearer, key])
    }
    assert.isNotEmpty(asked)
  })

  it.effect("sends no app fee where there is no commission, and no token where there is none", function* () {
    const [provider, asked] = yield* providerOver({}, { feeAccount: Option.none(), token: Option.none() })
    yield* provider.quotes({ ...quoteRequest, commissionBps: Bps.make(0) })
    const sent = asked.find(({ method }) => method === "POST")
    assert.notProperty(sent?.body, "appFees")
    assert.notProperty(sent?.headers, "authorization")
  })

  it.effect("reads every member", function* () {
    const [quote, ...others] = yield* quotesOf()
    assert.isDefined(quote)
    assert.deepStrictEqual(others, [])
    const { estimatedPrice, priceImpactPercent, recommendedSlippageTolerancePercent, ...rest } = quote
    assert.isDefined(priceImpactPercent)
    assert.deepStrictEqual<unknown>(rest, {
      platform: "near-intents",
      ingress: { asset: "btc.btc", amount: 10_000_000n },
      egress: { asset: "eth.eth", amount: 3_000_000_000_000_000_000n },
      fees: [
        { type: "network", asset: "btc.btc", amount: 10n },
        { type: "broker", asset: "btc.btc", amount: 25_000n },
        { type: "egress", asset: "eth.eth", amount: 40_000_000_000_000n },
      ],
      pools: [],
      lowLiquidityWarning: false,
      durations: { deposit: 1_500_000, swap: 812_000, egress: 0 },
      totalDuration: 2_312_000,
    })
    assert.strictEqual(formatDecimal(estimatedPrice), "30")
    assert.strictEqual(formatDecimal(recommendedSlippageTolerancePercent), "1")
  })

  it.effect("offers nothing where nothing would be paid out", function* () {
    assert.deepStrictEqual(
      yield* quotesOf(quoteRequest, { ...dryFigures, amountOut: "0", minAmountOut: "0" }),
      [],
    )
  })

  it.effect("names the least amount where that is above the amount", function* () {
    const reason = yield* reasonOf(quotesOf(quoteRequest, { ...dryFigures, minAmountIn: "10000001" }))
    assert.deepStrictEqual(plain(reason), {
      _tag: "DepositBelowMinimum",
      asset: "btc.btc",
      minimum: 10_000_001n,
    })
    assert.lengthOf(yield* quotesOf(quoteRequest, { ...dryFigures, minAmountIn: "10000000" }), 1)
  })

  it.effect.each([12, 0, 26])(
    "takes no quote with a commission of %s of the 25 that were asked for",
    function* (fee) {
      const [provider] = yield* providerOver({
        dry: quoted(dryFigures, { appFees: [{ recipient: "operator.near", fee }] }),
      })
      assert.deepStrictEqual(plain(yield* reasonOf(provider.quotes(quoteRequest))), {
        _tag: "MalformedBody",
        detail: "quoteRequest.appFees: expected what was asked, got something else",
        reached: true,
      })
    },
  )

  it.effect("has no broker fee without commission and no egress fee where the upstream states none", function* () {
    const request = { ...quoteRequest, commissionBps: Bps.make(0) }
    const [quote] = yield* quotesOf(request, { ...dryFigures, withdrawFee: null })
    assert.deepStrictEqual(quote?.fees.map(({ type }) => type), ["network"])
  })

  it.effect("tells what the operator receives and what the upstream keeps, which rounds each row by itself", function* () {
    const appFees = [
      { recipient: "operator.near", fee: 13 },
      { recipient: "5880", fee: 15 },
      { recipient: "2238", fee: 5 },
    ]
    const [provider] = yield* providerOver({
      dry: quoted({ ...dryFigures, amountIn: "9999999" }, { amount: "9999999", appFees }),
    })
    const [quote] = yield* provider.quotes({ ...quoteRequest, amount: NativeAmount.make(9_999_999n) })
    assert.deepStrictEqual<unknown>(quote?.fees.slice(0, 3), [
      { type: "network", asset: "btc.btc", amount: 9n },
      { type: "broker", asset: "btc.btc", amount: 12_999n },
      { type: "provider", asset: "btc.btc", amount: 19_998n },
    ])
  })

  it.effect("asks for twice the commission where that is what the operator wants to receive", function* () {
    const received = { commissionBasis: "received" } as const
    const appFees = [{ recipient: "operator.near", fee: 25 }, { recipient: "5880", fee: 25 }]
    yield* Effect.gen(function* () {
      const [provider, asked] = yield* providerOver({ dry: quoted(dryFigures, { appFees }) }, received)
      const [quote] = yield* provider.quotes(quoteRequest)
      const body = asked.find(({ method }) => method === "POST")?.body
      assert.deepStrictEqual<unknown>(body?.["appFees"], [{ recipient: "operator.near", fee: 50 }])
      assert.deepStrictEqual(
        quote?.fees.flatMap(({ amount, type }) => type === "broker" ? [amount] : []),
        [NativeAmount.make(25_000n)],
      )
      assert.strictEqual(provider.capabilities.maximumCommissionBps, 250)
      assert.deepStrictEqual(
        plain(yield* reasonOf(provider.quotes({ ...quoteRequest, commissionBps: Bps.make(251) }))),
        {
          _tag: "RequestRefused",
          errors: {
            commissionBps: ["commissionBps is more than near-intents takes: at most 250 basis points"],
          },
        },
      )
    })
    const less = [{ recipient: "operator.near", fee: 24 }]
    yield* Effect.flatMap(
      providerOver({ dry: quoted(dryFigures, { appFees: less }) }, received),
      ([provider]) =>
        Effect.map(
          reasonOf(provider.quotes(quoteRequest)),
          ({ _tag }) => assert.strictEqual(_tag, "MalformedBody"),
        ),
    )
  })

  const refusals: ReadonlyArray<
    readonly [name: string, bps: number, account: Option.Option<string>, unknown]
  > = [
    ["more than 5 %", 501, Option.some("operator.near"), {
      commissionBps: ["commissionBps is more than near-intents takes: at most 500 basis points"],
    }],
    ["any without an account to pay it to", 1, Option.none(), {
      commissionBps: ["commissionBps cannot be paid by near-intents: the operator has no account there"],
    }],
  ]

  it.effect.each(refusals)(
    "refuses a commission of %s before asking",
    function* ([, bps, feeAccount, errors]) {
      const [provider, asked] = yield* providerOver({}, { feeAccount })
      const reason = yield* reasonOf(provider.quotes({ ...quoteRequest, commissionBps: Bps.make(bps) }))
      assert.deepStrictEqual(plain(reason), { _tag: "RequestRefused", errors })
      assert.strictEqual(asked.length, 0)
    },
  )

  it.effect.each(["sourceAsset", "destinationAsset"])("does not serve an unknown %s", function* (side) {
    const [provider] = yield* providerOver({})
    const reason = yield* reasonOf(provider.quotes({ ...quoteRequest, [side]: "dot.dot" }))
    assert.deepStrictEqual(plain(reason), {
      _tag: "AssetNotListed",
      detail: "The provider does not list dot.dot",
    })
  })

  it.effect.each<readonly [name: string, answer: Reply | ReturnType<typeof quoted>, string]>([
    [
      "is not JSON",
      { body: "<html>oops</html>" },
      "body: expected JSON, got 17 characters of something else (1Click service)",
    ],
    ["has another form", { body: { unexpected: "form" } }, "quoteRequest: expected a value, got nothing"],
    [
      "has an amount with a fraction",
      quoted({ ...dryFigures, amountOut: "3.0" }),
      `quote.amountOut: expected an amount (safe integer, 0x hex or digits), got "3.0"`,
    ],
    [
      "is for another amount",
      quoted({ ...dryFigures, amountIn: "9999999" }),
      "quote.amountIn: expected 10000000, got 9999999",
    ],
    [
      "is for another asset",
      quoted(dryFigures, { originAsset: "nep141:eth.omft.near" }),
      "quoteRequest.originAsset: expected what was asked, got something else",
    ],
    [
      "was not dry",
      quoted(dryFigures, { dry: false }),
      "quoteRequest.dry: expected what was asked, got something else",
    ],
  ])("names the path when an answer %s", function* ([, dry, detail]) {
    const [provider] = yield* providerOver({ dry })
    assert.deepStrictEqual(plain(yield* reasonOf(provider.quotes(quoteRequest))), {
      _tag: "MalformedBody",
      detail,
      reached: true,
    })
  })
})

describe("The placeholder addresses of dry quotes", () => {
  it.each(chains())("are addresses of %s", (chain) => {
    assert.isTrue(checkAddress(chain, ["mainnet"], placeholderOn(chain))._tag === "Success")
  })
})
