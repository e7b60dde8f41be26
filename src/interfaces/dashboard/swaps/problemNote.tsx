import { isWrong, type SwapPhase } from "#domain/swaps/Guidance.ts"
import { minutesText } from "#domain/durationText.ts"
import { counted } from "#domain/figures.ts"
import { hasRefunded, isOver, resultOf, type SwapStatus } from "#domain/swaps/Swap.ts"
import { amount, clock, dollars } from "../../pages/values.tsx"
import { contactUrl, type Html, nothing, path, withFragment, withQuery } from "../../pages/jsx-runtime.ts"
import { button, code, kv, note, section, type Tone, untrusted } from "../../pages/parts.tsx"
import { disputedEndIn } from "#application/swapping/following/DisputedEnds.ts"
import { failuresOf, failureText, isDisputed, isStalled, stageOf } from "./describeSwap.tsx"
import { askAgainAct, reindexAct } from "./swapActs.tsx"
import { contradictionText, type SwapFacts, usdOf } from "./loadSwap.ts"
import { contactLink, contactsPart } from "../../pages/contactsPart.tsx"
import { switchPath } from "../providers/healthNote.tsx"

/** What is wrong in a few words, by the phase, with the provider's name. */
const titles: { readonly [Phase in SwapPhase]?: (provider: string) => string } = {
  deposit_stalled: (provider) => `${provider} has not credited the deposit`,
  swap_stalled: (provider) => `${provider} has the deposit and has not swapped it`,
  payout_stalled: () => "The swap is done, the payout is late",
  refund_stalled: () => "The refund is late",
  provider_silent: (provider) => `No response from ${provider}`,
  provider_not_followed: () => "Status checks are switched off",
  provider_contradicts: () => "The latest status is contradictory",
  channel_expired: () => "It is unknown whether a late deposit arrived",
}

const titleOf = ({ contact, guidance, swap }: SwapFacts, hasDisputedEnd: boolean): string => {
  if (hasDisputedEnd) return `${contact.name}’s result contradicts our records`
  const [, title] = Object.entries(titles).find(([phase]) => phase === guidance.phase) ?? []
  if (title !== undefined) return title(contact.name)
  const result = resultOf(swap.record.status)
  if (result === "failed") return "The swap failed"
  if (result === "refunded") return "The deposit was refunded"
  if (result === "partlyRefunded") return "Part of the deposit was refunded"
  return swap.stalledSince === undefined ? "This swap needs attention" : "This swap is stalled"
}

/** For how long a swap is in its state, and how long that usually takes. */
const stallText = ({ now, swap: { record, stalledSince }, usual }: SwapFacts): Html => {
  if (stalledSince === undefined || isOver(record.status)) return nothing
  const { standing: { changedAt, enteredAt = changedAt }, status } = record
  return (
    <>
      {stageOf(status)} for {minutesText(now - enteredAt)}
      {usual !== undefined
        ? `, usually at most ${minutesText(usual)} from deposit to payout`
        : stalledSince > enteredAt
        ? `, ${minutesText(now - stalledSince)} over the limit of ${minutesText(stalledSince - enteredAt)}`
        : ""}.
    </>
  )
}

/** The status checks, so far and to come. */
const checksLine = ({ now, outage, swap }: SwapFacts): Html => {
  const { nextLookupAt, record: { standing: { lookedUpAt, lookupFailures }, status } } = swap
  return isOver(status) ? nothing : (
    <p>
      {lookupFailures === 0 || isDisputed(swap) ? <>Last status check at {clock(lookedUpAt, now)} UTC.</> : (
        <>
          Last response at {clock(lookedUpAt, now)} UTC; {counted(lookupFailures, "status check")}{" "}
          failed since.
        </>
      )} {outage !== undefined && `${outage}. `}
      {nextLookupAt === undefined
        ? "No further automatic checks."
        : <>Next check at {clock(nextLookupAt, now)} UTC.</>}
    </p>
  )
}

