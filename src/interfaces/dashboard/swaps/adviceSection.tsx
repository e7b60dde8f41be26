import { isOver } from "#domain/swaps/Swap.ts"
import { contactsPart } from "../../pages/contactsPart.tsx"
import { type Html, nothing, path, withFragment } from "../../pages/jsx-runtime.ts"
import { code, kv, section } from "../../pages/parts.tsx"
import { durationText } from "#domain/durationText.ts"
import { switchPath } from "../providers/healthNote.tsx"
import { isStalled } from "./describeSwap.tsx"
import { isTroubled } from "./problemNote.tsx"
import { askAgainAct, reindexAct } from "./swapActs.tsx"
import type { SwapFacts } from "./SwapFacts.ts"

const endings = { completed: "was paid out", refunded: "was refunded", failed: "failed" } as const

/** How the last stalled swap of the provider ended. */
const lastTime = ({ contact: { name }, lastStall }: SwapFacts): Html => {
  if (lastStall === undefined) {
    return <>No record of how long stalls last at {name}. Do not rely on waiting.</>
  }
  const { endedAt, id, outcome, stalledAt } = lastStall
  return (
    <>
      The last stalled swap at {name}, <a href={path`/dashboard/swaps/${id}`}>{id}</a>, {endings[outcome]}
      {" "}
      {durationText(endedAt - stalledAt)} later.
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
  if (payment?.transactionReference === undefined) {
    return <>Nothing to look up yet: {contact.name} has named no {name} transaction.</>
  }
  return (
    <>
      {phase === "deposit_stalled" && whatYouCanDo.slice(0, -1).join(" ")}{" "}
      <a href={withFragment(path`/dashboard/swaps/${record.id}`, "ids")}>Transaction of the {name}</a>
    </>
  )
}

/** What the operator can do about a stalled swap. */
const stalledRows = (facts: SwapFacts): Html => {
  const { contact: { name }, guidance: { phase }, swap: { record: { platform, status } } } = facts
  const refundAddress = status.fillOrKill?.refundAddress
  const canRefund = phase === "deposit_stalled" || phase === "swap_stalled"
  return kv([
    ["Wait", lastTime(facts)],
    ["Check", checkOf(facts)],
    [
      canRefund ? "Ask for a refund" : "Ask support",
      <>
        Ask {name} support and attach the case file.
        {canRefund && refundAddress !== undefined && <>{" "}The refund address is {code(refundAddress)}.</>}
      </>,
    ],
    [
      "Keep others away",
      <a href={switchPath(platform, { operation: "open", enabled: "false" })}>
        Switch new swaps at {name} off
      </a>,
    ],
  ])
}

/** A sentence of guidance, with the names of members that are in it as code. */
const prose = (sentence: string): Html =>
  <>
    {sentence.split("`").map((part, index) => index % 2 === 0 ? part : code(part))}
  </>

/** What can be done. Where something is wrong, the callout has the acts. */
export const adviceSection = (facts: SwapFacts): Html => {
  const { guidance: { phase, whatYouCanDo, whomToAsk: asked }, isOperator, swap: { record } } = facts
  const isStall = isOperator && isStalled(facts.swap) && phase.endsWith("_stalled")
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
