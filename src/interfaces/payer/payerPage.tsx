import { asksForPayment, hasFreshStatus, type SwapPhase } from "#domain/swaps/Guidance.ts"
import type { Money } from "#domain/money/Money.ts"
import { awaitsDeposit, type Payment, paymentOf } from "#domain/swaps/payment/Payment.ts"
import { type ChannelRecord, hasFailed, type SwapStatus } from "#domain/swaps/Swap.ts"
import type { PayerGuidance } from "#application/guidance/guidanceOf.ts"
import { contactUrl, type Html, nothing, type Url, walletUrl } from "../pages/jsx-runtime.ts"
import { kv, pill } from "../pages/parts.tsx"
import { card, copyable, headline, time } from "./parts.tsx"
import { type Frame, mailSubject, payerDocument, wayBack } from "./payerDocument.tsx"
import type { PayerView } from "./payerView.ts"
import { closedRows, isDecided, outcomeRows, receiveSection } from "./receiveSection.tsx"
import { type PayerState, stateOf, tones } from "./payerState.ts"
import { progressBar, stepsSection } from "./stepsSection.tsx"
import { chainOf, factsOf } from "#domain/chains/Asset.ts"
import { chainFacts, type Network } from "#domain/chains/Chain.ts"
import { termsOfSwap } from "#domain/swaps/payment/Payable.ts"
import type { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { EpochMillis } from "#domain/Time.ts"
import { qrCode } from "#domain/swaps/payment/qrCode.ts"
import type { Warning } from "#domain/swaps/payment/warnings.ts"
import { closesAt } from "#application/guidance/times.ts"
import { assetName } from "../pages/values.tsx"

/** The phase that is shown: that it is too late to pay comes before that nothing is heard of the swap. */
const shownPhase = ({ now, phase }: PayerGuidance, { status }: PayerView): SwapPhase => {
  const { depositChannel: channel } = status
  const isTooLate = channel !== undefined && awaitsDeposit(status) &&
    (channel.isExpired || now >= channel.estimatedExpiryTime)
  return isTooLate && !hasFreshStatus(phase) ? "channel_expired" : phase
}

/** Where a swap stands with its figures, and what can be done. Of an expired address it is urgent what not to do. */
const guidancePart = (guidance: PayerGuidance, scene: PayerView): Html => {
  const { shop, writer } = scene
  const phase = shownPhase(guidance, scene)
  const merchant = shop.name ?? writer.say("merchant")
  const helper = shop.name ?? shop.support ?? merchant
  const values = { ...guidance.told, merchant, helper, swapNumber: `${scene.id}` }
  const lines = writer.guidance(phase, values)
  const state = stateOf(phase, guidance.told.isSeen)
  const said = state === "expired" ? 2 : 1
  const [outage] = phase === guidance.phase ? [] : writer.guidance(guidance.phase, values)
  return (
    <>
      {lines.slice(0, said).map((line, index) => (
        <div class={tones[state] === "bad" && index === said - 1 && "note bad"}>
          <p>{line}</p>
        </div>
      ))}
      {outage !== undefined && <p>{outage}</p>}
      {state === "expired" ? closedRows(scene) : isDecided(scene) && outcomeRows(scene, guidance.told)}
      <ul class="advice">{lines.slice(said).map((line) => <li>{line}</li>)}</ul>
    </>
  )
}

/** The heading of a swap that nobody is asked to pay for, and the amount that it is about. */
const subjectOf = (state: PayerState, phase: SwapPhase, { status }: PayerView) => {
  const { deposit, destinationAsset, refundEgress, sourceAsset, swapEgress } = status
  const of = (asset: Money["asset"], native: bigint | undefined): Money | undefined =>
    native === undefined || native === 0n ? undefined : { asset, native }
  const sent = deposit?.isExpected === true ? undefined : deposit?.amount
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
    return { title, amount: of(sourceAsset, isSmall ? sent : undefined) } as const
  }
  if (swapEgress !== undefined && swapEgress.isPromised !== true && !hasFailed(swapEgress)) {
    const title = state === "done" || state === "partly" ? "youReceived" : "receive"
    return { title, amount: of(destinationAsset, swapEgress.amount) } as const
  }
  if (refundEgress !== undefined && swapEgress === undefined) {
    const title = state === "refunded" ? "youGotBack" : "getBack"
    return { title, amount: of(sourceAsset, refundEgress.amount) } as const
  }
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

const standingSection = (guidance: PayerGuidance, scene: PayerView): Html => {
  const { now, status: { dca, estimatedDuration, refundEgress, sourceAsset }, writer } = scene
  const { fill, say } = writer
  const { expectedBy, told } = guidance
  const phase = shownPhase(guidance, scene)
  const state = stateOf(phase, told.isSeen)
  const { amount, title } = subjectOf(state, phase, scene)
  // What is estimated of a payment that is being confirmed is the time of its payout, but for the intervals of parts.
  const isWhole = state === "confirming" && estimatedDuration !== undefined && dca === undefined
  return card({
    title: say(title),
    id: "state",
    level: 1,
    aside: state === "stop" ? undefined : pill(say(state), tones[state]),
  }, [
    amount === undefined ? nothing : headline(amount, writer, "read"),
    ...(state !== "partly" || refundEgress === undefined ? [] : [
      <h2>{say("youGotBack")}</h2>,
      headline({ asset: sourceAsset, native: refundEgress.amount }, writer, "read"),
    ]),
    isPaid(scene) ? progressBar(scene, state === "delayed") : nothing,
    // Of what is not to be paid nothing is expected, and what is overdue is told by its phase.
    expectedBy === undefined || expectedBy < now || state === "stop"
      ? nothing
      : <p>{fill(isWhole ? "payoutBy" : "nextStep", { time: time(expectedBy, now, writer) })}</p>,
    guidancePart(guidance, scene),
    actsOf(guidance, state, scene),
  ])
}

/** The swap that a payer sees, and where it stands. */
interface Shown {
  readonly id: SwapRecordId
  readonly status: SwapStatus
  readonly guidance: PayerGuidance
  readonly network: Network
  readonly clock: EpochMillis
}

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
const deadline = (channel: ChannelRecord, { clock, lateDeposit, network, now, writer }: PayerView): Html => {
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
        {fill("until", { time: exact(EpochMillis.make(until)), late: writer.late(lateDeposit) })}
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

/** What to send where, until when, and what to mind: all that the eye looks for first. */
const paySection = (channel: ChannelRecord, payment: Payment, scene: PayerView): Html => {
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
    <div class="note warn">
      <ul class="advice">
        <li>{say("once")}</li>
        {warned.flatMap((one) => isShownAbove(one, amount) ? [] : [<li>{warning(one)}</li>])}
      </ul>
    </div>,
    link === undefined ? nothing : <a class="btn go" href={link}>{say("openWallet")}</a>,
    <div class={codeText === undefined ? "stack tight" : "qr"}>
      {codeText !== undefined && picture(codeText, say("qr"))}
      <div class="stack tight">
        <h2>{label("toAddress", { chain: chainFacts(chainOf(sourceAsset)).title })}</h2>
        <p class="addr">{copyable(channel.depositAddress, say("theAddress"), writer, true)}</p>
      </div>
    </div>,
    kv([[say("memo"), memo], [say("token"), token], ...extremes(channel, scene)]),
  ])
}

