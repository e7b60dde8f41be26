import { type AssetId, chainOf, factsOf } from "#domain/chains/Asset.ts"
import { chainFacts } from "#domain/chains/Chain.ts"
import { type Egress, hasFailed, hasRefunded, isOver } from "#domain/swaps/Swap.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { explorerUrl, type Html, nothing, secureUrl, type Url } from "../pages/jsx-runtime.ts"
import type { PayerGuidance } from "#application/guidance/guidanceOf.ts"
import { card, code, copies, copyable, ends, time } from "./parts.tsx"
import type { PayerView } from "./payerView.ts"

/** A step, in the sign that stands before it: over, refunded, failed, going on, or to come. */
interface Step {
  readonly sign: "ok" | "back" | "no" | "now" | undefined
  readonly title: Html | string
  readonly at?: EpochMillis | undefined
  readonly lines?: ReadonlyArray<Html | string>
}

type Details = Pick<Step, "at" | "lines">

type Steps = (scene: PayerView) => ReadonlyArray<Step>

/** The three steps of a payment that is waited for. */
const stepsAhead: Steps = ({ status, writer: { fill, money, say } }) => {
  const { depositChannel, destinationAsset, sourceAsset } = status
  const wanted = status.sourceChainRequiredBlockConfirmations
  const native = depositChannel?.exactAmount ?? depositChannel?.expectedDepositAmount
  const amount = native === undefined ? factsOf(sourceAsset).ticker : money({ asset: sourceAsset, native })
  const chain = chainFacts(chainOf(sourceAsset)).title
  const { ticker } = factsOf(destinationAsset)
  return [
    { sign: "now", title: fill("youSend", { amount }) },
    {
      sign: undefined,
      title: wanted === undefined ? say("confirmed") : fill("toConfirm", { wanted: `${wanted}`, chain }),
    },
    { sign: undefined, title: fill("toSwap", { ticker }) },
  ]
}

/** A transaction or an address: in short with a link to its page in an explorer, and in full where there is none. */
const lookedUp = (name: string, text: string, place: Url | undefined, writer: PayerView["writer"]): Html => {
  if (place === undefined) return <>{name} {copyable(text, name, writer)}</>
  const hash = <data value={text}>{code(ends(text))}</data>
  return (
    <>
      {name}{" "}
      <span class="copyable">
        <a href={place} rel="noreferrer noopener">
          {writer.fill("lookAt", { hash, explorer: `${new URL(`${place}`).host}\u00a0↗` })}
        </a>
        {copies(name, writer)}
      </span>
    </>
  )
}

/** The page of the channel, where a real payment was made to it. */
const channelPage = ({ network, status, writer }: PayerView): ReadonlyArray<Html> => {
  const { depositChannel, sourceAsset } = status
  const place = network === "sandbox" ? undefined : secureUrl(depositChannel?.explorerUrl)
  if (depositChannel === undefined || place === undefined) return []
  const name = writer.label("toAddress", { chain: chainFacts(chainOf(sourceAsset)).title })
  return [lookedUp(name, depositChannel.depositAddress, place, writer)]
}

/** The transaction of a payment in or out, with its time, and what else is to be said of it. */
const paymentOf = (
  asset: AssetId,
  payment: Pick<Egress, "isPromised" | "scheduledAt" | "transactionReference" | "witnessedAt"> | undefined,
  scene: PayerView,
): Required<Details> => ({
  at: payment?.witnessedAt,
  lines: [
    ...(payment?.isPromised === true ? [scene.writer.say("promised")] : []),
    ...(payment?.transactionReference === undefined ? [] : [
      lookedUp(
        scene.writer.say("theTransaction"),
        payment.transactionReference,
        explorerUrl(asset, scene.network, payment.transactionReference),
        scene.writer,
      ),
    ]),
  ],
})

/** The words of each step: ahead or under way, over, and failed. */
const words = {
  paid: ["paid", "paid", "refused"],
  confirmed: ["confirming", "confirmed", "refused"],
  swapped: ["swapping", "swapped", "notSwapped"],
  partly: ["partlySwapped", "partlySwapped", "partlySwapped"],
  notSwapped: ["notSwapped", "notSwapped", "notSwapped"],
  sent: ["paying", "sent", "notSent"],
  refunded: ["refunding", "refunded", "notRefunded"],
  fallback: ["fallback", "fallback", "fallback"],
} as const
type StepWords = typeof words[keyof typeof words]

/** A payment out beside the one that the four steps end with. */
const furtherStep = (
  [ahead, done, failed]: StepWords,
  asset: AssetId,
  egress: Egress | undefined,
  scene: PayerView,
): ReadonlyArray<Step> => {
  if (egress === undefined) return []
  const isPending = !isOver(scene.status) && egress.witnessedAt === undefined
  const [sign, word] = hasFailed(egress)
    ? ["no", failed] as const
    : isPending
    ? ["now", ahead] as const
    : ["back", done] as const
  return [{ sign, title: scene.writer.say(word), ...paymentOf(asset, egress, scene) }]
}

