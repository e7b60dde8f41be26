import { Duration } from "effect"
import { chainFacts } from "#domain/chains/Chain.ts"
import type { ProviderSwitch } from "#domain/operations/ProviderSwitch.ts"
import { EpochMillis } from "#domain/Time.ts"
import { type Html } from "../../pages/jsx-runtime.ts"
import { grouped } from "../../pages/money.ts"
import { kv, pill, untrusted } from "../../pages/parts.tsx"
import { known, table } from "../../pages/table.tsx"
import { time } from "../../pages/times.tsx"
import { contactUrl, path } from "../../pages/Url.ts"
import { healthOf, type ProviderStanding } from "#providers/Overview.ts"

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

/** The page of a provider. */
export const providerPath = (name: string) => path`/dashboard/providers/${name}`

/** A time as figures have it: `212 ms`, `3.05 s`. */
export const millisText = (millis: number): string =>
  millis < 1_000 ? `${millis} ms` : `${Number((millis / 1_000).toFixed(2))} s`

/** What a switch is of: `open`, `encode of usdc.eth`. */
export const scopeOf = ({ asset, operation }: Pick<ProviderSwitch, "asset" | "operation">): string =>
  `${operation ?? "all but status"}${asset === undefined ? "" : ` of ${asset}`}`

/** The latest error of a provider since the service was started, of whichever operation. */
export const latestError = ({ registered }: ProviderStanding) => {
  const errors = registered === undefined ? [] : operations.flatMap((operation) => {
    const { lastError } = registered.operations[operation]
    return lastError === undefined ? [] : [{ operation, ...lastError }]
  })
  const [latest] = errors.toSorted((left, right) => right.at - left.at)
  return latest
}

const lastErrorOf = ({ lastError }: Registered["operations"][Operation], now: EpochMillis): Html =>
  lastError === undefined
    ? <>none</>
    : <>{untrusted(`${lastError.reason}: ${lastError.detail}`)} {time(lastError.at, now)}</>

type Circuit = Registered["operations"][Operation]["circuit"]

/** The state of a circuit. */
const circuitBadge = ({ _tag }: Circuit): Html => {
  const [word, tone] = circuitWords[_tag]
  return pill(word, tone)
}

const circuitCell = (circuit: Circuit, now: EpochMillis): Html => {
  if (circuit._tag !== "Open") return circuitBadge(circuit)
  const probe = EpochMillis.make(Math.ceil(now + Duration.toMillis(circuit.retryAfter)))
  return (
    <>
      {circuitBadge(circuit)} <small>next try {time(probe, now)}</small>
    </>
  )
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

const linkTo = (place: string): Html => {
  const url = contactUrl(place)
  return url === undefined ? untrusted(place) : <a href={url} rel="noreferrer">{untrusted(place)}</a>
}

/** Where a provider is asked for help, and its terms. */
export const contactOf = ({ support, terms }: ProviderStanding["contact"]): Html =>
  kv([
    ["Support", known(support, linkTo) ?? "not known"],
    ["Terms", known(terms, linkTo) ?? "not known"],
  ])

/** What the providers can do, beside each other. */
export const abilitiesTable = (all: ReadonlyArray<ProviderStanding>): Html =>
  table({
    caption: "What the providers can do",
    columns: [
      ["Provider", ({ contact }) => contact.name],
      ["Opens channels", ({ registered }) => known(registered, ({ channels }) => yes(channels))],
      ["Transactions to sign", ({ registered }) =>
        registered?.vaultSwaps.map((chain) =>
          chainFacts(chain).title
        ).join(", ") || undefined, "all"],
      [
        "Most commission",
        ({ registered }) =>
          known(registered, ({ capabilities }) =>
            `${grouped(`${capabilities.maximumCommissionBps}`)} bps`),
        "number",
      ],
      [
        "Affiliates",
        ({ registered }) => known(registered, ({ capabilities }) => yes(capabilities.affiliates)),
      ],
      ["In chunks", ({ registered }) => known(registered, ({ capabilities }) => yes(capabilities.dca))],
      ["Late deposits", ({ registered }) => registered?.capabilities.lateDeposit],
    ],
    rows: all,
    empty: "No provider is enabled.",
  })

/** The operations of a provider with their circuits. */
export const operationsOf = ({ name, registered }: ProviderStanding, now: EpochMillis): Html =>
  registered === undefined
    ? <p class="soft">It is not part of this build, or not configured: see the settings of its name.</p>
    : operationsTable(name, registered, now)
