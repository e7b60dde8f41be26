import { Context } from "effect"
import type { Address } from "../domain/Address.ts"
import type { Chain, Network } from "../domain/Chain.ts"

/** What the operator settled about addresses: it applies to every account alike. */
export class SwapSettings extends Context.Service<SwapSettings, {
  /** The networks whose addresses are accepted (setting `CHAINFLIP_NETWORK`). */
  readonly networks: ReadonlyArray<Network>
  /** Where deposits go back to when the caller does not say (decision 5). */
  readonly fallbackRefundAddresses: { readonly [Key in Chain]?: Address }
  /** ss58 prefix of broker accounts. */
  readonly brokerAccountPrefix: number
}>()("swap-broker/swapping/SwapSettings") {}
