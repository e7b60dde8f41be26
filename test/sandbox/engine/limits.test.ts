import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { toX128 } from "#domain/money/Price.ts"
import type { SwapView } from "#sandbox/engine/State.ts"
import * as Network from "#sandbox/engine/Network.ts"
import {
  deposit,
  makeNetwork,
  native,
  open,
  pass,
  passUntil,
  present,
  quoteOf,
  recordOf,
  seconds,
  succeed,
  type Terms,
  turn,
  units,
} from "./support.ts"

const tenth = units("btc.btc", "0.1")

/** The record, in the end, of a swap of a tenth of a Bitcoin. */
const ended = (network: Network.Network, terms: Terms, amount: bigint = tenth): SwapView => {
  const opened = open(network, terms)
  deposit(network, opened, amount)
  pass(network, seconds(3 * 3_600))
  return recordOf(network, opened)
}

const regularChunk = (record: SwapView) => {
  const execution = present(record.swap?.execution)
  if (execution._tag !== "regular") throw new Error("In chunks")
  return execution.chunk
}

describe("a limit is kept to the unit", () => {
  it("of the minimum deposit, by quotes and by deposits", () => {
    assert.isTrue(Result.isSuccess(quoteOf(makeNetwork(), { amount: native(40_000n) })))
    assert.strictEqual(ended(makeNetwork(), {}, 40_000n).state, "completed")
  })

  it("of dust, by quotes and by payments", () => {
    const [offer] = succeed(quoteOf(makeNetwork(), { amount: tenth }))
    const paid = present(offer).egress.amount
    for (const [limit, state] of [[paid, "completed"], [paid + 1n, "failed"]] as const) {
      const network = makeNetwork()
      turn(network, { _tag: "SetAsset", asset: "eth.eth", egressDustLimit: native(limit) })
      assert.strictEqual(Result.isSuccess(quoteOf(network, { amount: tenth })), state === "completed")
      assert.strictEqual(ended(network, {}).state, state)
    }
  })

  it("of the price, on what a chunk gives before the egress fee", () => {
    const [offer] = succeed(quoteOf(makeNetwork(), { amount: tenth }))
    const egressFee = 141_203_311_900_000n
    const output = present(offer).egress.amount + egressFee
    const met = output * 2n ** 128n / (tenth - 310n)
    const refund = (minimumPriceX128: bigint) => ({ refund: { minimumPriceX128, retryDurationBlocks: 0 } })
    assert.isDefined(ended(makeNetwork(), refund(met)).swapEgress)
    assert.isDefined(ended(makeNetwork(), refund(met + 1n)).refundEgress)
  })

  it("of exactly a price that divides evenly", () => {
    const network = makeNetwork()
    turn(network, { _tag: "SetAsset", asset: "btc.btc", ingressFee: native(0n) })
    // An input of a power of two divides the limit evenly, so that the limit is that very rate.
    const [offer] = succeed(quoteOf(network, { amount: native(2n ** 24n) }))
    const output = present(offer).egress.amount + 141_203_311_900_000n
    const refund = { minimumPriceX128: output * 2n ** 104n, retryDurationBlocks: 0 }
    assert.isDefined(ended(network, { refund }, 2n ** 24n).swapEgress)
  })

  it("of the retries: the last is in the block in which the duration ends", () => {
    const [offer] = succeed(quoteOf(makeNetwork(), { amount: tenth }))
    const impossible = 2n * toX128(present(offer).estimatedPrice, "btc.btc", "eth.eth")
    const retries = (retryDurationBlocks: number) =>
      regularChunk(ended(makeNetwork(), { refund: { minimumPriceX128: impossible, retryDurationBlocks } }))
        .retryCount
    assert.deepStrictEqual([0, 4, 5, 9, 10].map(retries), [0, 0, 1, 1, 2])
  })
})

describe("chunks", () => {
  it("follow each other at the interval, the first two blocks after the deposit", () => {
    const network = makeNetwork()
    const opened = open(network, { dca: { numberOfChunks: 3, chunkIntervalBlocks: 7 } })
    deposit(network, opened, tenth)
    const { deposit: witnessed } = passUntil(network, opened, "swapping")
    const credited = Number(present(witnessed?.witnessedBlockIndex).split("-")[0])
    const executedIn = (): ReadonlyArray<string> => {
      const blocks = new Set<string>()
      for (let count = 0; count < 30; count++) {
        const execution = present(recordOf(network, opened).swap?.execution)
        const executed = execution._tag === "dca"
          ? execution.lastExecutedChunk?.executedBlockIndex
          : undefined
        if (executed !== undefined) blocks.add(present(executed.split("-")[0]))
        pass(network, seconds(6))
      }
      return [...blocks]
    }
    assert.deepStrictEqual(executedIn(), [2, 9, 16].map((blocks) => `${credited + blocks}`))
  })

  it("are fewer where they would be smaller than the minimum", () => {
    const record = ended(makeNetwork(), { dca: { numberOfChunks: 10, chunkIntervalBlocks: 1 } }, 100_000n)
    const execution = present(record.swap?.execution)
    // 99 690 sat make two chunks of 40 000 or more.
    assert.strictEqual(execution._tag === "dca" && execution.executedChunks, 2)
  })
})
