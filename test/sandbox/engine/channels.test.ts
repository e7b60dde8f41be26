import { assert, describe, it } from "@effect/vitest"
import type { Control, OpenChannel } from "#sandbox/engine/Command.ts"
import type { OpenRefusal } from "#sandbox/engine/Refusal.ts"
import { openChannel } from "#sandbox/engine/terms.ts"
import { brokerAccount } from "#sandbox/engine/figures.ts"
import { depositToChannel } from "#sandbox/engine/deposits.ts"
import * as Network from "#sandbox/engine/Network.ts"
import {
  addresses,
  deposit,
  genesis,
  makeNetwork,
  native,
  open,
  pass,
  present,
  recordOf,
  refused,
  request,
  seconds,
  type Terms,
  turn,
} from "./support.ts"

const refusalOf = (terms: Terms, ...controls: ReadonlyArray<Control>): OpenRefusal => {
  const network = makeNetwork()
  controls.forEach((control) => turn(network, control))
  const refusal = refused(openChannel(network, request(terms)))
  assert.strictEqual(Network.openChannels(network).length, 0)
  return refusal
}

const affiliate = { account: brokerAccount, commissionBps: 1 }

describe("opening a channel", () => {
  it("counts channels for each source chain and lets them live for a day of its blocks", () => {
    const network = makeNetwork()
    pass(network, seconds(61))
    const first = open(network)
    assert.deepStrictEqual(first.id, { issuedBlock: 14_000_010, network: "Bitcoin", channelId: 1 })
    assert.strictEqual(first.sourceExpiryBlock, 918_144)
    assert.strictEqual(first.estimatedExpiryTime, genesis + seconds(86_400))
    assert.strictEqual(first.openingFee, 10_000_000_000_000_000n)
    assert.strictEqual(open(network).id.channelId, 2)
    assert.strictEqual(open(network, { sourceAsset: "sol.sol" }).id.channelId, 1)
    assert.strictEqual(recordOf(network, first).depositChannel?.createdAt, genesis + seconds(60))
  })

  it("expires when the source chain reaches the expiry block", () => {
    const network = makeNetwork()
    const opened = open(network)
    pass(network, seconds(86_400) - 1)
    assert.isFalse(recordOf(network, opened).depositChannel?.isExpired)
    assert.strictEqual(Network.openChannels(network).length, 1)
    pass(network, 1)
    assert.isTrue(recordOf(network, opened).depositChannel?.isExpired)
    assert.strictEqual(recordOf(network, opened).state, "waiting")
    assert.strictEqual(Network.openChannels(network).length, 0)
  })

  it("refuses what the chain's module refuses, by its name", () => {
    const refusals: ReadonlyArray<readonly [OpenRefusal["_tag"], Terms]> = [
      ["BrokerCommissionBpsTooHigh", { brokerCommissionBps: 1_001 }],
      [
        "BrokerCommissionBpsTooHigh",
        {
          brokerCommissionBps: 900,
          affiliates: [{ account: brokerAccount, commissionBps: 101 }],
        },
      ],
      ["RetryDurationTooHigh", { refund: { retryDurationBlocks: 601 } }],
      ["ZeroNumberOfChunksNotAllowed", { dca: { numberOfChunks: 0, chunkIntervalBlocks: 2 } }],
      ["ChunkIntervalTooLow", { dca: { numberOfChunks: 2, chunkIntervalBlocks: 0 } }],
      ["SwapRequestDurationTooLong", { dca: { numberOfChunks: 7_202, chunkIntervalBlocks: 2 } }],
      ["InvalidDestinationAddress", { destinationAddress: addresses("Bitcoin") }],
      ["InvalidRefundAddress", { refund: { refundAddress: addresses("Ethereum") } }],
      ["PoolDoesNotExist", { destinationAsset: "btc.btc" }],
      [
        "CcmUnsupportedForTargetChain",
        {
          sourceAsset: "eth.eth",
          destinationAsset: "btc.btc",
          ccm: { gasBudget: native(1n), message: "0x00" },
        },
      ],
      ["InvalidCcm", { ccm: { gasBudget: native(1n), message: "0x0" } }],
      ["InvalidCcm", { ccm: { gasBudget: native(1n), message: `0x${"00".repeat(15_001)}` } }],
    ]
    for (const [name, terms] of refusals) assert.strictEqual(refusalOf(terms)._tag, name)
  })

  it("accepts each limit itself", () => {
    const network = makeNetwork()
    open(network, { brokerCommissionBps: 1_000 })
    open(network, { refund: { retryDurationBlocks: 600 } })
    open(network, { dca: { numberOfChunks: 7_201, chunkIntervalBlocks: 2 } })
    open(network, { dca: { numberOfChunks: 1, chunkIntervalBlocks: 0 } })
    open(network, { affiliates: Array.from({ length: 5 }, () => affiliate) })
    assert.strictEqual(Network.openChannels(network).length, 5)
  })

  it("refuses what does not parse: affiliates, accounts and shares", () => {
    assert.strictEqual(
      refusalOf({ affiliates: Array.from({ length: 6 }, () => affiliate) })._tag,
      "TooManyAffiliates",
    )
    assert.deepStrictEqual(refusalOf({ affiliates: [{ ...affiliate, account: addresses("Polkadot") }] }), {
      _tag: "InvalidAffiliateAccount",
      account: addresses("Polkadot"),
    })
    assert.deepStrictEqual(refusalOf({ boostFeeBps: 10_001 }), { _tag: "InvalidBps", bps: 10_001 })
  })

  it("is refused while it is switched off for the asset", () => {
    const control = { _tag: "SetAsset", asset: "btc.btc", creationEnabled: false } as const
    const refusal = refusalOf({}, control)
    assert.strictEqual(refusal._tag, "DepositChannelCreationDisabled")
    assert.propertyVal(refusal, "pallet", "BitcoinIngressEgress")
  })

  it("through the backend is refused beyond 25 open channels that are alike", () => {
    const network = makeNetwork()
    const terms = { openedThroughBackend: true }
    for (let count = 0; count < 25; count++) open(network, terms)
    assert.deepStrictEqual(refused(openChannel(network, request(terms))), { _tag: "TooManyChannels" })
    open(network)
    open(network, { ...terms, destinationAddress: addresses("Arbitrum") })
    pass(network, seconds(86_400))
    open(network, terms)
  })
})