/** How many steps are behind a swap in each state. */
const passed = {
  waiting: 1,
  receiving: 1,
  swapping: 2,
  sending: 3,
  sent: 3,
  completed: 4,
  failed: 2,
} as const

/** The four steps of a swap that was paid for; of one that is over, none of those that it never came to. */
const fourSteps: Steps = (scene) => {
  const { status, writer: { fill, say } } = scene
  const { deposit, depositChannel, destinationAsset, refundEgress, sourceAsset, state, swapEgress } = status
  const isBack = refundEgress !== undefined && swapEgress === undefined
  const isPartly = refundEgress !== undefined && !isBack && depositChannel?.exactOutput === undefined
  const over = isBack && hasRefunded(status)
    ? 4
    : deposit !== undefined && hasFailed(deposit)
    ? 1
    : isBack || swapEgress !== undefined && state === "failed"
    ? 3
    : passed[state]
  // Upstreams have one time of a deposit: when they saw it, and in its place when they credited it.
  const isCredited = over > 1
  const seen = deposit?.transactionConfirmations
  const wanted = status.sourceChainRequiredBlockConfirmations
  const execution = status.swap?.execution
  const parts = execution?._tag !== "dca" ? undefined : fill("parts", {
    done: `${execution.executedChunks}`,
    all: `${execution.executedChunks + execution.remainingChunks}`,
  })
  const steps: ReadonlyArray<readonly [StepWords, Details]> = [
    [words.paid, {
      at: isCredited ? undefined : deposit?.witnessedAt,
      lines: [...paymentOf(sourceAsset, deposit, scene).lines, ...channelPage(scene)],
    }],
    [words.confirmed, { at: isCredited ? deposit?.witnessedAt : deposit?.failure?.failedAt }],
    [isBack ? words.notSwapped : isPartly ? words.partly : words.swapped, {
      at: (isBack ? refundEgress : swapEgress)?.scheduledAt,
      lines: parts === undefined ? [] : [parts],
    }],
    isBack
      ? [words.refunded, paymentOf(sourceAsset, refundEgress, scene)]
      : [words.sent, paymentOf(destinationAsset, swapEgress, scene)],
  ]
  return steps.map(([[ahead, done, failed], details], index): Step => {
    const isReturned = isBack && index > 1 || isPartly && index === 2
    const sign = index < over
      ? isReturned ? "back" : "ok"
      : index > over
      ? undefined
      : isOver(status)
      ? "no"
      : "now"
    const word = sign === "no" ? failed : index < over || isOver(status) ? done : ahead
    const title = sign === "now" && word === "confirming" && seen !== undefined && wanted !== undefined
      ? fill("confirmations", { seen: `${seen}`, wanted: `${wanted}` })
      : say(word)
    return { sign, title, ...details }
  }).filter(({ sign }) => sign !== undefined || !isOver(status))
}

/** The same with the payments beside. */
const stepsPassed: Steps = (scene) => {
  const { destinationAsset, fallbackEgress, refundEgress, sourceAsset, swapEgress } = scene.status
  return [
    ...fourSteps(scene),
    ...(swapEgress === undefined ? [] : furtherStep(words.refunded, sourceAsset, refundEgress, scene)),
    ...furtherStep(words.fallback, destinationAsset, fallbackEgress, scene),
  ]
}

/** How far a swap is that was paid for; a step that takes too long is marked. */
export const progressBar = (scene: PayerView, isLate: boolean): Html => (
  <ol class="bar">
    {stepsPassed(scene).map(({ sign, title }) => (
      <li class={sign === "now" && isLate ? "late" : sign} aria-current={sign === "now" && "step"}>
        {title}
      </li>
    ))}
  </ol>
)

/** What comes, or what has happened: of that what the bar does not tell, times and transactions, and what is stalled. */
export const stepsSection = (scene: PayerView, before?: Html, guidance?: PayerGuidance): Html => {
  const { now, writer, writer: { exact, fill } } = scene
  const late = guidance?.phase.endsWith("_stalled") === true ? guidance.since : undefined
  const isLate = ({ sign }: Step) => sign === "now" && late !== undefined
  const steps = before === undefined
    ? stepsPassed(scene).filter((step) => isLate(step) || (step.at ?? step.lines?.[0]) !== undefined)
    : stepsAhead(scene)
  if (steps.length === 0) return nothing
  return card({ title: writer.say(before === undefined ? "stepsOver" : "steps"), id: "steps" }, [
    ...(before === undefined ? [] : [before]),
    (<ol class="time">
      {steps.map(({ at, lines = [], sign, title }) => (
        <li class={sign === "now" && late !== undefined ? "late" : sign}>
          <b>{title}</b>
          {late && sign === "now" && <span class="soft">{fill("delayedSince", { time: exact(late) })}</span>}
          {at !== undefined && <span class="soft">{time(at, now, writer)}</span>}
          {lines.map((line) => <span class="soft">{line}</span>)}
        </li>
      ))}
    </ol>),
  ])
}
