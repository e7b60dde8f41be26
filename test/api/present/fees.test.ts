import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { FeeBody, presentFee, withShownFees } from "#api/shape.ts"
import { noValue } from "#api/shape.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { type Fee, feeOrder } from "#domain/money/Fee.ts"
import { bodyOf } from "#application/events/eventBody.ts"
import { EpochMillis } from "#domain/Time.ts"
import { statusIn } from "#test/support/swap.ts"
import { presentStatus } from "#api/presentSwap.ts"
import { StatusJson } from "#infrastructure/store/database/columns.ts"

/** The types of the contract. */
const types = ["boost", "broker", "egress", "ingress", "liquidity", "network"]

const feeOf = (type: Fee["type"], isEstimate?: true): Fee => ({
  type,
  asset: "btc.btc",
  amount: NativeAmount.make(20_000n),
  ...(isEstimate === undefined ? {} : { isEstimate }),
})

/** A fee as 1.x wrote it into events. */
const older = (type: string, estimate = "") =>
  `{"type":"${type}","asset":"btc.btc","amount":0.0002,"amountNative":"20000"${estimate}}`

describe("the fees that are shown", () => {
  it("have the six types of the contract, and a purpose where a network fee is more exactly another", () => {
    const shown = feeOrder.map((type) => presentFee(noValue)(feeOf(type)))
    assert.deepStrictEqual([...new Set(shown.map(({ type }) => type))].toSorted(), types)
    assert.deepStrictEqual(FeeBody.fields.type.literals.toSorted(), types)
    const purposes = shown.flatMap(({ purpose, type }) => purpose === undefined ? [] : [[type, purpose]])
    assert.deepStrictEqual(purposes, [["network", "provider"], ["network", "refund"]])
    assert.isTrue(presentFee(noValue)(feeOf("provider", true)).isEstimate)
  })

  it("of a record that 1.x wrote are those of one that this version writes, and that version reads it", () => {
    const fees = [feeOf("network"), feeOf("broker"), feeOf("provider", true)]
    const written = Schema.encodeSync(StatusJson)(statusIn("completed", { fees }))
    const { fees: stored } = Schema.decodeUnknownSync(Schema.Struct({ fees: Schema.Array(Schema.Unknown) }))(
      written,
    )
    assert.deepStrictEqual(stored[2], {
      type: "provider",
      asset: "btc.btc",
      amount: "20000",
      isEstimate: true,
    })
    const read = Schema.decodeUnknownSync(StatusJson)(written)
    assert.deepStrictEqual(presentStatus(read, undefined).fees.map(({ purpose, type }) => [type, purpose]), [
      ["network", undefined],
      ["broker", undefined],
      ["network", "provider"],
    ])
  })

  it("of an event that 1.x wrote are in this form, also where a text within it looks like one", () => {
    const quoted = JSON.stringify({ memo: older("provider") })
    const payload = `{"id":1,"status":{"fees":[${older("network")},${
      older("provider", ',"isEstimate":true')
    },${older("refund")}],"ccm":${quoted}},"platform":"near-intents"}`
    const { data } = JSON.parse(bodyOf("swap.completed", EpochMillis.make(0), payload))
    assert.deepStrictEqual(data.status.fees, [
      { type: "network", asset: "btc.btc", amount: 0.0002, amountNative: "20000" },
      {
        type: "network",
        purpose: "provider",
        asset: "btc.btc",
        amount: 0.0002,
        amountNative: "20000",
        isEstimate: true,
      },
      { type: "network", purpose: "refund", asset: "btc.btc", amount: 0.0002, amountNative: "20000" },
    ])
    assert.strictEqual(data.status.ccm.memo, older("provider"))
    assert.strictEqual(withShownFees(withShownFees(payload)), withShownFees(payload))
  })
})
