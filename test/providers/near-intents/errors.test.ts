import { assert, channelsOf, collectLogs, describe, it, TestClock } from "../support.ts"
import { Effect, Option } from "effect"
import type { ProviderErrorReason } from "#domain/ProviderError.ts"
import { plain, providerOver, reasonOf, type Reply, timestamp } from "./fakeOneClick.ts"
import { opened } from "./fixtures/records.ts"
import { quoteRequest, swapRequest } from "./requests.ts"

const quoteFault = (dry: Reply) =>
  Effect.flatMap(providerOver({ dry }), ([provider]) => reasonOf(provider.quotes(quoteRequest)))
const openFault = (order: Reply) =>
  Effect.flatMap(providerOver({ order }), ([provider]) => reasonOf(channelsOf(provider).open(swapRequest)))

const detail = (_tag: ProviderErrorReason["_tag"], detail: string) => ({ _tag, detail })
/** A refusal in words that nobody knows, which is about this request alone. */
const word = (text: string) => ({ ...detail("UpstreamFailed", text), isOfRequest: true })
/** A failure of the upstream's own before anything was opened. */
const own = (text: string) => ({ ...detail("DepositChannelFailed", text), isOwnFailure: true })
const refused = (parameter: string, predicate: string) => ({
  _tag: "RequestRefused",
  errors: { [parameter]: [`${parameter} ${predicate}`] },
})

describe("What 1Click's messages mean on quotes and on openings alike (near-intents/wire.md 1)", () => {
  const tooLow = detail("AmountBelowMinimum", "The amount is below the provider's minimum. Swap more")
  const least = (least: string) => ({
    ...detail("AmountBelowMinimum", `The provider accepts at least ${least} now: increase the amount`),
    least,
  })
  const noLiquidity = detail(
    "InsufficientLiquidity",
    "Not enough liquidity for this amount. Try a lower one",
  )
  const messages: ReadonlyArray<readonly [status: number, message: string, reason: unknown]> = [
    [400, "Amount is too low for bridge, try at least 20000000", {
      _tag: "DepositBelowMinimum",
      asset: "btc.btc",
      minimum: 20_000_000n,
    }],
    [400, "Amount is too low for bridge, try at least 10000000", tooLow],
    [400, "Amount is too low for bridge, try at least 2", tooLow],
    [400, "Amount is too low for bridge, try at least 0.5", tooLow],
    [400, `Amount is too low for bridge, try at least ${"9".repeat(60)}`, tooLow],
    [400, "Amount is too low for bridge", tooLow],
    [400, "Temporary limits apply to this asset", tooLow],
    [400, "Minimum swap amount is 5 USD", least("$5")],
    [400, "Temporary swap limits: minimum swap amount is $1,000", least("$1,000")],
    [400, "Temporary swap limits: minimum swap amount is $100", least("$100")],
    [400, "minimum swap amount is $1,000.50.", least("$1,000.50")],
    [400, "minimum swap amount is $1 000", least("$1,000")],
    [400, "minimum swap amount is USD 100", least("$100")],
    [400, "minimum swap amount is 1 000", least("1,000")],
    [400, "minimum swap amount is 12500 USD", least("$12,500")],
    [400, "minimum swap amount is $1.000,50", tooLow],
    [400, "minimum swap amount is a lot", tooLow],
    [
      400,
      "Output amount (1) is below the minimum withdrawal amount (2)",
      detail("EgressBelowMinimum", "The output is below what can be paid out: swap more"),
    ],
    [
      400,
      "Output amount does not cover the withdrawal fee (2)",
      detail("EgressFeeNotCovered", "The output does not cover the payout's fee: swap more"),
    ],
    [400, "No liquidity available", noLiquidity],
    [400, "Failed to get quote", noLiquidity],
    [500, "NO_QUOTE", noLiquidity],
    [
      503,
      "quoting is paused for maintenance",
      detail("QuotingMaintenance", "Quotes are in maintenance. Try again later"),
    ],
    [
      503,
      "swaps are paused for maintenance",
      detail("SwappingMaintenance", "Swaps are in maintenance. Try again later"),
    ],
    [
      500,
      "Failed to create deposit address",
      detail("DepositChannelFailed", "The provider could not make a deposit address"),
    ],
    [
      400,
      "too many active deposit addresses",
      detail("TooManyChannels", "The maximum of open deposit channels is reached. Try again later"),
    ],
    [
      400,
      "tokenIn is not valid: asset is disabled",
      detail("AssetDisabled", "The provider does not take btc.btc now"),
    ],
    [400, "tokenOut is not valid", detail("AssetDisabled", "The provider does not take eth.eth now")],
    [
      400,
      "Incorrect depositMode for this asset",
      refused("sourceAsset", "needs a memo with each deposit, which is not served"),
    ],
    [
      400,
      "appFees must not exceed 500 bps in total",
      refused("commissionBps", "is more than the provider takes"),
    ],
    [500, "Internal server error", detail("UpstreamFailed", "The 1Click service reports an internal error")],
    [
      499,
      "client closed request",
      detail("RequestCancelled", "The 1Click service answered 499: client closed request"),
    ],
  ]

  it.effect.each(messages)("%i %s", function* ([status, message, reason]) {
    const reply = { status, body: { statusCode: status, message } }
    assert.deepStrictEqual(plain(yield* quoteFault(reply)), reason)
    assert.deepStrictEqual(plain(yield* openFault(reply)), reason)
  })
})

