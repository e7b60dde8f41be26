import { Context, Option } from "effect"
import { listOf } from "#infrastructure/config/kinds.ts"
import { derived, type FoundSetting, optionalSetting, type Setting } from "#infrastructure/config/Setting.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import * as Chainflip from "./chainflip/provider.ts"
import { defineProvider, isMeant, type ProviderDefinition } from "./definition.ts"
import * as NearIntents from "./near-intents/provider.ts"
import * as Relay from "./relay/provider.ts"
import * as Thorchain from "./thorchain/provider.ts"

/** Every provider of this build. A new provider is one more line here. */
export const builtIn: ReadonlyArray<ProviderDefinition> = [
  defineProvider(Chainflip),
  defineProvider(NearIntents),
  defineProvider(Relay),
  defineProvider(Thorchain.thorchain),
  defineProvider(Thorchain.maya),
]

/** The providers that this process can have: those of this build, unless a start from outside adds its own. */
export const ProviderDefinitions = Context.Reference<ReadonlyArray<ProviderDefinition>>(
  "swap-broker/providers/ProviderDefinitions",
  { defaultValue: () => builtIn },
)

/** The providers whose settings are there, in the order of the build; all if none is, as in commands on a database. */
const thoseMeant = (definitions: ReadonlyArray<ProviderDefinition>, found: FoundSetting) => {
  const meant = definitions.filter((definition) => isMeant(definition, found))
  return (meant.length > 0 ? meant : definitions).map(({ name }) => ProviderName.make(name))
}

/** The setting of the enabled providers in order of preference; its default reads their required variables. */
export const enabledProviders = (
  definitions: ReadonlyArray<ProviderDefinition>,
): Setting<ReadonlyArray<ProviderName>> =>
  derived(
    optionalSetting({
      name: "PROVIDERS",
      isTuning: false,
      unset: { sandbox: "all simulated and all configured providers", live: "all configured providers" },
      schema: listOf(ProviderName),
      expected: "names of providers with commas between them",
      meaning: `Enabled providers in order of preference: ${
        definitions.map(({ name }) => name).join(", ")
      }. The log names each provider that is not part of this ` +
        "build or not configured",
    }),
    (named, found) => Option.getOrElse(named, () => thoseMeant(definitions, found)),
  )
