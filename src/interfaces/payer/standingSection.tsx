import { hasFreshStatus, type SwapPhase } from "#domain/swaps/Guidance.ts"
import type { Money } from "#domain/money/Money.ts"
import { awaitsDeposit } from "#domain/swaps/payment/Payment.ts"
import { hasFailed } from "#domain/swaps/Swap.ts"
import type { PayerGuidance } from "#application/guidance/guidanceOf.ts"
import { contactUrl, type Html, nothing } from "../pages/jsx-runtime.ts"
import { pill } from "../pages/parts.tsx"
import { card, headline, time } from "./parts.tsx"
import { mailSubject, wayBack } from "./payerDocument.tsx"
import type { PayerView } from "./payerView.ts"
import { closedRows, isDecided, outcomeRows } from "./receiveSection.tsx"
import { type PayerState, stateOf, tones } from "./payerState.ts"
import { progressBar } from "./stepsSection.tsx"

/** The phase that is shown: that it is too late to pay comes before that nothing is heard of the swap. */
export const shownPhase = ({ now, phase }: PayerGuidance, { status }: PayerView): SwapPhase => {
  const { depositChannel: channel } = status
  const isTooLate = channel !== undefined && awaitsDeposit(status) &&
    (channel.isExpired || now >= channel.estimatedExpiryTime)
  return isTooLate && !hasFreshStatus(phase) ? "channel_expired" : phase
}

/** Where a swap stands, and what can be done. */
export const guidancePart = (guidance: PayerGuidance, scene: PayerView, isUrgent = false): Html => {
  const { shop, writer } = scene
  const phase = shownPhase(guidance, scene)
  const merchant = shop.name ?? writer.say("merchant")
  const helper = shop.name ?? shop.support ?? merchant
  const values = { ...guidance.told, merchant, helper, swapNumber: `${scene.id}` }
  const [text, ...advice] = writer.guidance(phase, values)
  const [outage] = phase === guidance.phase ? [] : writer.guidance(guidance.phase, values)
  const said = <p>{text}</p>
  return (
    <>
      {isUrgent ? <div class="note bad">{said}</div> : said}
      {outage !== undefined && <p>{outage}</p>}
      <ul class="advice">{advice.map((line) => <li>{line}</li>)}</ul>
    </>
  )
}

/** The heading of a swap that nobody is asked to pay for, and the amount that it is about. */
const subjectOf = (state: PayerState, phase: SwapPhase, { status }: PayerView) => {
  const { deposit, destinationAsset, refundEgress, sourceAsset, swapEgress } = status
  const of = (asset: Money["asset"], native: bigint | undefined): Money | undefined =>
    native === undefined || native === 0n ? undefined : { asset, native }
  if (state === "stop") return { title: "stop" } as const
  if (state === "expired") return { title: "tooLate" } as const
  if (state === "failed") {
    const isSmall = phase === "deposit_too_small" || phase === "deposit_below_fees"
    const title = isSmall
      ? "tooSmall"
      : deposit !== undefined && hasFailed(deposit)
      ? "notAccepted"
      : refundEgress !== undefined && hasFailed(refundEgress)
      ? "refundFailed"
      : swapEgress !== undefined
      ? "payoutFailed"
      : "swapFailed"
    return { title } as const
  }
  if (swapEgress !== undefined && swapEgress.isPromised !== true && !hasFailed(swapEgress)) {
    const title = state === "done" || state === "partly" ? "youReceived" : "receive"
    return { title, amount: of(destinationAsset, swapEgress.amount) } as const
  }
  if (refundEgress !== undefined && swapEgress === undefined) {
    const title = state === "refunded" ? "youGotBack" : "getBack"
    return { title, amount: of(sourceAsset, refundEgress.amount) } as const
  }
  const sent = deposit?.isExpected === true ? undefined : deposit?.amount
  return { title: "yourPayment", amount: of(sourceAsset, sent) } as const
}

/** Whether anything has come of the swap. */
export const isPaid = ({ status: { deposit, refundEgress, swapEgress } }: PayerView): boolean =>
  deposit !== undefined || swapEgress !== undefined || refundEgress !== undefined

/** The states in which nothing more is waited for. */
const ending: ReadonlySet<PayerState> = new Set(["done", "partly", "refunded", "failed", "expired"])

/** What can be done here: asking for help where something is wrong, and going back at the end. The first is the best. */
const actsOf = ({ whomToAsk }: PayerGuidance, state: PayerState, { id, shop, writer }: PayerView): Html => {
  const { fill } = writer
  const { name, support } = shop
  const asked = support === undefined ? whomToAsk?.contacts[0] : { name: name ?? support, support }
  const asksIn = state === "expired" ? "alreadyPaid" : whomToAsk === undefined ? undefined : "contact"
  const place = contactUrl(asked?.support ?? "", mailSubject(id))
  const isSettled = ending.has(state) && state !== "failed"
  const back = ending.has(state) ? wayBack(shop) : undefined
  const asks = place === undefined || asksIn === undefined
    ? []
    : [{ href: place, isFirst: !isSettled, text: fill(asksIn, { name: <bdi>{asked?.name ?? ""}</bdi> }) }]
  const leaves = back === undefined ? [] : [{
    href: back.href,
    isFirst: isSettled,
    text: fill(state === "expired" ? "newSwap" : "backToShop", { merchant: <bdi>{back.merchant}</bdi> }),
  }]
  const acts = isSettled ? [...leaves, ...asks] : [...asks, ...leaves]
  return acts.length === 0 ? nothing : (
    <div class="acts">
      {acts.map(({ href, isFirst, text }) => (
        <a class={isFirst ? "btn go" : "btn"} href={href} rel="noreferrer">{text}</a>
      ))}
    </div>
  )
}

export const standingSection = (guidance: PayerGuidance, scene: PayerView): Html => {
  const { now, status: { refundEgress, sourceAsset }, writer } = scene
  const { fill, money, say } = writer
  const { expectedBy, told } = guidance
  const phase = shownPhase(guidance, scene)
  const state = stateOf(phase, told.isSeen)
  const { amount, title } = subjectOf(state, phase, scene)
  const isBad = tones[state] === "bad"
  const next = state === "confirming" ? "nextConfirmed" : "nextStep"
  return card({
    title: say(title),
    id: "state",
    level: 1,
    aside: state === "stop" ? undefined : pill(say(state), tones[state]),
  }, [
    amount === undefined ? nothing : headline(amount, writer, "read"),
    state === "partly" && refundEgress !== undefined
      ? <p>{fill("andRefunded", { amount: money({ asset: sourceAsset, native: refundEgress.amount }) })}</p>
      : nothing,
    isPaid(scene) ? progressBar(scene, state === "delayed") : nothing,
    guidancePart(guidance, scene, isBad),
    // Of what is not to be paid nothing is expected, and what is overdue is told by its phase.
    expectedBy === undefined || expectedBy < now || state === "stop"
      ? nothing
      : <p class="soft">{fill(next, { time: time(expectedBy, now, writer) })}</p>,
    state === "expired"
      ? closedRows(scene)
      : isDecided(scene) && !(phase === "deposit_too_small" && told.isMinimumKnown)
      ? outcomeRows(scene)
      : nothing,
    actsOf(guidance, state, scene),
  ])
}
