import { assert, describe, it, TestClock } from "../support.ts"
import { Effect, Option } from "effect"
import { formatDecimal, type SwapStatus } from "#exports/domain.ts"
import { contradictionIn } from "#application/swapping/following/Progress.ts"
import { vaultSwapsOf } from "#test/conformance/verbs/kit.ts"
import { evmRequest, request, vaults } from "./bodies.ts"
import { begin, providerOver, reasonOf, type Script } from "./fakeNode.ts"

const hash = "ab".repeat(32)
const memo = `=:ETH.ETH:${request.destinationAddress}:290000001:sb:25`

const tx = {
  id: hash.toUpperCase(),
  chain: "BTC",
  from_address: request.refundAddress,
  to_address: vaults.bitcoin,
  coins: [{ asset: "BTC.BTC", amount: "10000000" }],
  gas: [{ asset: "BTC.BTC", amount: "830" }],
  memo,
}

const seen = { inbound_observed: { final_count: 98, completed: true } }
const finalised = { ...seen, inbound_finalised: { completed: true } }
const swapped = { ...finalised, swap_status: { pending: false }, swap_finalised: { completed: true } }
const signed = { ...swapped, outbound_signed: { completed: true } }

const planned = {
  chain: "ETH",
  to_address: request.destinationAddress.toLowerCase(),
  coin: { asset: "ETH.ETH", amount: "299550000" },
  refund: false,
}
const payout = {
  id: "CD".repeat(32),
  chain: "ETH",
  from_address: vaults.evm,
  to_address: request.destinationAddress,
  coins: [{ asset: "ETH.ETH", amount: "299550000" }],
  gas: [],
  memo: `OUT:${hash.toUpperCase()}`,
}
/** The operator's share, which is no payment to the user. */
const share = {
  id: "0".repeat(64),
  chain: "THOR",
  to_address: "thor1operator",
  coins: [{ asset: "THOR.RUNE", amount: "15742200" }],
  gas: [],
  memo: payout.memo,
}
const refund = {
  ...payout,
  id: "EF".repeat(32),
  chain: "BTC",
  to_address: request.refundAddress,
  coins: [{ asset: "BTC.BTC", amount: "9990000" }],
  memo: `REFUND:${hash.toUpperCase()}`,
}

const look = (
  body: unknown,
  known: Option.Option<SwapStatus> = Option.none(),
  transaction: string = hash,
  script: Script = {},
) =>
  Effect.flatMap(
    providerOver({ status: { body }, ...script }),
    ([provider]) => vaultSwapsOf(provider).status({ transaction, marks: [] }, known),
  )

const statusOf = Effect.fnUntraced(function* (body: unknown, known?: SwapStatus) {
  const found = yield* look(body, Option.fromUndefinedOr(known))
  return Option.isSome(found) ? found.value.status : assert.fail("nothing was found")
})

const isNone = (body: unknown, transaction: string = hash) =>
  Effect.map(look(body, Option.none(), transaction), (found) => assert.isTrue(Option.isNone(found)))

