import { Duration } from "effect"
import type { CircuitBreaker } from "effect/persistence"
import type { Sharing } from "../../platform/Bulkhead.ts"
import type { OperationGroup } from "../Provider.ts"

/** How the calls of one group are guarded. */
export interface GroupKnobs {
  readonly attemptTimeout: Duration.Duration
  /** Further attempts after connection faults and 502 to 504. */
  readonly retries: number
  /** Longest that a call takes as a whole: its attempts, and the pauses between them. */
  readonly deadline: Duration.Duration
  /** Calls in flight. Who finds no place waits as `Sharing` says. */
  readonly bulkhead: number
  /** When the circuit opens. */
  readonly trip: CircuitBreaker.TripPolicy
  /** A call that takes longer counts as a failure; absent: however long it takes. */
  readonly slowCall?: Duration.Duration
}

/**
 * The same knobs, with no attempt that could outlast the deadline. As a further attempt is only begun where it
 * can end in time (`withRetries`), this holds the whole call to its deadline without a timer of its own.
 */
export const withinDeadline = (knobs: GroupKnobs): GroupKnobs => ({
  ...knobs,
  attemptTimeout: Duration.min(knobs.attemptTimeout, knobs.deadline),
})

/** A call waits no longer than this part of its deadline, so that there is time left for the call. */
const partOfDeadline = 4

/** How long a call of a group waits for its place. */
export const waitOf = ({ deadline }: GroupKnobs, { wait }: Sharing): Duration.Duration =>
  Duration.min(wait, Duration.millis(Duration.toMillis(deadline) / partOfDeadline))

/** How long circuits stay open. */
export interface CircuitKnobs {
  /** The first opening; each further one lasts twice as long. */
  readonly openTime: Duration.Duration
  /** Where the doubling ends, before the jitter of ±20 %. */
  readonly openTimeMost: Duration.Duration
  /** The most that a `Retry-After` of an upstream can keep a circuit open. */
  readonly retryAfterMost: Duration.Duration
}

/** Every knob of the guard. */
export interface GuardKnobs {
  readonly circuit: CircuitKnobs
  /** The same for all groups. */
  readonly sharing: Sharing
  readonly groups: Readonly<Record<OperationGroup, GroupKnobs>>
}
