import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, Result } from "effect"
import { NativeAmount } from "#domain/money/Amount.ts"
import { assetIds, factsOf } from "#domain/chains/Asset.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { type QuoteInput, quoteOrder, type QuoteTerms } from "#application/quoting/QuotesRequest.ts"

const terms: QuoteTerms = {
  platforms: ["chainflip", "near-intents"].map((name) => ProviderName.make(name)),
  networks: ["mainnet"],
}
const human = (text: string) => BigDecimal.fromStringUnsafe(text)

const wish: QuoteInput = { sourceAsset: "btc.btc", destinationAsset: "eth.eth", amount: human("0.25") }

const faultsOf = (changes: QuoteInput) => {
  const result = quoteOrder({ ...wish, ...changes }, terms)
  return Result.isFailure(result) ? result.failure : {}
}

describe("quoteOrder", () => {
  it("turns a human amount into native units of the source asset", () => {
    assert.deepStrictEqual(
      quoteOrder(wish, terms),
      Result.succeed({
        sourceAsset: "btc.btc",
        destinationAsset: "eth.eth",
        amount: NativeAmount.make(25_000_000n),
        commissionBps: undefined,
        platform: undefined,
      }),
    )
  })

  it("takes native units as they are, and keeps what else was asked for", () => {
    const amount = NativeAmount.make(2n ** 128n - 1n)
    const result = quoteOrder({ ...wish, amount, commissionBps: 995, platform: "near-intents" }, terms)
    assert.isTrue(Result.isSuccess(result))
    if (Result.isSuccess(result)) {
      assert.strictEqual(result.success.amount, amount)
      assert.strictEqual(result.success.commissionBps, 995)
      assert.strictEqual(result.success.platform, "near-intents")
    }
  })

  it.each(assetIds())("takes as many decimals as %s has, and not one more", (sourceAsset) => {
    const { decimals } = factsOf(sourceAsset)
    const destinationAsset = sourceAsset === "eth.eth" ? "btc.btc" : "eth.eth"
    const smallest = { sourceAsset, destinationAsset, amount: BigDecimal.make(1n, decimals) } as const
    const order = quoteOrder(smallest, terms)
    assert.isTrue(Result.isSuccess(order) && order.success.amount === 1n)
    assert.deepStrictEqual(faultsOf({ ...smallest, amount: BigDecimal.make(10n, decimals + 1) }), {
      amount: [`amount has too many decimals; ${sourceAsset} has ${decimals}`],
    })
  })

  it("takes 2^128 − 1 native units and refuses one more", () => {
    const most = BigDecimal.make(2n ** 128n - 1n, 8)
    assert.deepStrictEqual(faultsOf({ amount: most }), {})
    assert.deepStrictEqual(faultsOf({ amount: BigDecimal.make(2n ** 128n, 8) }), {
      amount: ["amount is too large; it must be below 2^128 native units"],
    })
  })

  it("refuses the same asset on both sides", () => {
    assert.deepStrictEqual(faultsOf({ destinationAsset: "btc.btc" }), {
      destinationAsset: ["destinationAsset must differ from sourceAsset; both are btc.btc"],
    })
  })

  it("refuses a provider that is not enabled, and names those that are", () => {
    assert.deepStrictEqual(faultsOf({ platform: "other" }), {
      platform: ["platform must be one of chainflip, near-intents"],
    })
  })

  it("finds all faults at once", () => {
    const faults = faultsOf({ destinationAsset: "btc.btc", amount: human("0.123456789"), platform: "other" })
    assert.hasAllKeys(faults, ["amount", "destinationAsset", "platform"])
  })

  it("fails without a fault of its own where a part could not be read", () => {
    assert.deepStrictEqual(quoteOrder({ unreadable: ["amount"] }, terms), Result.fail({}))
    assert.deepStrictEqual(
      quoteOrder({ destinationAsset: "eth.eth", amount: human("1") }, terms),
      Result.fail({}),
    )
  })

  it("takes the addresses of sender and recipient, each of its own chain", () => {
    const sender = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"
    const recipient = "0x2222222222222222222222222222222222222222"
    const order = quoteOrder({ ...wish, sourceAddress: sender, destinationAddress: recipient }, terms)
    assert.deepInclude<unknown>(Result.getOrThrow(order), { sender, recipient })
    const faults = faultsOf({ sourceAddress: recipient, destinationAddress: sender })
    assert.sameMembers(Object.keys(faults), ["sourceAddress", "destinationAddress"])
    assert.notProperty(Result.getOrThrow(quoteOrder(wish, terms)), "sender")
  })
})
