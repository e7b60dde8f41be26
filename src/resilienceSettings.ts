import { Duration, Schema } from "effect"
import { aDuration, between, integer, numberFrom, PositiveDuration } from "./settingKinds.ts"
import { setting } from "./Setting.ts"

const duration = (name: string, value: string, meaning: string) =>
  setting({ name, default: value, schema: PositiveDuration, expected: aDuration, meaning })

/** What can be done without. */
const durationOrNone = (name: string, value: string, meaning: string) =>
  setting({
    name,
    default: value,
    schema: between(Duration.zero),
    expected: 'a duration of at most 1 hour, such as "5 seconds", or 0',
    meaning,
  })

const count = (name: string, value: number, most: number, meaning: string) =>
  setting({
    name,
    default: `${value}`,
    schema: integer(1, most),
    expected: `a number from 1 to ${most}`,
    meaning,
  })

const retries = (name: string, value: number, meaning: string) =>
  setting({ name, default: `${value}`, schema: integer(0, 10), expected: "a number from 0 to 10", meaning })

/** How calls of providers are guarded, and quotes gathered: every figure of the resilience design. */
export const resilienceSettings = {
  quoteDeadline: duration("QUOTE_DEADLINE", "5 seconds", "Longest that a quote request takes as a whole"),
  quoteGrace: duration(
    "QUOTE_GRACE",
    "400 millis",
    "How much longer the other providers get once one has answered with quotes",
  ),
  quoteReuse: durationOrNone(
    "QUOTE_CACHE_TTL",
    "1 second",
    "For how long a provider's quotes are reused; 0: not at all, but for callers who wait for the same ones",
  ),
  refusalReuse: durationOrNone(
    "QUOTE_REFUSAL_TTL",
    "250 millis",
    "For how long a provider's refusal of a quote is reused; 0: not at all",
  ),
  quoteTimeout: duration("QUOTE_TIMEOUT", "3 seconds", "Longest that one attempt of a quote call may take"),
  quoteRetries: retries("QUOTE_RETRIES", 1, "Further attempts of a quote call after a connection fault"),
  quoteBulkhead: count("QUOTE_BULKHEAD", 64, 10_000, "Quote calls in flight to one provider"),
  quoteSlowCall: duration("QUOTE_SLOW_CALL", "2500 millis", "A slower quote call counts as a failure"),
  openDeadline: duration(
    "OPEN_DEADLINE",
    "65 seconds",
    "Longest that an opening at one provider takes as a whole",
  ),
  openTimeout: duration(
    "OPEN_TIMEOUT",
    "60 seconds",
    "Longest that a provider may take to open a channel, within OPEN_DEADLINE",
  ),
  openBulkhead: count("OPEN_BULKHEAD", 16, 10_000, "Openings in flight at one provider"),
  openFailures: count(
    "OPEN_FAILURES",
    5,
    1_000,
    "Openings that fail in a row before the provider's circuit opens",
  ),
  statusDeadline: duration(
    "STATUS_DEADLINE",
    "5 seconds",
    "Longest that looking up a status takes as a whole, with further attempts; then the stored one is shown",
  ),
  statusTimeout: duration(
    "STATUS_TIMEOUT",
    "3 seconds",
    "Longest that one attempt of a status call may take",
  ),
  statusRetries: retries("STATUS_RETRIES", 2, "Further attempts of a status call after a connection fault"),
  statusBulkhead: count("STATUS_BULKHEAD", 32, 10_000, "Status calls in flight to one provider"),
  statusSlowCall: duration("STATUS_SLOW_CALL", "2500 millis", "A slower status call counts as a failure"),
  nodeDeadline: duration(
    "NODE_DEADLINE",
    "5 seconds",
    "Longest that a call of POST /rpc to a node takes as a whole",
  ),
  nodeTimeout: duration("NODE_TIMEOUT", "3 seconds", "Longest that one attempt of a node call may take"),
  nodeRetries: retries("NODE_RETRIES", 1, "Further attempts of a node call after a connection fault"),
  nodeBulkhead: count("NODE_BULKHEAD", 32, 10_000, "Node calls in flight to one provider"),
  nodeSlowCall: duration("NODE_SLOW_CALL", "2500 millis", "A slower node call counts as a failure"),
  bulkheadShare: setting({
    name: "BULKHEAD_SHARE",
    default: "0.5",
    schema: numberFrom(Schema.Finite.check(Schema.isBetween({ minimum: 0.01, maximum: 1 }))),
    expected: "a number from 0.01 to 1",
    meaning: "Most that one account may have of the places of a bulkhead; at least one",
  }),
  bulkheadWait: setting({
    name: "BULKHEAD_WAIT",
    default: "1 second",
    schema: between(Duration.zero),
    expected: "a duration of at most 1 hour; 0 seconds refuses at once",
    meaning:
      "How long a call waits for a place in a bulkhead, in the line of its account, at most a quarter of its deadline",
  }),
  circuitWindow: count("CIRCUIT_WINDOW", 20, 10_000, "Latest calls that decide about a circuit"),
  circuitMinimumCalls: count(
    "CIRCUIT_MINIMUM_CALLS",
    10,
    10_000,
    "Calls in the window before a circuit can open",
  ),
  circuitFailureShare: setting({
    name: "CIRCUIT_FAILURE_SHARE",
    default: "0.5",
    schema: numberFrom(Schema.Finite.check(Schema.isBetween({ minimum: 0.01, maximum: 1 }))),
    expected: "a number from 0.01 to 1",
    meaning: "Share of failures in the window that opens a circuit",
  }),
  circuitOpenTime: duration(
    "CIRCUIT_OPEN_TIME",
    "5 seconds",
    "How long a circuit stays open at first; each further time doubles it",
  ),
  circuitOpenTimeMost: duration("CIRCUIT_OPEN_TIME_MOST", "120 seconds", "Longest that a circuit stays open"),
  circuitRetryAfterMost: duration(
    "CIRCUIT_RETRY_AFTER_MOST",
    "10 minutes",
    "Longest that an upstream's Retry-After keeps a circuit open",
  ),
  circuitForget: setting({
    name: "CIRCUIT_FORGET",
    // No shorter than the longest opening, or the doubling is forgotten while the circuit is open.
    default: "10 minutes",
    schema: between(Duration.minutes(1)),
    expected: "a duration from 1 minute to 1 hour",
    meaning: "Idle time after which a circuit forgets its failures",
  }),
}
