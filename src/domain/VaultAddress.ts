import type { Address } from "./Address.ts"
import type { Chain } from "./Chain.ts"
import type { ProviderName } from "./ProviderName.ts"

/** A contract or program that payloads of a provider may call on a chain. */
export interface VaultAddress {
  readonly platform: ProviderName
  readonly chain: Chain
  readonly address: Address
}
