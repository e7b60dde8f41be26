import { Duration } from "effect"
import { CircuitBreaker } from "effect/persistence"
import { derived, fixed, setting, struct } from "#infrastructure/config/Setting.ts"
import { between, count, duration, durationOrNone, numberBetween } from "#infrastructure/config/kinds.ts"

/** When a circuit opens: by the share of failures among the latest calls of its provider and group. */
const trip = derived(
  struct({
    size: count(1, 10_000, {
      name: "CIRCUIT_WINDOW",
      default: 20,
      meaning: "Number of latest calls whose failures can pause an operation (the circuit breaker)",
    }),
    minimumCalls: count(1, 10_000, {
      name: "CIRCUIT_MINIMUM_CALLS",
      default: 10,
      meaning: "Minimum number of calls in CIRCUIT_WINDOW before the circuit breaker can open",
    }),
    threshold: numberBetween(0.01, 1, {
      name: "CIRCUIT_FAILURE_SHARE",
      default: "0.5",
      meaning: "Share of failures in CIRCUIT_WINDOW that opens the circuit breaker",
    }),
  }),
  ({ minimumCalls, size, threshold }) =>
    CircuitBreaker.rate({ threshold, size, minimumCalls: Math.min(minimumCalls, size) }),
)

/** When the circuit of openings opens: they are few, so failures in a row count. */
const openingTrip = derived(
  count(1, 1_000, {
    name: "OPEN_FAILURES",
    default: 5,
    meaning: "Number of failed openings in a row that opens the circuit breaker for openings",
  }),
  (failures) => CircuitBreaker.consecutive(failures),
)

const retriesOf = (name: string, value: number, meaning: string) =>
  count(0, 10, { name, default: value, meaning })

const countOf = (name: string, value: number, meaning: string, most = 10_000) =>
  count(1, most, { name, default: value, meaning })

const durationOf = (name: string, value: string, meaning: string) =>
  duration({ name, default: value, meaning })

const quoteTimeout = durationOf("QUOTE_TIMEOUT", "3 seconds", "Timeout of one attempt of a quote call")
const openTimeout = durationOf(
  "OPEN_TIMEOUT",
  "60 seconds",
  "Timeout of the call that opens a channel, within OPEN_DEADLINE",
)
const statusDeadline = durationOf(
  "STATUS_DEADLINE",
  "5 seconds",
  "Deadline of a status check; then the stored status is shown",
)
const quoteDeadline = durationOf("QUOTE_DEADLINE", "5 seconds", "Deadline of a whole quote request")

const treasuryDeadline = durationOf(
  "TREASURY_DEADLINE",
  "65 seconds",
  "Deadline of a balance read or a withdrawal request",
)

/** Deadlines that other rooms wait for, too. */
export const deadlines = { quoteDeadline, quoteTimeout, openTimeout, statusDeadline, treasuryDeadline }

export const guardSettings = struct({
  groups: struct({
    quote: struct({
      deadline: quoteDeadline,
      attemptTimeout: quoteTimeout,
      retries: retriesOf("QUOTE_RETRIES", 1, "Further attempts of a quote call after a connection fault"),
      bulkhead: countOf(
        "QUOTE_BULKHEAD",
        64,
        "Maximum number of quote calls to one provider at a time (its bulkhead)",
      ),
      slowCall: durationOf("QUOTE_SLOW_CALL", "2.5 seconds", "A slower quote call counts as a failure"),
      trip,
    }),
    open: struct({
      deadline: durationOf("OPEN_DEADLINE", "65 seconds", "Deadline of a whole opening at one provider"),
      attemptTimeout: openTimeout,
      // An opening is never repeated.
      retries: fixed(0),
      bulkhead: countOf("OPEN_BULKHEAD", 16, "Maximum number of openings at one provider at a time"),
      trip: openingTrip,
    }),
    status: struct({
      deadline: statusDeadline,
      attemptTimeout: durationOf("STATUS_TIMEOUT", "3 seconds", "Timeout of one attempt of a status call"),
      retries: retriesOf("STATUS_RETRIES", 2, "Further attempts of a status call after a connection fault"),
      bulkhead: countOf("STATUS_BULKHEAD", 32, "Maximum number of status calls to one provider at a time"),
      slowCall: durationOf("STATUS_SLOW_CALL", "2.5 seconds", "A slower status call counts as a failure"),
      trip,
    }),
    node: struct({
      deadline: durationOf("NODE_DEADLINE", "5 seconds", "Deadline of a whole POST /rpc call to a node"),
      attemptTimeout: durationOf("NODE_TIMEOUT", "3 seconds", "Timeout of one attempt of a node call"),
      retries: retriesOf("NODE_RETRIES", 1, "Further attempts of a node call after a connection fault"),
      bulkhead: countOf("NODE_BULKHEAD", 32, "Maximum number of node calls to one provider at a time"),
      slowCall: durationOf("NODE_SLOW_CALL", "2.5 seconds", "A slower node call counts as a failure"),
      trip,
    }),
    treasury: struct({
      deadline: treasuryDeadline,
      attemptTimeout: durationOf(
        "TREASURY_TIMEOUT",
        "60 seconds",
        "Timeout of one treasury call, within TREASURY_DEADLINE",
      ),
      // An order is never repeated, and the account is looked at again soon.
      retries: fixed(0),
      bulkhead: countOf(
        "TREASURY_BULKHEAD",
        4,
        "Maximum number of balance reads and withdrawal requests at one provider at a time",
      ),
      trip,
    }),
  }),
  sharing: struct({
    share: numberBetween(0.01, 1, {
      name: "BULKHEAD_SHARE",
      default: "0.5",
      meaning: "Maximum share of a bulkhead for one account; always at least one call",
    }),
    wait: durationOrNone({
      name: "BULKHEAD_WAIT",
      default: "1 second",
      meaning:
        "Maximum wait of a call for a free place in a bulkhead, and at most a quarter of its deadline; 0: no wait",
    }),
  }),
  circuit: struct({
    openTime: durationOf(
      "CIRCUIT_OPEN_TIME",
      "5 seconds",
      "Time that a circuit breaker first stays open; doubles each time",
    ),
    openTimeMost: durationOf(
      "CIRCUIT_OPEN_TIME_MOST",
      "120 seconds",
      "Maximum time that a circuit breaker stays open",
    ),
    retryAfterMost: durationOf(
      "CIRCUIT_RETRY_AFTER_MOST",
      "10 minutes",
      "Maximum pause from an upstream's Retry-After",
    ),
  }),
})

export const circuitForget = setting({
  name: "CIRCUIT_FORGET",
  // Not shorter than the longest open time, or the doubling would be forgotten while the circuit is open.
  default: "10 minutes",
  schema: between(Duration.minutes(1)),
  expected: "a duration from 1 minute to 1 hour",
  meaning: "Idle time after which a circuit breaker forgets its failures",
})
