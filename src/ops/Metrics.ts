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

/**
 * A metric with labels: one series for each combination of their values. Each series is made once with its labels,
 * because adding labels at each update costs more than the rest of it. It is found label by label: a text of all values
 * would be made and hashed for each update, ten times a request.
 */
const labelled = <Labels extends Readonly<Record<string, string>>, Series>(
  make: (attributes: Labels) => Series,
) => {
  const root = new Branch<Series>()
  return (labels: Labels): Series => {
    let branch = root
    for (const name in labels) {
      branch = branch.under(labels[name] ?? "")
    }
    return branch.series ??= make(labels)
  }
}

/** The labels of metrics about a provider's operations. */
export interface OperationLabels extends Readonly<Record<string, string>> {
  readonly provider: string
  readonly operation: string
}

/** Every metric of the service. No label ever holds a key, an address or a swap's id. */
export const metrics = {
  buildInfo: labelled((attributes: { readonly version: string; readonly deno: string }) =>
    Metric.gauge("swap_broker_build_info", {
      description: "1, by version of the service and of its runtime",
      attributes,
    })
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
  providerCalls: labelled((attributes: OperationLabels & { readonly outcome: string }) =>
    Metric.counter("swap_broker_provider_calls_total", {
      description: "Calls of providers by provider, operation and outcome",
      incremental: true,
      attributes,
    })
  ),
  providerCallSeconds: labelled((attributes: OperationLabels) =>
    Metric.histogram("swap_broker_provider_call_duration_seconds", {
      description: "How long calls of providers took, by provider and operation",
      boundaries: durations,
      attributes,
    })
  ),
  providerInFlight: labelled((attributes: OperationLabels) =>
    Metric.gauge("swap_broker_provider_calls_in_flight", {
      description: "Calls of providers under way, by provider and operation",
      attributes,
    })
  ),
  budgetCalls: labelled((
    attributes: {
      readonly provider: string
      readonly limit: string
      readonly urgency: string
      readonly outcome: string
    },
  ) =>
    Metric.counter("swap_broker_budget_calls_total", {
      description:
        "Calls that an upstream limits, by provider, limit, urgency (opening, status, asked or search) and outcome: spent, or " +
        "refused as the calls that there may be are needed for others",
      incremental: true,
      attributes,
    })
  ),
  budgetFree: labelled((attributes: { readonly provider: string; readonly limit: string }) =>
    Metric.gauge("swap_broker_budget_free_calls", {
      description:
        "Calls within the limit of an upstream that this process could make at once, by provider and limit",
      attributes,
    })
  ),
  circuitState: labelled((attributes: OperationLabels) =>
    Metric.gauge("swap_broker_circuit_state", {
      description: "0 closed, 1 half-open, 2 open, by provider and operation",
      attributes,
    })
  ),
  circuitTransitions: labelled((attributes: OperationLabels & { readonly to: string }) =>
    Metric.counter("swap_broker_circuit_transitions_total", {
      description: "Transitions of circuits by provider, operation and new state",
      incremental: true,
      attributes,
    })
  ),
  circuitsShared: Metric.gauge("swap_broker_circuits_shared", {
    description:
      "1 while circuits and rate limits are shared through Redis, 0 while they are not although REDIS_URL is set",
  }),
  quotesShared: labelled((attributes: { readonly provider: string; readonly how: string }) =>
    Metric.counter("swap_broker_quotes_shared_total", {
      description: "Quote requests to a provider that were answered by another's call, by provider and how",
      incremental: true,
      attributes,
    })
  ),
  swapsEnded: labelled((attributes: { readonly provider: string; readonly outcome: string }) =>
    Metric.counter("swap_broker_swaps_ended_total", {
      description:
        "Swaps whose end this process recorded, by provider and outcome: completed, refunded or failed",
      incremental: true,
      attributes,
    })
  ),
  volume: labelled((attributes: { readonly asset: string }) =>
    Metric.counter("swap_broker_volume_native_total", {
      description:
        "What was deposited to completed swaps whose end this process recorded, in the smallest unit of the source " +
        "asset, by that asset",
      bigint: true,
      incremental: true,
      attributes,
    })
  ),
  commission: labelled((attributes: { readonly asset: string }) =>
    Metric.counter("swap_broker_commission_native_total", {
      description:
        "What completed swaps whose end this process recorded have earned, in the smallest unit of the asset, by asset",
      bigint: true,
      incremental: true,
      attributes,
    })
  ),
  openChannels: labelled((attributes: { readonly provider: string }) =>
    Metric.gauge("swap_broker_open_channels", {
      description: "Open deposit channels of all accounts and replicas, by provider",
      attributes,
    })
  ),
  channelsUnrecorded: labelled((attributes: { readonly provider: string }) =>
    Metric.gauge("swap_broker_channels_unrecorded", {
      description: "Open deposit channels of the operator's account that no record has, by provider",
      attributes,
    })
  ),
  outcomesUnknown: labelled((attributes: { readonly provider: string; readonly of: string }) =>
    Metric.gauge("swap_broker_outcomes_unknown", {
      description:
        "Openings of the last day, and withdrawals, of which nobody knows what came of them, by provider and of what: " +
        "opening or withdrawal",
      attributes,
    })
  ),
  eventStreams: Metric.gauge("swap_broker_event_streams", {
    description: "Streams of events that clients have open at this process",
  }),
  swapsStalled: labelled((attributes: { readonly provider: string }) =>
    Metric.gauge("swap_broker_swaps_stalled", {
      description: "Swaps that stay in one state longer than that may last, by provider",
      attributes,
    })
  ),
  alert: labelled((attributes: { readonly alert: string; readonly provider: string }) =>
    Metric.gauge("swap_broker_alert", {
      description:
        "1 while an alert is active, by alert and provider; the provider is empty where it is about none",
      attributes,
    })
  ),
  answersRefused: labelled((attributes: OperationLabels & { readonly member: string }) =>
    Metric.counter("swap_broker_answers_refused_total", {
      description:
        "Answers of upstreams that were refused, by provider, operation and the member that did not fit; elements of a " +
        "list are one member, and beyond 60 of an operation they are `other`",
      incremental: true,
      attributes,
    })
  ),
  contradictions: labelled((attributes: { readonly provider: string }) =>
    Metric.counter("swap_broker_contradictions_total", {
      description: "Answers of upstreams that cannot be true of the swap they are about, by provider",
      incremental: true,
      attributes,
    })
  ),
  vaultSwapsContested: labelled((attributes: { readonly provider: string }) =>
    Metric.counter("swap_broker_vault_swaps_contested_total", {
      description:
        "Vault swaps that payloads of several accounts fit, by provider; the earliest payload decides",
      incremental: true,
      attributes,
    })
  ),
  lookupLagSeconds: labelled((attributes: { readonly provider: string }) =>
    Metric.histogram("swap_broker_lookup_lag_seconds", {
      description: "How long after they were due open swaps were looked up, by provider",
      boundaries: durations,
      attributes,
    })
  ),
  requestsRefused: labelled((attributes: { readonly reason: string }) =>
    Metric.counter("swap_broker_requests_refused_total", {
      description:
        "Requests that were refused because a limit was reached, by limit: default or swap (of a " +
        "key), account or accountSwap (of all keys of an account), credentials (of an address), channels (of an " +
        "account)",
      incremental: true,
      attributes,
    })
  ),
  requestSeconds: labelled(
    (attributes: { readonly method: string; readonly route: string; readonly status: string }) =>
      Metric.histogram("swap_broker_request_duration_seconds", {
        description: "How long requests took, by method, route and status",
        boundaries: durations,
        attributes,
      }),
  ),
  webhookAttempts: labelled((attributes: { readonly outcome: string }) =>
    Metric.counter("swap_broker_webhook_attempts_total", {
      description:
        "Attempts to deliver a message to a webhook, by outcome: delivered, failed (tried again later) or given_up",
      incremental: true,
      attributes,
    })
  ),
  webhookLagSeconds: Metric.histogram("swap_broker_webhook_lag_seconds", {
    description: "How long after an event happened its message was delivered",
    boundaries: lags,
  }),
  ledgerMismatch: labelled((attributes: { readonly provider: string; readonly asset: string }) =>
    Metric.gauge("swap_broker_ledger_mismatch", {
      description: "1 while what an account has earned and the ledger do not agree, by provider and asset",
      attributes,
    })
  ),
  withdrawals: labelled((attributes: { readonly provider: string; readonly state: string }) =>
    Metric.counter("swap_broker_withdrawals_total", {
      description: "Changes of withdrawals by provider and the state that they led to",
      incremental: true,
      attributes,
    })
  ),
  openingsUnfunded: labelled((attributes: { readonly provider: string }) =>
    Metric.counter("swap_broker_openings_unfunded_total", {
      description:
        "Openings that were not asked for because the operator's account cannot pay them, by provider",
      incremental: true,
      attributes,
    })
  ),
  openingsOverShare: labelled((attributes: { readonly provider: string }) =>
    Metric.counter("swap_broker_openings_over_share_total", {
      description:
        "Openings that were not asked for because their account has had its share of the operator's funds, by provider",
      incremental: true,
      attributes,
    })
  ),
}
