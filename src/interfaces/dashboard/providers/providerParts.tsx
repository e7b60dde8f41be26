import { Duration } from "effect"
import { chainFacts } from "#domain/chains/Chain.ts"
import type { ProviderSwitch } from "#domain/operations/ProviderSwitch.ts"
import { failureClasses, failureText, type ToldPart } from "#domain/operations/ProviderHistory.ts"
import { EpochMillis } from "#domain/Time.ts"
import { type Html, path } from "../../pages/jsx-runtime.ts"
import { bpsText, grouped } from "#domain/figures.ts"
import { known, kv, pill, table, untrusted } from "../../pages/parts.tsx"
import { age, ago } from "../../pages/values.tsx"
import { contactLink } from "../../pages/contactsPart.tsx"
import { type ProviderStanding, stateOf, wholeSwitch } from "#providers/Registry.ts"
import words from "../words.json" with { type: "json" }

/** The states of providers, each with the tone of its pill and what a sentence says of it. */
export const providerStates = {
  up: ["good", "up"],
  degraded: ["warn", "degraded"],
  down: ["bad", "down"],
  off: ["warn", "switched off"],
} as const

export const stateBadge = (standing: ProviderStanding): Html => {
  const state = stateOf(standing)
  return pill(upperFirst(state), providerStates[state][0])
}

/** That a provider is in its state, in a few words: `Relay is down`. */
export const stateText = (standing: ProviderStanding): string =>
  `${standing.contact.name} is ${providerStates[stateOf(standing)][1]}`

