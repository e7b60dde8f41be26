import type { LateDeposit } from "#domain/swaps/Channel.ts"
import type { EpochMillis } from "#domain/Time.ts"

/** What guidance has to know of the provider of a swap. */
export interface ProviderFacts {
  /** Whether the provider is asked about open swaps: it is enabled, and `status` is not switched off. */
  readonly isFollowed: boolean
  /** Whether the operator lets swaps of this source asset begin at the provider. */
  readonly takesSwaps: boolean
  /** Whether the provider takes deposits of the source asset at present. */
  readonly takesDeposits: boolean
  /** Whether the provider pays the destination asset out at present. */
  readonly paysOut: boolean
  readonly lateDeposit: LateDeposit
  /** Whether the provider prices each deposit, so that a smaller one than was named is not swapped. */
  readonly needsAmount: boolean
  /** Whether the rest of a deposit that was too small can follow in another. */
  readonly addsDeposits: boolean
}

/** What guidance has to know besides the record. Times are by the clock of the record. */
export interface GuidanceFacts {
  readonly now: EpochMillis
  /** When the record became what it is. */
  readonly changedAt: EpochMillis
  /** When the swap entered the state that it is in, where the journal tells. */
  readonly enteredAt?: EpochMillis
  /** Since when the swap is longer in its state than that may last. */
  readonly stalledSince?: EpochMillis
  /** When the upstream said what cannot be; absent once it has said something else. */
  readonly contradictedAt?: EpochMillis
  /** Since when the upstream has not told anything of the swap: it was asked in vain, or cannot be asked at present. */
  readonly silentSince?: EpochMillis
  readonly provider: ProviderFacts
}

/** The facts about a provider of which nothing bad is known. */
export const goodProvider: ProviderFacts = {
  isFollowed: true,
  takesSwaps: true,
  takesDeposits: true,
  paysOut: true,
  lateDeposit: "untold",
  needsAmount: false,
  addsDeposits: false,
}
