import { assert, describe, it, TestClock } from "../support.ts"
import { Effect } from "effect"
import type { ProviderErrorReason } from "#domain/ProviderError.ts"
import { plain, providerOver, reasonOf, type Reply } from "./fakeChainflip.ts"
import { quoteRequest } from "./requests.ts"

const quotePath = "/chainflip/backend/v2/quote"

const quoteFault = (reply: Reply) =>
  Effect.flatMap(
    providerOver({ [quotePath]: reply }),
    ([provider]) => reasonOf(provider.quotes(quoteRequest)),
  )

const detail = (_tag: ProviderErrorReason["_tag"], detail: string) => ({ _tag, detail })

/** A refusal in words that nobody knows, which is about this request alone. */
const word = (text: string) => ({ ...detail("UpstreamFailed", text), isOfRequest: true })

describe("What the backend's messages mean (chainflip/wire.md 3.5)", () => {
  const noLiquidity = detail(
    "InsufficientLiquidity",
    "Not enough liquidity for this amount. Try a lower one",
  )
  const messages: ReadonlyArray<readonly [status: number, message: string, reason: unknown]> = [
    [400, "invalid request", word("The swap backend answered 400: invalid request")],
    [
      400,
      "expected amount is below minimum swap amount (40000)",
      detail(
        "AmountBelowMinimum",
        "The amount is below the minimum swap amount of 0.0004 btc.btc: swap more",
      ),
    ],
    [
      400,
      "expected amount is above maximum swap amount (5000000000)",
      { _tag: "DepositAboveMaximum", asset: "btc.btc", maximum: 5_000_000_000n },
    ],
    [
      400,
      "amount is lower than estimated ingress fee (310)",
      detail(
        "AmountBelowMinimum",
        "The amount does not cover the ingress fee of 0.0000031 btc.btc: swap more",
      ),
    ],
    [
      400,
      "swap amount is lower than ingress fee",
      detail("AmountBelowMinimum", "The amount does not cover the ingress fee: swap more"),
    ],
    [
      400,
      "egress amount (12) is lower than minimum egress amount (1000000000000000)",
      detail(
        "EgressBelowMinimum",
        "The output is below the minimum egress amount of 0.001 eth.eth: swap more",
      ),
    ],
    [
      400,
      "swap output amount is lower than the egress fee (141203311900000)",
      detail(
        "EgressFeeNotCovered",
        "The output does not cover the egress fee of 0.0001412033119 eth.eth: swap more",
      ),
    ],
    [400, "insufficient liquidity for requested amount", noLiquidity],
    [400, "insufficient liquidity for the requested amount", noLiquidity],
    [500, "RPC error [-32021]: DispatchError: InsufficientLiquidity", noLiquidity],
    [500, "The pool does not have enough liquidity left to process the swap.", noLiquidity],
    [500, "Swap leg failed", noLiquidity],
    [500, "Failed to calculate network fee", noLiquidity],
    [
      400,
      "Requested assets cannot be swapped",
      detail("InsufficientLiquidity", "There is no pool for this pair of assets"),
    ],
    [
      503,
      "Quoting is currently unavailable due to maintenance",
      detail("QuotingMaintenance", "Quotes are in maintenance. Try again later"),
    ],
    [
      503,
      "The swap service is currently unavailable due to maintenance",
      detail("SwappingMaintenance", "Swaps are in maintenance. Try again later"),
    ],
    [
      500,
      "Module error ‘ChannelIdsExhausted‘ from pallet ‘EthereumIngressEgress‘: ‘…docs…‘",
      detail(
        "DepositChannelFailed",
        "The deposit channel could not be opened: the network reports ChannelIdsExhausted",
      ),
    ],
    [503, "Asset ArbUsdc is disabled", detail("AssetDisabled", "usdc.arb is switched off")],
    [503, "Asset Plutonium is disabled", detail("AssetDisabled", "Plutonium is switched off")],
    [
      400,
      "too many channels",
      detail("TooManyChannels", "The maximum of open deposit channels is reached. Try again later"),
    ],
    [
      429,
      "Too many requests, please try again later",
      {
        ...detail("RateLimited", "The swap backend takes no more requests for now"),
        retryAfterSeconds: 300,
        isShut: true,
      },
    ],
    [
      403,
      "pair is not enabled",
      detail("UpstreamFailed", "The swap backend answered 403: pair is not enabled"),
    ],
    [
      499,
      "client closed request",
      detail("RequestCancelled", "The swap backend answered 499: client closed request"),
    ],
    [500, "unknown error", detail("UpstreamFailed", "The swap backend answered 500: unknown error")],
    [
      400,
      "expected amount is above maximum swap amount (a lot)",
      word("The swap backend answered 400: expected amount is above maximum swap amount (a lot)"),
    ],
  ]

  it.effect.each(messages)("%i %s", function* ([status, message, reason]) {
    assert.deepStrictEqual(plain(yield* quoteFault({ status, body: { message } })), reason)
  })

  it.effect.each([502, 503, 504])(
    "a %i of unknown meaning is an upstream that was not there",
    function* (status) {
      assert.deepStrictEqual(plain(yield* quoteFault({ status, body: "<html>secret</html>" })), {
        _tag: "Unreachable",
        detail: `The swap backend answered ${status}`,
        reached: true,
      })
    },
  )

  it.effect("of a schema fault's body no more than its name is shown", function* () {
    const body = { issues: [{ path: ["amount"] }], name: "ZodError" }
    assert.deepStrictEqual(
      plain(yield* quoteFault({ status: 400, body })),
      word("The swap backend answered 400: ZodError"),
    )
  })

  it.effect("a long message is cut", function* () {
    const reason = yield* quoteFault({ status: 500, body: { message: "no ".repeat(500) } })
    assert.isTrue(reason._tag === "UpstreamFailed" && reason.detail.length < 250)
  })

  it.effect.each<readonly [header: string, seconds: number]>([
    ["120", 120],
    ["Thu, 01 Jan 1970 00:01:30 GMT", 30],
    ["Thu, 01 Jan 1970 00:00:01 GMT", 0],
    // As long as none, which is for quotes.
    ["soon", 300],
  ])("Retry-After: %s", function* ([header, seconds]) {
    yield* TestClock.setTime(60_000)
    const reason = yield* quoteFault({ status: 429, headers: { "retry-after": header }, body: "" })
    assert.isTrue(reason._tag === "RateLimited" && reason.retryAfterSeconds === seconds)
  })
})
