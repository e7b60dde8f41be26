import type { Network } from "#domain/chains/Chain.ts"
import type { LateDeposit } from "#domain/swaps/Channel.ts"
import type { SwapStatus } from "#domain/swaps/Swap.ts"
import type { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import type { EpochMillis } from "#domain/Time.ts"
import type { Shop } from "./payerDocument.tsx"
import type { PageText } from "./parts.tsx"

/** What every part of the page is written from. */
export interface PayerView {
  readonly id: SwapRecordId
  readonly status: SwapStatus
  /** The network that addresses are of; a simulated one has no explorers. */
  readonly network: Network
  /** The time at which the page is shown, by the clock of the record. */
  readonly now: EpochMillis
  /** The same by ours, as simulated networks have a time of their own. */
  readonly clock: EpochMillis
  readonly lateDeposit: LateDeposit
  readonly shop: Shop
  readonly writer: PageText
}
