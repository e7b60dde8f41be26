import { Effect, Option } from "effect"
import { heldKeyIssues } from "#application/accounts/ApiKey.ts"
import { SwitchBody } from "#api/Providers.ts"
import { assetIds } from "#domain/chains/Asset.ts"
import { switchIssues, SwitchOperation } from "#domain/operations/ProviderSwitch.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { type Html, nothing } from "../../pages/jsx-runtime.ts"
import { section, untrusted } from "../../pages/parts.tsx"
import { table } from "../../pages/table.tsx"
import { age } from "../../pages/times.tsx"
import { ProviderUnknown } from "../../requests/HttpFailure.ts"
import { readerOf } from "../../requests/parameterIssues.ts"
import { Overview, type ProviderStanding, wholeSwitch } from "#providers/Overview.ts"
import { Switches } from "#providers/Switches.ts"
import {
  cards,
  choice,
  filled,
  formAction,
  readEntered,
  type Submitted,
  text,
  truth,
} from "../formAction.tsx"
import { any, choices } from "../filters.ts"
import type { Operator } from "#domain/accounts/Viewer.ts"
import type { PageRequest } from "../Page.ts"
import { switchPath } from "./healthNote.tsx"
import { operationList, providerPath } from "./providerParts.tsx"

const readSwitchProvider = readEntered(
  readerOf(SwitchBody),
  (wish) => [switchIssues(wish), heldKeyIssues("reason", wish.reason, [])],
)

/** What each part of the switch stops. */
const switchLabels: Readonly<Record<SwitchOperation, string>> = {
  quote: "Quotes",
  open: "New swaps",
  encode: "Transactions to sign",
  status: "Status checks",
  node: "Calls to the node",
}

/** Switches a provider, one of its operations or one asset off or on. */
export const switchProvider = formAction({
  path: "/dashboard/providers/:name/switch",
  button: "Change",
  tone: "go",
  once: true,
  fields: {
    enabled: cards({
      label: "Position",
      choices: [
        { value: "true", label: "On", hint: "quotes and new swaps" },
        { value: "false", label: "Off", hint: "nothing new; open swaps are still followed" },
      ],
      as: truth,
    }),
    operation: choice({
      label: "What it stops",
      choices: [
        any("Everything but status"),
        ...SwitchOperation.literals.map((value) => ({ value, label: switchLabels[value] })),
      ],
    }),
    asset: choice({ label: "Asset", choices: [any("All assets"), ...choices(assetIds())] }),
    reason: text({ label: "Reason (integrators see it)", required: true }),
  },
  done: { switched: "Switched. In effect on all replicas within a second." },
  again: {
    title: "Switch a provider",
    back: "Back to the provider",
    backTo: ({ param }) => providerPath(param("name")),
  },
  run: Effect.fnUntraced(function* ({ by, entered, param }: Submitted) {
    const found = yield* (yield* Overview).find(param("name"))
    if (Option.isNone(found)) return yield* new ProviderUnknown()
    yield* (yield* Switches).set({ ...(yield* readSwitchProvider(entered)), platform: found.value.name }, by)
    return { to: providerPath(found.value.name), said: "switched" } as const
  }),
})

const switchesTable = ({ contact, name, switches }: ProviderStanding, now: EpochMillis): Html =>
  switches.length === 0 ? nothing : table({
    caption: `What is switched off at ${contact.name}`,
    columns: [
      [
        "Switched off",
        ({ operation }) => operation === undefined ? "everything but status" : operationList([operation]),
      ],
      ["Asset", ({ asset }) => asset ?? "all assets"],
      ["Why", ({ reason }) => untrusted(reason), "all"],
      ["By", ({ changedBy }) => untrusted(changedBy)],
      ["Since", ({ changedAt }) => age(changedAt, now)],
      [
        "",
        ({ asset, operation }) => (
          <a
            href={switchPath(name, {
              enabled: "true",
              ...(operation === undefined ? {} : { operation }),
              ...(asset === undefined ? {} : { asset }),
            })}
          >
            Switch on
          </a>
        ),
        undefined,
        "",
      ],
    ],
    rows: switches,
    empty: "",
  })

const positionOf = (standing: ProviderStanding): string => {
  if (wholeSwitch(standing) !== undefined) return "off"
  return standing.switches.length === 0 ? "on" : "on, except the list below"
}

/** The switch of a provider in the position that it has, or filled in as a link to it asked for. */
export const switchBox = (
  standing: ProviderStanding,
  { now, query }: Pick<PageRequest<Operator>, "now" | "query">,
): Html =>
  section(
    {
      title: "Switch",
      id: "switch",
      isBox: true,
      aside: (
        <>
          now <b>{positionOf(standing)}</b>
        </>
      ),
    },
    [
      switchProvider.form({ name: standing.name }, {
        isLine: true,
        entered: filled({
          enabled: query("set") ?? `${wholeSwitch(standing) === undefined}`,
          operation: query("of") ?? "",
          asset: query("asset") ?? "",
        }),
      }),
      switchesTable(standing, now),
    ],
  )
