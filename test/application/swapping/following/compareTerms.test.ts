import { assert, describe, it } from "@effect/vitest"
import { BigDecimal } from "effect"
import { Address, BrokerAccount } from "#domain/chains/Address.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { Bps } from "#domain/money/Bps.ts"
import { Price } from "#domain/money/Price.ts"
import type { ChannelRecord, FillOrKillParameters, SwapStatus } from "#domain/swaps/Swap.ts"
import { onTermsOf, otherTermIn } from "#application/swapping/following/compareTerms.ts"
import { statusIn } from "#test/support/swap.ts"

const ours = BrokerAccount.make("cFOurs")
const affiliate = BrokerAccount.make("cFAffiliate")
const thief = Address.make("0x7h1ef")
const bps = (value: number) => Bps.make(value)
const price = (text: string) => Price.make(BigDecimal.fromStringUnsafe(text))
const native = (value: bigint) => NativeAmount.make(value)

const { depositChannel: channel, fillOrKill: limits, ...plain } = statusIn("waiting", {
  destinationAddress: Address.make("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"),
})
assert(channel !== undefined && limits !== undefined)

const depositChannel: ChannelRecord = {
  ...channel,
  depositAddress: Address.make("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"),
  brokerCommissionBps: bps(25),
  affiliateBrokers: [{ account: affiliate, commissionBps: bps(10) }],
  expectedDepositAmount: native(100n),
}
const fillOrKill: FillOrKillParameters = { ...limits, minimumPrice: price("32.123456789012345678901234") }
const brokers = [{ account: ours, commissionBps: bps(25) }, ...depositChannel.affiliateBrokers]

/** A swap for which everything was asked that can be asked for. */
const known: SwapStatus = {
  ...plain,
  depositChannel,
  fillOrKill,
  brokers,
  boost: { maximumBoostFeeBps: bps(30) },
  dca: { numberOfChunks: 4, chunkIntervalBlocks: 2 },
  ccm: { gasBudget: native(5n), message: "0xabcd" },
}

/** The same without whatever can be left out of a request. */
const bare: SwapStatus = { ...plain, depositChannel, fillOrKill, brokers: [] }

const withChannel = (more: Partial<ChannelRecord>): SwapStatus => ({
  ...known,
  depositChannel: { ...depositChannel, ...more },
})
const withLimits = (more: Partial<FillOrKillParameters>): SwapStatus => ({
  ...known,
  fillOrKill: { ...fillOrKill, ...more },
})

type Row = readonly [what: string, known: SwapStatus, found: SwapStatus]

const paid = (destinationAddress: Address) => ({ amount: native(1n), destinationAddress })

const others: ReadonlyArray<Row> = [
  ["source asset", known, { ...known, sourceAsset: "eth.eth" }],
  ["destination asset", known, { ...known, destinationAsset: "usdc.eth" }],
  ["destination address", known, { ...known, destinationAddress: thief }],
  ["deposit channel", known, withChannel({ id: { ...depositChannel.id, channelId: 2 } })],
  ["deposit channel", { ...plain, fillOrKill, brokers: [] }, bare],
  ["deposit address", known, withChannel({ depositAddress: thief })],
  ["expected deposit amount", known, withChannel({ expectedDepositAmount: native(101n) })],
  ["refund address", known, withLimits({ refundAddress: thief })],
  ["address for its payout", known, { ...known, swapEgress: paid(thief) }],
  ["address for its refund", known, { ...known, refundEgress: paid(thief) }],
  ["minimum price", known, withLimits({ minimumPrice: price("32.12") })],
  ["minimum price", known, withLimits({ minimumPrice: price("0") })],
  ["retry duration", known, withLimits({ retryDurationBlocks: 151 })],
  ["number or interval of chunks", known, { ...known, dca: { numberOfChunks: 3, chunkIntervalBlocks: 2 } }],
  ["number or interval of chunks", known, { ...known, dca: { numberOfChunks: 4, chunkIntervalBlocks: 3 } }],
  ["number or interval of chunks", known, {
    ...known,
    swapId: "1",
    dca: { numberOfChunks: 5, chunkIntervalBlocks: 2 },
  }],
  ["number or interval of chunks", bare, { ...bare, dca: { numberOfChunks: 4, chunkIntervalBlocks: 2 } }],
  ["maximum boost fee", known, { ...known, boost: { maximumBoostFeeBps: bps(100) } }],
  ["maximum boost fee", bare, { ...bare, boost: { maximumBoostFeeBps: bps(5) } }],
  ["message for the receiving contract", known, {
    ...known,
    ccm: { gasBudget: native(5n), message: "0xabce" },
  }],
  ["message for the receiving contract", known, {
    ...known,
    ccm: { gasBudget: native(6n), message: "0xabcd" },
  }],
  ["message for the receiving contract", bare, {
    ...bare,
    ccm: { gasBudget: native(5n), message: "0xabcd" },
  }],
  ["commission", known, { ...known, brokers: [{ account: ours, commissionBps: bps(25) }] }],
  ["commission", known, {
    ...known,
    brokers: [{ account: affiliate, commissionBps: bps(25) }, { account: ours, commissionBps: bps(10) }],
  }],
  ["commission", bare, { ...bare, brokers: [{ account: affiliate, commissionBps: bps(25) }] }],
  ["commission", known, { ...withChannel({ brokerCommissionBps: bps(24) }), brokers: [] }],
  ["commission", known, { ...withChannel({ affiliateBrokers: [] }), brokers: [] }],
]

