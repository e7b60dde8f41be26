import { Effect } from "effect"
import type { Stalls } from "../../domain/SwapRecord.ts"
import type { EpochMillis } from "../../domain/Time.ts"
import { type Html, html } from "../../pages/html.ts"
import { foreign, pill, section } from "../../pages/parts.ts"
import { table } from "../../pages/table.ts"
import { time } from "../../pages/times.ts"
import { path, withQuery } from "../../pages/Url.ts"
import { Overview, type ProviderStanding } from "../../providers/Overview.ts"
import { Watchdog } from "../../swapping/Watchdog.ts"
import { page } from "../Page.ts"
import { circuitBadge, healthBadge, operations } from "./providerParts.ts"

/** The page of a provider. */
export const providerPath = (name: string) => path`/dashboard/providers/${name}`

/** The circuits that let not every call through, each with its operation. */
const circuitsCell = ({ registered }: ProviderStanding): Html | string => {
  if (registered === undefined) return pill("not in this build, or not configured", "bad")
  const troubled = operations.filter((one) => registered.operations[one].circuit._tag !== "Closed")
  return troubled.length === 0
    ? "all closed"
    : html`${
      troubled.map((one) => html`<div>${one} ${circuitBadge(registered.operations[one].circuit)}</div>`)
    }`
}

const switchesCell = ({ switches }: ProviderStanding): Html | string =>
  switches.length === 0
    ? "nothing"
    : html`${
      switches.map(({ asset, operation }) =>
        html`<div>${
          pill(`${operation ?? "all but status"}${asset === undefined ? "" : ` of ${asset}`}`, "warn")
        }</div>`
      )
    }`

const stalledCell = (stalls: Stalls | undefined): Html | string =>
  stalls === undefined
    ? "none"
    : html`<a href="${
      withQuery(path`/dashboard/swaps`, { view: "stalled", platform: stalls.platform })
    }">${stalls.swaps}</a>`

const lastErrorCell = ({ registered }: ProviderStanding, now: EpochMillis): Html | string => {
  const errors = registered === undefined ? [] : operations.flatMap((one) => {
    const { lastError } = registered.operations[one]
    return lastError === undefined ? [] : [{ one, ...lastError }]
  })
  const [latest] = errors.toSorted((left, right) => right.at - left.at)
  return latest === undefined
    ? "none"
    : html`${latest.one}: ${foreign(latest.detail, 120)} ${time(latest.at, now)}`
}

/** Every provider in a line: its health, what is open, switched off or stuck there, and its last error. */
export const providersPage = page({
  path: "/dashboard/providers",
  nav: "providers",
  operator: Effect.fnUntraced(function* ({ now }) {
    const stalls = yield* (yield* Watchdog).stalls
    const all = yield* (yield* Overview).all
    return {
      title: "Providers",
      body: section(
        { title: "All providers, in the order of preference", id: "providers", live: true },
        table({
          caption: "Providers, in the order of preference",
          columns: [
            ["Provider", ({ name }) => html`<a href="${providerPath(name)}">${name}</a>`],
            ["Health", healthBadge],
            ["Circuits", circuitsCell],
            ["Switched off", switchesCell],
            [
              "Stalled swaps",
              ({ name }) => stalledCell(stalls.find(({ platform }) => platform === name)),
              "number",
            ],
            ["Last error since the start", (standing) => lastErrorCell(standing, now)],
          ],
          rows: all,
          empty: "No provider is enabled: name one in PROVIDERS.",
        }),
      ),
    }
  }),
})
