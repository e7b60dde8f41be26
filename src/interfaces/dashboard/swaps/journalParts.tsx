import { type ChangeKind, type JournalEntry, JournalNote, type KeptBody } from "#domain/swaps/Journal.ts"
import { isOver, type SwapState, type SwapStatus } from "#domain/swaps/Swap.ts"
import type { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { amount } from "../../pages/amounts.tsx"
import { type Html } from "../../pages/jsx-runtime.ts"
import { folded, type Step, type StepState, timeline, untrusted, verbatim } from "../../pages/parts.tsx"
import { clock } from "../../pages/times.tsx"
import { path } from "../../pages/Url.ts"
import { endOf } from "#application/swapping/following/Progress.ts"
import { failuresOf, failureText, stateBadge } from "./describeSwap.tsx"
import type { SwapFacts } from "./SwapFacts.ts"

/** What came about with a state. */
const entered: Readonly<Record<SwapState, string>> = {
  waiting: "Waits for the deposit",
  receiving: "Deposit seen",
  swapping: "Deposit credited, swapping",
  sending: "Swapped, sending the payment",
  sent: "Payment sent",
  completed: "Paid out",
  failed: "Failed",
}

const begun: { readonly [Kind in ChangeKind]?: string } = {
  opened: "Channel opened",
  found: "Found by its transaction",
  imported: "Known when its journal began",
  expired: "The channel takes no more deposits",
}

/** What is new in a status. `before` is the one that was known until then. */
const titleOf = (kind: ChangeKind, status: SwapStatus, before: SwapStatus | undefined): string => {
  const first = begun[kind]
  if (first !== undefined) return first
  if (before?.state !== status.state) {
    return endOf(status) === "refunded" ? "Sent back" : entered[status.state]
  }
  const { deposit, refundEgress, sourceChainRequiredBlockConfirmations: required, swapEgress } = status
  const confirmations = deposit?.transactionConfirmations
  if (confirmations !== undefined && confirmations !== before.deposit?.transactionConfirmations) {
    return required === undefined
      ? `${confirmations} confirmations`
      : `${confirmations} of ${required} confirmations`
  }
  if (swapEgress?.transactionReference !== before.swapEgress?.transactionReference) {
    return "Transaction of the payment known"
  }
  if (refundEgress !== undefined && before.refundEgress === undefined) return "Refund under way"
  return "The provider reports a change"
}

const soft = (status: SwapStatus): ReadonlyArray<Html> => {
  const { deposit, destinationAsset, refundEgress, sourceAsset, state, swapEgress } = status
  if (state === "receiving" && deposit !== undefined) return [amount(sourceAsset, deposit.amount)]
  if (state === "completed" && swapEgress !== undefined) return [amount(destinationAsset, swapEgress.amount)]
  return state === "completed" && refundEgress !== undefined ? [amount(sourceAsset, refundEgress.amount)] : []
}

/** The most characters of an upstream's answer that stand in a timeline; the rest is on a page of its own. */
const mostInTimeline = 1_000

const answerOf = (swap: SwapRecordId, { id }: JournalEntry, body: KeptBody): Html =>
  folded(
    "The provider’s answer",
    <>
      {verbatim(body.text, `The provider’s answer in entry ${id}`, mostInTimeline)}
      {body.text.length > mostInTimeline &&
        (
          <p>
            <a href={path`/dashboard/swaps/${swap}/journal/${id}`}>All {body.length} characters of it</a>
          </p>
        )}
    </>,
    `entry-${id}`,
  )

interface Line extends Pick<Step, "title" | "texts"> {
  readonly state?: StepState
  readonly body?: KeptBody
}

const lineOf = (note: JournalNote, before: SwapStatus | undefined): Line =>
  JournalNote.$match(note, {
    Change: ({ body, detail, kind, status }): Line => ({
      state: status.state === "failed" ? "no" : "ok",
      title: detail ?? titleOf(kind, status, before),
      texts: [
        ...soft(status),
        ...failuresOf(status).map(([of, failure]) => <>{of} failed. {failureText(failure)}.</>),
      ],
      ...(body === undefined ? {} : { body }),
    }),
    Contradiction: ({ detail, status, body }): Line => ({
      state: "no",
      title: "The provider says what cannot be true",
      texts: [<>It was not taken over. {untrusted(detail)}. It said {stateBadge(status)}</>],
      body,
    }),
    Stall: ({ detail }): Line => ({
      state: "no",
      title: "Called stalled",
      texts: [<>{untrusted(detail)}.</>],
    }),
  })

const statusBefore = (entries: ReadonlyArray<JournalEntry>, index: number): SwapStatus | undefined => {
  const before = entries.slice(index + 1).map(({ note }) => note).find(JournalNote.$is("Change"))
  return before?.status
}

/** What is waited for now. */
const nowStep = (
  { contact, now, swap: { nextLookupAt, record: { standing, status } } }: SwapFacts,
): ReadonlyArray<Step> =>
  isOver(status) ? [] : [{
    state: "now",
    title: status.state === "waiting" ? "Waiting for the deposit" : `Waiting for ${contact.name}`,
    at: clock(now, now),
    texts: [
      standing.lookupFailures > 0
        ? `${standing.lookupFailures} questions in a row without a usable answer`
        : nextLookupAt === undefined
        ? "It is not asked again by itself"
        : <>Asked again at {clock(nextLookupAt, now)} UTC</>,
    ],
  }]

/**
 * The entries of a journal as a timeline. Integrators are told what happened, and not what an upstream said of it.
 * `older`: the entry after the last one, by which is known what was new in that.
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
      const { body, state, texts = [], title } = lineOf(entry.note, statusBefore(all, index))
      const answer = isOperator && body !== undefined ? [answerOf(id, entry, body)] : []
      return { state, title, at: clock(entry.at, now), texts: [...texts, ...answer] }
    }),
  ])
}
