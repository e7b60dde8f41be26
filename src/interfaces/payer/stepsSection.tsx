import { type AssetId, chainOf, factsOf } from "#domain/chains/Asset.ts"
import { chainFacts } from "#domain/chains/Chain.ts"
import { type Egress, hasFailed, isOver } from "#domain/swaps/Swap.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { type Html } from "../pages/jsx-runtime.ts"
import { money } from "./figures.tsx"
import { card, time } from "./parts.tsx"
import type { PayerView } from "./payerView.ts"
import { transaction } from "./transaction.tsx"

/** A step, in the sign that stands before it: over, failed, going on, or to come. */
interface Step {
  readonly sign: "ok" | "no" | "now" | undefined
  readonly title: Html | string
  readonly at?: EpochMillis | undefined
  readonly lines: ReadonlyArray<Html | string>
}

type Steps = (scene: PayerView) => ReadonlyArray<Step>

const referenceOf = (asset: AssetId, reference: string | undefined, scene: PayerView): ReadonlyArray<Html> =>
  reference === undefined ? [] : [transaction(asset, reference, scene)]

/** The payment that was seen, or the one that is waited for. */
const paymentSteps: Steps = (scene) => {
  const { status: { deposit, depositChannel, sourceAsset, ...status }, writer: { fill, say } } = scene
  const wanted = status.sourceChainRequiredBlockConfirmations
  if (deposit === undefined) {
    const native = depositChannel?.exactAmount ?? depositChannel?.expectedDepositAmount
    const amount = native === undefined ? factsOf(sourceAsset).ticker : money({ asset: sourceAsset, native })
    const chain = chainFacts(chainOf(sourceAsset)).title
    return [
      { sign: "now", title: fill("youSend", { amount }), lines: [say("showsHere")] },
      ...(wanted === undefined
        ? []
        : [{ sign: undefined, title: fill("toConfirm", { wanted: `${wanted}`, chain }), lines: [] }]),
    ]
  }
  const isReceiving = status.state === "receiving" || status.state === "waiting"
  const seen = deposit.transactionConfirmations
  return [{
    sign: hasFailed(deposit) ? "no" : isReceiving ? "now" : "ok",
    title: hasFailed(deposit) ? say("refused") : say("yourPayment"),
    at: deposit.witnessedAt,
    lines: [
      deposit.isExpected === true ? say("untold") : money({ asset: sourceAsset, native: deposit.amount }),
      ...(isReceiving && seen !== undefined && wanted !== undefined
        ? [fill("confirmations", { seen: `${seen}`, wanted: `${wanted}` })]
        : []),
      ...referenceOf(sourceAsset, deposit.transactionReference, scene),
    ],
  }]
}

const swappingSteps: Steps = ({ status: { destinationAsset, state, swap }, writer: { fill } }) => {
  const { ticker } = factsOf(destinationAsset)
  if (state !== "swapping") {
    return state === "waiting" || state === "receiving"
      ? [{ sign: undefined, title: fill("toSwap", { ticker }), lines: [] }]
      : []
  }
  const execution = swap?.execution
  return [{
    sign: "now",
    title: fill("beingSwapped", { ticker }),
    lines: execution?._tag === "dca"
      ? [
        fill("parts", {
          done: `${execution.executedChunks}`,
          all: `${execution.executedChunks + execution.remainingChunks}`,
        }),
      ]
      : [],
  }]
}

/** A payment out, in words of what it is. */
const egressStep = (
  kind: "payout" | "refund" | "fallback",
  asset: AssetId,
  egress: Egress | undefined,
  scene: PayerView,
): ReadonlyArray<Step> => {
  if (egress === undefined) return []
  const { status, writer: { fill, say } } = scene
  // Some upstreams never tell when a payment was seen: it is under way for as long as the swap is.
  const isPending = !isOver(status) && egress.witnessedAt === undefined
  const payment = say(kind)
  return [{
    sign: hasFailed(egress) ? "no" : isPending ? "now" : "ok",
    title: hasFailed(egress)
      ? fill("notSent", { payment })
      : isPending
      ? fill("onItsWay", { payment })
      : payment,
    at: egress.witnessedAt ?? egress.scheduledAt,
    lines: [
      money({ asset, native: egress.amount }),
      ...(egress.isPromised === true ? [say("promised")] : []),
      ...referenceOf(asset, egress.transactionReference, scene),
    ],
  }]
}

const payingSteps: Steps = (scene) => {
  const { destinationAsset, fallbackEgress, refundEgress, sourceAsset, swapEgress } = scene.status
  const { say } = scene.writer
  const paid = [
    ...egressStep("payout", destinationAsset, swapEgress, scene),
    ...egressStep("refund", sourceAsset, refundEgress, scene),
    ...egressStep("fallback", destinationAsset, fallbackEgress, scene),
  ]
  return paid.length > 0 || isOver(scene.status)
    ? paid
    : [{ sign: undefined, title: say("toSend"), lines: [say("withLinks")] }]
}

/** What has happened, what is happening, and what comes, in the order of time. */
export const stepsSection = (scene: PayerView, before: Html): Html =>
  card({ title: scene.writer.say("steps"), id: "steps" }, [
    before,
    (<ol class="time">
      {[...paymentSteps(scene), ...swappingSteps(scene), ...payingSteps(scene)].map((
        { at, lines, sign, title },
      ) => (
        <li class={sign}>
          <b>{title}</b>
          {lines.map((line) => <span class="soft">{line}</span>)}
          {at !== undefined && <span class="soft">{time(at, scene.now, scene.writer)}</span>}
        </li>
      ))}
    </ol>),
  ])
