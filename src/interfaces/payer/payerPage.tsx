import { factsOf } from "#domain/chains/Asset.ts"
import type { Network } from "#domain/chains/Chain.ts"
import { asksForPayment } from "#domain/swaps/Guidance.ts"
import { paymentOf } from "#domain/swaps/payment/Payment.ts"
import { termsOfSwap } from "#domain/swaps/payment/Payable.ts"
import type { SwapStatus } from "#domain/swaps/Swap.ts"
import type { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import type { EpochMillis } from "#domain/Time.ts"
import type { PayerGuidance } from "#application/guidance/guidanceOf.ts"
import type { Html, Url } from "../pages/jsx-runtime.ts"
import { type Frame, payerDocument } from "./payerDocument.tsx"
import { paySection } from "./paySection.tsx"
import { isDecided, receiveSection } from "./receiveSection.tsx"
import type { PayerView } from "./payerView.ts"
import { guidancePart, isPaid, shownPhase, standingSection } from "./standingSection.tsx"
import { stepsSection } from "./stepsSection.tsx"

/** The swap that a payer sees, and where it stands. */
export interface Shown {
  readonly id: SwapRecordId
  readonly status: SwapStatus
  readonly guidance: PayerGuidance
  readonly network: Network
  readonly clock: EpochMillis
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
          : isPaid(scene) && stepsSection(scene)}
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
  const scene: PayerView = { id, status, network, now: guidance.now, clock, shop, writer }
  const title = writer.label("title", {
    source: factsOf(status.sourceAsset).ticker,
    destination: factsOf(status.destinationAsset).ticker,
  })
  return payerDocument(
    { ...frame, title, network, id, foot: footOf(frame.here, scene) },
    liveParts(guidance, scene),
  )
}
