import { factsOf } from "#domain/chains/Asset.ts"
import type { Network } from "#domain/chains/Chain.ts"
import { asksForPayment } from "#domain/swaps/Guidance.ts"
import type { Money } from "#domain/money/Money.ts"
import { paymentOf } from "#domain/swaps/payment/Payment.ts"
import { termsOfSwap } from "#domain/swaps/payment/Payable.ts"
import type { SwapStatus } from "#domain/swaps/Swap.ts"
import type { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import type { PayerGuidance } from "#application/guidance/guidanceOf.ts"
import { type Html, nothing } from "../pages/jsx-runtime.ts"
import { pill } from "../pages/parts.tsx"
import { contactsPart } from "../pages/contactsPart.tsx"
import type { Url } from "../pages/Url.ts"
import { card, headline, time } from "./parts.tsx"
import { type Frame, payerDocument } from "./payerDocument.tsx"
import { paySection } from "./paySection.tsx"
import { receiveSection } from "./receiveSection.tsx"
import type { PayerView } from "./payerView.ts"
import { type PayerState, stateOf, tones } from "./payerState.ts"
import { progressBar, stepsSection } from "./stepsSection.tsx"
import type { PageText } from "./pageText.tsx"

/** The swap that a payer sees, and where it stands. */
export interface Shown {
  readonly id: SwapRecordId
  readonly status: SwapStatus
  readonly guidance: PayerGuidance
  readonly network: Network
}

/** Where a swap stands, and what can be done. */
const guidanceOf = ({ phase, told }: PayerGuidance, { guidance }: PageText, isUrgent = false): Html => {
  const [text, ...advice] = guidance(phase, told)
  const said = <p>{text}</p>
  return (
    <>
      {isUrgent ? <div class="note bad">{said}</div> : said}
      <ul class="advice">{advice.map((line) => <li>{line}</li>)}</ul>
    </>
  )
}

/** The heading of a swap that nobody is asked to pay for, and the amount that it is about. */
const subjectOf = (state: PayerState, { status }: PayerView) => {
  const { deposit, destinationAsset, refundEgress, sourceAsset, swapEgress } = status
  const of = (asset: Money["asset"], native: bigint | undefined): Money | undefined =>
    native === undefined || native === 0n ? undefined : { asset, native }
  const payment = {
    title: "yourPayment",
    amount: of(sourceAsset, deposit?.isExpected === true ? undefined : deposit?.amount),
  } as const
  const isPaidOut = swapEgress !== undefined && swapEgress.isPromised !== true &&
    swapEgress.failedAt === undefined && swapEgress.failure === undefined
  switch (state) {
    case "stop":
      return { title: "doNotPay", amount: undefined } as const
    case "expired":
      return { title: "tooLate", amount: undefined } as const
    case "sending":
      return { title: "toYou", amount: of(destinationAsset, swapEgress?.amount) } as const
    case "returning":
      return { title: "backToYou", amount: of(sourceAsset, refundEgress?.amount) } as const
    case "refunded":
      return { title: "youGotBack", amount: of(sourceAsset, refundEgress?.amount) } as const
    case "done":
      return isPaidOut
        ? { title: "youReceived", amount: of(destinationAsset, swapEgress.amount) } as const
        : payment
    default:
      return payment
  }
}

/** Whether anything has come of the swap. */
const isPaid = ({ status: { deposit, refundEgress, swapEgress } }: PayerView): boolean =>
  deposit !== undefined || swapEgress !== undefined || refundEgress !== undefined

const standingSection = (guidance: PayerGuidance, scene: PayerView): Html => {
  const { now, writer } = scene
  const { fill, say } = writer
  const { expectedBy, phase, told } = guidance
  const state = stateOf(phase, told.isSeen)
  const { amount, title } = subjectOf(state, scene)
  return card({ title: say(title), id: "state", level: 1, aside: pill(say(state), tones[state]) }, [
    amount === undefined ? nothing : headline(amount, writer),
    isPaid(scene) ? progressBar(scene, tones[state] === "bad") : nothing,
    guidanceOf(guidance, writer, tones[state] === "bad"),
    guidance.whomToAsk === undefined
      ? nothing
      : contactsPart({ ...guidance.whomToAsk, warning: say("strangers") }),
    // Of what is not to be paid nothing is expected, and what is overdue is told by its phase.
    expectedBy === undefined || expectedBy < now || state === "stop"
      ? nothing
      : <p class="soft">{fill("nextStep", { time: time(expectedBy, now, writer) })}</p>,
  ])
}

/** Each part is brought up to date for itself. An address that must not be paid any more goes even while it is copied. */
const liveParts = (guidance: PayerGuidance, scene: PayerView): Html => {
  const { status, network, now, writer } = scene
  const { depositChannel } = status
  const channel = asksForPayment(guidance.phase) ? depositChannel : undefined
  const isUnderWay = channel !== undefined || isPaid(scene)
  return (
    <>
      <p class="note bad" role="alert" hidden data-stale="">{writer.say("stale")}</p>
      {channel === undefined
        ? <div id="pay" data-live="" data-fresh="" data-urgent=""></div>
        : (
          <div id="pay" data-live="" data-fresh="">
            {paySection(channel, paymentOf(channel, { ...termsOfSwap(status), network }, now), scene)}
          </div>
        )}
      <div id="now" data-live="">{channel === undefined && standingSection(guidance, scene)}</div>
      <div id="receive" data-live="">{receiveSection(scene)}</div>
      <div id="passed" data-live="">
        {isUnderWay &&
          stepsSection(scene, channel === undefined ? nothing : guidanceOf(guidance, writer))}
      </div>
    </>
  )
}

const footOf = ({ id }: Shown, here: Url, { now, writer: { exact, fill, say } }: PayerView): Html =>
  <>
    {fill("swapNumber", { number: <b>{id}</b> })}. {say("fresh")}{" "}
    <noscript>{fill("noScript", { again: <a href={here}>{say("loadAgain")}</a> })}</noscript>{" "}
    {fill("asOf", { time: exact(now) })}
  </>

/** The page of a swap: what to pay or what became of it, what comes out, and what happens. Nothing of the account is in it. */
export const payerPage = (
  { shown, ...frame }: Omit<Frame, "title" | "network"> & { readonly here: Url; readonly shown: Shown },
): Html => {
  const { guidance, network, status } = shown
  const { writer } = frame
  const scene: PayerView = { status, network, now: guidance.now, writer }
  const title = writer.label("title", {
    source: factsOf(status.sourceAsset).ticker,
    destination: factsOf(status.destinationAsset).ticker,
  })
  return payerDocument(
    { ...frame, title, network, foot: footOf(shown, frame.here, scene) },
    liveParts(guidance, scene),
  )
}
