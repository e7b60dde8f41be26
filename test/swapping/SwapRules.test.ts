import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, Result } from "effect"
import { chainOf } from "../../src/domain/Asset.ts"
import { anyPrice } from "../../src/domain/Price.ts"
import { NativeAmount } from "../../src/domain/Amount.ts"
import type { Issues } from "../../src/domain/Issues.ts"
import { type SwapOrder, swapOrder, type SwapWish } from "../../src/swapping/SwapRules.ts"
import { swapRuleRows } from "./swapRuleRows.ts"
import { accountDefault, broker, evm, full, onChain, plain, terms } from "./swapWishes.ts"

const decimal = BigDecimal.fromStringUnsafe

const issuesOf = (wish: SwapWish): Issues => {
  const result = swapOrder(wish, terms)
  return Result.isFailure(result) ? result.failure : {}
}

const orderOf = (wish: SwapWish): SwapOrder => Result.getOrThrow(swapOrder(wish, terms))

describe("swapOrder", () => {
  for (const { rule, allowed, refused, answer } of swapRuleRows) {
    it.each(allowed)(`${rule}: allowed at the bound %#`, (wish) => {
      assert.deepStrictEqual(issuesOf({ ...plain, ...wish }), {})
    })

    it.each(refused)(`${rule}: refused one step beyond %#`, (wish) => {
      assert.deepStrictEqual(issuesOf({ ...plain, ...wish }), answer)
    })
  }

  it("takes no affiliates of an account that may name none, and complains of each that is named", () => {
    const alone = { ...terms, affiliatesAllowed: false }
    const named = { ...plain, affiliate1: broker(1), affiliate1CommissionBps: 1, affiliate3CommissionBps: 2 }
    assert.isTrue(Result.isSuccess(swapOrder(plain, alone)))
    assert.deepStrictEqual(
      swapOrder(named, alone),
      Result.fail({
        affiliate1: ["affiliate1 is not for this account: it takes no affiliates"],
        affiliate3: ["affiliate3 is not for this account: it takes no affiliates"],
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
          destinationAddress: onChain.Bitcoin,
          refundAddress: onChain[chainOf(sourceAsset)],
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
        destinationAddress: onChain.Ethereum,
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
        destinationAddress: onChain.Ethereum,
        refundAddress: onChain.Bitcoin,
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
    assert.deepStrictEqual(swapOrder({}, terms), Result.fail({}))
    const { sourceAsset: _, destinationAsset: __, ...unreadable } = full
    assert.deepStrictEqual(swapOrder(unreadable, terms), Result.fail({}))
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
