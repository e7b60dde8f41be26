import { Duration } from "effect"
import type { CircuitBreaker } from "effect/persistence"
import type { Sharing } from "#infrastructure/platform/Bulkhead.ts"
import type { OperationGroup } from "../operations.ts"

export interface GroupOptions {
  readonly attemptTimeout: Duration.Duration
  /** Further attempts after connection faults and 502 to 504. */
  readonly retries: number
  /** The longest time of a whole call: its attempts, and the pauses between them. */
  readonly deadline: Duration.Duration
  /** The most calls in flight. A call without a place waits, as `Sharing` describes. */
  readonly bulkhead: number
  readonly trip: CircuitBreaker.TripPolicy
  /** The duration above which a call counts as a failure; absent: no call is too slow. */
  readonly slowCall?: Duration.Duration
}

/** Attempts that cannot outlast the deadline: with `attempted` (`GroupGuard.ts`) no call needs another timer. */
export const withinDeadline = (knobs: GroupOptions): GroupOptions => ({
  ...knobs,
  attemptTimeout: Duration.min(knobs.attemptTimeout, knobs.deadline),
})

/** The part of its deadline, 1/4, that a call waits for a place at most, so that time is left for the call. */
const partOfDeadline = 4

/** How long a call of a group waits for its place. */
export const waitOf = ({ deadline }: GroupOptions, { wait }: Sharing): Duration.Duration =>
  Duration.min(wait, Duration.millis(Duration.toMillis(deadline) / partOfDeadline))

export interface CircuitOptions {
  /** The first open time; each further one is twice as long. */
  readonly openTime: Duration.Duration
  /** The longest open time, before the jitter of ±20 %. */
  readonly openTimeMost: Duration.Duration
  /** The longest time that an upstream's `Retry-After` can keep a circuit open. */
  readonly retryAfterMost: Duration.Duration
}

export interface GuardOptions {
  readonly circuit: CircuitOptions
  /** How accounts share the places of each group; the same for all groups. */
  readonly sharing: Sharing
  readonly groups: Readonly<Record<OperationGroup, GroupOptions>>
}
