import { Schema } from "effect"
import { optional } from "#domain/optional.ts"
import { PaymentTrap, VaultNetwork } from "#api/SandboxVaults.ts"
import { AssetId } from "#domain/chains/Asset.ts"
import { Chain } from "#domain/chains/Chain.ts"

/** Someone pays a vault of a network, with a memo. The transaction enters the source chain's next block. */
export const PayVault = Schema.TaggedStruct("PayVault", {
  provider: VaultNetwork,
  asset: AssetId,
  /** Native units. */
  amount: Schema.BigInt,
  memo: Schema.String,
  /** The vault that gets the money. */
  vault: Schema.String,
  sender: Schema.String,
  /** Seconds; the contract refuses the call from then on. */
  expiry: optional(Schema.BigInt),
})
export type PayVault = typeof PayVault.Type

/** Trading is halted or goes on: of a chain, of everything, or of the network, which then makes no blocks. */
export const SetTrading = Schema.TaggedStruct("SetTrading", {
  provider: VaultNetwork,
  chain: optional(Chain),
  isChainHalted: optional(Schema.Boolean),
  isPaused: optional(Schema.Boolean),
  isFrozen: optional(Schema.Boolean),
})
export type SetTrading = typeof SetTrading.Type

/** All vaults are replaced: those before retire, and those before them are not looked at any more. */
export const ChurnVaults = Schema.TaggedStruct("ChurnVaults", { provider: VaultNetwork })

export const PlanPayment = Schema.TaggedStruct("PlanPayment", {
  provider: VaultNetwork,
  outcome: PaymentTrap,
})

/** The commands that change the networks of the family, as the log keeps them. */
export const VaultCommand = Schema.Union([PayVault, SetTrading, ChurnVaults, PlanPayment])
