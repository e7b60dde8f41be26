import { formatUnits } from "../domain/Amount.ts"
import { factsOf } from "../domain/Asset.ts"
import { chainFacts } from "../domain/Chain.ts"
import type { Payment } from "../domain/payment/Payment.ts"
import { qrCode } from "../domain/payment/qrCode.ts"
import type { ChannelRecord, SwapStatus } from "../domain/Swap.ts"
import type { EpochMillis } from "../domain/Time.ts"
import { type Html, html, nothing } from "../pages/html.ts"
import { copyable, kv, note, section } from "../pages/parts.ts"
import { time } from "../pages/times.ts"
import { walletUrl } from "../pages/Url.ts"

/** The QR code, dark on white in both themes, as readers want it. */
const picture = (text: string): Html => {
  const { path, size } = qrCode(text)
  return html`
    <svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label="QR code of the payment"
      shape-rendering="crispEdges">
      <path fill="#fff" d="M0 0h${size}v${size}h-${size}z"></path>
      <path fill="#000" d="${path}"></path>
    </svg>
  `
}

const codeAndLink = ({ codeText, uri }: Payment): Html => {
  const link = uri === undefined ? undefined : walletUrl(uri)
  if (codeText === undefined && link === undefined) return nothing
  return html`<div>${codeText !== undefined && picture(codeText)}${
    link !== undefined && html`<a class="btn" href="${link}">Open in a wallet</a>`
  }</div>`
}

/** What to send where, until when, and what to mind. */
export const paySection = (
  { sourceAsset }: SwapStatus,
  { depositAddress, memo }: ChannelRecord,
  payment: Payment,
  now: EpochMillis,
): Html => {
  const { chain, contractAddress, ticker } = factsOf(sourceAsset)
  const { amount, expiresAt, warnings } = payment
  return section({ title: "Pay", id: "pay" }, [
    html`<div class="payment">${
      kv([
        [
          `Send ${ticker}`,
          amount === undefined
            ? "as much as you want to swap"
            : copyable(formatUnits(sourceAsset, amount), "amount"),
        ],
        ["On the network", chainFacts(chain).title],
        ["Token", contractAddress === undefined ? undefined : copyable(contractAddress, "token's contract")],
        ["To the address", copyable(depositAddress, "address")],
        ["With the memo", memo === undefined ? undefined : copyable(memo, "memo")],
        ["Before", expiresAt === undefined ? undefined : time(expiresAt, now)],
      ])
    }${codeAndLink(payment)}</div>`,
    note("warn", {
      more: html`<ul class="points">${warnings.map((warning) => html`<li>${warning}</li>`)}</ul>`,
    }),
  ])
}