describe("the status of a payment", () => {
  it.effect("is asked for by the hash in capitals, and says all that the memo says", function* () {
    const [provider, asked] = yield* providerOver({ status: { body: { tx, stages: seen } } })
    const found = yield* vaultSwapsOf(provider).status({ transaction: hash, marks: [] }, Option.none())
    assert.strictEqual(asked.at(-1)?.url.pathname, `/chain/thorchain/tx/status/${hash.toUpperCase()}`)
    if (Option.isNone(found)) return assert.fail("nothing was found")
    const { body, mark, status } = found.value
    assert.strictEqual(mark, memo)
    assert.strictEqual(body, JSON.stringify({ tx, stages: seen }))
    const { fillOrKill, ...rest } = status
    assert.deepStrictEqual<unknown>(rest, {
      state: "receiving",
      sourceAsset: "btc.btc",
      destinationAsset: "eth.eth",
      destinationAddress: request.destinationAddress,
      fees: [],
      brokers: [{ account: "sb", commissionBps: 25 }],
      deposit: { amount: 10_000_000n, transactionReference: hash },
      lastStateChainUpdateAt: begin,
    })
    assert.isDefined(fillOrKill)
    assert.strictEqual(fillOrKill.refundAddress, request.refundAddress)
    assert.strictEqual(fillOrKill.retryDurationBlocks, 0)
    assert.strictEqual(formatDecimal(fillOrKill.minimumPrice), "29.0000001")
  })

  it.effect("estimates the commission of what arrives, whether the share has a row of its own or not", function* () {
    const fee = { type: "broker", asset: "eth.eth", amount: 7_507_518_796_992_481n, isEstimate: true }
    for (const out_txs of [[share, payout], [payout]]) {
      const { fees } = yield* statusOf({ tx, planned_out_txs: [planned], out_txs, stages: signed })
      assert.deepStrictEqual<unknown>(fees, [fee])
    }
    const withoutShare = { ...tx, memo: `=:ETH.ETH:${request.destinationAddress}:290000001` }
    const { fees } = yield* statusOf({ tx: withoutShare, out_txs: [payout], stages: signed })
    assert.deepStrictEqual(fees, [])
  })

  it.effect("goes through the states of a swap, and keeps the times at which each was first seen", function* () {
    const stages = [
      [{ tx, stages: seen }, "receiving"],
      [{ tx, stages: { ...finalised, swap_status: { pending: true }, swap_finalised: {} } }, "swapping"],
      // Between the swap and its plan.
      [{ tx, stages: swapped }, "swapping"],
      [{ tx, planned_out_txs: [planned], stages: { ...swapped, outbound_signed: {} } }, "sending"],
      [{ tx, planned_out_txs: [planned], out_txs: [share], stages: { ...swapped } }, "sending"],
      [{ tx, planned_out_txs: [planned], out_txs: [share, payout], stages: { ...swapped } }, "sent"],
      [{ tx, planned_out_txs: [planned], out_txs: [share, payout], stages: signed }, "completed"],
    ] as const
    let known: SwapStatus | undefined
    for (const [body, state] of stages) {
      known = yield* statusOf(body, known)
      assert.strictEqual(known.state, state)
      yield* TestClock.adjust("1 minute")
    }
    assert.strictEqual(known?.deposit?.witnessedAt, begin + 60_000)
    assert.strictEqual(known?.swapEgress?.scheduledAt, begin + 180_000)
    assert.deepInclude<unknown>(known?.swapEgress, {
      amount: 2_995_500_000_000_000_000n,
      transactionReference: `0x${"cd".repeat(32)}`,
      witnessedAt: begin + 360_000,
    })
    assert.deepInclude<unknown>(known?.swap, {
      swappedInputAmount: 10_000_000n,
      remainingInputAmount: 0n,
      swappedOutputAmount: 2_995_500_000_000_000_000n,
    })
    assert.notProperty(known, "refundEgress")
    yield* TestClock.adjust("1 hour")
    const again = yield* statusOf(stages[6][0], known)
    assert.deepStrictEqual(again, known, "nothing has changed")
  })

  it.effect("may be rolled back before it has ended, without a contradiction", function* () {
    const plan = { tx, planned_out_txs: [planned] }
    const sending = yield* statusOf({ ...plan, stages: { ...swapped, outbound_signed: {} } })
    const sent = yield* statusOf({ ...plan, out_txs: [payout], stages: swapped }, sending)
    assert.deepStrictEqual([sending.state, sent.state], ["sending", "sent"])
    const swapping = { ...finalised, swap_status: { pending: true } }
    for (const before of [sending, sent]) {
      for (const [stages, state] of [[swapping, "swapping"], [seen, "receiving"]] as const) {
        const after = yield* statusOf({ tx, stages }, before)
        assert.strictEqual(after.state, state)
        assert.notProperty(after, "swapEgress")
        assert.isUndefined(contradictionIn(before, after))
        const refunds = yield* statusOf({ tx, out_txs: [refund], stages: signed }, after)
        assert.isUndefined(contradictionIn(after, refunds))
      }
      // Stages that only a newer node has say nothing, and a payment that the network has lost is looked for again.
      assert.deepStrictEqual(yield* statusOf({ tx, stages: { rollback_pending: {} } }, before), before)
      yield* isNone({ stages: { inbound_observed: {} } })
    }
    const end = yield* statusOf({ ...plan, out_txs: [payout], stages: signed }, sent)
    assert.isDefined(contradictionIn(end, yield* statusOf({ tx, stages: seen }, end)), "a payment was made")
  })

  it.effect("is a refund where all of it goes back", function* () {
    const plan = { ...planned, chain: "BTC", to_address: request.refundAddress, refund: true }
    const back = { ...plan, coin: { asset: "BTC.BTC", amount: "9990000" } }
    const sending = yield* statusOf({ tx, planned_out_txs: [back], stages: swapped })
    assert.strictEqual(sending.state, "sending")
    assert.strictEqual(sending.refundEgress?.amount, 9_990_000n)
    const end = yield* statusOf({ tx, planned_out_txs: [back], out_txs: [refund], stages: signed })
    assert.strictEqual(end.state, "completed")
    assert.strictEqual(end.refundEgress?.transactionReference, "ef".repeat(32))
    assert.notProperty(end, "swapEgress")
    assert.strictEqual(end.swap?.swappedInputAmount, 0n)
  })

  it.effect("waits for both payments of a swap that was made in part", function* () {
    const inChunks = { ...tx, memo: memo.replace(":290000001:", ":290000001/2/8:") }
    const back = {
      ...planned,
      chain: "BTC",
      to_address: request.refundAddress,
      coin: { asset: "BTC.BTC", amount: "4000000" },
      refund: true,
    }
    const streaming = { pending: true, streaming: { interval: 2, quantity: 8, count: 3 } }
    const under = yield* statusOf({ tx: inChunks, stages: { ...finalised, swap_status: streaming } })
    assert.deepStrictEqual(under.dca, { numberOfChunks: 8, chunkIntervalBlocks: 2 })
    assert.deepStrictEqual(under.swap?.execution, { _tag: "dca", executedChunks: 3, remainingChunks: 5 })
    const body = { tx: inChunks, planned_out_txs: [planned, back], stages: signed }
    assert.strictEqual((yield* statusOf({ ...body, out_txs: [payout] })).state, "sending")
    const part = { ...refund, coins: [{ asset: "BTC.BTC", amount: "4000000" }] }
    const end = yield* statusOf({ ...body, out_txs: [share, part, payout] })
    assert.strictEqual(end.state, "completed")
    assert.strictEqual(end.refundEgress?.amount, 4_000_000n)
    assert.strictEqual(end.swapEgress?.amount, 2_995_500_000_000_000_000n)
    assert.strictEqual(end.swap?.swappedInputAmount, 6_000_000n)
    assert.strictEqual(end.swap?.remainingInputAmount, 4_000_000n)
  })

  it.effect("is paid in several transactions where no vault has enough, and waits for each of them", function* () {
    const second = { ...payout, id: "DE".repeat(32), coins: [{ asset: "ETH.ETH", amount: "450000" }] }
    const body = {
      tx,
      planned_out_txs: [planned, { ...planned, coin: { asset: "ETH.ETH", amount: "450000" } }],
      stages: signed,
    }
    const part = yield* statusOf({ ...body, out_txs: [share, payout] })
    const end = yield* statusOf({ ...body, out_txs: [share, payout, second] })
    assert.deepStrictEqual([part.state, end.state], ["sending", "completed"])
    for (const { swapEgress } of [part, end]) {
      assert.strictEqual<bigint | undefined>(swapEgress?.amount, 3_000_000_000_000_000_000n)
    }
    assert.strictEqual(end.swapEgress?.transactionReference, `0x${"cd".repeat(32)}`)
  })

  it.effect("is lost only after the network had time for a plan", function* () {
    const first = yield* statusOf({ tx, stages: swapped })
    yield* TestClock.adjust("10 minutes")
    assert.strictEqual((yield* statusOf({ tx, stages: swapped }, first)).state, "swapping")
    yield* TestClock.adjust("1 second")
    const lost = yield* statusOf({ tx, stages: swapped }, first)
    assert.strictEqual(lost.state, "failed")
    assert.strictEqual(lost.deposit?.failure?.mode, "DEPOSIT_IGNORED")
  })

  it.effect("takes no payment to others for the user's", function* () {
    const elsewhere = { ...payout, to_address: "0x2222222222222222222222222222222222222222" }
    const otherAsset = { ...payout, coins: [{ asset: "BSC.BNB", amount: "1" }] }
    const found = yield* statusOf({ tx, out_txs: [share, elsewhere, otherAsset], stages: signed })
    assert.strictEqual(found.state, "swapping")
    assert.notProperty(found, "swapEgress")
  })

  it.effect("knows an EVM transaction in the form of its chain only", function* () {
    const evm = {
      ...tx,
      chain: "ETH",
      from_address: vaults.evm,
      coins: [{ asset: "ETH.ETH", amount: "123456789" }],
      memo: `=:BTC.BTC:${evmRequest.destinationAddress}/${evmRequest.refundAddress}:0:sb:25`,
    }
    const found = yield* look({ tx: evm, stages: seen }, Option.none(), `0x${hash}`)
    if (Option.isNone(found)) return assert.fail("nothing was found")
    assert.deepStrictEqual<unknown>(found.value.status.deposit, {
      amount: 1_234_567_890_000_000_000n,
      transactionReference: `0x${hash}`,
    })
    yield* isNone({ tx: evm, stages: seen })
    yield* isNone({ tx, stages: seen }, `0x${hash}`)
  })

  it.effect("is nothing where the node knows nothing, or the payment is none of ours", function* () {
    yield* isNone({ stages: { inbound_observed: { started: false, completed: false } } })
    yield* isNone({ tx: null, stages: { inbound_observed: {} } })
    const memos = [
      memo.replace(":sb:", ":g1:"),
      memo.replace("=:", "SWAP:"),
      memo.replace("=:", "ADD:"),
      memo.replace("ETH.ETH", "GAIA.ATOM"),
      memo.replace("290000001", "29e7"),
      memo.replace("290000001", "0/1/0"),
      memo.replace("290000001", "290000001/1/1"),
      `${memo}::`,
      "",
    ]
    for (const memo of memos) yield* isNone({ tx: { ...tx, memo }, stages: seen })
    yield* isNone({ tx: { ...tx, chain: "LTC" }, stages: seen })
    yield* isNone({ tx: { ...tx, coins: [] }, stages: seen })
    yield* isNone({ tx: { ...tx, coins: [{ asset: "ETH.ETH", amount: "1" }] }, stages: seen })
    yield* isNone({ tx, stages: seen }, "5x".repeat(40))
  })

  it.effect("contradicts itself where it is about another transaction, or of another form", function* () {
    const other = yield* reasonOf(look({ tx: { ...tx, id: "12".repeat(32) }, stages: seen }))
    assert.strictEqual(other._tag, "MalformedBody")
    assert.strictEqual((yield* reasonOf(look({ tx })))._tag, "MalformedBody")
    const failure = { status: { status: 500, body: { error: "boom" } } }
    const failed = yield* reasonOf(look({}, Option.none(), hash, failure))
    assert.strictEqual(failed._tag, "UpstreamFailed")
  })
})
