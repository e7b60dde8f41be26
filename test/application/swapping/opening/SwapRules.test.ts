import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, Option, Result } from "effect"
import { chainOf } from "#domain/chains/Asset.ts"
import { Bps } from "#domain/money/Bps.ts"
import { anyPrice, Price } from "#domain/money/Price.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { QuoteId } from "#domain/quotes/BoundQuote.ts"
import { lastMillis } from "#domain/Time.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import type { Issues } from "#domain/Issues.ts"
import { type OpeningRequest, openingRequest } from "#application/swapping/opening/SwapRules.ts"
import type { SwapInput } from "#application/swapping/opening/OpeningRules.ts"
import { swapRuleRows } from "../swapRuleRows.ts"
import { accountDefault, broker, evm, full, onChain, plain, terms } from "../swapWishes.ts"

const decimal = BigDecimal.fromStringUnsafe

const issuesOf = (wish: SwapInput): Issues => {
  const result = openingRequest(wish, terms)
  return Result.isFailure(result) ? result.failure : {}
}

const orderOf = (wish: SwapInput): OpeningRequest => Result.getOrThrow(openingRequest(wish, terms))

describe("openingRequest", () => {
  for (const { rule, allowed, refused, answer } of swapRuleRows) {
    it.each(allowed)(`${rule}: allowed at the bound %#`, (wish) => {
      assert.deepStrictEqual(issuesOf({ ...plain, ...wish }), {})
    })

    it.each(refused)(`${rule}: refused one step beyond %#`, (wish) => {
      assert.deepStrictEqual(issuesOf({ ...plain, ...wish }), answer)
    })
  }

  it("takes no price limit of 0 from a quote, and asks for the refund address of whoever opens by one", () => {
    const quoteId = QuoteId.make("q1")
    const offering = (tolerance: string) => ({
      ...terms,
      boundQuote: () =>
        Option.some({
          platform: ProviderName.make("chainflip"),
          sourceAsset: "btc.btc" as const,
          destinationAsset: "eth.eth" as const,
          amount: NativeAmount.make(100_000n),
          egress: NativeAmount.make(100_000n),
          estimatedPrice: Price.make(decimal("30")),
          recommendedSlippageTolerancePercent: decimal(tolerance),
          commissionBps: Bps.make(accountDefault),
          expiresAt: lastMillis,
        }),
    })
    const refund = ["refundAddress is required with quoteId; without it a refund would not reach you"]
    const wish = { ...plain, quoteId }
    assert.deepStrictEqual(openingRequest(wish, offering("3")), Result.fail({ refundAddress: refund }))
    const guarded = { ...wish, refundAddress: onChain("Bitcoin") }
    const limit = (tolerance: string, more: Partial<SwapInput> = {}) =>
      BigDecimal.format(
        Result.getOrThrow(openingRequest({ ...guarded, ...more }, offering(tolerance))).request.minimumPrice,
      )
    assert.strictEqual(limit("3"), "29.1")
    // An upstream sets the user's guard within bounds only; the caller's own word counts.
    for (const recommended of ["5", "50", "99", "100"]) assert.strictEqual(limit(recommended), "28.5")
    assert.strictEqual(limit("99", { slippageTolerancePercent: decimal("40") }), "18")
    const unlimited = openingRequest(wish, { ...offering("100"), toleranceMost: decimal("100") })
    assert.deepStrictEqual(
      unlimited,
      Result.fail({
        quoteId: ["quoteId has no minimum price; add slippageTolerancePercent"],
        refundAddress: refund,
      }),
    )
    const own = { ...wish, slippageTolerancePercent: decimal("1"), refundAddress: onChain("Bitcoin") }
    const { request } = Result.getOrThrow(openingRequest(own, offering("100")))
    assert.isTrue(BigDecimal.equals(request.minimumPrice, decimal("29.7")))
  })

  it("takes no affiliates of an account that may name none, and complains of each that is named", () => {
    const alone = { ...terms, affiliatesAllowed: false }
    const named = { ...plain, affiliate1: broker(1), affiliate1CommissionBps: 1, affiliate3CommissionBps: 2 }
    assert.isTrue(Result.isSuccess(openingRequest(plain, alone)))
    assert.deepStrictEqual(
      openingRequest(named, alone),
      Result.fail({
        affiliate1: ["affiliate1 cannot be used, because this account takes no affiliates"],
        affiliate3: ["affiliate3 cannot be used, because this account takes no affiliates"],
      }),
    )
  })

  it.each(["eth.eth", "usdc.eth", "sol.sol", "wbtc.eth"] as const)(
    "takes any boost fee with %s, from which nothing is boosted",
    (sourceAsset) => {
      for (const boostFee of [0, 6, 100]) {
        const { request } = orderOf({
          ...plain,
          sourceAsset,
          destinationAsset: "btc.btc",
          destinationAddress: onChain("Bitcoin"),
          refundAddress: onChain(chainOf(sourceAsset)),
          boostFee,
        })
        assert.strictEqual(request.maximumBoostFeeBps, 0)
      }
      assert.strictEqual(orderOf({ ...plain, boostFee: 6 }).request.maximumBoostFeeBps, 6)
    },
  )

  it("applies the defaults of decisions 5 to 7 and leaves the rest absent", () => {
    assert.deepStrictEqual<unknown>(orderOf(plain), {
      platform: undefined,
      affiliateNumbers: [],
      request: {
        sourceAsset: "btc.btc",
        destinationAsset: "eth.eth",
        destinationAddress: onChain("Ethereum"),
        refundAddress: "the operator's own",
        minimumPrice: anyPrice,
        retryDurationBlocks: 150,
        maximumBoostFeeBps: 0,
        commissionBps: accountDefault,
        affiliates: [],
      },
    })
  })

  it("keeps everything that was asked for", () => {
    assert.deepStrictEqual<unknown>(orderOf(full), {
      platform: "chainflip",
      affiliateNumbers: [1, 4],
      request: {
        sourceAsset: "btc.btc",
        destinationAsset: "eth.eth",
        destinationAddress: onChain("Ethereum"),
        refundAddress: onChain("Bitcoin"),
        minimumPrice: decimal("32.123456789012345678"),
        retryDurationBlocks: 14_400,
        dca: { numberOfChunks: 4, chunkIntervalBlocks: 3 },
        maximumBoostFeeBps: 100,
        commissionBps: 25,
        affiliates: [
          { account: broker(1), commissionBps: 5 },
          { account: broker(4), commissionBps: 0 },
        ],
        amount: 150_000_000n,
        ccm: { gasBudget: 500_000n, message: "0xdeadbeef" },
      },
    })
  })

  it("takes one chunk for a regular swap, and two blocks between chunks when none are named", () => {
    assert.notProperty(orderOf({ ...plain, numberOfChunks: 1, chunkIntervalBlocks: 9 }).request, "dca")
    assert.deepStrictEqual(orderOf({ ...plain, numberOfChunks: 2 }).request.dca, {
      numberOfChunks: 2,
      chunkIntervalBlocks: 2,
    })
  })

  it("says nothing of parameters that could not be read: their issues are known already", () => {
    assert.deepStrictEqual(openingRequest({}, terms), Result.fail({}))
    const { sourceAsset: _, destinationAsset: __, ...unreadable } = full
    assert.deepStrictEqual(openingRequest(unreadable, terms), Result.fail({}))
  })

  it("takes the name of an affiliate for its account, and no name that the operator has not given", () => {
    const named = { ...plain, affiliate2: "wallet-one", affiliate2CommissionBps: 5 }
    assert.deepStrictEqual<unknown>(orderOf(named).request.affiliates, [
      { account: broker(9), commissionBps: 5 },
    ])
    const twice = { ...named, affiliate3: broker(9), affiliate3CommissionBps: 1 }
    assert.deepStrictEqual(issuesOf(twice), {
      affiliate3: ["affiliate3 is the same account as an earlier affiliate"],
    })
    assert.deepStrictEqual(issuesOf({ ...named, affiliate2: "wallet-two" }), {
      affiliate2: [
        "affiliate2 is neither a registered name nor a Chainflip account (cF…)",
      ],
    })
  })

  it("finds all issues at once", () => {
    const issues = issuesOf({
      sourceAsset: "sol.sol",
      destinationAsset: "sol.sol",
      destinationAddress: evm,
      boostFee: 1,
      minimumPrice: BigDecimal.make(1n, 150),
      chunkIntervalBlocks: 2,
      commissionBps: 995,
      affiliate1: "nobody",
      affiliate1CommissionBps: 6,
      affiliate2: broker(1),
      affiliate4CommissionBps: 1,
      amount: decimal("1"),
      amountNative: NativeAmount.make(1n),
      platform: "other",
    })
    assert.hasAllKeys(issues, [
      "destinationAsset",
      "destinationAddress",
      "refundAddress",
      "minimumPrice",
      "chunkIntervalBlocks",
      "affiliate1",
      "affiliate2CommissionBps",
      "affiliate4",
      "commissionBps",
      "amount",
      "platform",
    ])
  })
})