/** Whether the page has to say what is wrong before anything else. */
export const isTroubled = ({ guidance, outage, swap }: SwapFacts): boolean =>
  isWrong(guidance.phase) || isStalled(swap) || isDisputed(swap) ||
  outage !== undefined && !isOver(swap.record.status) || failuresOf(swap.record.status).length > 0

/** What can be done at once. A disputed result is decided on a page of its own; waiting needs no act. */
const actsOf = ({ canReindex, contact, guidance, swap }: SwapFacts, hasDisputedEnd: boolean): Html => {
  const { id } = swap.record
  const support = contact.support === undefined ? undefined : contactUrl(contact.support)
  return (
    <>
      {askAgainAct.form({ id }, hasDisputedEnd ? { tone: "plain" } : {})}
      {hasDisputedEnd && (
        <>
          {button("Keep waiting", withQuery(path`/dashboard/swaps`, { view: "disputed" }))}
          {button("Accept result", path`/dashboard/swaps/${id}/accept`, "stop")}
        </>
      )}
      {canReindex && guidance.phase === "deposit_stalled" && reindexAct.form({ id })}
      {!hasDisputedEnd && support !== undefined && button(`Ask ${contact.name} support`, support)}
    </>
  )
}

/** That the provider counts another deposit than we do, where it does. */
export const depositsText = (facts: SwapFacts, reported: SwapStatus): Html => {
  const { deposit: held, sourceAsset } = facts.swap.record.status
  const { deposit } = reported
  const difference = (deposit?.amount ?? 0n) - (held?.amount ?? 0n)
  if (deposit === undefined || held === undefined || difference === 0n) return nothing
  const size = difference < 0n ? -difference : difference
  const usd = usdOf(facts, sourceAsset, size)
  return (
    <>
      {facts.contact.name} counts a deposit of {amount(sourceAsset, deposit.amount)}, we recorded{" "}
      {amount(sourceAsset, held.amount)}: {amount(sourceAsset, size)}{" "}
      {usd !== undefined && <>(≈ {dollars(usd)}){" "}</>}
      {difference < 0n ? "less" : "more"}.{" "}
    </>
  )
}

/** The status in a sentence; where something is wrong, since when and what can be done about it. */
export const statusPart = (facts: SwapFacts): Html => {
  if (!isTroubled(facts)) return <p>{facts.guidance.text}</p>
  const { guidance, isOperator, newest, swap } = facts
  const { status } = swap.record
  const held = isDisputed(swap) ? disputedEndIn(swap.record, newest) : undefined
  const hasGoneBack = hasRefunded(status)
  const tone: Tone = hasGoneBack && isOver(status)
    ? "plain"
    : hasGoneBack || isDisputed(swap)
    ? "warn"
    : "bad"
  const isStall = guidance.phase.endsWith("_stalled")
  const text = isOperator && held !== undefined
    ? (
      <>
        {depositsText(facts, held.note.status)}
        {untrusted(contradictionText(facts, held.note.detail))}. To keep waiting changes nothing: checks go
        on. To accept is final: the swap then counts as completed.
      </>
    )
    : isOperator && isStall
    ? (
      <>
        {failuresOf(status).map(([of, failure]) => <>{of} failed. {failureText(failure)}.{" "}</>)}
        {(guidance.phase === "deposit_stalled" || guidance.phase === "refund_stalled") && `${guidance.text} `}
        {stallText(facts)}
      </>
    )
    : <>{guidance.text} {stallText(facts)}</>
  return note(
    tone,
    { title: titleOf(facts, held !== undefined), text, more: checksLine(facts) },
    ...(isOperator && !isOver(status) ? [{ acts: actsOf(facts, held !== undefined) }] : []),
  )
}

const endings = { completed: "was paid out", refunded: "was refunded", failed: "failed" } as const

/** How the last stalled swap of the provider ended. */
const lastTime = ({ contact: { name }, lastStall }: SwapFacts): Html | undefined => {
  if (lastStall === undefined) return undefined
  const { endedAt, id, outcome, stalledAt } = lastStall
  return (
    <>
      The last stalled swap at {name}, <a href={path`/dashboard/swaps/${id}`}>{id}</a>, {endings[outcome]}
      {" "}
      {minutesText(endedAt - stalledAt)} later.
    </>
  )
}

