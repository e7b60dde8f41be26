import { type NativeAmount, noAmount } from "#domain/money/Amount.ts"
import type { AssetId } from "#domain/chains/Asset.ts"

/** What a network in memory tells the deposits to its channels apart by. */
export type ToldApartBy = "address" | "memo" | "amount"

/** A network that takes transactions which say themselves what is to be swapped. */
export interface Vault {
  /** The native units that one unit of the network is worth; 1 for an asset that is not named. */
  readonly nativeUnits: { readonly [Asset in AssetId]?: bigint }
  /** Whether its records say the price limit, the refund address and the commission of a swap. */
  readonly tellsTerms: boolean
  /** Whether it finds a swap by the mark of its payload or by its own number alone. */
  readonly needsMarks: boolean
  /** Whether its swaps can be spread over time, have affiliates, be boosted, and have messages. */
  readonly features: boolean
  /** A fee in the coin of the source chain, which the transaction pays on top of what is swapped. */
  readonly feeInValue: NativeAmount
}

/** What kind of provider the network in memory has. */
export interface Traits {
  readonly channels?: ToldApartBy
  /** Whether it can say what came of an opening whose answer was lost. */
  readonly traces?: boolean
  readonly vault?: Vault
  readonly retry: boolean
}

/** A network with vaults that knows and tells all. */
export const plainVault: Vault = {
  nativeUnits: {},
  tellsTerms: true,
  needsMarks: false,
  features: false,
  feeInValue: noAmount,
}
