import { Effect, Option } from "effect"
import { heldKeyIssues } from "#application/accounts/ApiKey.ts"
import { SwitchBody } from "#api/Providers.ts"
import { assetIds } from "#domain/chains/Asset.ts"
import { switchIssues, SwitchOperation } from "#domain/operations/ProviderSwitch.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { type Html, nothing } from "../../pages/jsx-runtime.ts"
import { section, table, untrusted } from "../../pages/parts.tsx"
import { age } from "../../pages/values.tsx"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { ProviderUnknown } from "../../requests/problems.ts"
import { readerOf } from "../../requests/parameterIssues.ts"
import { Overview, type ProviderStanding } from "#providers/Registry.ts"
import { Switches } from "#providers/Switches.ts"
import {
  cards,
  choice,
  filled,
  fixed,
  formAction,
  readEntered,
  type Submitted,
  text,
  truth,
} from "../formAction.tsx"
import { any, choices, type PageRequest } from "../Page.ts"
import type { Operator } from "#domain/accounts/Viewer.ts"
import { switchPath } from "./healthNote.tsx"
import { operationList, providerPath, scopeOf } from "./providerParts.tsx"

const readSwitchProvider = readEntered(
  readerOf(SwitchBody),
  (wish) => [switchIssues(wish), heldKeyIssues("reason", wish.reason, [])],
)

const reason = text({ label: "Reason (integrators see it)", required: true })

/** Switches a provider, one of its operations or one asset off or on. */
export const switchProvider = formAction({
  path: "/dashboard/providers/:name/switch",
  button: "Switch off",
  tone: "stop",
  once: true,
  fields: {
    enabled: fixed(truth),
    operation: cards({
      label: "What to switch off",
      choices: [
        { value: "open", label: "New swaps", hint: "quotes stay available" },
        { value: "quote", label: "Quotes", hint: "neither quotes nor the swaps that need one" },
        { value: "", label: "Everything but status", hint: "open swaps are still followed" },
      ],
    }),
    asset: choice({ label: "Asset", choices: [any("All assets"), ...choices(assetIds())] }),
    reason,
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
        "Action",
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

/** What is switched off at a provider, and the form that changes it where a link asked for it; else nothing. */
export const switchBox = (
  standing: ProviderStanding,
  { query }: Pick<PageRequest<Operator>, "query">,
  now: EpochMillis,
): Html => {
  const at = { name: standing.name }
  const cancel = providerPath(standing.name)
  const set = query("set")
  if (set === undefined && standing.switches.length === 0) return nothing
  const part = { operation: query("of") ?? "", asset: query("asset") ?? "" }
  const of = scopeOf({
    ...optionalMembers(
      SwitchOperation.literals.find((one) => one === part.operation),
      (operation) => ({ operation }),
    ),
    ...optionalMembers(assetIds().find((one) => one === part.asset), (asset) => ({ asset })),
  })
  const title = set === undefined
    ? "Switched off"
    : set === "true"
    ? `Switch ${standing.contact.name} on: ${of}`
    : `Switch off at ${standing.contact.name}`
  return section({ title, id: "switch", isBox: set !== undefined }, [
    switchesTable(standing, now),
    set === undefined ? nothing : set === "true"
      ? switchProvider.form(at, {
        isLine: true,
        cancel,
        button: "Switch on",
        tone: "go",
        fields: { enabled: fixed(truth), operation: fixed(), asset: fixed(), reason },
        entered: filled({ enabled: "true", ...part }),
      })
      : switchProvider.form(at, {
        isLine: true,
        lead: <p>Open swaps are still followed. It stays off until you switch it on.</p>,
        cancel,
        entered: filled({ enabled: "false", ...part }),
      }),
  ])
}
