import type { BigDecimal } from "effect"
import type { SwapDelivery } from "#domain/accounts/Webhook.ts"
import type { AssetId } from "#domain/chains/Asset.ts"
import type { AccountSwap } from "#domain/operations/Business.ts"
import type { Network } from "#domain/chains/Chain.ts"
import type { Contact } from "#domain/operations/Contact.ts"
import type { Guidance } from "#domain/swaps/Guidance.ts"
import type { JournalEntry } from "#domain/swaps/Journal.ts"
import type { SwapNotice } from "#domain/swaps/SwapEvent.ts"
import type { LastStall } from "#domain/swaps/SwapRecord.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { type UsdValue, valueAt } from "#domain/money/UsdValue.ts"

/** All that the parts of a swap's page are made of. */
export interface SwapFacts {
  readonly swap: AccountSwap
  readonly guidance: Guidance
  /** The entries of the timeline's page, newest first. */
  readonly entries: ReadonlyArray<JournalEntry>
  /** The newest entries of the journal, whichever page of it is shown. */
  readonly newest: ReadonlyArray<JournalEntry>
  /** The latest deliveries about it to webhooks; an integrator's pages have none. */
  readonly deliveries: ReadonlyArray<SwapDelivery>
  /** What was shown of it on event streams and the payer's page, for the operator. */
  readonly notices: ReadonlyArray<SwapNotice>
  /** US dollars for a native unit of each asset of the swap: at its end, or now while it goes on. */
  readonly prices: ReadonlyMap<AssetId, BigDecimal.BigDecimal>
  readonly now: EpochMillis
  readonly isOperator: boolean
  /** Its provider as people call it, and where that is asked for help. */
  readonly contact: Contact
  /** That its provider is down or switched off, in a few words, while the swap goes on. */
  readonly outage: string | undefined
  /** The time from deposit to payout that nine in ten swaps of the pair take at most, in milliseconds; where known. */
  readonly usual: number | undefined
  /** The latest other swap of its provider that stalled and ended. Only the page of a stalled swap has it. */
  readonly lastStall: LastStall | undefined
  /** Whether its upstream can be asked to look for deposits once more. */
  readonly canReindex: boolean
  /** The network that its transactions are on. Simulated ones live in a time of their own. */
  readonly network: Network
}

/** What an amount of the swap was worth; undefined without a price. */
export const usdOf = ({ prices }: SwapFacts, asset: AssetId, native: bigint): UsdValue | undefined => {
  const price = prices.get(asset)
  return price === undefined ? undefined : valueAt(price, native)
}

/** Whether times that the upstream tells are of our world, so that they may stand beside ours. */
export const hasOurTime = ({ network }: SwapFacts): boolean => network !== "sandbox"

/** What an upstream contradicts, in a sentence with its name. */
export const contradictionText = ({ contact }: Pick<SwapFacts, "contact">, detail: string): string =>
  detail.replace(/^The upstream\b/, contact.name)
