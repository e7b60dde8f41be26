import { Data, Duration, Option } from "effect"
import { hasPendingEgress, isSettled, type SwapStatus } from "#domain/swaps/Swap.ts"
import { EpochMillis } from "#domain/Time.ts"
import { isProved, ownChannel, takesDeposits } from "./Progress.ts"

/** The speed of time: in the sandbox, simulated time runs faster than the clock. */
export interface LookupPace {
  /** Intervals are divided by this (setting `SANDBOX_SPEED`); 1 in live mode. */
  readonly timeScale: number
}

export interface LookupSchedule extends LookupPace {
  /** How long after its last change a swap without a proved end is followed; later it is looked up only on request. */
  readonly followQuietFor: Duration.Duration
}

/** The times of a look-up, by our clock. */
export interface LookupTimes {
  /** The time of the last change of status. */
  readonly changedAt: EpochMillis
  readonly now: EpochMillis
}

/** Why a look-up brought no new status. */
export type LookupFailure = Data.TaggedEnum<{
  /** The upstream does not know the channel, or not yet. */
  NotFound: object
  Contradicted: object
  /** The upstream did not answer, or not legibly; `retryAfterMillis` is the wait that it asked for. */
  Failed: { readonly retryAfterMillis: Option.Option<number> }
}>
export const LookupFailure = Data.taggedEnum<LookupFailure>()

/** The rhythm of look-ups: the interval, and later a share of the time that the swap has been quiet. */
interface LookupBackoff {
  /** In milliseconds of the simulated or the real world. */
  readonly interval: number
  readonly shareOfQuiet: number
  /** In real milliseconds: however fast simulated time runs, neither the upstream nor the database is flooded. */
  readonly least: number
}

const rhythms = {
  /** One block of the state chain, as nothing can change faster; after a quiet day, every two and a half minutes. */
  moving: { interval: 6_000, shareOfQuiet: 1 / 600, least: 200 },
  /** Deposits take minutes on most chains. */
  waiting: { interval: 30_000, shareOfQuiet: 1 / 60, least: 2_000 },
  /** Nothing is expected, but a channel can be used again, and money can come late. After two months, once a day. */
  resting: { interval: 300_000, shareOfQuiet: 1 / 60, least: 2_000 },
} as const satisfies Readonly<Record<string, LookupBackoff>>

const day = 86_400_000

/** The longest time between two look-ups, however long a swap has been quiet. */
const mostApart = day

/** How long after a channel's expiry its last deposit may be confirmed: every chain has confirmed it by then. */
const lastDepositConfirmed = day

/** The spacing of failures in a row: doubling from `first` up to `most`. */
const backOff: Readonly<Record<LookupFailure["_tag"], { readonly first: number; readonly most: number }>> = {
  /** The upstream blocks clients that ask for unknown channels too often. */
  NotFound: { first: 60_000, most: 3_600_000 },
  Contradicted: { first: 30_000, most: 600_000 },
  Failed: { first: 6_000, most: 600_000 },
}

const after = (now: EpochMillis, interval: number, pace: LookupPace, least: number): EpochMillis =>
  EpochMillis.make(now + Math.max(least, Math.round(interval / pace.timeScale)))

/** The time of the first look-up of a newly opened channel. */
export const firstLookup = (now: EpochMillis, pace: LookupPace): EpochMillis =>
  after(now, rhythms.waiting.interval, pace, rhythms.waiting.least)

const rhythmOf = (status: SwapStatus): LookupBackoff => {
  if (isSettled(status)) return hasPendingEgress(status) ? rhythms.moving : rhythms.resting
  if (status.state !== "waiting") return rhythms.moving
  return takesDeposits(status) ? rhythms.waiting : rhythms.resting
}

const sinceChange = ({ changedAt, now }: LookupTimes, { timeScale }: LookupPace): number =>
  Math.max(0, now - changedAt) * timeScale

/**
 * How long a swap has been quiet although something could have happened, in milliseconds of its world. A channel that
 * takes deposits is expected to be quiet until its estimated expiry. The expiry is compared with the upstream's own
 * time, because a simulated network may live in another year than we do.
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
  return ownChannel(status) === undefined ? 0 : lastDepositConfirmed
}

/**
 * The time of the next look-up after an answer: with each block while the swap moves, more slowly while it waits for a
 * deposit, and then ever more slowly. An expired channel is still looked up, as a deposit can be confirmed later, and
 * noticed later still. None once the end is proved and no other deposit can come; after a long time without a change,
 * only on request.
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

/** The time of the next look-up of a swap that was only just found. */
export const afterFirstAnswer = (
  status: SwapStatus,
  now: EpochMillis,
  pace: LookupPace,
): Option.Option<EpochMillis> =>
  afterAnswer(status, { changedAt: now, now }, { ...pace, followQuietFor: Duration.infinity })

/** The next look-up after `failures` in a row: no sooner than for a moving swap that was quiet as long. */
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
