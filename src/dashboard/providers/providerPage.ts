import { Effect, Option } from "effect"
import { ProviderUnknown } from "../../requests/HttpFailure.ts"
import { html } from "../../pages/html.ts"
import { section } from "../../pages/parts.ts"
import { path } from "../../pages/Url.ts"
import { Refusals } from "../../ops/Refusals.ts"
import { Overview } from "../../providers/Overview.ts"
import { Watchdog } from "../../swapping/Watchdog.ts"
import { WireWitness } from "../../witness/WireWitness.ts"
import { page } from "../Page.ts"
import { historyOf, historySections } from "./providerHistory.ts"
import { capabilitiesOf, healthBadge, operations, stateOf } from "./providerParts.ts"
import { refusalsOf, roundOf } from "./wire.ts"
import { providerPath } from "./providersPage.ts"
import { switchProvider } from "./switchProvider.ts"

/** A provider: where it stands, whether its wire is as it is read, answers that were refused, its last 24 hours, its switches, what it can do. */
export const providerPage = page({
  path: "/dashboard/providers/:name",
  operator: Effect.fnUntraced(function* ({ now, param, query }) {
    const found = yield* (yield* Overview).find(param("name"))
    if (Option.isNone(found)) return yield* new ProviderUnknown()
    const standing = found.value
    const { name, registered } = standing
    const stalls = yield* (yield* Watchdog).stalls
    const parts = yield* historyOf(name, now)
    const refusals = yield* (yield* Refusals).latest(name)
    const rounds = yield* (yield* WireWitness).rounds
    const operation = operations.find((one) => one === query("operation"))
    return {
      title: name,
      crumb: html`<a href="${path`/dashboard/providers`}">Providers</a>`,
      body: [
        section(
          { title: "Where it stands", id: "state", aside: healthBadge(standing) },
          stateOf(standing, stalls.find(({ platform }) => platform === name), now),
        ),
        section(
          { title: "Its wire", id: "wire" },
          roundOf(rounds.find(({ provider }) => provider === name), now),
        ),
        section({ title: "Refused answers", id: "refusals" }, refusalsOf(refusals, now)),
        ...historySections({ here: providerPath(name), now, operation, parts }),
        html`<div class="cols even">${
          section({ title: "Switch off or on", id: "switch" }, switchProvider.form({ name }))
        }${
          registered !== undefined &&
          section({ title: "What it can do", id: "capabilities" }, capabilitiesOf(registered))
        }</div>`,
      ],
    }
  }),
})
