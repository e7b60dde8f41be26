import { Effect, Option } from "effect"
import { Business } from "#application/business/Business.ts"
import { Notices } from "#application/events/Notices.ts"
import { Guide } from "#application/guidance/Guide.ts"
import { StallDetector } from "#application/swapping/following/StallDetector.ts"
import { UsualTimes } from "#application/swapping/following/Stalling.ts"
import { Journals } from "#application/swapping/Journals.ts"
import { OpeningRules } from "#application/swapping/opening/OpeningRules.ts"
import { Deliveries } from "#application/webhooks/Deliveries.ts"
import type { Viewer } from "#domain/accounts/Viewer.ts"
import type { AccountSwap } from "#domain/operations/Business.ts"
import { JournalEntryId } from "#domain/swaps/Journal.ts"
import { isSettled, type SwapStatus } from "#domain/swaps/Swap.ts"
import type { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { healthOf, Overview } from "#providers/Overview.ts"
import type { PageRequest } from "../Page.ts"
import { stateText } from "../providers/providerParts.tsx"
import { isStalled } from "./describeSwap.tsx"
import type { SwapFacts } from "./SwapFacts.ts"

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
    guidance: yield* (yield* Guide).swap(swap.record, isOperator ? "operator" : "integrator"),
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
