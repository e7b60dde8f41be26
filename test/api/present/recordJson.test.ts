import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { SwapRecordBody } from "#api/SwapRecord.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { SwapStatus } from "#domain/swaps/Swap.ts"
import { type SwapRecord, SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { EpochMillis } from "#domain/Time.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import {
  payableJson,
  payablesJson,
  type PaymentSetting,
  presentRecord,
  recordJson,
} from "#api/presentSwap.ts"
import { encode } from "#test/interfaces/requests/present/json.ts"
import { completed, minimal } from "./statuses.ts"

const recordOf = (status: SwapStatus): SwapRecord => ({
  id: SwapRecordId.make(7),
  platform: ProviderName.make("chainflip"),
  status,
})

const bySchema = (records: ReadonlyArray<SwapRecord>) =>
  encode(Schema.Array(SwapRecordBody), records.map((record) => presentRecord(record, before)))

const open: SwapStatus = {
  ...minimal,
  ...optionalMembers(completed.status.depositChannel, (depositChannel) => ({ depositChannel })),
}
const expiry = open.depositChannel?.estimatedExpiryTime ?? 0
const before: PaymentSetting = { networkOf: () => "mainnet", now: EpochMillis.make(expiry - 1) }

const assertSame = (status: SwapStatus): void => {
  const record = recordOf(status)
  assert.strictEqual(recordJson(record, before), encode(SwapRecordBody, presentRecord(record, before)))
}

describe("recordJson", () => {
  it("writes what the contract's schema encodes, to the letter", () => {
    assertSame(minimal)
    assertSame(completed.status)
  })

  it.prop("does so whatever is known of the swap", [SwapStatus], ([status]) => assertSame(status))

  it("escapes text that came from elsewhere", () => {
    assertSame({ ...completed.status, swapId: '"\\\u0000\ud800 \n</script>' })
  })

  it("writes several as a list", () => {
    const records = [recordOf(minimal), recordOf(completed.status)]
    assert.strictEqual(payablesJson(records, before), bySchema(records))
    assert.strictEqual(payablesJson([], before), "[]")
  })

  it("tells how to pay while the swap waits for its deposit, and no longer", () => {
    const payment = (status: SwapStatus, setting = before) =>
      JSON.parse(payableJson(recordOf(status), setting)).status.depositChannel.payment
    assert.deepInclude(payment(open), {
      scheme: "bip321",
      uri: "bitcoin:bc1qdeposit?amount=0.25",
      amount: 0.25,
      amountNative: "25000000",
      expiresAt: expiry,
    })
    assert.deepInclude(payment(open, { ...before, now: EpochMillis.make(expiry) }), { scheme: "address" })
    assert.notProperty(payment(open, { ...before, now: EpochMillis.make(expiry) }), "uri")
    assert.isUndefined(payment(completed.status))
    assert.isUndefined(JSON.parse(recordJson(recordOf(open), before)).status.depositChannel.payment)
  })
})