/** The transaction that a stalled swap waits for. */
const checkOf = ({ contact, guidance: { phase, whatYouCanDo }, swap: { record } }: SwapFacts): Html => {
  const { deposit, refundEgress, swapEgress } = record.status
  const [name, payment] = phase === "refund_stalled"
    ? ["refund", refundEgress] as const
    : phase === "payout_stalled"
    ? ["payout", swapEgress] as const
    : ["deposit", deposit] as const
  const ids = withFragment(path`/dashboard/swaps/${record.id}`, "ids")
  if (phase === "swap_stalled") {
    return (
      <>
        The deposit is credited. Look up <a href={ids}>the swap’s ID at {contact.name}</a>.
      </>
    )
  }
  if (payment?.transactionReference === undefined) {
    return <>Nothing to look up yet: {contact.name} has named no {name} transaction.</>
  }
  return (
    <>
      <a href={ids}>Transaction of the {name}</a>
      {phase === "deposit_stalled" && whatYouCanDo.slice(0, -1).map((step) => <p>{step}</p>)}
    </>
  )
}

/** What the operator can do about a stalled swap. */
const stalledRows = (facts: SwapFacts): Html => {
  const { contact: { name, support }, guidance: { phase }, swap: { record } } = facts
  const { id, platform, status } = record
  const refundAddress = status.fillOrKill?.refundAddress
  const canRefund = phase === "deposit_stalled" || phase === "swap_stalled"
  return kv([
    ["Check", checkOf(facts)],
    [
      canRefund ? "Ask for a refund" : "Ask support",
      <>
        {support === undefined
          ? `No contact of ${name} support is set`
          : <>Ask {name} support, {contactLink(support, `Swap ${status.swapId ?? id}`)}</>}. Attach the{" "}
        <a href={withQuery(path`/dashboard/swaps/${id}`, { format: "json" })}>case file</a>
        {status.swapId !== undefined && <>{" "}and name {name} ID {code(status.swapId)}</>}.
        {canRefund && refundAddress !== undefined && <>{" "}The refund address is {code(refundAddress)}.</>}
      </>,
    ],
    [
      "New swaps",
      <a href={switchPath(platform, { operation: "open", enabled: "false" })}>
        Switch off new swaps at {name}
      </a>,
    ],
    ["Wait", lastTime(facts)],
  ])
}

/** A sentence of guidance, with the names of members that are in it as code. */
const prose = (sentence: string): Html =>
  <>{sentence.split("`").map((part, index) => index % 2 === 0 ? part : code(part))}</>

/** What can be done. Where something is wrong, the callout has the acts. */
export const adviceSection = (facts: SwapFacts): Html => {
  const { guidance: { phase, whatYouCanDo, whomToAsk: asked }, isOperator, swap: { record } } = facts
  const isStall = isOperator && isStalled(facts.swap) && phase.endsWith("_stalled")
  const hasAdvice = isStall || whatYouCanDo.length > 0 || !isOver(record.status)
  // The part stays in the page, so that advice from before the end is taken away.
  if (!hasAdvice && asked === undefined) return <div id="advice" data-live="" hidden></div>
  return section({ title: "What can be done", id: "advice", live: true }, [
    isStall
      ? stalledRows(facts)
      : whatYouCanDo.length === 0
      ? <p>No action needed.</p>
      : whatYouCanDo.length === 1
      ? <p>{whatYouCanDo.map(prose)}</p>
      : <ul class="points">{whatYouCanDo.map((sentence) => <li>{prose(sentence)}</li>)}</ul>,
    isOperator && !isTroubled(facts) && !isOver(record.status)
      ? (
        <p class="row">
          {askAgainAct.form({ id: record.id }, { tone: "plain" })}
          {facts.canReindex && record.status.state === "waiting" && reindexAct.form({ id: record.id })}
        </p>
      )
      : nothing,
    asked === undefined || asked.contacts.length === 0 ? nothing : contactsPart(asked),
  ])
}