describe("What 1Click's other answers mean", () => {
  const answers: ReadonlyArray<readonly [name: string, reply: Reply, onQuote: unknown, onOpening: unknown]> =
    [
      [
        "a recipient that is not valid: the placeholder on quotes, the caller's on openings",
        { status: 400, body: { message: "recipient is not valid" } },
        word("The 1Click service answered 400: recipient is not valid"),
        refused("destinationAddress", "is not an address that the provider can pay out to"),
      ],
      [
        "a refund address that is not valid",
        { status: 400, body: { message: "Invalid refundTo" } },
        word("The 1Click service answered 400: Invalid refundTo"),
        refused("refundAddress", "is not an address that the provider can refund to"),
      ],
      [
        "a text that nobody knows",
        { status: 400, body: { message: "deadline must be in the future" } },
        word("The 1Click service answered 400: deadline must be in the future"),
        detail("DepositChannelFailed", "The 1Click service answered 400: deadline must be in the future"),
      ],
      [
        "a route that is denied to us, which is no fault of the caller's",
        { status: 403, body: { message: "pair is not enabled for this account" } },
        detail("UpstreamFailed", "The 1Click service answered 403: pair is not enabled for this account"),
        own("The 1Click service answered 403: pair is not enabled for this account"),
      ],
      [
        "no text",
        { status: 422, body: "<html>secret</html>" },
        detail("UpstreamFailed", "The 1Click service answered 422"),
        own("The 1Click service answered 422"),
      ],
      [
        "a 500 of unknown meaning, which leaves an opening's outcome unknown",
        { status: 500, body: { message: "unknown error" } },
        detail("UpstreamFailed", "The 1Click service answered 500: unknown error"),
        { ...detail("Unreachable", "The 1Click service answered 500: unknown error"), reached: true },
      ],
      [
        "a 502",
        { status: 502, headers: { "retry-after": "7" }, body: "" },
        { ...detail("Unreachable", "The 1Click service answered 502"), reached: true, retryAfterSeconds: 7 },
        { ...detail("Unreachable", "The 1Click service answered 502"), reached: true, retryAfterSeconds: 7 },
      ],
      [
        "a 429",
        { status: 429, headers: { "retry-after": "5" }, body: { message: "Too Many Requests" } },
        {
          ...detail("RateLimited", "The 1Click service takes no more requests for now"),
          retryAfterSeconds: 5,
        },
        {
          ...detail("RateLimited", "The 1Click service takes no more requests for now"),
          retryAfterSeconds: 5,
        },
      ],
    ]

  it.effect.each(answers)("%s", function* ([, reply, onQuote, onOpening]) {
    assert.deepStrictEqual(plain(yield* quoteFault(reply)), onQuote)
    assert.deepStrictEqual(plain(yield* openFault(reply)), onOpening)
  })

  it.effect("a token that is refused is the operator's business, not the caller's", function* () {
    const warning =
      "The 1Click service rejects the partner token: set NEAR_INTENTS_TOKEN to a valid one, or " +
      "choose its header by NEAR_INTENTS_TOKEN_HEADER"
    const refusals: ReadonlyArray<readonly [reply: Reply, said: string]> = [
      [{ status: 401, body: { message: "Unauthorized" } }, "401: Unauthorized"],
      [{ status: 403, body: { message: "API key disabled" } }, "403: API key disabled"],
      [{ status: 400, body: { code: "authentication-required", title: "No session" } }, "401: No session"],
    ]
    // It is told once a second at most, and other tests have had it told before.
    yield* TestClock.setTime(Date.parse(timestamp) + 60_000)
    for (const [reply, said] of refusals) {
      const text = `The 1Click service answered ${said}`
      yield* TestClock.adjust("1 second")
      const onQuote = yield* collectLogs(quoteFault(reply))
      assert.deepStrictEqual(plain(onQuote.value), detail("UpstreamFailed", text))
      assert.deepStrictEqual(onQuote.lines.map((line) => `${line}`.slice(0, warning.length)), [warning])
      yield* TestClock.adjust("1 second")
      const onOpening = yield* collectLogs(openFault(reply))
      assert.deepStrictEqual(plain(onOpening.value), own(text))
      assert.deepStrictEqual(onOpening.lines, [warning])
    }
  })

  const problem = (code: string, title: string, detail?: string) => ({
    type: "about:blank",
    title,
    code,
    ...(detail === undefined ? {} : { detail }),
  })
  const unsure = (said: string) => ({
    ...detail("Unreachable", `The 1Click service answered ${said}`),
    reached: true,
  })
  const limited = detail("RateLimited", "The 1Click service takes no more requests for now")

  /** Problem details of the newest endpoints, by the code that they are branched on. */
  const problems: ReadonlyArray<
    readonly [status: number, body: object, onQuote: unknown, onOpening: unknown]
  > = [
    ...["malformed-request", "validation-failed", "request-rejected", "a-code-of-tomorrow"].map((code) =>
      [
        400,
        problem(code, "Not this one", "slippage is odd"),
        word("The 1Click service answered 400: slippage is odd"),
        detail("DepositChannelFailed", "The 1Click service answered 400: slippage is odd"),
      ] as const
    ),
    [
      400,
      problem("request-rejected", "Rejected"),
      word("The 1Click service answered 400: Rejected"),
      detail("DepositChannelFailed", "The 1Click service answered 400: Rejected"),
    ],
    [
      400,
      problem("request-rejected", "Rejected", "Token is disabled"),
      detail("AssetDisabled", "The provider does not swap btc.btc to eth.eth now"),
      detail("AssetDisabled", "The provider does not swap btc.btc to eth.eth now"),
    ],
    [
      401,
      problem("authentication-required", "No session"),
      detail("UpstreamFailed", "The 1Click service answered 401: No session"),
      own("The 1Click service answered 401: No session"),
    ],
    [429, problem("rate-limit-exceeded", "Slow down"), limited, limited],
    [400, problem("rate-limit-exceeded", "Slow down"), limited, limited],
    // What may have been opened stays unknown, also where status and code contradict each other.
    ...[500, 400].map((status) =>
      [
        status,
        problem("internal-error", "Broken"),
        detail("UpstreamFailed", "The 1Click service answered 500: Broken"),
        unsure("500: Broken"),
      ] as const
    ),
    ...[503, 400].map((status) =>
      [status, problem("service-unavailable", "Away"), unsure("503: Away"), unsure("503: Away")] as const
    ),
    [
      500,
      problem("request-rejected", "Rejected"),
      detail("UpstreamFailed", "The 1Click service answered 500: Rejected"),
      unsure("500: Rejected"),
    ],
  ]

  it.effect.each(problems)("%i %j", function* ([status, body, onQuote, onOpening]) {
    assert.deepStrictEqual(plain(yield* quoteFault({ status, body })), onQuote)
    assert.deepStrictEqual(plain(yield* openFault({ status, body })), onOpening)
  })

  it.effect("a 404 with a code is an address that is not known", function* () {
    const body = problem("not-found", "Not found", "no such address")
    const [provider] = yield* providerOver({ status: { status: 404, body } })
    const found = yield* channelsOf(provider).status(
      { issuedBlock: 1, network: "Bitcoin", channelId: 1 },
      opened,
    )
    assert.isTrue(Option.isNone(found))
  })

  it.effect("a 404 without a message is somebody else's", function* () {
    const [provider] = yield* providerOver({ status: { status: 404, body: "<html>no such page</html>" } })
    const error = yield* Effect.flip(
      channelsOf(provider).status({ issuedBlock: 1, network: "Bitcoin", channelId: 1 }, opened),
    )
    assert.deepStrictEqual(plain(error.reason), detail("UpstreamFailed", "The 1Click service answered 404"))
    assert.strictEqual(error.message, "near-intents status: UpstreamFailed")
  })

  it.effect("says nothing of a URL or a token", function* () {
    const message = "see https://1click.test/?jwt=partner-token"
    const reason = yield* quoteFault({ status: 400, body: { message } })
    assert.notInclude(JSON.stringify(plain(reason)), "partner-token")
  })
})
