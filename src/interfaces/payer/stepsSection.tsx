import { type AssetId, chainOf, factsOf } from "#domain/chains/Asset.ts"
import { chainFacts } from "#domain/chains/Chain.ts"
import { type Egress, hasFailed, hasRefunded, isOver } from "#domain/swaps/Swap.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { type Html } from "../pages/jsx-runtime.ts"
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

/** The three steps of a payment that is waited for. */
const stepsAhead: Steps = ({ status, writer: { fill, money } }) => {
  const { depositChannel, destinationAsset, sourceAsset } = status
  const wanted = status.sourceChainRequiredBlockConfirmations
  const native = depositChannel?.exactAmount ?? depositChannel?.expectedDepositAmount
  const amount = native === undefined ? factsOf(sourceAsset).ticker : money({ asset: sourceAsset, native })
  const chain = chainFacts(chainOf(sourceAsset)).title
  const { ticker } = factsOf(destinationAsset)
  return [
    { sign: "now", title: fill("youSend", { amount }), lines: [] },
    {
      sign: undefined,
      title: wanted === undefined
        ? fill("toBeConfirmed", { chain })
        : fill("toConfirm", { wanted: `${wanted}`, chain }),
      lines: [],
    },
    { sign: undefined, title: fill("toSwap", { ticker }), lines: [] },
  ]
}

/** The payment that was seen. */
const paymentSteps: Steps = (scene) => {
  const { status: { deposit, sourceAsset, ...status }, writer: { fill, money, say } } = scene
  if (deposit === undefined) return []
  const wanted = status.sourceChainRequiredBlockConfirmations
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
  if (state !== "swapping") return []
  const execution = swap?.execution
  return [{
    sign: "now",
    title: fill("beingSwapped", { ticker: factsOf(destinationAsset).ticker }),
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
  const { status, writer: { fill, money, say } } = scene
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
  return [
    ...egressStep("payout", destinationAsset, swapEgress, scene),
    ...egressStep("refund", sourceAsset, refundEgress, scene),
    ...egressStep("fallback", destinationAsset, fallbackEgress, scene),
  ]
}

const stepsOf: Steps = (scene) => {
  const passed = [paymentSteps, swappingSteps, payingSteps].flatMap((steps) => steps(scene))
  return passed.length > 0 ? passed : stepsAhead(scene)
}

/** The steps of the bar, by what comes of the payment. */
const bars = {
  payout: ["paid", "confirmed", "swapped", "sent"],
  refund: ["paid", "confirmed", "notSwapped", "refunded"],
} as const

/** How many steps of the bar are behind a swap in each state. */
const passed = {
  waiting: 1,
  receiving: 1,
  swapping: 2,
  sending: 3,
  sent: 3,
  completed: 4,
  failed: 2,
} as const

/** How far a swap is that was paid for, in four steps. */
export const progressBar = ({ status, writer: { say } }: PayerView, isFailed: boolean): Html => {
  const { deposit, refundEgress, state, swapEgress } = status
  const isBack = refundEgress !== undefined && swapEgress === undefined
  const over = isBack && hasRefunded(status)
    ? 4
    : deposit !== undefined && hasFailed(deposit)
    ? 1
    : isBack || swapEgress !== undefined && state === "failed"
    ? 3
    : passed[state]
  return (
    <ol class="bar">
      {bars[isBack ? "refund" : "payout"].map((key, index) => (
        <li
          class={index < over ? "ok" : index > over ? undefined : isFailed ? "no" : "now"}
          aria-current={index === over && "step"}
        >
          {say(key)}
        </li>
      ))}
    </ol>
  )
}

/** What has happened, what is happening, and what comes, in the order of time. */
export const stepsSection = (scene: PayerView, before: Html): Html =>
  card({ title: scene.writer.say("steps"), id: "steps" }, [
    before,
    (<ol class="time">
      {stepsOf(scene).map(({ at, lines, sign, title }) => (
        <li class={sign}>
          <b>{title}</b>
          {lines.map((line) => <span class="soft">{line}</span>)}
          {at !== undefined && <span class="soft">{time(at, scene.now, scene.writer)}</span>}
        </li>
      ))}
    </ol>),
  ])
