import { Effect, Option } from "effect"
import { heldKeyIssues } from "../../accounts/ApiKey.ts"
import { SwitchBody } from "../../api/Providers.ts"
import { assetIds } from "../../domain/Asset.ts"
import { actorOf } from "../../domain/Audit.ts"
import { switchIssues, SwitchOperation } from "../../domain/ProviderSwitch.ts"
import { readerOf } from "../../requests/parameterIssues.ts"
import { ProviderUnknown } from "../../requests/HttpFailure.ts"
import { actForm, field, select } from "../../pages/forms.ts"
import type { Html } from "../../pages/html.ts"
import { path } from "../../pages/Url.ts"
import { Overview } from "../../providers/Overview.ts"
import { Switches } from "../../providers/Switches.ts"
import { again, type Entered, given, once, readEntered, truth } from "../entered.ts"
import type { Act } from "../Page.ts"
import { providerPath } from "./providersPage.ts"

const operationChoices = [
  { value: "", label: "Everything but status" },
  ...SwitchOperation.literals.map((value) => ({ value, label: value })),
]
const assetChoices = [
  { value: "", label: "All assets" },
  ...assetIds.map((value) => ({ value, label: value })),
]

/** The form that switches a provider, or a part of it. */
export const switchForm = (name: string, { value, fault }: Entered): Html =>
  actForm({ to: path`/dashboard/providers/${name}/switch`, button: "Switch" }, [
    select({
      label: "Switch",
      name: "enabled",
      choices: [{ value: "false", label: "off" }, { value: "true", label: "on" }],
      value: value("enabled", "false"),
      fault: fault("enabled"),
    }),
    select({
      label: "Operation",
      name: "operation",
      choices: operationChoices,
      value: value("operation"),
      fault: fault("operation"),
    }),
    select({
      label: "Asset",
      name: "asset",
      choices: assetChoices,
      value: value("asset"),
      fault: fault("asset"),
    }),
    field({
      label: "Reason",
      name: "reason",
      value: value("reason"),
      required: true,
      hint: "Callers read it, and the log of changes keeps it.",
      fault: fault("reason"),
    }),
    once(),
  ])

const readSwitch = readEntered(
  readerOf(SwitchBody),
  (wish) => [switchIssues(wish), heldKeyIssues("reason", wish.reason, [])],
)

/** Switches a provider, one of its operations or one asset off or on. */
export const switchProvider: Act<Overview | Switches> = {
  path: "/dashboard/providers/:name/switch",
  run: Effect.fnUntraced(function* ({ field, param, viewer }) {
    const found = yield* (yield* Overview).find(param("name"))
    if (Option.isNone(found)) return yield* new ProviderUnknown()
    const change = yield* readSwitch(given({
      enabled: truth(field("enabled")),
      operation: field("operation"),
      asset: field("asset"),
      reason: field("reason"),
    }))
    yield* (yield* Switches).set({ ...change, platform: found.value.name }, actorOf(viewer.caller))
    return { to: providerPath(found.value.name), said: "switched" } as const
  }),
  again: again({
    title: "Switch a provider",
    back: "Back to the provider",
    backTo: ({ param }) => providerPath(param("name")),
    form: ({ param }, entered) => switchForm(param("name"), entered),
  }),
}
