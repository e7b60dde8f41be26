import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import { NativeAmount } from "#domain/money/Amount.ts"
import type { SwapStatus } from "#domain/swaps/Swap.ts"
import { EpochMillis } from "#domain/Time.ts"
import { stallsAt } from "#application/swapping/following/Stalling.ts"
import { statusIn } from "#test/support/swap.ts"

const since = EpochMillis.make(1_000_000)
const minute = 60_000

/** Minutes that a state may last. */
const most = (status: SwapStatus, timeScale = 1): number | undefined =>
  Option.getOrUndefined(Option.map(stallsAt(status, since, { timeScale }), (at) => (at - since) / minute))

const hour = { estimatedDuration: 60 * minute }

describe("A swap stalls", () => {
  it("when a payment lasts longer than the estimate for all of it and than its chain can be late", () => {
    // Nine blocks of Bitcoin, which come by chance, and of Ethereum.
    assert.strictEqual(most(statusIn("receiving", hour)), 60 + 90)
    for (const state of ["sending", "sent"] as const) {
      assert.strictEqual(most(statusIn(state, hour)), 60 + 1.8)
    }
  })

  it("not while a deposit waits for the blocks of Bitcoin, which one in twenty does for 63 minutes", () => {
    const estimated = { estimatedDuration: 1_614_000 }
    assert.isAbove(most(statusIn("receiving", estimated)) ?? 0, 63)
  })

  it("after the time that swaps of its pair take, where that is longer than the estimate", () => {
    const at = stallsAt(statusIn("swapping", hour), since, { timeScale: 1 }, 100 * minute)
    assert.deepStrictEqual(at, Option.some(EpochMillis.make(since + (100 + 15) * minute)))
  })

  it("not before ten minutes, and after an hour where there is no estimate", () => {
    assert.strictEqual(most(statusIn("sending", { estimatedDuration: 30_000 })), 10 + 1.8)
    assert.strictEqual(most(statusIn("sending")), 60 + 1.8)
  })

  it("later while it is swapped in parts, or waits for its price", () => {
    const dca = { numberOfChunks: 11, chunkIntervalBlocks: 100 }
    // 150 blocks that it waits for its price, and 10 times 100 between its parts.
    assert.strictEqual(most(statusIn("swapping", hour)), 60 + 15)
    assert.strictEqual(most(statusIn("swapping", { ...hour, dca })), 60 + 15 + 100)
  })

  it("never while it waits for a deposit, and never once it has ended", () => {
    for (const state of ["waiting", "completed", "failed"] as const) {
      assert.isUndefined(most(statusIn(state, hour)))
    }
  })

  it("when it has failed and its deposit does not come back", () => {
    const egress = { amount: NativeAmount.make(1n) }
    assert.strictEqual(most(statusIn("failed", { ...hour, refundEgress: egress })), 60 + 90)
    assert.strictEqual(most(statusIn("failed", { ...hour, fallbackEgress: egress })), 60 + 1.8)
  })

  it("sooner where the world turns faster, but not at once", () => {
    assert.strictEqual(most(statusIn("sending", hour), 60), 1.03)
    assert.strictEqual(most(statusIn("sending", hour), 100_000), 5_000 / minute)
  })
})