describe("a deposit", () => {
  it("to an address that is no channel's, or of nothing, is refused", () => {
    const network = makeNetwork()
    const sent = (address: string, amount: bigint) =>
      refused(depositToChannel(network, { _tag: "Deposit", address, amount: native(amount) }))
    assert.deepStrictEqual(sent("bcrt1q", 1n), { _tag: "UnknownAddress", address: "bcrt1q" })
    assert.deepStrictEqual(sent(open(network).depositAddress, 0n), { _tag: "ZeroAmount" })
  })

  it("that is included after the expiry is sent, but never witnessed", () => {
    const network = makeNetwork()
    const opened = open(network)
    pass(network, seconds(86_400 - 1_200))
    const early = deposit(network, opened, 1_000_000n)
    pass(network, seconds(600))
    const late = deposit(network, opened, 1_000_000n)
    pass(network, seconds(86_400))
    assert.strictEqual(Network.swapOfTransaction(network, early)?.state, "completed")
    assert.isUndefined(Network.swapOfTransaction(network, late))
  })

  it("makes a swap of its own each time, and the channel's record shows the latest", () => {
    const network = makeNetwork()
    const opened = open(network)
    const first = deposit(network, opened, 1_000_000n)
    pass(network, seconds(3_600))
    const second = deposit(network, opened, 2_000_000n)
    assert.strictEqual(recordOf(network, opened).deposit?.amount, 1_000_000n)
    pass(network, seconds(3_600))
    assert.strictEqual(recordOf(network, opened).deposit?.transactionReference, second)
    const earlier = present(Network.swapOfTransaction(network, first))
    assert.strictEqual(earlier.deposit?.amount, 1_000_000n)
    assert.deepStrictEqual(Network.swapOfRequest(network, `${earlier.swapId}`), earlier)
    assert.notStrictEqual(earlier.swapId, recordOf(network, opened).swapId)
  })

  it("has a reference of its chain's own form", () => {
    const network = makeNetwork()
    const sent = (sourceAsset: OpenChannel["sourceAsset"]) =>
      deposit(network, open(network, { sourceAsset, destinationAsset: "eth.arb" }), 10n ** 18n)
    assert.match(sent("btc.btc"), /^5a4db0[0-9a-f]{58}$/u)
    assert.match(sent("eth.eth"), /^0x5a4db0[0-9a-f]{58}$/u)
    assert.match(sent("bnb.bsc"), /^0x5a4db0[0-9a-f]{58}$/u)
    assert.match(sent("trx.tron"), /^5a4db0[0-9a-f]{58}$/u)
    assert.match(sent("sol.sol"), /^[1-9A-HJ-NP-Za-km-z]{86,88}$/u)
    assert.match(sent("dot.hub"), /^9000001-[0-9]+$/u)
    assert.match(sent("dot.dot"), /^28000001-[0-9]+$/u)
  })
})
