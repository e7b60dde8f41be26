import { assert, channelsOf, describe, it } from "../support.ts"
import { Effect } from "effect"
import type { ProviderErrorReason } from "#domain/ProviderError.ts"
import { knownCodes } from "#providers/relay/client.ts"
import { providerOver, reasonOf, type Reply, swapRequest } from "./fakeRelay.ts"

const quoteFault = (price: Reply) =>
  Effect.flatMap(providerOver({ price }), ([provider]) => reasonOf(provider.quotes(swapRequest)))
const openFault = (opening: Reply) =>
  Effect.flatMap(providerOver({ opening }), ([provider]) => reasonOf(channelsOf(provider).open(swapRequest)))

const refusal = (errorCode: string, status = 400, message = "no") => ({
  status,
  body: { message, errorCode },
})

type Tag = ProviderErrorReason["_tag"]

describe("What Relay's codes mean", () => {
  it.effect.each<readonly [code: string, status: number, quote: Tag, open: Tag]>([
    ["AMOUNT_TOO_LOW", 400, "AmountBelowMinimum", "AmountBelowMinimum"],
    ["CHAIN_DISABLED", 400, "AssetDisabled", "AssetDisabled"],
    ["INSUFFICIENT_LIQUIDITY", 400, "InsufficientLiquidity", "InsufficientLiquidity"],
    ["INSUFFICIENT_FUNDS", 400, "UpstreamFailed", "DepositChannelFailed"],
    ["INVALID_ADDRESS", 400, "UpstreamFailed", "RequestRefused"],
    ["INVALID_RECIPIENT", 400, "UpstreamFailed", "RequestRefused"],
    ["NO_QUOTES", 400, "InsufficientLiquidity", "InsufficientLiquidity"],
    ["NO_SWAP_ROUTES_FOUND", 400, "InsufficientLiquidity", "InsufficientLiquidity"],
    ["REQUEST_TIMED_OUT", 400, "Unreachable", "Unreachable"],
    ["RPC_HTTP_ERROR", 400, "Unreachable", "Unreachable"],
    ["PRICE_FETCH_FAILED", 503, "QuotingMaintenance", "QuotingMaintenance"],
    ["ROUTE_TEMPORARILY_RESTRICTED", 400, "AssetDisabled", "AssetDisabled"],
    ["SANCTIONED_WALLET_ADDRESS", 400, "UpstreamFailed", "RequestRefused"],
    ["SERVICE_UNAVAILABLE", 503, "QuotingMaintenance", "Unreachable"],
    ["UNAUTHORIZED", 401, "UpstreamFailed", "DepositChannelFailed"],
    ["UNKNOWN_ERROR", 500, "UpstreamFailed", "UpstreamFailed"],
    ["USER_RECIPIENT_MISMATCH", 400, "AssetDisabled", "AssetDisabled"],
    ["NEVER_HEARD_OF", 400, "UpstreamFailed", "DepositChannelFailed"],
  ])(
    "%s with %i is %s of a quote and %s of an opening",
    function* ([code, status, quote, open]) {
      assert.strictEqual((yield* quoteFault(refusal(code, status)))._tag, quote)
      assert.strictEqual((yield* openFault(refusal(code, status)))._tag, open)
    },
  )

  it.effect("has a meaning for each of them, and shows no URL of what they say", function* () {
    for (const code of knownCodes.keys()) {
      const reason = yield* quoteFault(refusal(code, 400, "see https://relay.test/the-key-of-the-tests"))
      assert.notMatch(JSON.stringify(reason), /relay\.test|the-key-of-the-tests/, code)
    }
  })

  it.effect("names the address that is meant, or both where that is not told", function* () {
    const parameters = (message: string) =>
      Effect.map(
        openFault(refusal("INVALID_ADDRESS", 400, message)),
        (reason) => reason._tag === "RequestRefused" ? Object.keys(reason.errors).toSorted() : [],
      )
    assert.deepStrictEqual(yield* parameters("Invalid address: recipient"), ["destinationAddress"])
    assert.deepStrictEqual(yield* parameters("Invalid address: refundTo"), ["refundAddress"])
    assert.deepStrictEqual(yield* parameters("Invalid address"), ["destinationAddress", "refundAddress"])
  })
})

describe("The least amount that a refusal of Relay's names", () => {
  it.effect.each<readonly [message: string, least: string | undefined]>([
    // As recorded in August and October 2026.
    ["Swap output amount is too small to cover fees required to execute swap", undefined],
    ["Amount is too low: the minimum is $1,000.50", "$1,000.50"],
    ["Amount too low, send at least 25 USD", "$25"],
  ])("%s", function* ([message, least]) {
    const reason = yield* quoteFault(refusal("AMOUNT_TOO_LOW", 400, message))
    assert.strictEqual(reason._tag === "AmountBelowMinimum" ? reason.least : message, least)
  })
})

describe("What Relay's statuses mean without a code", () => {
  it.effect("429 is a limit of the rate that names no time", function* () {
    const reason = yield* quoteFault({ status: 429, body: { message: "Too many requests" } })
    assert.isTrue(reason._tag === "RateLimited" && reason.retryAfterSeconds === undefined)
  })

  it.effect("500 leaves it open whether an address was opened", function* () {
    const reason = yield* openFault({ status: 500, body: { message: "oops" } })
    assert.isTrue(reason._tag === "Unreachable" && reason.reached)
  })
})
