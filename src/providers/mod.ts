import { Layer } from "effect"
import type { Options as ChainflipOptions } from "./chainflip/Options.ts"
import type { Options as NearIntentsOptions } from "./near-intents/Options.ts"
import * as Chainflip from "./chainflip/provider.ts"
import * as NearIntents from "./near-intents/provider.ts"

/** The settings of every provider that is built in, by its name; none: it is not registered. */
export interface ProvidersOptions {
  readonly chainflip?: ChainflipOptions
  readonly nearIntents?: NearIntentsOptions
}

/** Registers every provider that is configured; a new one is one more line here. */
export const providers = (options: ProvidersOptions) =>
  Layer.mergeAll(
    options.chainflip === undefined ? Layer.empty : Chainflip.layer(options.chainflip),
    options.nearIntents === undefined ? Layer.empty : NearIntents.layer(options.nearIntents),
  )
