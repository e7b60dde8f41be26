import { Metric } from "effect"

/** In seconds; from a local answer to the longest opening. */
const durations = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

/** In seconds; from an immediate delivery to its last attempt. */
const lags = [0.1, 0.5, 1, 5, 15, 60, 300, 1_800, 7_200, 36_000, 86_400, 259_200]

/** The series whose first labels have certain values, by the value of the next label. */
class Branch<Series> {
  series: Series | undefined
  readonly #next = new Map<string, Branch<Series>>()

  under(value: string): Branch<Series> {
    const known = this.#next.get(value)
    if (known !== undefined) return known
    const made = new Branch<Series>()
    this.#next.set(value, made)
    return made
  }
}

/** What a series is made of: its description, and the values of its labels. */
interface SeriesOptions {
  readonly description: string
  readonly attributes: Readonly<Record<string, string>>
}

/** Metrics with labels: each series is made once and found label by label, which is cheapest. */
const labelled =
  <Series>(make: (name: string, options: SeriesOptions) => Series) =>
  <const Label extends string>(name: string, labels: ReadonlyArray<Label>, description: string) => {
    const root = new Branch<Series>()
    return (attributes: Readonly<Record<Label, string>>): Series => {
      let branch = root
      for (const label of labels) branch = branch.under(attributes[label])
      return branch.series ??= make(name, { description, attributes })
    }
  }

const counter = labelled((name, options) => Metric.counter(name, { ...options, incremental: true }))
const gauge = labelled((name, options) => Metric.gauge(name, options))
const timer = labelled((name, options) => Metric.histogram(name, { ...options, boundaries: durations }))

/** Counters of native amounts, which no double holds. */
const amounts = labelled((name, options) =>
  Metric.counter(name, { ...options, bigint: true, incremental: true })
)