const circuitWords = {
  Closed: ["Not paused", "good"],
  Open: ["Paused", "bad"],
  HalfOpen: ["Retrying", "warn"],
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

const operationNames: Readonly<Record<string, string>> = words.operations

/** Operations as people name them: `quotes and status checks`. */
export const operationList = (names: ReadonlyArray<string>): string =>
  new Intl.ListFormat("en-GB").format(names.map((name) => operationNames[name] ?? name))

/** A text as a label begins. */
export const upperFirst = (text: string): string => text.replace(/^./, (first) => first.toUpperCase())

/** An operation at the beginning of a label: `Quotes`. */
export const operationTitle = (name: string): string => upperFirst(operationList([name]))

/** What no calls are made for after repeated errors; the health is by some of it. */
export const pausedAt = ({ registered }: ProviderStanding): ReadonlyArray<Operation> =>
  operations.filter((one) => registered?.operations[one].circuit._tag === "Open")

/** That calls are not made now, and why; nothing where they are. The calls of the day do not tell that. */
export const stoppedText = (standing: ProviderStanding): string | undefined => {
  if (wholeSwitch(standing) !== undefined) return "switched off"
  const paused = pausedAt(standing)
  return paused.length > 0 ? `${operationList(paused)} paused` : undefined
}

export const providerPath = (name: string) => path`/dashboard/providers/${name}`

/** A time as figures have it: `212 ms`, `3.05 s`. */
export const millisText = (millis: number): string =>
  millis < 1_000 ? `${millis} ms` : `${Number((millis / 1_000).toFixed(2))} s`

/** What a switch stops: `openings`, `transactions to sign of usdc.eth`. */
export const scopeOf = ({ asset, operation }: Pick<ProviderSwitch, "asset" | "operation">): string =>
  `${operation === undefined ? "everything but status checks" : operationList([operation])}${
    asset === undefined ? "" : ` of ${asset}`
  }`

/** The latest error of a provider since the service was started, of whichever operation. */
export const latestError = ({ registered }: ProviderStanding) => {
  const errors = registered === undefined ? [] : operations.flatMap((operation) => {
    const { lastError } = registered.operations[operation]
    return lastError === undefined ? [] : [{ operation, ...lastError }]
  })
  const [latest] = errors.toSorted((left, right) => right.at - left.at)
  return latest
}

/** How many calls failed for each cause that there was, the most first. */
export const causesOf = (parts: ReadonlyArray<ToldPart>) =>
  failureClasses.map((cause) => ({
    cause,
    count: parts.reduce((sum, { failures }) => sum + (failures[cause] ?? 0), 0),
  })).filter(({ count }) => count > 0).toSorted((one, other) => other.count - one.count)

/** The last error that this process saw; else the most frequent cause of the day, which all replicas keep. */
const lastErrorOf = (
  { lastError, operation }: Registered["operations"][Operation] & { readonly operation: Operation },
  parts: ReadonlyArray<ToldPart>,
  now: EpochMillis,
): Html => {
  const [most] = causesOf(parts.filter((part) => part.operation === operation))
  const text = most === undefined
    ? "none"
    : `details not stored; most: ${failureText[most.cause]} (${most.count})`
  return lastError === undefined ? <>{text}</> : (
    <>
      {untrusted(lastError.detail)} <small>{ago(lastError.at, now)}</small>
    </>
  )
}

type Circuit = Registered["operations"][Operation]["circuit"]

const circuitBadge = ({ _tag }: Circuit): Html => {
  const [word, tone] = circuitWords[_tag]
  return pill(word, tone)
}

const circuitCell = (circuit: Circuit, now: EpochMillis): Html => {
  if (circuit._tag !== "Open") return circuitBadge(circuit)
  const probe = EpochMillis.make(Math.ceil(now + Duration.toMillis(circuit.retryAfter)))
  return (
    <>
      {circuitBadge(circuit)} <small>next retry {age(probe, now)}</small>
    </>
  )
}

/** The operations of a provider, with their calls of the day. */
const operationsTable = (
  title: string,
  { operations: views }: Registered,
  parts: ReadonlyArray<ToldPart>,
  now: EpochMillis,
): Html => {
  const sum = (operation: Operation, figure: "succeeded" | "refused" | "failed") =>
    parts.filter((part) => part.operation === operation).reduce((total, part) => total + part[figure], 0)
  return table({
    caption: `Operations of ${title}`,
    columns: [
      ["Operation", ({ operation }) => operationTitle(operation)],
      ["State", ({ circuit }) => circuitCell(circuit, now)],
      ["Succeeded", ({ operation }) => grouped(`${sum(operation, "succeeded")}`), "number"],
      ["Refused", ({ operation }) => grouped(`${sum(operation, "refused")}`), "number"],
      ["Failed", ({ operation }) => grouped(`${sum(operation, "failed")}`), "number"],
      ["Last error", (view) => lastErrorOf(view, parts, now)],
    ],
    rows: operations.map((operation) => ({ operation, ...views[operation] }))
      .filter(({ circuit, operation }) =>
        circuit._tag !== "Closed" || parts.some((part) => part.operation === operation && part.calls > 0)
      ),
    empty: "No calls in the last 24 hours.",
  })
}

const chainTitles = (chains: Registered["vaultSwaps"]): string | undefined =>
  chains.length === 0 ? undefined : chains.map((chain) => chainFacts(chain).title).join(", ")

const lateDepositText = ({ lateDeposit }: Registered["capabilities"]): string =>
  lateDeposit === "untold" ? "unknown" : lateDeposit

/** What a provider can do, and whom to ask. */
export const capabilitiesOf = (
  { capabilities: can, channels, vaultSwaps }: Registered,
  contact: ProviderStanding["contact"],
): Html => {
  const features = [
    ["deposit channels", channels],
    ["affiliates", can.affiliates],
    ["boost", can.boost],
    ["DCA", can.dca],
    ["contract calls", can.ccm],
    ["retries until the price fits", can.retry],
  ] as const
  const namesOf = (has: boolean) => features.filter(([, can]) => can === has).map(([name]) => name).join(", ")
  return kv([
    ["Supports", namesOf(true) || "none"],
    ["Does not support", namesOf(false) || "none"],
    ["Transactions to sign", chainTitles(vaultSwaps) ?? "none"],
    ["Commission", `at most ${bpsText(can.maximumCommissionBps)}`],
    ["Deposits", can.needsAmount ? "exact amount required" : "any amount accepted"],
    ["Late deposits", lateDepositText(can)],
    ["Support", known(contact.support, contactLink)],
    ["Terms", known(contact.terms, contactLink)],
  ])
}

/** The operations of a provider with their circuits. */
export const operationsOf = (
  { contact, registered }: ProviderStanding,
  parts: ReadonlyArray<ToldPart>,
  now: EpochMillis,
): Html =>
  registered === undefined
    ? <p class="soft">Not configured. Check its settings.</p>
    : operationsTable(contact.name, registered, parts, now)
