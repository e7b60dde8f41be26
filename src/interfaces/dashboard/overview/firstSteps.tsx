import { Effect } from "effect"
import { Accounts } from "#application/accounts/Accounts.ts"
import type { Operator } from "#domain/accounts/Viewer.ts"
import { button, columns, section, type Step, table, timeline } from "../../pages/parts.tsx"
import { path } from "../../pages/jsx-runtime.ts"
import { Overview } from "#providers/Registry.ts"
import { type PageRequest } from "../Page.ts"
import { providerPath, stateBadge } from "../providers/providerParts.tsx"
import { CurrentMode, type ShownMode } from "../../pages/mode.tsx"

/** What there is to do before the first swap, with what is done ticked off. */
const stepsOf = (mode: ShownMode, providers: number, hasAccount: boolean): ReadonlyArray<Step> => [
  {
    state: "ok",
    title: "The service runs",
    texts: [
      `${mode === "live" ? "Live" : "Sandbox"} mode: ${providers} ${
        mode === "sandbox" ? "simulated " : ""
      }providers.`,
    ],
  },
  {
    state: "ok",
    title: "You are signed in",
    texts: ["Your key has full control. Create one with fewer scopes for daily work."],
  },
  {
    state: hasAccount ? "ok" : "now",
    title: "Create the first account",
    texts: ["Each integrator gets an account with its own commission and API keys."],
    ...(hasAccount ? {} : { acts: button("New account", path`/dashboard/accounts`, "go") }),
  },
  {
    state: hasAccount ? "now" : undefined,
    title: "Get a quote and open a deposit channel",
    texts: ["The documentation shows each call with an example, from the quote to the completed swap."],
    acts: button("Open the documentation", path`/docs`, hasAccount ? "go" : "plain"),
  },
  mode !== "live"
    ? {
      title: "Simulate a failure",
      texts: ["Simulate refunds, timeouts and lost replies, and see them here."],
      acts: button("How to simulate failures", path`/docs/sandbox`),
    }
    : {
      title: "Try it with a small amount",
      texts: [
        <>
          <code>cli rehearse</code> quotes at all providers and opens nothing.
        </>,
      ],
    },
  {
    title: mode !== "live" ? "Go live" : "Keep it safe",
    texts: [
      <>
        <code>cli doctor</code> lists what is missing. <code>cli backup FILE</code>{" "}
        backs up the embedded database.
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
  return [
    columns(
      "wide",
      section(
        { title: "First steps", id: "steps", isBox: true, aside: `${done} of ${steps.length} done` },
        timeline(steps),
      ),
      section(
        { title: "Providers", id: "providers", live: true },
        table({
          caption: "Providers",
          columns: [
            ["Provider", ({ contact, name }) => <a href={providerPath(name)}>{contact.name}</a>],
            ["State", stateBadge, "b"],
          ],
          rows: standings,
          empty: "No provider is enabled. Name one in PROVIDERS.",
        }),
      ),
    ),
  ]
})
