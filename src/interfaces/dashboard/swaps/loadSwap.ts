import { type BigDecimal, Effect, Option } from "effect"
import { Business } from "#application/business/Business.ts"
import { Notices } from "#application/events/EventStreams.ts"
import { Guide } from "#application/guidance/Guide.ts"
import { StallDetector } from "#application/swapping/following/StallDetector.ts"
import { UsualTimes } from "#application/swapping/following/Stalling.ts"
import { Journals } from "#application/swapping/Journals.ts"
import { OpeningRules } from "#application/swapping/opening/OpeningRules.ts"
import { Deliveries } from "#application/webhooks/Deliveries.ts"
import type { Viewer } from "#domain/accounts/Viewer.ts"
import type { AccountSwap } from "#domain/operations/Business.ts"
import { type JournalEntry, JournalEntryId } from "#domain/swaps/Journal.ts"
import { isSettled, type SwapStatus } from "#domain/swaps/Swap.ts"
import type { LastStall, SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { healthOf, Overview } from "#providers/Registry.ts"
import type { PageRequest } from "../Page.ts"
import { stateText } from "../providers/providerParts.tsx"
import { isStalled } from "./describeSwap.tsx"
import type { SwapDelivery } from "#domain/accounts/Webhook.ts"
import type { AssetId } from "#domain/chains/Asset.ts"
import type { Network } from "#domain/chains/Chain.ts"
import type { Contact } from "#domain/operations/Contact.ts"
import type { Guidance } from "#domain/swaps/Guidance.ts"
import type { SwapNotice } from "#domain/swaps/SwapEvent.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { type UsdValue, valueAt } from "#domain/money/UsdValue.ts"

/** The most entries of a journal on a page, which keeps it small. */
const mostEntries = 12

/** A page of the journal, newest first, and its newest entries, by which the rest of the page goes. */
const journalFor = Effect.fnUntraced(function* ({ query, viewer }: PageRequest<Viewer>, id: SwapRecordId) {
  const journals = yield* Journals
  const offset = Option.getOrUndefined(JournalEntryId.makeOption(Number(query("entry"))))
  // One more than is shown tells what was new in the last one.
  const part = {
    limit: mostEntries + 1,
    sort: "descending" as const,
    ...(offset === undefined ? {} : { offset }),
  }
  const read = (query: typeof part) =>
    viewer._tag === "Operator" ? journals.pageOfAny(id, query) : journals.page(viewer.account, id, query)
  const { items } = yield* read(part)
  const entries = items.slice(0, mostEntries)
  const newest = offset === undefined
    ? entries
    : (yield* read({ limit: mostEntries, sort: "descending" as const })).items
  return { entries, newest, older: items.slice(mostEntries) }
})

/** The most deliveries that a page shows. */
const mostDeliveries = 6

const assetsOf = ({ destinationAsset, fees, sourceAsset }: SwapStatus) => [
  ...new Set([sourceAsset, destinationAsset, ...fees.map(({ asset }) => asset)]),
]

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

/** All that the pages of a swap show, and the entry of its journal after those of the page. */
export const loadSwap = Effect.fnUntraced(function* (asked: PageRequest<Viewer>, swap: AccountSwap) {
  const { now, viewer } = asked
  const { record: { id, platform, standing: { changedAt }, status } } = swap
  const { older, ...pages } = yield* journalFor(asked, id)
  const standing = Option.getOrUndefined(yield* (yield* Overview).find(platform))
  const network = (yield* OpeningRules).networkOf(platform)
  const isOperator = viewer._tag === "Operator"
  const hasStalled = isOperator && isStalled(swap)
  const facts: SwapFacts = {
    swap,
    guidance: yield* (yield* Guide).swap(swap.record, isOperator ? "operator" : undefined),
    ...pages,
    deliveries: isOperator ? yield* (yield* Deliveries).ofSwap(id, mostDeliveries) : [],
    notices: isOperator ? yield* (yield* Notices).of(id) : [],
    prices: yield* (yield* Business).pricesAt(assetsOf(status), isSettled(status) ? changedAt : now),
    now,
    isOperator,
    // Simulated networks live in a time of their own.
    usual: network === "sandbox"
      ? undefined
      : (yield* UsualTimes)(platform, status.sourceAsset, status.destinationAsset),
    lastStall: hasStalled
      ? Option.getOrUndefined(yield* (yield* StallDetector).lastEnded(platform, id))
      : undefined,
    contact: standing?.contact ?? { name: platform },
    outage: standing !== undefined && !isSettled(status) && healthOf(standing) === "down"
      ? stateText(standing)
      : undefined,
    canReindex: status.depositChannel !== undefined && standing?.registered?.channels === true,
    network,
  }
  return { facts, older }
})
