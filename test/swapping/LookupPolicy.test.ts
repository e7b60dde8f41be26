import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import { NativeAmount } from "../../src/domain/Amount.ts"
import { SwapState, type SwapStatus } from "../../src/domain/Swap.ts"
import { EpochMillis } from "../../src/domain/Time.ts"
import { afterAnswer, afterFailure, firstLookup, LookupFailure } from "../../src/swapping/LookupPolicy.ts"
import { expired, expiry, statusIn } from "../support/swap.ts"

const now = EpochMillis.make(1_000_000)
const live = { timeScale: 1 }
const day = 86_400_000

const wait = (next: Option.Option<EpochMillis>): number | undefined =>
  Option.getOrUndefined(Option.map(next, (time) => time - now))
const waitAfter = (status: SwapStatus) => wait(afterAnswer(status, now, live))

const failure = LookupFailure.Failed({ retryAfterMillis: Option.none() })
const waitAfterFailures = (kind: LookupFailure, failures: number) =>
  wait(afterFailure(kind, failures, now, live))

describe("the next look-up", () => {
  it("comes with each block while the swap moves", () => {
    for (const state of ["receiving", "swapping", "sending", "sent"] as const) {
      assert.strictEqual(waitAfter(statusIn(state)), 6_000)
      assert.strictEqual(waitAfter(expired(statusIn(state))), 6_000)
    }
  })

  it("comes more slowly while a deposit is waited for, and for a channel that was just opened", () => {
    assert.strictEqual(waitAfter(statusIn("waiting")), 30_000)
    assert.strictEqual(firstLookup(now, live) - now, 30_000)
  })

  it("comes slowly after the end while the channel can be used again", () => {
    assert.strictEqual(waitAfter(statusIn("completed")), 300_000)
    assert.strictEqual(waitAfter(statusIn("failed")), 300_000)
  })

  it("comes with each block while the refund of a failed swap is on its way", () => {
    const refundEgress = { amount: NativeAmount.make(5n) }
    assert.strictEqual(waitAfter(expired(statusIn("failed", { refundEgress }))), 6_000)
    assert.isUndefined(
      waitAfter(
        expired(statusIn("failed", { refundEgress: { ...refundEgress, transactionReference: "a" } })),
      ),
    )
  })

  it("never comes again once the channel has expired and nothing moves", () => {
    for (const state of ["waiting", "completed", "failed"] as const) {
      assert.isUndefined(waitAfter(expired(statusIn(state))))
    }
  })

  it("never comes again after the end of a vault swap, which has no channel", () => {
    const { depositChannel: _, ...vaultSwap } = statusIn("completed")
    assert.isUndefined(waitAfter(vaultSwap))
  })

  it("does not come for ever when the upstream never says that a channel expired", () => {
    const late = EpochMillis.make(expiry + 7 * day)
    assert.isTrue(Option.isNone(afterAnswer(statusIn("waiting"), late, live)))
    const elsewhere = statusIn("waiting", { lastStateChainUpdateAt: now })
    assert.isTrue(Option.isSome(afterAnswer(elsewhere, late, live)))
    assert.isTrue(Option.isNone(afterFailure(failure, 5_001, now, live)))
  })

  it("backs off from an upstream that fails, up to ten minutes", () => {
    assert.deepStrictEqual(
      [1, 2, 3, 100].map((failures) => waitAfterFailures(failure, failures)),
      [6_000, 12_000, 24_000, 600_000],
    )
  })

  it("backs off from a channel that is not known, from one minute up to an hour", () => {
    assert.deepStrictEqual(
      [1, 2, 3, 100].map((failures) => waitAfterFailures(LookupFailure.NotFound(), failures)),
      [60_000, 120_000, 240_000, 3_600_000],
    )
  })

  it("does not come before the time that the upstream asked to wait", () => {
    const asked = LookupFailure.Failed({ retryAfterMillis: Option.some(90_000) })
    assert.strictEqual(wait(afterFailure(asked, 1, now, { timeScale: 60 })), 90_000)
  })

  it.effect.prop(
    "comes sooner in a faster world, but at most five times a second, and every two while nothing moves",
    [SwapState, Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 10_000 }))],
    ([state, timeScale]) =>
      Effect.sync(() => {
        const scaled = wait(afterAnswer(statusIn(state), now, { timeScale })) ?? 0
        const unscaled = waitAfter(statusIn(state)) ?? 0
        const least = ["waiting", "completed", "failed"].includes(state) ? 2_000 : 200
        assert.strictEqual(scaled, Math.max(least, Math.round(unscaled / timeScale)))
      }),
  )
})