/** Every metric of the service. No label ever holds a key, an address or a swap's id. */
export const metrics = {
  buildInfo: gauge(
    "swap_broker_build_info",
    ["version", "deno"],
    "1, by version of the service and of its runtime",
  ),
  processStartTime: Metric.gauge("process_start_time_seconds", {
    description: "When this process started, in seconds since 1970",
  }),
  processCpuSeconds: Metric.counter("process_cpu_seconds_total", {
    description: "Seconds that the processors worked for this process, for itself and for the system",
    incremental: true,
  }),
  processResidentMemory: Metric.gauge("process_resident_memory_bytes", {
    description: "Memory that this process has in use",
  }),
  processOpenFiles: Metric.gauge("process_open_fds", {
    description: "Files and connections that this process has open; absent where it may not know",
  }),
  providerCalls: counter(
    "swap_broker_provider_calls_total",
    ["provider", "operation", "outcome"],
    "Calls of providers by provider, operation and outcome",
  ),
  providerCallSeconds: timer(
    "swap_broker_provider_call_duration_seconds",
    ["provider", "operation"],
    "How long calls of providers took, by provider and operation",
  ),
  providerInFlight: gauge(
    "swap_broker_provider_calls_in_flight",
    ["provider", "operation"],
    "Calls of providers under way, by provider and operation",
  ),
  budgetCalls: counter(
    "swap_broker_budget_calls_total",
    ["provider", "limit", "urgency", "outcome"],
    "Calls that an upstream limits, by provider, limit, urgency (opening, status, asked or search) and " +
      "outcome: spent, or refused as the calls that there may be are needed for others",
  ),
  budgetFree: gauge(
    "swap_broker_budget_free_calls",
    ["provider", "limit"],
    "Calls within the limit of an upstream that this process could make at once, by provider and limit",
  ),
  circuitState: gauge(
    "swap_broker_circuit_state",
    ["provider", "operation"],
    "0 closed, 1 half-open, 2 open, by provider and operation",
  ),
  circuitTransitions: counter(
    "swap_broker_circuit_transitions_total",
    ["provider", "operation", "to"],
    "Transitions of circuits by provider, operation and new state",
  ),
  circuitsShared: Metric.gauge("swap_broker_circuits_shared", {
    description:
      "1 while circuits and rate limits are shared through Redis, 0 while they are not although REDIS_URL " +
      "is set",
  }),
  quotesShared: counter(
    "swap_broker_quotes_shared_total",
    ["provider", "how"],
    "Quote requests to a provider that were answered by another's call, by provider and how",
  ),
  swapsEnded: counter(
    "swap_broker_swaps_ended_total",
    ["provider", "outcome"],
    "Swaps whose end this process recorded, by provider and outcome: completed, refunded or failed",
  ),
  volume: amounts(
    "swap_broker_volume_native_total",
    ["asset"],
    "What was deposited to completed swaps whose end this process recorded, in the smallest unit of the " +
      "source asset, by that asset",
  ),
  commission: amounts(
    "swap_broker_commission_native_total",
    ["asset"],
    "What completed swaps whose end this process recorded have earned, in the smallest unit of the asset, " +
      "by asset",
  ),
  openChannels: gauge(
    "swap_broker_open_channels",
    ["provider"],
    "Open deposit channels of all accounts and replicas, by provider",
  ),
  channelsUnrecorded: gauge(
    "swap_broker_channels_unrecorded",
    ["provider"],
    "Open deposit channels of the operator's account that no record has, by provider",
  ),
  outcomesUnknown: gauge(
    "swap_broker_outcomes_unknown",
    ["provider", "of"],
    "Openings of the last day and withdrawals with an unknown outcome, by provider and " +
      "of what: opening or withdrawal",
  ),
  eventStreams: Metric.gauge("swap_broker_event_streams", {
    description: "Streams of events that clients have open at this process",
  }),
  swapsStalled: gauge(
    "swap_broker_swaps_stalled",
    ["provider"],
    "Swaps that stay in one state longer than that may last, by provider",
  ),
  alert: gauge(
    "swap_broker_alert",
    ["alert", "provider"],
    "1 while an alert is active, by alert and provider; the provider is empty where it is about none",
  ),
  endpointSunset: gauge(
    "swap_broker_endpoint_sunset_timestamp_seconds",
    ["provider", "endpoint"],
    "When an endpoint of an upstream ends, in seconds since 1970, by provider and endpoint; 0 where no date can be " +
      "read, or nothing is announced any more",
  ),
  answersRefused: counter(
    "swap_broker_answers_refused_total",
    ["provider", "operation", "member"],
    "Answers of upstreams that were refused, by provider, operation and the member that did not fit; " +
      "elements of a list are one member, and beyond 60 of an operation they are `other`",
  ),
  contradictions: counter(
    "swap_broker_contradictions_total",
    ["provider"],
    "Upstream responses that contradict the swap, by provider",
  ),
  vaultSwapsContested: counter(
    "swap_broker_vault_swaps_contested_total",
    ["provider"],
    "Vault swaps that payloads of several accounts fit, by provider; the earliest payload decides",
  ),
  lookupLagSeconds: timer(
    "swap_broker_lookup_lag_seconds",
    ["provider"],
    "How long after they were due open swaps were looked up, by provider",
  ),
  requestsRefused: counter(
    "swap_broker_requests_refused_total",
    ["reason"],
    "Requests that were refused because a limit was reached, by limit: default or swap (of a key), " +
      "account or accountSwap (of all keys of an account), credentials (of an address), channels (of an " +
      "account)",
  ),
  requestSeconds: timer(
    "swap_broker_request_duration_seconds",
    ["method", "route", "status"],
    "How long requests took, by method, route and status",
  ),
  webhookAttempts: counter(
    "swap_broker_webhook_attempts_total",
    ["outcome"],
    "Attempts to deliver a message to a webhook, by outcome: delivered, failed (tried again later) or " +
      "given_up",
  ),
  webhookLagSeconds: Metric.histogram("swap_broker_webhook_lag_seconds", {
    description: "How long after an event happened its message was delivered",
    boundaries: lags,
  }),
  ledgerMismatch: gauge(
    "swap_broker_ledger_mismatch",
    ["provider", "asset"],
    "1 while what an account has earned and the ledger do not agree, by provider and asset",
  ),
  withdrawals: counter(
    "swap_broker_withdrawals_total",
    ["provider", "state"],
    "Changes of withdrawals by provider and the state that they led to",
  ),
  openingsUnfunded: counter(
    "swap_broker_openings_unfunded_total",
    ["provider"],
    "Openings that were not asked for because the operator's account cannot pay them, by provider",
  ),
  openingsOverShare: counter(
    "swap_broker_openings_over_share_total",
    ["provider"],
    "Openings that were not asked for because their account has had its share of the operator's funds, by " +
      "provider",
  ),
}
