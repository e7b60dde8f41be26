import type { AssetId } from "#domain/chains/Asset.ts"
import { counted } from "#domain/figures.ts"
import { type JournalEntry, JournalNote, type KeptBody } from "#domain/swaps/Journal.ts"
import { isOver, type SwapStatus } from "#domain/swaps/Swap.ts"
import { amount, clock } from "../../pages/values.tsx"
import { type Html, path } from "../../pages/jsx-runtime.ts"
import { type Step, type StepState, timeline, untrusted } from "../../pages/parts.tsx"
import { failuresOf, failureText, isClosed, isDisputed, stateBadge } from "./describeSwap.tsx"
import { changedParts, eventOf, type MoneyEvent } from "./money.tsx"
import words from "../words.json" with { type: "json" }
import { contradictionText, type SwapFacts } from "./loadSwap.ts"

const titleOf = (event: MoneyEvent, status: SwapStatus, before: SwapStatus | undefined): string => {
  if (event === "confirmed") {
    const { deposit, sourceChainRequiredBlockConfirmations: required } = status
    const seen = deposit?.transactionConfirmations ?? 0
    return required === undefined ? counted(seen, "confirmation") : `${seen} of ${required} confirmations`
  }
  const parts = event === "updated" && before !== undefined ? changedParts(status, before) : []
  return parts.length === 0 ? words.moneyEvents[event] : `${words.moneyEvents[event]}: ${parts.join(", ")}`
}

/** The amounts that an event brought. */
const amountsOf = (
  event: MoneyEvent,
  { deposit, destinationAsset, refundEgress, sourceAsset, swapEgress }: SwapStatus,
): ReadonlyArray<Html> => {
  if (event === "receiving") return deposit === undefined ? [] : [amount(sourceAsset, deposit.amount)]
  const isOf = (pattern: RegExp, payment: { readonly amount: bigint } | undefined, asset: AssetId) =>
    payment !== undefined && pattern.test(event) ? [amount(asset, payment.amount)] : []
  return [
    ...isOf(/^(payout|both|completed|partlyRefunded)/, swapEgress, destinationAsset),
    ...isOf(/^(refund|both|partlyRefunded)/, refundEgress, sourceAsset),
  ]
}

interface Line extends Pick<Step, "title" | "texts"> {
  readonly state?: StepState
  readonly body?: KeptBody
}

const lineOf = (facts: SwapFacts, note: JournalNote, before: SwapStatus | undefined): Line =>
  JournalNote.$match(note, {
    Change: ({ body, detail, kind, status }): Line => ({
      state: status.state === "failed" ? "no" : "ok",
      title: detail ?? titleOf(eventOf(kind, status, before), status, before),
      texts: [
        ...amountsOf(eventOf(kind, status, before), status),
        ...failuresOf(status).map(([of, failure]) => <>{of} failed. {failureText(failure)}.</>),
      ],
      ...(body === undefined ? {} : { body }),
    }),
    Contradiction: ({ detail, status, body }): Line => ({
      state: "no",
      title: "Result disputed",
      texts: [
        <>
          {/* The operator's callout about the present dispute has the sentence. */}
          {(!facts.isOperator || !isDisputed(facts.swap)) && (
            <>{untrusted(contradictionText(facts, detail))}.{" "}</>
          )}
          Reported: {stateBadge(status)}
        </>,
      ],
      body,
    }),
    Stall: ({ detail }): Line => ({ state: "no", title: "Stalled", texts: [<>{untrusted(detail)}.</>] }),
  })

const statusBefore = (entries: ReadonlyArray<JournalEntry>, index: number): SwapStatus | undefined => {
  const before = entries.slice(index + 1).map(({ note }) => note).find(JournalNote.$is("Change"))
  return before?.status
}

/** The step that comes next. */
const nowStep = ({ contact, now, swap }: SwapFacts): ReadonlyArray<Step> => {
  const { nextLookupAt, record: { standing, status } } = swap
  const isWaiting = status.state === "waiting"
  const hasExpired = isWaiting && isClosed(status)
  const expiredTitle = nextLookupAt === undefined
    ? "No deposit from before the expiry"
    : "Checking for a deposit from before the expiry"
  return isOver(status) ? [] : [{
    state: hasExpired ? undefined : "now",
    title: hasExpired ? expiredTitle : `Waiting for ${isWaiting ? "the deposit" : contact.name}`,
    at: clock(now, now),
    texts: [
      standing.lookupFailures > 0 && !isDisputed(swap)
        ? `${counted(standing.lookupFailures, "failed status check")} in a row`
        : nextLookupAt === undefined
        ? "No further automatic checks"
        : (
          <>
            Next check at {clock(nextLookupAt, now)} UTC
            {hasExpired && ", for at least a day after the expiry"}
          </>
        ),
    ],
  }]
}

/**
 * The entries of a journal as a timeline. Integrators see what happened, not the upstream's responses.
 * `older`: the entry after the last one, which shows what was new in that.
 */
export const journalTimeline = (
  facts: SwapFacts,
  older: ReadonlyArray<JournalEntry>,
  isLatest: boolean,
): Html => {
  const { entries, isOperator, now, swap: { record: { id } } } = facts
  const all = [...entries, ...older]
  return timeline([
    ...(isLatest ? nowStep(facts) : []),
    ...entries.map((entry, index) => {
      const { body, state, texts = [], title } = lineOf(facts, entry.note, statusBefore(all, index))
      const response = isOperator && body !== undefined
        ? [<a href={path`/dashboard/swaps/${id}/journal/${entry.id}`}>{facts.contact.name}’s response</a>]
        : []
      return { state, title, at: clock(entry.at, now), texts: [...texts, ...response] }
    }),
  ])
}
