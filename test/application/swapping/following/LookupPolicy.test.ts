import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Option, Schema } from "effect"
import { NativeAmount } from "#domain/money/Amount.ts"
import { type Egress, SwapState, type SwapStatus } from "#domain/swaps/Swap.ts"
import { BlockIndex, EpochMillis } from "#domain/Time.ts"
import {
  afterAnswer,
  afterFailure,
  afterFirstAnswer,
  firstLookup,
  LookupFailure,
} from "#application/swapping/following/LookupPolicy.ts"
import { expired, expiry, paid, statusIn } from "#test/support/swap.ts"

const now = EpochMillis.make(1_000_000)
const live = { timeScale: 1, followQuietFor: Duration.days(60) }
const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

const wait = (next: Option.Option<EpochMillis>, from = now): number | undefined =>
  Option.getOrUndefined(Option.map(next, (time) => time - from))

/** Milliseconds to the next look-up of a swap whose status has been the same for so long. */
const waitAfter = (status: SwapStatus, quiet = 0) => {
  const later = EpochMillis.make(now + quiet)
  return wait(afterAnswer(status, { changedAt: now, now: later }, live), later)
}

const failure = LookupFailure.Failed({ retryAfterMillis: Option.none() })
const waitAfterFailures = (kind: LookupFailure, failures: number, quiet = 0) => {
  const later = EpochMillis.make(now + quiet)
  return wait(afterFailure(kind, failures, { changedAt: now, now: later }, live), later)
}

const unpaid: Egress = { amount: NativeAmount.make(5n) }
const { depositChannel: _, ...vaultSwap } = statusIn("completed")

/** Ends that no payment proves. */
const unproved: ReadonlyArray<readonly [string, SwapStatus]> = [
  ["a deposit that never came", expired(statusIn("waiting"))],
  ["a failure", expired(statusIn("failed"))],
  ["a failure of a vault swap", { ...vaultSwap, state: "failed", swapEgress: { ...unpaid, failedAt: now } }],
  [
    "a refund that nobody names a transaction of",
    expired(
      statusIn("completed", {
        swapEgress: { ...unpaid, failedAt: now },
        refundEgress: { ...unpaid, witnessedAt: now },
      }),
    ),
  ],
  [
    "a payment of nothing",
    expired(statusIn("failed", { refundEgress: { ...paid, amount: NativeAmount.make(0n) } })),
  ],
  [
    "a payment that failed",
    expired(statusIn("failed", {
      refundEgress: {
        ...paid,
        failure: {
          failedAt: now,
          failedBlockIndex: BlockIndex.make("1-1"),
          mode: "SENDING_FAILED",
          reason: { code: "BroadcastAborted", message: "The refund broadcast was aborted" },
        },
      },
    })),
  ],
]

/** Money that is on its way, of whichever kind. */
const underWay: ReadonlyArray<readonly [string, SwapStatus]> = [
  ["output", expired(statusIn("failed", { swapEgress: unpaid }))],
  ["refund", expired(statusIn("failed", { refundEgress: unpaid }))],
  ["fallback", expired(statusIn("failed", { fallbackEgress: unpaid }))],
  ["second payment", expired(statusIn("completed", { refundEgress: unpaid }))],
]

