import { type AssetId, factsOf } from "../domain/Asset.ts"
import { awaitsDeposit, hasExpired, paymentOf } from "../domain/payment/Payment.ts"
import type { Deposit, Egress, SwapStatus } from "../domain/Swap.ts"
import type { EpochMillis } from "../domain/Time.ts"
import { attributes, type Html, html, nothing } from "../pages/html.ts"
import { amount, badge, copyable, facts, section, time, type Tone } from "../pages/parts.ts"
import { path } from "../pages/Url.ts"
import { paySection } from "./paySection.ts"
import { type Setting, transaction } from "./transaction.ts"
import { phaseOf, words } from "./words.ts"

interface Step {
  readonly tone: Tone
  readonly title: string
  readonly body: Html
}

const hasFailed = ({ failedAt, failure }: Deposit | Egress): boolean =>
  failedAt !== undefined || failure !== undefined

const at = (millis: EpochMillis | undefined, { now }: Setting): Html =>
  millis === undefined ? nothing : html`<p class="at">${time(millis, now)}</p>`

const depositStep = (status: SwapStatus, setting: Setting): ReadonlyArray<Step> => {
  const { deposit, sourceAsset } = status
  if (deposit === undefined) return []
  const { transactionConfirmations: seen = 0 } = deposit
  const wanted = status.sourceChainRequiredBlockConfirmations
  return [{
    tone: hasFailed(deposit) ? "bad" : status.state === "receiving" ? "info" : "good",
    title: hasFailed(deposit) ? "The payment was not accepted" : "The payment",
    body: html`<p>${amount(sourceAsset, deposit.amount)}</p>${
      status.state === "receiving" && wanted !== undefined && html`<p>${seen} of ${wanted} confirmations</p>`
    }${transaction(sourceAsset, deposit.transactionReference, setting)}${at(deposit.witnessedAt, setting)}`,
  }]
}

const swappingStep = ({ state, swap }: SwapStatus): ReadonlyArray<Step> =>
  state !== "swapping" ? [] : [{
    tone: "info",
    title: "The swap",
    body: swap?.execution?._tag === "dca"
      ? html`<p>${swap.execution.executedChunks} parts are swapped, ${swap.execution.remainingChunks} are left.</p>`
      : html`<p>It is under way.</p>`,
  }]

/** A payment out, in words of what it is. */
const egressStep = (
  title: string,
  asset: AssetId,
  egress: Egress | undefined,
  setting: Setting,
): ReadonlyArray<Step> =>
  egress === undefined ? [] : [{
    tone: hasFailed(egress) ? "bad" : egress.witnessedAt === undefined ? "info" : "good",
    title: hasFailed(egress)
      ? `${title}: could not be sent`
      : egress.witnessedAt === undefined && egress.isPromised !== true
      ? `${title}: on its way`
      : title,
    body: html`<p>${amount(asset, egress.amount)}${
      egress.isPromised === true && html`
        <small>as promised; the transaction says what arrived</small>
      `
    }</p>${transaction(asset, egress.transactionReference, setting)}${
      at(egress.witnessedAt ?? egress.scheduledAt, setting)
    }`,
  }]

const progressSection = (status: SwapStatus, setting: Setting): Html => {
  const { destinationAsset, fallbackEgress, refundEgress, sourceAsset, swapEgress } = status
  const steps = [
    ...depositStep(status, setting),
    ...swappingStep(status),
    ...egressStep("Payment to the destination address", destinationAsset, swapEgress, setting),
    ...egressStep("Refund", sourceAsset, refundEgress, setting),
    ...egressStep("Payment to the fallback address", destinationAsset, fallbackEgress, setting),
  ]
  if (steps.length === 0) return nothing
  return section(
    { title: "What happened", id: "progress" },
    html`<ol class="timeline">${
      steps.map(({ body, title, tone }) =>
        html`<li ${attributes({ class: tone })}><h3>${title}</h3>${body}</li>`
      )
    }</ol>`,
  )
}

/** The heading of the page, which stays the same while the swap goes on. */
export const titleOf = ({ destinationAsset, sourceAsset }: SwapStatus): string =>
  `Swap ${factsOf(sourceAsset).ticker} for ${factsOf(destinationAsset).ticker}`

const addressSection = ({ destinationAddress, destinationAsset, fillOrKill }: SwapStatus): Html =>
  section(
    { title: "Where the money goes", id: "addresses" },
    facts([
      [`${factsOf(destinationAsset).ticker} to`, copyable(destinationAddress, "destination address")],
      [
        "Refunds to",
        fillOrKill === undefined ? undefined : copyable(fillOrKill.refundAddress, "refund address"),
      ],
    ]),
  )

/** What the payer of a swap sees: how far it is, what to pay or what was paid. Nothing of the account is in it. */
export const payerBody = (status: SwapStatus, setting: Setting, token: string): Html => {
  const { depositChannel, sourceAsset } = status
  const { network, now } = setting
  const isExpired = depositChannel !== undefined && hasExpired(depositChannel, network, now)
  const { state, text, tone } = words[phaseOf(status, isExpired)]
  const paying = depositChannel !== undefined && awaitsDeposit(status) && !isExpired
    ? html`<div id="paying" data-live="">${
      paySection(status, depositChannel, paymentOf(depositChannel, { network, sourceAsset }, now), now)
    }</div>`
    // An address that must not be paid any more goes off the page even while somebody copies it.
    : html`<div id="paying" data-live="" data-urgent=""></div>`
  return html`
    <div
      class="stack"><div id="standing" data-live="">${section({
        title: "Now",
        id: "now",
        aside: badge(state, tone),
      }, html`<p>${text}</p>`)}</div>${paying}<div id="passed" data-live="">${progressSection(
        status,
        setting,
      )}</div>${addressSection(status)}</div>
    <p class="empty">This page brings itself up to date. <a href="${path`/pay/${token}`}">Look again</a></p>
  `
}
