import { Layer } from "effect"
import * as Chainflip from "./chainflip/layer.ts"
import type { Options as ChainflipOptions } from "./chainflip/Options.ts"

/** The settings of every provider that is built in, by its name. */
export interface ProvidersOptions {
  readonly chainflip: ChainflipOptions
}

/** Registers every provider; a new one is one more line here. */
export const providers = (options: ProvidersOptions) => Layer.mergeAll(Chainflip.layer(options.chainflip))
