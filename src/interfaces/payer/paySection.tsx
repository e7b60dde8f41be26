import { chainOf, factsOf } from "#domain/chains/Asset.ts"
import { chainFacts } from "#domain/chains/Chain.ts"
import type { Money } from "#domain/money/Money.ts"
import type { Payment } from "#domain/swaps/payment/Payment.ts"
import { qrCode } from "#domain/swaps/payment/qrCode.ts"
import type { Warning } from "#domain/swaps/payment/warnings.ts"
import type { ChannelRecord, SwapStatus } from "#domain/swaps/Swap.ts"
import { EpochMillis } from "#domain/Time.ts"
import { closesAt } from "#application/guidance/times.ts"
import { assetName } from "../pages/values.tsx"
import { type Html, nothing, walletUrl } from "../pages/jsx-runtime.ts"
import { kv, pill } from "../pages/parts.tsx"
import { card, copyable, headline } from "./parts.tsx"
import type { PayerView } from "./payerView.ts"
import { tones } from "./payerState.ts"

/** The QR code, dark on white in both themes, as readers want it. */
const picture = (text: string, label: string): Html => {
  const { path, size } = qrCode(text)
  return (
    <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shape-rendering="crispEdges">
      <path fill="#fff" d={`M0 0h${size}v${size}h-${size}z`} />
      <path fill="#000" d={path} />
    </svg>
  )
}

/** What the payer is asked to do, in the words before the amount. */
const asked = ({ exactOutput }: ChannelRecord, amount: Money | undefined) =>
  amount === undefined ? "sendAny" : exactOutput === undefined ? "sendExactly" : "sendAtMost"

/**
 * How long the payment can still be sent, with the blocks that it needs taken off. The script counts it down. Simulated
 * networks have a clock of their own, so that their time is told by ours.
 */
const deadline = (channel: ChannelRecord, { clock, network, now, writer }: PayerView): Html => {
  const { duration, exact, fill, say } = writer
  const left = closesAt(channel) - now
  const until = Math.floor((network === "sandbox" ? clock : now) + left)
  return (
    <p>
      {left > 0 && (
        <b class="left">
          {fill("within", {
            time: (
              <span data-left={Math.floor(left / 1_000)} data-days={`${say("day")} ${say("days")}`}>
                {duration(left)}
              </span>
            ),
          })}
        </b>
      )}{" "}
      <small>
        {fill("until", { time: exact(EpochMillis.make(until)) })}
      </small>
    </p>
  )
}

/** The least that is sent for an output that was asked for, and what comes back of the most. */
const extremes = ({ exactOutput }: ChannelRecord, { status: { sourceAsset: asset }, writer }: PayerView) => {
  if (exactOutput === undefined) return []
  const { fill, money, say } = writer
  const { refundFee, sendAtLeast } = exactOutput
  const surplus = refundFee === undefined
    ? say("surplus")
    : fill("surplusLess", { fee: money({ asset, native: refundFee }) })
  return [[say("atLeast"), money({ asset, native: sendAtLeast })], [say("comesBack"), surplus]] as const
}

/** Whether the page tells a warning elsewhere: the time stands at its head, and an amount that is asked for is within limits. */
const isShownAbove = ({ key }: Warning, amount: Money | undefined): boolean =>
  key === "inTime" || amount !== undefined && (key === "minimum" || key === "maximum")

const titleOf = (sourceAsset: SwapStatus["sourceAsset"]): string => chainFacts(chainOf(sourceAsset)).title

/** What to send where, until when, and what to mind: all that the eye looks for first. */
export const paySection = (channel: ChannelRecord, payment: Payment, scene: PayerView): Html => {
  const { network, status: { sourceAsset }, writer } = scene
  const { label, say, warning } = writer
  const { contractAddress } = factsOf(sourceAsset)
  const { codeText, uri, warned } = payment
  const amount = payment.amount === undefined ? undefined : { asset: sourceAsset, native: payment.amount }
  // A wallet would send real money.
  const link = uri === undefined || network === "sandbox" ? undefined : walletUrl(uri)
  const token = contractAddress === undefined ? undefined : copyable(contractAddress, say("theToken"), writer)
  const memo = channel.memo === undefined ? undefined : copyable(channel.memo, say("theMemo"), writer)
  return card({
    title: say(asked(channel, amount)),
    id: "paying",
    level: 1,
    aside: pill(say("waiting"), tones.waiting),
  }, [
    amount === undefined ? <p class="big">{assetName(sourceAsset)}</p> : headline(amount, writer, "send"),
    deadline(channel, scene),
    <a class="check" href="#receiving">{say("checkFirst")}</a>,
    link === undefined ? nothing : <a class="btn go" href={link}>{say("openWallet")}</a>,
    <div class={codeText === undefined ? "stack tight" : "qr"}>
      {codeText !== undefined && picture(codeText, say("qr"))}
      <div class="stack tight">
        <h2>{label("toAddress", { chain: titleOf(sourceAsset) })}</h2>
        <p class="addr">{copyable(channel.depositAddress, say("theAddress"), writer)}</p>
      </div>
    </div>,
    kv([[say("memo"), memo], [say("token"), token], ...extremes(channel, scene)]),
    (<div class="note warn">
      <ul class="advice">
        {warned.flatMap((one) => isShownAbove(one, amount) ? [] : [<li>{warning(one)}</li>])}
      </ul>
    </div>),
  ])
}
