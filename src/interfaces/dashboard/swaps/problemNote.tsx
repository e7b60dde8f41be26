import type { SwapPhase } from "#domain/swaps/Guidance.ts"
import { isWrong } from "#domain/swaps/Guidance.ts"
import { durationText } from "#domain/durationText.ts"
import { counted } from "#domain/figures.ts"
import { isOver } from "#domain/swaps/Swap.ts"
import { type Html, nothing } from "../../pages/jsx-runtime.ts"
import { button } from "../../pages/links.tsx"
import { note, type Tone } from "../../pages/parts.tsx"
import { clock } from "../../pages/times.tsx"
import { contactUrl } from "../../pages/Url.ts"
import { disputedEndIn } from "#application/swapping/following/DisputedEnds.ts"
import { endOf } from "#application/swapping/following/Progress.ts"
import { failuresOf, failureText, isDisputed, isStalled } from "./describeSwap.tsx"
import { acceptForm, askAgainAct, reindexAct } from "./swapActs.tsx"
import type { SwapFacts } from "./SwapFacts.ts"

/** What is wrong in a few words, by the phase, with the provider's name. */
const titles: { readonly [Phase in SwapPhase]?: (provider: string) => string } = {
  deposit_stalled: () => "The deposit was seen, crediting it is late",
  swap_stalled: () => "The deposit is credited, the swap is late",
  payout_stalled: () => "The swap is done, the payout is late",
  refund_stalled: () => "The deposit was not swapped, the refund is late",
  provider_silent: (provider) => `${provider} is not responding to status checks`,
  provider_not_followed: (provider) => `Status checks at ${provider} are switched off`,
  provider_contradicts: (provider) => `${provider}’s latest status contradicts earlier ones`,
  channel_expired: () => "The channel expired without a deposit",
}

const titleOf = ({ contact, guidance, swap }: SwapFacts, hasDisputedEnd: boolean): string => {
  if (hasDisputedEnd) return `${contact.name}’s result contradicts our records`
  const [, title] = Object.entries(titles).find(([phase]) => phase === guidance.phase) ?? []
  if (title !== undefined) return title(contact.name)
  const end = endOf(swap.record.status)
  if (end === "failed") return "The swap failed"
  if (end === "refunded") return "The deposit was refunded"
  return swap.stalledSince === undefined ? "This swap needs attention" : "This swap is stalled"
}

/** How long it is so, and the status checks. */
const timesOf = ({ contact, isDown, now, swap }: SwapFacts): Html => {
  const { nextLookupAt, record: { standing, status }, stalledSince } = swap
  if (isOver(status)) return nothing
  const { changedAt, enteredAt = changedAt, lookedUpAt, lookupFailures } = standing
  return (
    <p>
      {stalledSince !== undefined && stalledSince > enteredAt && (
        <>
          In <i>{status.state}</i> for {durationText(now - enteredAt)}, at most{" "}
          {durationText(stalledSince - enteredAt)} expected.{" "}
        </>
      )}
      {lookupFailures === 0
        ? "Last status check"
        : `${counted(lookupFailures, "status check")} failed since the last response`} at{" "}
      {clock(lookedUpAt, now)} UTC. {isDown && `${contact.name} is down. `}
      {nextLookupAt === undefined
        ? "No further automatic checks."
        : <>Next check at {clock(nextLookupAt, now)} UTC.</>}
    </p>
  )
}

/** Whether the page has to say what is wrong before anything else. */
export const isTroubled = ({ guidance, isDown, swap }: SwapFacts): boolean =>
  isWrong(guidance.phase) || isStalled(swap) || isDisputed(swap) ||
  isDown && !isOver(swap.record.status) || failuresOf(swap.record.status).length > 0

/** What is wrong, since when, and what can be done about it. */
export const troubleNote = (facts: SwapFacts): Html => {
  if (!isTroubled(facts)) return nothing
  const { canReindex, contact, guidance, isOperator, newest, swap } = facts
  const { status } = swap.record
  const held = isDisputed(swap) ? disputedEndIn(swap.record, newest) : undefined
  const tone: Tone = endOf(status) === "refunded" ? "warn" : "bad"
  const failures = failuresOf(status).map(([of, failure]) => <p>{of} failed. {failureText(failure)}.</p>)
  const support = contact.support === undefined ? undefined : contactUrl(contact.support)
  const canAsk = isOperator && !isOver(status)
  return note(
    tone,
    {
      title: titleOf(facts, held !== undefined),
      text: guidance.text,
      more: <>{failures}{timesOf(facts)}{isOperator && held !== undefined && acceptForm(swap, held.entry)}</>,
    },
    ...(canAsk
      ? [{
        acts: (
          <>
            {askAgainAct.form({ id: swap.record.id })}
            {canReindex && reindexAct.form({ id: swap.record.id })}
            {support !== undefined && button(`Ask ${contact.name} support`, support)}
          </>
        ),
      }]
      : []),
  )
}