const { depositChannel: _, fillOrKill: __, boost: ___, dca: ____, ccm: _____, ...nothingSaid } = known

const alike: ReadonlyArray<Row> = [
  ["everything", known, known],
  ["nothing but what every record says", known, { ...nothingSaid, brokers: [] }],
  ["the destination in other capitals", known, {
    ...known,
    destinationAddress: Address.make(known.destinationAddress.toLowerCase()),
  }],
  ["where it was paid and sent back to", known, {
    ...known,
    swapEgress: paid(Address.make(known.destinationAddress.toLowerCase())),
    refundEgress: paid(fillOrKill.refundAddress),
  }],
  ["a fallback's own address", known, { ...known, fallbackEgress: paid(thief) }],
  [
    "the deposit address in capitals",
    known,
    withChannel({ depositAddress: Address.make(depositChannel.depositAddress.toUpperCase()) }),
  ],
  ["a price that is rounded", known, withLimits({ minimumPrice: price("32.12345678901234567") })],
  ["a price that is cut off", known, withLimits({ minimumPrice: price("32.1234567890123456789") })],
  ["the default limit of the oracle's price", known, withLimits({ maximumOraclePriceSlippageBps: bps(100) })],
  ["the brokers in another order", known, { ...known, brokers: brokers.toReversed() }],
  ["a broker that gets nothing", known, {
    ...known,
    brokers: [...brokers, { account: BrokerAccount.make("cFOther"), commissionBps: bps(0) }],
  }],
  ["no commissions of the channel", known, {
    ...withChannel({ brokerCommissionBps: bps(0), affiliateBrokers: [] }),
    brokers: [],
  }],
  ["fewer chunks, once they are swapped", known, {
    ...known,
    swapId: "1",
    dca: { numberOfChunks: 2, chunkIntervalBlocks: 2 },
  }],
  ["a message in capitals", known, { ...known, ccm: { gasBudget: native(5n), message: "0xABCD" } }],
  ["a boost of nothing", bare, { ...bare, boost: { maximumBoostFeeBps: bps(0) } }],
  ["a single chunk", bare, { ...bare, dca: { numberOfChunks: 1, chunkIntervalBlocks: 2 } }],
]

describe("The terms of a swap", () => {
  it.each(others)("are contradicted by another %s, which is not shown", (name, known, found) => {
    assert.strictEqual(
      otherTermIn(known, found),
      `The upstream now reports a different ${name} than our record`,
    )
    assert.isUndefined(otherTermIn(known, onTermsOf(known, found)))
  })

  it.each(alike)("are the same where an upstream says %s", (_, known, found) => {
    assert.isUndefined(otherTermIn(known, found))
  })

  it.each(alike)("stay as they were asked for where an upstream says %s", (_, known, found) => {
    const shown = onTermsOf(known, found)
    assert.deepStrictEqual(shown.depositChannel, known.depositChannel)
    assert.strictEqual(shown.destinationAddress, known.destinationAddress)
    assert.deepStrictEqual(shown.fillOrKill?.minimumPrice, known.fillOrKill?.minimumPrice)
    assert.deepStrictEqual([shown.dca, shown.ccm, shown.brokers], [known.dca, known.ccm, known.brokers])
    assert.strictEqual(shown.boost?.maximumBoostFeeBps, known.boost?.maximumBoostFeeBps)
  })

  it("take from the upstream what comes about in time", () => {
    const shown = onTermsOf(known, {
      ...withChannel({ isExpired: true }),
      state: "swapping",
      swapId: "7",
      boost: { maximumBoostFeeBps: bps(30), effectiveBoostFeeBps: bps(5) },
      deposit: { amount: native(7n) },
    })
    assert.isTrue(shown.depositChannel?.isExpired)
    assert.deepStrictEqual([shown.state, shown.swapId, shown.deposit?.amount], ["swapping", "7", 7n])
    assert.strictEqual<number | undefined>(shown.boost?.effectiveBoostFeeBps, 5)
  })

  it("of a vault swap grow as the upstream tells more of them", () => {
    const vaultSwap: SwapStatus = { ...plain, sourceAsset: "eth.eth", brokers: [] }
    const told = { ...vaultSwap, fillOrKill, brokers, ccm: { gasBudget: native(5n), message: "0xabcd" } }
    assert.isUndefined(otherTermIn(vaultSwap, told))
    assert.deepStrictEqual(onTermsOf(vaultSwap, told), told)
    assert.isDefined(otherTermIn(told, { ...told, fillOrKill: { ...fillOrKill, refundAddress: thief } }))
  })
})
