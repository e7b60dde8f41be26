import type { PayerGuidance } from "../guidance/guidanceOf.ts"
import type { PayerState } from "../guidance/told.ts"
import { type AssetId, factsOf } from "../domain/Asset.ts"
import { asksForPayment } from "../domain/Guidance.ts"
import { paymentOf } from "../domain/payment/Payment.ts"
import { type Deposit, type Egress, isOver, type SwapStatus } from "../domain/Swap.ts"
import type { EpochMillis } from "../domain/Time.ts"
import { type Html, html, nothing } from "../pages/html.ts"
import { amount } from "../pages/amounts.ts"
import {
  copyable,
  kv,
  pill,
  section,
  type Step,
  type StepState,
  timeline,
  type Tone,
} from "../pages/parts.ts"
import { time } from "../pages/times.ts"
import { path } from "../pages/Url.ts"
import { paySection } from "./paySection.ts"
import { type Setting, transaction } from "./transaction.ts"

const stateOf = (isWrong: boolean, isUnderWay: boolean): StepState =>
  isWrong ? "no" : isUnderWay ? "now" : "ok"

const hasFailed = ({ failedAt, failure }: Deposit | Egress): boolean =>
  failedAt !== undefined || failure !== undefined

const at = (millis: EpochMillis | undefined, { now }: Setting): Html | undefined =>
  millis === undefined ? undefined : time(millis, now)

const depositStep = (status: SwapStatus, setting: Setting): ReadonlyArray<Step> => {
  const { deposit, sourceAsset } = status
  if (deposit === undefined) return []
  const { transactionConfirmations: seen } = deposit
  const wanted = status.sourceChainRequiredBlockConfirmations
  return [{
    state: stateOf(hasFailed(deposit), status.state === "receiving"),
    title: hasFailed(deposit) ? "The payment was not accepted" : "The payment",
    at: at(deposit.witnessedAt, setting),
    texts: [
      deposit.isExpected === true ? "How much came is not told." : amount(sourceAsset, deposit.amount),
      ...(status.state === "receiving" && seen !== undefined && wanted !== undefined
        ? [`${seen} of ${wanted} confirmations`]
        : []),
      transaction(sourceAsset, deposit.transactionReference, setting),
    ],
  }]
}

const swappingStep = ({ state, swap }: SwapStatus): ReadonlyArray<Step> =>
  state !== "swapping" ? [] : [{
    state: "now",
    title: "The swap",
    texts: [
      swap?.execution?._tag === "dca"
        ? `${swap.execution.executedChunks} parts are swapped, ${swap.execution.remainingChunks} are left.`
        : "It is under way.",
    ],
  }]

/** A payment out, in words of what it is. */
const egressStep = (
  title: string,
  asset: AssetId,
  egress: Egress | undefined,
  { isPending, setting }: { readonly isPending: boolean; readonly setting: Setting },
): ReadonlyArray<Step> => {
  if (egress === undefined) return []
  const isUnderWay = isPending && egress.witnessedAt === undefined
  return [{
    state: stateOf(hasFailed(egress), isUnderWay),
    title: hasFailed(egress) ? `${title}: could not be sent` : isUnderWay ? `${title}: on its way` : title,
    at: at(egress.witnessedAt ?? egress.scheduledAt, setting),
    texts: [
      html`${amount(asset, egress.amount)}${
        egress.isPromised === true && html`
          <small>as promised; the transaction says what arrived</small>
        `
      }`,
      transaction(asset, egress.transactionReference, setting),
    ],
  }]
}

const progressSection = (status: SwapStatus, setting: Setting): Html => {
  const { destinationAsset, fallbackEgress, refundEgress, sourceAsset, swapEgress } = status
  // Some upstreams never tell when a payment was seen: it is under way for as long as the swap is.
  const how = { isPending: !isOver(status), setting }
  const steps = [
    ...depositStep(status, setting),
    ...swappingStep(status),
    ...egressStep("Payment to the destination address", destinationAsset, swapEgress, how),
    ...egressStep("Refund", sourceAsset, refundEgress, how),
    ...egressStep("Payment to the fallback address", destinationAsset, fallbackEgress, how),
  ]
  return steps.length === 0 ? nothing : section({ title: "What happened", id: "progress" }, timeline(steps))
}

/** The heading of the page, which stays the same while the swap goes on. */
export const titleOf = ({ destinationAsset, sourceAsset }: SwapStatus): string =>
  `Swap ${factsOf(sourceAsset).ticker} for ${factsOf(destinationAsset).ticker}`

const addressSection = ({ destinationAddress, destinationAsset, fillOrKill }: SwapStatus): Html =>
  section(
    { title: "Where the money goes", id: "addresses" },
    kv([
      [`${factsOf(destinationAsset).ticker} to`, copyable(destinationAddress, "destination address")],
      [
        "Refunds to",
        fillOrKill === undefined ? undefined : copyable(fillOrKill.refundAddress, "refund address"),
      ],
    ]),
  )

const tones: Readonly<Record<PayerState, Tone>> = {
  "waiting for the payment": "info",
  "do not pay": "bad",
  expired: "bad",
  "payment seen": "info",
  swapping: "info",
  delayed: "warn",
  "on its way": "info",
  "going back": "warn",
  done: "good",
  refunded: "warn",
  failed: "bad",
}

const nowSection = (
  { expectedBy, phase, state, text, whatYouCanDo }: PayerGuidance,
  { now }: Setting,
): Html =>
  section({ title: "Now", id: "now", aside: pill(state, tones[state]) }, [
    html`<p>${text}</p>`,
    html`<ul class="points">${whatYouCanDo.map((sentence) => html`<li>${sentence}</li>`)}</ul>`,
    // Until when to pay stands beside the address, and of what is not to be paid nothing is expected.
    expectedBy === undefined || asksForPayment(phase) || state === "do not pay"
      ? nothing
      : html`<p><small>Next step expected</small> ${time(expectedBy, now)}</p>`,
  ])

/** What the payer of a swap sees: how far it is, what to pay or what was paid. Nothing of the account is in it. */
export const payerBody = (
  status: SwapStatus,
  guidance: PayerGuidance,
  setting: Setting,
  token: string,
): Html => {
  const { depositChannel, destinationAsset, sourceAsset } = status
  const { network, now } = setting
  const paying = depositChannel !== undefined && asksForPayment(guidance.phase)
    ? html`<div id="paying" data-live="" data-fresh="">${
      paySection(
        status,
        depositChannel,
        paymentOf(depositChannel, { destinationAsset, network, sourceAsset }, now),
        now,
      )
    }</div>`
    // An address that must not be paid any more goes off the page even while somebody copies it.
    : html`<div id="paying" data-live="" data-fresh="" data-urgent=""></div>`
  return html`
    <p class="note bad" role="alert" hidden data-stale="">This page cannot be brought up to date at present, so
      what it says may be over. Do not pay before it can: it goes on trying.</p>
    <div
      class="stack"><div id="standing" data-live="">${nowSection(
        guidance,
        setting,
      )}</div>${paying}<div id="passed" data-live="">${progressSection(
        status,
        setting,
      )}</div>${addressSection(status)}</div>
    <p class="soft">Where scripts run this page brings itself up to date. Elsewhere <a href="${path`/pay/${token}`}">look
      again</a> before you pay.</p>
  `
}
