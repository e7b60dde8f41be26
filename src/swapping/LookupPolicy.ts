import { Data, Option } from "effect"
import { hasPendingEgress, isSettled, type SwapStatus } from "../domain/Swap.ts"
import { EpochMillis } from "../domain/Time.ts"

/** How fast the world turns: the sandbox lets simulated time run faster than the clock. */
export interface LookupPace {
  /** Intervals are divided by this (setting `SANDBOX_SPEED`); 1 in live mode. */
  readonly timeScale: number
}

/** Why a look-up brought nothing. */
export type LookupFailure = Data.TaggedEnum<{
  /** The upstream does not know the channel (yet). */
  NotFound: object
  /** The upstream contradicted what it had said before. */
  Contradicted: object
  /** No answer, or not one that can be read; `retryAfterMillis` is what the upstream asked to wait. */
  Failed: { readonly retryAfterMillis: Option.Option<number> }
}>
export const LookupFailure = Data.taggedEnum<LookupFailure>()

/** Milliseconds of the simulated or the real world. */
const intervals = {
  /** One block of the state chain (chainflip.md 1.1): nothing can change faster. */
  moving: 6_000,
  /** Deposits take minutes on most chains. */
  waiting: 30_000,
  /** A channel can be used again until it expires (chainflip.md 3.6). */
  settled: 300_000,
  /** After this long past its estimate the upstream has forgotten to say that a channel expired. */
  abandoned: 7 * 86_400_000,
}

/** How failures in a row are spaced: doubling from `first` up to `most`. */
const backOff: Readonly<Record<LookupFailure["_tag"], { readonly first: number; readonly most: number }>> = {
  /** The upstream blocks who asks for unknown channels too often (chainflip.md 3.5). */
  NotFound: { first: 60_000, most: 3_600_000 },
  Contradicted: { first: 30_000, most: 600_000 },
  Failed: { first: 6_000, most: 600_000 },
}

/** A month of failures every ten minutes, longer where they are spaced wider. */
const hopelessFailures = 5_000

/** Real milliseconds; however fast the world turns, neither the upstream nor the database is flooded. */
const minimumIntervals = { moving: 200, waiting: 2_000 }

const after = (
  now: EpochMillis,
  interval: number,
  pace: LookupPace,
  minimum: number = minimumIntervals.moving,
): EpochMillis => EpochMillis.make(now + Math.max(minimum, Math.round(interval / pace.timeScale)))

/**
 * Whether the channel can still bring a deposit. A vault swap has none. The upstream's estimate is compared
 * with the upstream's own time, because a simulated network may live in another year than we do.
 */
const canBeUsed = (status: SwapStatus, now: EpochMillis): boolean => {
  const channel = status.depositChannel
  return channel !== undefined && !channel.isExpired &&
    (status.lastStateChainUpdateAt ?? now) < channel.estimatedExpiryTime + intervals.abandoned
}

/** The first look-up of a channel that was just opened. */
export const firstLookup = (now: EpochMillis, pace: LookupPace): EpochMillis =>
  after(now, intervals.waiting, pace, minimumIntervals.waiting)

/**
 * When to ask next after an answer: each block while the swap moves, slower while it waits for a deposit,
 * slowly while a settled swap's channel can be used again, then never. Whether the channel has expired is
 * the upstream's word; only one that never says it is given up some time after its estimate.
 */
export const afterAnswer = (
  status: SwapStatus,
  now: EpochMillis,
  pace: LookupPace,
): Option.Option<EpochMillis> => {
  const settled = isSettled(status)
  if (settled ? hasPendingEgress(status) : status.state !== "waiting") {
    return Option.some(after(now, intervals.moving, pace))
  }
  if (!canBeUsed(status, now)) return Option.none()
  const interval = settled ? intervals.settled : intervals.waiting
  return Option.some(after(now, interval, pace, minimumIntervals.waiting))
}

/** When to ask next after `failures` look-ups in a row that brought nothing; never, when all hope is gone. */
export const afterFailure = (
  failure: LookupFailure,
  failures: number,
  now: EpochMillis,
  pace: LookupPace,
): Option.Option<EpochMillis> => {
  if (failures > hopelessFailures) return Option.none()
  const { first, most } = backOff[failure._tag]
  const next = after(now, Math.min(most, first * 2 ** Math.min(failures - 1, 30)), pace)
  const asked = failure._tag === "Failed" ? Option.getOrElse(failure.retryAfterMillis, () => 0) : 0
  return Option.some(EpochMillis.make(Math.max(next, now + Math.ceil(asked))))
}
