import { Duration } from "effect"
import type { CircuitBreaker } from "effect/persistence"

/** Operations that share one circuit, one bulkhead and one set of figures; the key is never the pair. */
export const OperationGroup = ["quote", "open", "status"] as const
export type OperationGroup = typeof OperationGroup[number]

/** How the calls of one group are guarded (resilience.md). */
export interface GroupKnobs {
  readonly attemptTimeout: Duration.Duration
  /** Further attempts after connection faults and 502 to 504. */
  readonly retries: number
  /** Longest that a call takes as a whole: its attempts, and the pauses between them. */
  readonly deadline: Duration.Duration
  /** Calls in flight; there is no queue. */
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

/** How long circuits stay open (resilience.md). */
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
  readonly groups: Readonly<Record<OperationGroup, GroupKnobs>>
}
