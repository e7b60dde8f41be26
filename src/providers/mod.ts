import { Context } from "effect"
import { listOf } from "../config/kinds.ts"
import { setting } from "../config/Setting.ts"
import { ProviderName } from "../domain/ProviderName.ts"
import * as Chainflip from "./chainflip/provider.ts"
import { defineProvider, type ProviderDefinition } from "./definition.ts"
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

/** The setting of the enabled providers, in the operator's order of preference. */
export const enabledProviders = (definitions: ReadonlyArray<ProviderDefinition>) =>
  setting({
    name: "PROVIDERS",
    default: definitions.map(({ name }) => name).join(","),
    schema: listOf(ProviderName),
    expected: "names of providers with commas between them",
    meaning:
      "Enabled providers in order of preference; one that this build does not have is named in the log",
  })
