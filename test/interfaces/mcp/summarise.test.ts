import { assert, describe, it } from "@effect/vitest"
import { BigDecimal } from "effect"
import { Address } from "#domain/chains/Address.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { Bps } from "#domain/money/Bps.ts"
import { Price } from "#domain/money/Price.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import type { SwapRequest } from "#domain/swaps/SwapRequest.ts"
import { type Offered, summarise } from "#interfaces/mcp/tools/summarise.ts"
import { addresses } from "#test/contract/support/addresses.ts"

const price = (text: string) => Price.make(BigDecimal.fromStringUnsafe(text))

/** A bitcoin for 20 ETH, of which fees take 1. */
const summaryOf = (request: Partial<SwapRequest> = {}, offered: Partial<Offered> = {}) =>
  summarise({
    amount: NativeAmount.make(100_000_000n),
    offered: {
      platform: ProviderName.make("chainflip"),
      amount: NativeAmount.make(100_000_000n),
      egress: NativeAmount.make(19n * 10n ** 18n),
      estimatedPrice: price("20"),
      ...offered,
    },
    request: {
      sourceAsset: "btc.btc",
      destinationAsset: "eth.eth",
      destinationAddress: Address.make(addresses.eth),
      refundAddress: Address.make(addresses.btc),
      minimumPrice: price("19.5"),
      retryDurationBlocks: 150,
      maximumBoostFeeBps: Bps.make(0),
      commissionBps: Bps.make(0),
      affiliates: [],
      ...request,
    },
  })

const boost = {
  feeBps: Bps.make(5),
  maximumFeeBps: Bps.make(30),
  egress: NativeAmount.make(18_990_000_000_000_000_000n),
}

describe("the summary of a swap", () => {
  it("tells what arrives at the least price: less than price times amount, by the fees", () => {
    const { least, summary, warnings } = summaryOf()
    assert.strictEqual(least, 18_500_000_000_000_000_000n)
    assert.include(
      summary,
      "The minimum price is 19.5 ETH for 1 BTC, at which about 18.5 ETH on Ethereum arrives",
    )
    assert.include(summary, "Below it nothing is swapped")
    assert.deepStrictEqual(warnings, [])
  })

  it("counts the highest boost fee that was accepted among them", () => {
    // 1 % of a bitcoin at 19.5.
    const { least } = summaryOf({ maximumBoostFeeBps: Bps.make(100) }, { boost })
    assert.strictEqual(least, 18_305_000_000_000_000_000n)
    assert.strictEqual(summaryOf({ minimumPrice: price("0.000001") }).least, 0n)
  })

  it("tells both figures where a boost was asked for and is offered for its fee", () => {
    const { boosted, summary } = summaryOf({ maximumBoostFeeBps: Bps.make(30) }, { boost })
    assert.deepStrictEqual(boosted, boost)
    assert.include(summary, "up to 30 bps (0.3 %)")
    assert.include(summary, "It is 5 bps (0.05 %) now, and you then get about 18.99 ETH on Ethereum.")
    assert.include(summary, "Without a boost you get about 19 ETH on Ethereum.")
  })

  it("tells why there is no boosted figure where there is none, also where only the estimate is accepted", () => {
    for (const accepted of [4, 5, 29]) {
      const dear = summaryOf({ maximumBoostFeeBps: Bps.make(accepted) }, { boost })
      assert.isUndefined(dear.boosted)
      assert.include(dear.summary, "A boost needs 30 bps (0.3 %) to be accepted")
    }
    assert.include(summaryOf({ maximumBoostFeeBps: Bps.make(4) }).summary, "No boost is offered")
    assert.notInclude(summaryOf({}, { boost }).summary, "boost")
  })

  it("tells what the provider keeps for itself, and nothing where it keeps nothing", () => {
    const figures = { asset: "btc.btc", amount: 100_000n, isEstimate: false } as const
    const platform = ProviderName.make("near-intents")
    const { summary } = summaryOf({}, { platform, commission: [{ ...figures, kept: 200_000n }] })
    assert.include(summary, "near-intents keeps 0.002 BTC on Bitcoin for itself")
    assert.notInclude(summaryOf({}, { commission: [{ ...figures, kept: 0n }] }).summary, "for itself")
  })

  it("tells the chunks, and whose figures are shown where no quote has them", () => {
    const dca = { numberOfChunks: 4, chunkIntervalBlocks: 10 }
    const { summary, warnings } = summaryOf({ dca }, { dca })
    assert.include(summary, "in 4 chunks, 10 blocks (1m) from one to the next")
    assert.include(summary, "the output so far is paid out")
    assert.notInclude(summary, "nothing is swapped")
    assert.deepStrictEqual(warnings, [])
    const unquoted = summaryOf({ dca })
    assert.match(unquoted.warnings.join(), /No provider quotes these chunks/)
    assert.include(unquoted.summary, "Warning: No provider quotes these chunks")
  })

  it("tells of no amount that cannot arrive where the least price is above the present one", () => {
    const { least, summary } = summaryOf(
      { minimumPrice: price("20.1"), maximumBoostFeeBps: Bps.make(30) },
      { boost },
    )
    assert.notMatch(summary, /[Yy]ou get about/)
    assert.include(summary, "At the current price about 19 ETH on Ethereum would arrive, through chainflip")
    // A bitcoin at 20.1, less the fee of 1 ETH and 0.3 % of the deposit.
    assert.strictEqual(least, 19_039_700_000_000_000_000n)
  })

  it("warns of a least price that is above the present one, or far below it", () => {
    assert.match(
      summaryOf({ minimumPrice: price("20.1") }).warnings.join(),
      /above the best current price of 20\./,
    )
    for (
      const [least, below] of [
        ["18.9", "5.5 %"],
        ["18.999", "5.01 %"],
        ["0.0005", "100 %"],
      ] as const
    ) {
      assert.include(summaryOf({ minimumPrice: price(least) }).warnings.join(), `is ${below} below`)
    }
    assert.deepStrictEqual(summaryOf({ minimumPrice: price("19") }).warnings, [])
  })
})
