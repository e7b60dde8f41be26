import { Effect } from "effect"
import { Accounts } from "#application/accounts/Accounts.ts"
import type { Operator } from "#domain/accounts/Viewer.ts"
import { version } from "#infrastructure/platform/version.ts"
import { type Html } from "../../pages/jsx-runtime.ts"
import { button } from "../../pages/links.tsx"
import { columns, empty, kv, section, type Step, timeline } from "../../pages/parts.tsx"
import { table } from "../../pages/table.tsx"
import { path } from "../../pages/Url.ts"
import { Overview } from "#providers/Overview.ts"
import { type PageRequest } from "../Page.ts"
import { healthBadge } from "../providers/providerParts.tsx"
import { providerPath } from "../providers/providerParts.tsx"
import { CurrentMode, modeTitles, type ShownMode } from "../ShownMode.ts"

/** What there is to do before the first swap, with what is done ticked off. */
const stepsOf = (mode: ShownMode, providers: number, hasAccount: boolean): ReadonlyArray<Step> => [
  {
    state: "ok",
    title: "The service runs",
    texts: [
      `${mode !== "live" ? "Sandbox mode, with" : "Live mode, with"} ${providers} ${
        mode === "sandbox" ? "simulated " : ""
      }providers.`,
    ],
  },
  {
    state: "ok",
    title: "You are signed in",
    texts: ["By a key that may do everything. Make a smaller one for daily work."],
  },
  {
    state: hasAccount ? "ok" : "now",
    title: "Make the first account",
    texts: ["Each wallet or bot that calls gets an account of its own, with its commission and its keys."],
    ...(hasAccount ? {} : { acts: button("New account", path`/dashboard/accounts`, "go") }),
  },
  {
    state: hasAccount ? "now" : undefined,
    title: "Get a quote and open a channel",
    texts: ["The documentation has every call with an example, from a quote to a swap that has completed."],
    acts: button("Show the calls", path`/docs`, hasAccount ? "go" : "plain"),
  },
  mode !== "live"
    ? {
      title: "Let a swap fail",
      texts: [
        "The sandbox makes refunds, hanging providers and lost answers to order: look here what is said of them.",
      ],
      acts: button("Show the faults", path`/docs`),
    }
    : {
      title: "Try it with a small amount",
      texts: [
        <>
          <code>cli rehearse</code> asks all providers without opening anything.
        </>,
      ],
    },
  {
    title: mode !== "live" ? "Go live" : "Keep it safe",
    texts: [
      <>
        <code>cli doctor</code> says what is missing: providers, refund addresses, a database, https.{" "}
        <code>cli database backup</code> makes a copy.
      </>,
    ],
  },
]

/** What a new operator sees in place of figures: the first steps, and how the service is. */
export const firstSteps = Effect.fnUntraced(function* ({ viewer }: PageRequest<Operator>) {
  const mode = yield* CurrentMode
  const standings = yield* (yield* Overview).all
  const { items } = yield* (yield* Accounts).page({ limit: 2 })
  const hasAccount = items.some(({ name }) => name !== viewer.caller.name)
  const steps = stepsOf(mode, standings.length, hasAccount)
  const done = steps.filter(({ state }) => state === "ok").length
  const body: ReadonlyArray<Html> = [
    columns(
      "wide",
      section(
        { title: "First steps", id: "steps", isBox: true, aside: `${done} of ${steps.length} done` },
        timeline(steps),
      ),
      [
        section(
          { title: "Providers", id: "providers", live: true },
          table({
            caption: "Providers",
            columns: [
              ["Provider", ({ contact, name }) => <a href={providerPath(name)}>{contact.name}</a>],
              ["State", healthBadge, "b"],
            ],
            rows: standings,
            empty: "No provider is enabled: name one in PROVIDERS.",
          }),
        ),
        section(
          { title: "This service", id: "service" },
          kv([["Mode", modeTitles[mode]], ["Version", version]]),
        ),
      ],
    ),
    section(
      { title: "Figures", id: "figures" },
      empty(
        "Volume, commission, completed swaps and the failure rate stand here from the first swap on, with a chart by day.",
      ),
    ),
  ]
  return body
})