/** Each part is brought up to date for itself. An address that must not be paid any more goes even while it is copied. */
const liveParts = (guidance: PayerGuidance, scene: PayerView): Html => {
  const { status, network, now, writer } = scene
  const { depositChannel } = status
  const channel = asksForPayment(guidance.phase) ? depositChannel : undefined
  const isOpen = !isDecided(scene) && shownPhase(guidance, scene) !== "channel_expired"
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
      <div id="receive" data-live="">{isOpen && receiveSection(scene)}</div>
      <div id="passed" data-live="">
        {channel !== undefined
          ? stepsSection(scene, guidancePart(guidance, scene))
          : isPaid(scene) && stepsSection(scene, undefined, guidance)}
      </div>
    </>
  )
}

const footOf = (here: Url, { now, writer: { exact, fill, say } }: PayerView): Html =>
  <noscript>
    {fill("noScript", { again: <a href={here}>{say("loadAgain")}</a>, time: exact(now) })}
  </noscript>

/** The page of a swap: what to pay or what became of it, what comes out, and what happens. Nothing of the account is in it. */
export const payerPage = (
  { shown: { clock, guidance, id, network, status }, ...frame }: Omit<Frame, "title" | "network" | "id"> & {
    readonly here: Url
    readonly shown: Shown
  },
): Html => {
  const { shop, writer } = frame
  const { now, told: { lateDeposit } } = guidance
  const scene: PayerView = { id, status, network, now, clock, lateDeposit, shop, writer }
  const title = writer.label("title", {
    source: factsOf(status.sourceAsset).ticker,
    destination: factsOf(status.destinationAsset).ticker,
  })
  return payerDocument(
    { ...frame, title, network, id, foot: footOf(frame.here, scene) },
    liveParts(guidance, scene),
  )
}
