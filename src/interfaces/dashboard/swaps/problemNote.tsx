import type { SwapPhase } from "#domain/swaps/Guidance.ts"
import { isWrong } from "#domain/swaps/Guidance.ts"
import { isOver } from "#domain/swaps/Swap.ts"
import { type Html, nothing } from "../../pages/jsx-runtime.ts"
import { button } from "../../pages/links.tsx"
import { note, type Tone, untrusted } from "../../pages/parts.tsx"
import { clock } from "../../pages/times.tsx"
import { contactUrl } from "../../pages/Url.ts"
import { disputedEndIn } from "#application/swapping/following/DisputedEnds.ts"
import { endOf } from "#application/swapping/following/Progress.ts"
import { failuresOf, failureText, isDisputed, isStalled } from "./describeSwap.tsx"
import { acceptForm, askAgainForm, reindexForm } from "./swapActs.tsx"
import type { SwapFacts } from "./SwapFacts.ts"

/** What is wrong in a few words, by the phase, with the provider's name. */
const titles: { readonly [Phase in SwapPhase]?: (provider: string) => string } = {
  deposit_stalled: (provider) => `${provider} has seen the deposit and does not credit it`,
  swap_stalled: (provider) => `${provider} has the deposit and does not swap it`,
  payout_stalled: (provider) => `${provider} has swapped, and the payment does not arrive`,
  refund_stalled: (provider) => `${provider} has not swapped, and the refund does not arrive`,
  provider_silent: (provider) => `${provider} does not answer about this swap`,
  provider_not_followed: (provider) => `${provider} is not asked about open swaps at present`,
  provider_contradicts: (provider) => `What ${provider} says of this swap cannot be true`,
  channel_expired: () => "Nothing came before the channel expired",
}

const titleOf = ({ contact, guidance, swap }: SwapFacts, hasDisputedEnd: boolean): string => {
  const { status } = swap.record
  if (hasDisputedEnd) return `${contact.name} says that this swap has ended as it cannot have`
  const [, title] = Object.entries(titles).find(([phase]) => phase === guidance.phase) ?? []
  if (title !== undefined) return title(contact.name)
  const end = endOf(status)
  if (end === "failed") return "The swap has failed"
  if (end === "refunded") return "The deposit went back"
  return swap.stalledSince === undefined ? "This swap does not go as it should" : "This swap has stalled"
}

/** What the latest entries of the journal say of why the swap does not go on. */
const detailsOf = ({ newest, swap }: SwapFacts): ReadonlyArray<string> => {
  const contradiction = isDisputed(swap)
    ? newest.find(({ note }) => note._tag === "Contradiction")?.note
    : undefined
  const stall = swap.stalledSince === undefined
    ? undefined
    : newest.find(({ note }) => note._tag === "Stall")?.note
  return [contradiction, stall].flatMap((note) =>
    note === undefined || note._tag === "Change" ? [] : [note.detail]
  )
}

/** Since when it is so, and what is done about it without anybody. */
const timesOf = ({ contact, isDown, now, swap }: SwapFacts): Html => {
  const { nextLookupAt, record: { standing, status }, stalledSince } = swap
  if (isOver(status)) return nothing
  const failures = standing.lookupFailures
  return (
    <p>
      {stalledSince !== undefined && <>Stalled since {clock(stalledSince, now)} UTC.{" "}</>}
      {failures === 0 ? <>It last answered at {clock(standing.lookedUpAt, now)} UTC.</> : (
        <>
          Since {clock(standing.lookedUpAt, now)} UTC{" "}
          {failures === 1 ? "a question has" : `${failures} questions have`} brought no usable answer.
        </>
      )}
      {isDown && `${contact.name} is down: anything newer shows once it is back. `}
      {nextLookupAt === undefined ? "It is not asked again by itself." : (
        <>
          It is asked again by itself at {clock(nextLookupAt, now)} UTC, and what it says then is taken up.
        </>
      )}
    </p>
  )
}

/** Whether the page has to say what is wrong before anything else. */
export const isTroubled = ({ guidance, isDown, swap }: SwapFacts): boolean =>
  isWrong(guidance.phase) || isStalled(swap) || isDisputed(swap) ||
  isDown && !isOver(swap.record.status) || failuresOf(swap.record.status).length > 0

/** What is wrong: its cause in words with times, what is done by itself, and what can be done. */
export const troubleNote = (facts: SwapFacts): Html => {
  if (!isTroubled(facts)) return nothing
  const { canReindex, contact, guidance, isOperator, newest, swap } = facts
  const { status } = swap.record
  const held = isDisputed(swap) ? disputedEndIn(swap.record, newest) : undefined
  const tone: Tone = endOf(status) === "refunded" ? "warn" : "bad"
  const details = [
    ...detailsOf(facts).map((detail) => <p>{untrusted(detail)}.</p>),
    ...failuresOf(status).map(([of, failure]) => <p>{of} failed. {failureText(failure)}.</p>),
  ]
  const support = contact.support === undefined ? undefined : contactUrl(contact.support)
  const canAsk = isOperator && !isOver(status)
  return note(
    tone,
    {
      title: titleOf(facts, held !== undefined),
      text: guidance.text,
      more: <>{details}{timesOf(facts)}{isOperator && held !== undefined && acceptForm(swap, held)}</>,
    },
    ...(canAsk
      ? [{
        acts: (
          <>
            {askAgainForm(swap.record.id, contact.name)}
            {canReindex && reindexForm(swap.record.id)}
            {support !== undefined && button(`Write to ${contact.name}`, support)}
          </>
        ),
      }]
      : []),
  )
}
