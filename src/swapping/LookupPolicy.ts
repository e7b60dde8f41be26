import { Data, Duration, Option } from "effect"
import { stateChainBlockMillis } from "../domain/Chain.ts"
import { hasPendingEgress, isSettled, type SwapStatus } from "../domain/Swap.ts"
import { EpochMillis } from "../domain/Time.ts"
import { isProved, takesDeposits } from "./Progress.ts"

/** Speed of time: in the sandbox, simulated time runs faster than the clock. */
export interface LookupPace {
  /** Intervals are divided by this (setting `SANDBOX_SPEED`); 1 in live mode. */
  readonly timeScale: number
}

/** How swaps are followed. */
export interface LookupSchedule extends LookupPace {
  /** A swap without a proved end is asked for this long after its last change; then only when somebody asks. */
  readonly followQuietFor: Duration.Duration
}

/** Of a swap that is asked for, by our clock. */
export interface LookupTimes {
  /** When its status last became another one. */
  readonly changedAt: EpochMillis
  readonly now: EpochMillis
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

/** How often a swap is asked for: at these intervals, and later at a share of the time that it has been quiet. */
interface Rhythm {
  /** Milliseconds of the simulated or the real world. */
  readonly interval: number
  readonly shareOfQuiet: number
  /** Real milliseconds; however fast the world turns, neither the upstream nor the database is flooded. */
  readonly least: number
}

const rhythms = {
  /** One block of the state chain: nothing can change faster. Every two minutes and a half after a day. */
  moving: { interval: 6_000, shareOfQuiet: 1 / 600, least: 200 },
  /** Deposits take minutes on most chains. */
  waiting: { interval: 30_000, shareOfQuiet: 1 / 60, least: 2_000 },
  /** Nothing is expected, but a channel can be used again, and money can come late. Daily after two months. */
  resting: { interval: 300_000, shareOfQuiet: 1 / 60, least: 2_000 },
} as const satisfies Readonly<Record<string, Rhythm>>

const day = 86_400_000

/** However long a swap has been quiet. */
const mostApart = day

/** A deposit can be made just before its channel expires: after this long every chain has confirmed it. */
const lastDepositConfirmed = day

/** How failures in a row are spaced: doubling from `first` up to `most`. */
const backOff: Readonly<Record<LookupFailure["_tag"], { readonly first: number; readonly most: number }>> = {
  /** The upstream blocks who asks for unknown channels too often. */
  NotFound: { first: 60_000, most: 3_600_000 },
  Contradicted: { first: 30_000, most: 600_000 },
  Failed: { first: 6_000, most: 600_000 },
}

const after = (now: EpochMillis, interval: number, pace: LookupPace, least: number): EpochMillis =>
  EpochMillis.make(now + Math.max(least, Math.round(interval / pace.timeScale)))

/** The first look-up of a channel that was just opened. */
export const firstLookup = (now: EpochMillis, pace: LookupPace): EpochMillis =>
  after(now, rhythms.waiting.interval, pace, rhythms.waiting.least)

const rhythmOf = (status: SwapStatus): Rhythm => {
  if (isSettled(status)) return hasPendingEgress(status) ? rhythms.moving : rhythms.resting
  if (status.state !== "waiting") return rhythms.moving
  return takesDeposits(status) ? rhythms.waiting : rhythms.resting
}

const sinceChange = ({ changedAt, now }: LookupTimes, { timeScale }: LookupPace): number =>
  Math.max(0, now - changedAt) * timeScale

/**
 * How long a swap has been quiet though something could have happened, in milliseconds of its world. A channel that
 * takes deposits is expected to be quiet until its estimated expiry, which is compared with the upstream's own time,
 * because a simulated network may live in another year than we do.
 */
const quietOf = (status: SwapStatus, times: LookupTimes, pace: LookupPace): number => {
  const quiet = sinceChange(times, pace)
  const isStill = status.state === "waiting" || isSettled(status)
  if (!isStill || status.depositChannel === undefined || !takesDeposits(status)) return quiet
  const late = (status.lastStateChainUpdateAt ?? times.now) - status.depositChannel.estimatedExpiryTime
  return Math.min(quiet, Math.max(0, late))
}

const mostQuiet = (status: SwapStatus, { followQuietFor }: LookupSchedule): number => {
  if (!isProved(status) || takesDeposits(status)) return Duration.toMillis(followQuietFor)
  return status.depositChannel === undefined ? 0 : lastDepositConfirmed
}

/**
 * When to ask next after an answer: each block while the swap moves, slower while it waits for a deposit, and then
 * slower and slower. That a channel has expired ends nothing by itself: a deposit can be confirmed later, and be
 * noticed later still. Never again where the end is proved and no other deposit can come; after a long time without
 * a change only when somebody asks.
 */
export const afterAnswer = (
  status: SwapStatus,
  times: LookupTimes,
  schedule: LookupSchedule,
): Option.Option<EpochMillis> => {
  const quiet = quietOf(status, times, schedule)
  if (quiet >= mostQuiet(status, schedule)) return Option.none()
  const { interval, least, shareOfQuiet } = rhythmOf(status)
  const grown = Math.min(mostApart, Math.max(interval, quiet * shareOfQuiet))
  return Option.some(after(times.now, grown, schedule, least))
}

/** The same of a swap that was only just found. */
export const afterFirstAnswer = (
  status: SwapStatus,
  now: EpochMillis,
  pace: LookupPace,
): Option.Option<EpochMillis> =>
  afterAnswer(status, { changedAt: now, now }, { ...pace, followQuietFor: Duration.infinity })

/**
 * When to ask next after `failures` look-ups in a row that brought nothing: no sooner than of a swap that moves and
 * has been quiet for as long.
 */
export const afterFailure = (
  failure: LookupFailure,
  failures: number,
  times: LookupTimes,
  schedule: LookupSchedule,
): Option.Option<EpochMillis> => {
  const quiet = sinceChange(times, schedule)
  if (quiet >= Duration.toMillis(schedule.followQuietFor)) return Option.none()
  const { first, most } = backOff[failure._tag]
  const backedOff = Math.min(most, first * 2 ** Math.min(failures - 1, 30))
  const { least, shareOfQuiet } = rhythms.moving
  const interval = Math.max(backedOff, Math.min(mostApart, quiet * shareOfQuiet))
  const next = after(times.now, interval, schedule, least)
  const asked = failure._tag === "Failed" ? Option.getOrElse(failure.retryAfterMillis, () => 0) : 0
  return Option.some(EpochMillis.make(Math.max(next, times.now + Math.ceil(asked))))
}

/** The estimate where the upstream gives none, in milliseconds. */
const usualDuration = 3_600_000

/** Estimates of seconds are missed by as much for no reason worth telling of. */
const leastDuration = 600_000

/** Simulated time can run so fast that nothing would ever be in time. */
const leastRealDuration = 5_000

/** What is swapped in parts takes as long as lies between them, and what waits for its price until it gives up. */
const timeOfTerms = ({ dca, fillOrKill }: SwapStatus): number => {
  const between = dca === undefined ? 0 : (dca.numberOfChunks - 1) * dca.chunkIntervalBlocks
  return (between + (fillOrKill?.retryDurationBlocks ?? 0)) * stateChainBlockMillis
}

/** Milliseconds that the state of a swap may last; nothing where that is for nobody to say. */
const mostDuration = (status: SwapStatus): number | undefined => {
  const ends = isSettled(status) && !hasPendingEgress(status)
  if (status.state === "waiting" || ends) return undefined
  const estimate = Math.max(leastDuration, status.estimatedDuration ?? usualDuration)
  return status.state === "swapping" ? estimate + timeOfTerms(status) : estimate
}

/**
 * Until when the state that a swap came into may last: the upstream's estimate for all of the swap, and the time
 * that its own terms take while it is swapped. A deposit that never comes is nobody's fault, and an end lasts.
 */
export const stallsAt = (
  status: SwapStatus,
  since: EpochMillis,
  pace: LookupPace,
): Option.Option<EpochMillis> =>
  Option.map(
    Option.fromUndefinedOr(mostDuration(status)),
    (most) => EpochMillis.make(since + Math.max(leastRealDuration, Math.round(most / pace.timeScale))),
  )