describe("the next look-up", () => {
  it("comes with each block while the swap moves", () => {
    for (const state of ["receiving", "swapping", "sending", "sent"] as const) {
      assert.strictEqual(waitAfter(statusIn(state)), 6_000)
      assert.strictEqual(waitAfter(expired(statusIn(state))), 6_000)
      assert.strictEqual(waitAfter(statusIn(state), hour), 6_000)
    }
  })

  it("comes more slowly while a deposit is waited for, and for a channel that was just opened", () => {
    assert.strictEqual(waitAfter(statusIn("waiting")), 30_000)
    assert.strictEqual(waitAfter(statusIn("waiting"), 23 * hour), 30_000)
    assert.strictEqual(firstLookup(now, live) - now, 30_000)
  })

  it("comes slowly after the end while the channel can be used again", () => {
    for (const state of ["completed", "failed"] as const) {
      assert.strictEqual(waitAfter(statusIn(state)), 300_000)
      assert.strictEqual(waitAfter(statusIn(state), 23 * hour), 300_000)
    }
  })

  it.each(underWay)("comes with each block while a %s is on its way after the end", (_, status) => {
    assert.strictEqual(waitAfter(status), 6_000)
    assert.strictEqual(waitAfter(status, 10 * day), 24 * minute)
  })

  it.each(unproved)("comes slower and slower, for two months, after %s", (_, status) => {
    assert.deepStrictEqual(
      [0, hour, 2 * day, 59 * day].map((quiet) => waitAfter(status, quiet)),
      [5 * minute, 5 * minute, 48 * minute, 59 * day / 60],
    )
    assert.isUndefined(waitAfter(status, 60 * day))
  })

  it("comes for a day after a proved end whose channel has expired, and then never again", () => {
    for (
      const status of [
        statusIn("completed"),
        statusIn("failed", { refundEgress: paid }),
        statusIn("failed", { fallbackEgress: paid }),
        statusIn("completed", { swapEgress: { ...unpaid, failedAt: now }, refundEgress: paid }),
      ]
    ) {
      assert.strictEqual(waitAfter(expired(status)), 5 * minute)
      assert.strictEqual(waitAfter(expired(status), day - minute), (day - minute) / 60)
      assert.isUndefined(waitAfter(expired(status), day))
    }
  })

  it("never comes again after the proved end of a vault swap, which has no channel", () => {
    assert.isUndefined(waitAfter(vaultSwap))
    assert.isUndefined(wait(afterFirstAnswer(vaultSwap, now, live)))
  })

  it("comes of a swap that was just found as of any other", () => {
    assert.strictEqual(wait(afterFirstAnswer({ ...vaultSwap, state: "sending" }, now, live)), 6_000)
    assert.strictEqual(
      wait(afterFirstAnswer({ ...vaultSwap, state: "failed", swapEgress: unpaid }, now, live)),
      6_000,
    )
  })

  it("comes slower and slower when the upstream never says that a channel expired, and not for ever", () => {
    const at = (late: number) => {
      const later = EpochMillis.make(expiry + late)
      return wait(afterAnswer(statusIn("waiting"), { changedAt: now, now: later }, live), later)
    }
    assert.deepStrictEqual([0, hour, day, 60 * day].map(at), [30_000, minute, 24 * minute, undefined])
  })

  it("heeds the upstream's own time of a channel, and ours where that is far away", () => {
    const late = EpochMillis.make(expiry + 70 * day)
    const behind = statusIn("waiting", { lastStateChainUpdateAt: now })
    assert.strictEqual(wait(afterAnswer(behind, { changedAt: now, now: late }, live), late), 30_000)
    assert.strictEqual(waitAfter(statusIn("waiting", { lastStateChainUpdateAt: late })), 30_000)
  })

  it("comes slower and slower of a swap that does not move on, and not for ever", () => {
    assert.deepStrictEqual(
      [day, 59 * day, 60 * day].map((quiet) => waitAfter(statusIn("sending"), quiet)),
      [day / 600, 59 * day / 600, undefined],
    )
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

  it("comes after failures no sooner than of a swap that has been quiet for as long, and not for ever", () => {
    assert.strictEqual(waitAfterFailures(failure, 1, 30 * day), 72 * minute)
    assert.strictEqual(waitAfterFailures(failure, 100_000, 59 * day), 59 * day / 600)
    assert.isUndefined(waitAfterFailures(failure, 1, 60 * day))
  })

  it("does not come before the time that the upstream asked to wait", () => {
    const asked = LookupFailure.Failed({ retryAfterMillis: Option.some(90_000) })
    const times = { changedAt: now, now }
    assert.strictEqual(wait(afterFailure(asked, 1, times, { ...live, timeScale: 60 })), 90_000)
  })

  it.effect.prop(
    "comes sooner in a faster world, but at most five times a second, and every two while nothing moves",
    [SwapState, Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 10_000 }))],
    ([state, timeScale]) =>
      Effect.sync(() => {
        const scaled = wait(afterAnswer(statusIn(state), { changedAt: now, now }, { ...live, timeScale })) ??
          0
        const unscaled = waitAfter(statusIn(state)) ?? 0
        const least = ["waiting", "completed", "failed"].includes(state) ? 2_000 : 200
        assert.strictEqual(scaled, Math.max(least, Math.round(unscaled / timeScale)))
      }),
  )

  it("leaves 20,000 swaps whose money never came with less than two look-ups a second", () => {
    let quiet = 0
    let asked = 0
    for (let next = waitAfter(expired(statusIn("waiting"))); next !== undefined; asked++) {
      quiet += next
      next = waitAfter(expired(statusIn("waiting")), quiet)
    }
    // As many as expire in the sixty days of the schedule, one after another.
    assert.isBelow(20_000 * asked / (60 * day / second), 2)
    assert.isBelow(asked, 500)
  })
})
