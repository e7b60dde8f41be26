import { listOf } from "../config/kinds.ts"
import { setting } from "../config/Setting.ts"
import { ProviderName } from "../domain/ProviderName.ts"
import { builtIn, configured } from "./builtIn.ts"
import * as Chainflip from "./chainflip/provider.ts"
import * as NearIntents from "./near-intents/provider.ts"
import { chainflipSettings } from "./chainflip/settings.ts"
import { nearIntentsSettings } from "./near-intents/settings.ts"

/** Every provider of this build; a new one is one more line here. */
const all = [
  builtIn({ name: "chainflip", settings: chainflipSettings, layer: Chainflip.layer }),
  builtIn({ name: "near-intents", settings: nearIntentsSettings, layer: NearIntents.layer }),
]

/** The providers whose settings are there. */
export const providers = configured(all)

/** The names of the enabled ones, in the operator's order of preference. */
export const enabledProviders = setting({
  name: "PROVIDERS",
  default: all.map(({ name }) => name).join(","),
  schema: listOf(ProviderName),
  expected: "names of providers with commas between them",
  meaning: "Enabled providers in order of preference; one that this build does not have is named in the log",
})
