import { assert, describe, it } from "@effect/vitest"
import { BrokerAccount } from "#domain/chains/Address.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { Bps } from "#domain/money/Bps.ts"
import { askedBpsOf, chargedOf, commissionsOf } from "#domain/money/Commission.ts"
import type { Fee } from "#domain/money/Fee.ts"
import { completed } from "#test/api/present/statuses.ts"

const fee = (type: Fee["type"], amount: bigint, estimated: { isEstimate?: true } = {}): Fee => ({
  type,
  asset: "btc.btc",
  amount: NativeAmount.make(amount),
  ...estimated,
})

describe("The four figures of a commission", () => {
  it("are what is received and what is kept, of which the payer is charged the sum", () => {
    const fees = [fee("network", 1n), fee("broker", 25n), fee("broker", 2n), fee("provider", 20n)]
    const found = commissionsOf({ fees })
    assert.deepStrictEqual(found, [{ asset: "btc.btc", amount: 27n, kept: 20n, isEstimate: false }])
    assert.deepStrictEqual(found.map(chargedOf), [47n])
  })

  it("are estimated where any part of them is", () => {
    const told = commissionsOf({ fees: [fee("broker", 25n), fee("provider", 20n, { isEstimate: true })] })
    assert.deepStrictEqual(told, [{ asset: "btc.btc", amount: 25n, kept: 20n, isEstimate: true }])
    assert.deepStrictEqual(commissionsOf({ fees: [fee("egress", 3n, { isEstimate: true })] }), [])
  })

  it("have what was asked of all brokers together, with a channel and without one", () => {
    const account = BrokerAccount.make("cFK")
    const broker = { account, commissionBps: Bps.make(10) }
    const { depositChannel } = completed.status
    if (depositChannel === undefined) return assert.fail("a record without a channel")
    const shared = { ...depositChannel, affiliateBrokers: [{ account, commissionBps: Bps.make(5) }] }
    assert.strictEqual(askedBpsOf({ brokers: [broker], depositChannel: shared }), 15)
    assert.strictEqual(askedBpsOf({ brokers: [broker, broker] }), 20)
  })
})
