import { Duration } from "effect"
import { EpochMillis } from "../../domain/Time.ts"
import type { Stalls } from "../../domain/SwapRecord.ts"
import { type Html, html } from "../../pages/html.ts"
import { foreign, kv, pill } from "../../pages/parts.ts"
import { known, table } from "../../pages/table.ts"
import { time } from "../../pages/times.ts"
import { path, withQuery } from "../../pages/Url.ts"
import { healthOf, type ProviderStanding } from "../../providers/Overview.ts"

const healthTones = { up: "good", degraded: "warn", down: "bad" } as const

/** The health of a provider. */
export const healthBadge = (standing: ProviderStanding): Html => {
  const health = healthOf(standing)
  return pill(health, healthTones[health])
}

const circuitWords = {
  Closed: ["closed", "good"],
  Open: ["open", "bad"],
  HalfOpen: ["half-open", "warn"],
} as const

type Registered = NonNullable<ProviderStanding["registered"]>
export type Operation = keyof Registered["operations"]

/** The groups of operations, each with a circuit of its own. */
export const operations = [
  "quote",
  "open",
  "status",
  "node",
  "treasury",
] as const satisfies ReadonlyArray<Operation>

const lastErrorOf = ({ lastError }: Registered["operations"][Operation], now: EpochMillis): Html =>
  lastError === undefined
    ? html`none`
    : html`${foreign(`${lastError.reason}: ${lastError.detail}`)} ${time(lastError.at, now)}`

type Circuit = Registered["operations"][Operation]["circuit"]

/** The state of a circuit. */
export const circuitBadge = ({ _tag }: Circuit): Html => {
  const [word, tone] = circuitWords[_tag]
  return pill(word, tone)
}

const circuitCell = (circuit: Circuit, now: EpochMillis): Html => {
  if (circuit._tag !== "Open") return circuitBadge(circuit)
  const probe = EpochMillis.make(Math.ceil(now + Duration.toMillis(circuit.retryAfter)))
  return html`${circuitBadge(circuit)} <small>next try ${time(probe, now)}</small>`
}

/** The operations of a provider, with what each came to since the service was started. */
const operationsTable = (name: string, { operations: views }: Registered, now: EpochMillis): Html =>
  table({
    caption: `Operations of ${name}`,
    columns: [
      ["Operation", ({ operation }) => operation],
      ["Circuit", ({ circuit }) => circuitCell(circuit, now)],
      [
        "Average",
        ({ averageMillis }) => known(averageMillis, (millis) => `${Math.round(millis)} ms`),
        "number",
      ],
      ["Succeeded", ({ calls }) => calls.succeeded, "number"],
      ["Refused", ({ calls }) => calls.refused, "number"],
      ["Failed", ({ calls }) => calls.failed, "number"],
      ["Last error", (view) => lastErrorOf(view, now)],
    ],
    rows: operations.map((operation) => ({ operation, ...views[operation] })),
    empty: "",
  })

const switchesTable = ({ name, switches }: ProviderStanding, now: EpochMillis): Html =>
  table({
    caption: `What is switched off at ${name}`,
    columns: [
      ["Operation", ({ operation }) => operation ?? "all but status"],
      ["Asset", ({ asset }) => asset ?? "all"],
      ["Why", ({ reason }) => foreign(reason)],
      ["By", ({ changedBy }) => foreign(changedBy)],
      ["Since", ({ changedAt }) => time(changedAt, now)],
    ],
    rows: switches,
    empty: "Nothing is switched off here.",
  })

const stalledLine = ({ platform, since, swaps }: Stalls, now: EpochMillis): Html =>
  html`<p>${pill(`${swaps} stalled`, "bad")} since ${time(since, now)} <a href="${
    withQuery(path`/dashboard/swaps`, { view: "stalled", platform })
  }">see them</a></p>`

const yes = (can: boolean): string => can ? "yes" : "no"

/** What a provider can do. */
export const capabilitiesOf = ({ capabilities: can, channels, vaultSwaps }: Registered): Html =>
  kv([
    ["Deposit channels", yes(channels)],
    ["Payloads for transactions", vaultSwaps.length === 0 ? "none" : vaultSwaps.join(", ")],
    ["Most commission", `${can.maximumCommissionBps} bps`],
    ["Pays affiliates", yes(can.affiliates)],
    ["Boost", yes(can.boost)],
    ["Swaps in chunks", yes(can.dca)],
    ["Messages to contracts", yes(can.ccm)],
    ["Waits for the price", yes(can.retry)],
    ["Needs the amount first", yes(can.needsAmount)],
    ["A deposit that is late", can.lateDeposit],
  ])

/** Where a provider stands: its operations, swaps that stall there, and what is switched off. */
export const stateOf = (standing: ProviderStanding, stalled: Stalls | undefined, now: EpochMillis): Html =>
  html`<div id="state-${standing.name}" data-live class="stack">${
    standing.registered === undefined
      ? html`<p class="soft">It is not part of this build, or not configured: see the settings of its name.</p>`
      : operationsTable(standing.name, standing.registered, now)
  }${stalled !== undefined && stalledLine(stalled, now)}${switchesTable(standing, now)}</div>`
