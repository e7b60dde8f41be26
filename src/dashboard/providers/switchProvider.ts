import { Effect, Option } from "effect"
import { heldKeyIssues } from "../../accounts/ApiKey.ts"
import { SwitchBody } from "../../api/Providers.ts"
import { assetIds } from "../../domain/Asset.ts"
import { switchIssues, SwitchOperation } from "../../domain/ProviderSwitch.ts"
import { ProviderUnknown } from "../../requests/HttpFailure.ts"
import { readerOf } from "../../requests/parameterIssues.ts"
import { Overview } from "../../providers/Overview.ts"
import { Switches } from "../../providers/Switches.ts"
import { act, choice, readEntered, type Submitted, text, truth } from "../act.ts"
import { any, choices } from "../filters.ts"
import { providerPath } from "./providersPage.ts"

const readSwitchProvider = readEntered(
  readerOf(SwitchBody),
  (wish) => [switchIssues(wish), heldKeyIssues("reason", wish.reason, [])],
)

/** Switches a provider, one of its operations or one asset off or on. */
export const switchProvider = act({
  path: "/dashboard/providers/:name/switch",
  button: "Switch",
  once: true,
  fields: {
    enabled: choice({
      label: "Switch",
      choices: [{ value: "false", label: "off" }, { value: "true", label: "on" }],
      usual: "false",
      as: truth,
    }),
    operation: choice({
      label: "Operation",
      choices: [any("Everything but status"), ...choices(SwitchOperation.literals)],
    }),
    asset: choice({ label: "Asset", choices: [any("All assets"), ...choices(assetIds())] }),
    reason: text({
      label: "Reason",
      required: true,
      hint: "Callers read it, and the log of changes keeps it.",
    }),
  },
  done: { switched: "Switched. It is in force on every replica within a second." },
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
