import { Context } from "effect"
import type { Network } from "#domain/chains/Chain.ts"
import type { ProviderName } from "#domain/ProviderName.ts"

/** The networks that swaps are on. A command that works in the database alone does not know them, and shows no links. */
export interface SwapNetworks {
  readonly networkOf: (platform: ProviderName) => Network | undefined
  /** The network of every provider that is not simulated. */
  readonly realNetwork: Network
}
export const SwapNetworks = Context.Reference<SwapNetworks>("swap-broker/providers/SwapNetworks", {
  defaultValue: () => ({ networkOf: () => undefined, realNetwork: "mainnet" }),
})
