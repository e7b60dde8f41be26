import { assert, describe, it } from "@effect/vitest"
import { BigDecimal } from "effect"
import { Address } from "#domain/chains/Address.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { Price } from "#domain/money/Price.ts"
import type { SwapStatus } from "#domain/swaps/Swap.ts"
import { capabilitiesOf } from "#providers/near-intents/conditions.ts"
import { capabilities as relay } from "#providers/relay/conditions.ts"
import { judgeOutcome } from "#application/swapping/following/judgeOutcome.ts"
import { statusIn } from "#test/support/swap.ts"

const native = NativeAmount.make
const asked = native(5_000_000_000n)
const exactOutput = {
  amount: asked,
  sendAtMost: native(7_846_085n),
  sendAtLeast: native(7_767_624n),
  refundFee: native(1_900n),
}

const { depositChannel, ...opened } = statusIn("waiting")

/** A swap of up to 0.07846085 Bitcoin for just 5,000 USDC. */
const known: SwapStatus = {
  ...opened,
  sourceAsset: "btc.btc",
  destinationAsset: "usdc.eth",
  fillOrKill: {
    retryDurationBlocks: 0,
    refundAddress: Address.make("refund"),
    minimumPrice: Price.make(BigDecimal.fromStringUnsafe("63726")),
  },
  ...(depositChannel === undefined ? {} : {
    depositChannel: { ...depositChannel, expectedDepositAmount: exactOutput.sendAtMost, exactOutput },
  }),
}

const paid = (amount: bigint) => ({ amount: native(amount), transactionReference: "b".repeat(64) })
const returned = (amount: bigint) => ({ amount: native(amount), transactionReference: "c".repeat(64) })

const judge = (said: Partial<SwapStatus>, rules = capabilitiesOf({ commissionBasis: "received" }).ends) =>
  judgeOutcome(known, { ...known, state: "completed", ...said }, rules)

const deposit = (amount: bigint) => ({ amount: native(amount), transactionReference: "a".repeat(64) })

describe("the end of a swap whose output was asked for", () => {
  it.each<[what: string, said: Partial<SwapStatus>]>([
    ["of the most, with the rest sent back", {
      deposit: deposit(7_846_085n),
      swapEgress: paid(asked),
      refundEgress: returned(76_561n),
    }],
    ["of the least", { deposit: deposit(7_767_624n), swapEgress: paid(asked) }],
    ["of less than the least, which the provider took", {
      deposit: deposit(7_760_000n),
      swapEgress: paid(asked),
    }],
    ["of more than was needed, with a surplus that its refund would cost", {
      deposit: deposit(7_847_985n),
      swapEgress: paid(asked),
    }],
    ["of a deposit ten times as large", {
      deposit: deposit(78_460_850n),
      swapEgress: paid(asked),
      refundEgress: returned(70_691_326n),
    }],
    ["of which all went back", { deposit: deposit(7_700_000n), refundEgress: returned(7_698_100n) }],
  ])("is believed %s, and the operator is told nothing", (_, said) => {
    for (const rules of [undefined, relay.ends]) {
      const end = judge(said, rules)
      assert.strictEqual(end._tag, "Plausible", JSON.stringify(end, (_, value) => `${value}`))
      assert.deepStrictEqual(end._tag === "Plausible" ? end.notes : [], [])
    }
  })

  it("is disputed where one unit less arrived, whatever was deposited", () => {
    for (const amount of [undefined, 7_846_085n, 78_460_850n]) {
      const end = judge({
        swapEgress: paid(asked - 1n),
        ...(amount === undefined
          ? {}
          : { deposit: deposit(amount), refundEgress: returned(amount - 7_767_624n) }),
      })
      assert.strictEqual(
        end._tag === "Disputed" ? end.detail : end._tag,
        "The upstream now reports completed, but paid 4,999.999999 USDC where 5,000 USDC were promised",
      )
    }
  })

  it("is disputed where nearly nothing came back of what was not swapped", () => {
    const end = judge({ deposit: deposit(7_700_000n), refundEgress: returned(10_000n) })
    assert.strictEqual(end._tag, "Disputed")
  })

  it("tells the operator of a surplus that was kept though its refund costs less", () => {
    const end = judge({ deposit: deposit(8_846_085n), swapEgress: paid(asked) })
    assert.deepStrictEqual(end._tag === "Plausible" ? end.notes : end._tag, [
      "0.01 BTC above the ordered amount were not refunded",
    ])
  })
})
