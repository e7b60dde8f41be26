import { BigDecimal, Equal } from "effect"
import { type AssetId, chainOf } from "#domain/chains/Asset.ts"
import { chainFacts } from "#domain/chains/Chain.ts"
import { askedBpsOf } from "#domain/money/Commission.ts"
import type { Fee } from "#domain/money/Fee.ts"
import { type Deposit, type Egress, isOver, resultOf, type SwapStatus } from "#domain/swaps/Swap.ts"
import { amount, dollars, time } from "../../pages/values.tsx"
import { explorerUrl, type Html, nothing } from "../../pages/jsx-runtime.ts"
import { code, copyable, known, kv, section, table, type Value } from "../../pages/parts.tsx"
import { arrived, isClosed, isDisputed } from "./describeSwap.tsx"
import { hasOurTime, type SwapFacts, usdOf } from "./loadSwap.ts"
import { formatChannelId } from "#domain/swaps/Channel.ts"
import type { ChangeKind } from "#domain/swaps/Journal.ts"
import words from "../words.json" with { type: "json" }

type Usd = BigDecimal.BigDecimal

/** A step from the deposit to the payout, with what it is worth to the cent; costs are below 0. */
interface Step {
  readonly words: Html | string
  readonly native?: Html | string
  readonly usd: Usd | undefined
}

const toCents = (usd: Usd): Usd => BigDecimal.round(usd, { scale: 2, mode: "half-from-zero" })

/** What a change of status was, by the money that moved; `confirmed` and `updated` have more to say than their titles. */
export type MoneyEvent = keyof typeof words.moneyEvents

/** A step of the payments that it is of. One of neither is of the payout to come. */
const stepOf = (step: "Scheduled" | "Sent", isPayout: boolean, isRefund: boolean): MoneyEvent =>
  !isRefund ? `payout${step}` : isPayout ? `both${step}` : `refund${step}`

const entered = (status: SwapStatus): MoneyEvent => {
  const { refundEgress, state, swapEgress } = status
  if (state !== "sending" && state !== "sent") return resultOf(status) ?? state
  const step = state === "sent" ? "Sent" : "Scheduled"
  return stepOf(step, swapEgress !== undefined, refundEgress !== undefined)
}

/** What is new in a status. `before`: the one that was known until then. */
export const eventOf = (kind: ChangeKind, status: SwapStatus, before?: SwapStatus): MoneyEvent => {
  if (kind !== "changed") return kind
  if (before?.state !== status.state || resultOf(before) !== resultOf(status)) return entered(status)
  const confirmations = status.deposit?.transactionConfirmations
  if (confirmations !== undefined && confirmations !== before.deposit?.transactionConfirmations) {
    return "confirmed"
  }
  const isNew = (payment: "refundEgress" | "swapEgress", part: "transactionReference" | "amount") =>
    status[payment]?.[part] !== undefined && status[payment][part] !== before[payment]?.[part]
  for (const [part, step] of [["transactionReference", "Sent"], ["amount", "Scheduled"]] as const) {
    const [isPayout, isRefund] = [isNew("swapEgress", part), isNew("refundEgress", part)]
    if (isPayout || isRefund) return stepOf(step, isPayout, isRefund)
  }
  return "updated"
}

/** The parts of a status that changed, in words; the time of the upstream’s last look is no news. */
export const changedParts = (status: SwapStatus, before: SwapStatus): ReadonlyArray<string> => {
  const old = new Map<string, unknown>(Object.entries(before))
  const now = new Map<string, unknown>(Object.entries(status))
  return Object.entries(words.statusParts).flatMap(([part, name]) =>
    Equal.equals(now.get(part), old.get(part)) ? [] : [name]
  )
}

/** What a fee was taken for. The fee of a payment is the refund's where nothing else was paid. */
export const feeKind = ({ type }: Fee, { refundEgress, swapEgress }: SwapStatus): Fee["type"] =>
  type === "egress" && swapEgress === undefined && refundEgress !== undefined ? "refund" : type

/** Whether a payment has arrived: it was witnessed, or nothing of the swap is under way any more. */
export const hasArrived = (status: SwapStatus, payment: Egress): boolean =>
  payment.witnessedAt !== undefined || isOver(status)

/** The payment that the swap ends with, or will: its payout, the refund where nothing else is paid, or the fallback payout. */
export const moneyEnd = (status: SwapStatus) => {
  const { destinationAsset, fallbackEgress, refundEgress, sourceAsset, swapEgress } = status
  const ends = [
    [swapEgress, destinationAsset, "Paid out", "To be paid out"],
    [refundEgress, sourceAsset, "Refunded", "To be refunded"],
    [fallbackEgress, destinationAsset, "Fallback payout", "Fallback payout to come"],
  ] as const
  const [end] = ends.flatMap(([payment, asset, done, toCome]) => {
    const paid = arrived(payment)
    if (paid === undefined) return []
    return [{ label: hasArrived(status, paid) ? done : toCome, asset, amount: paid.amount }]
  })
  return end
}

const feeWords = (facts: SwapFacts, fee: Fee): string => {
  const { contact: { name }, swap: { record: { status } } } = facts
  const chain = chainFacts(chainOf(fee.asset)).title
  const words: Readonly<Record<Fee["type"], string>> = {
    boost: "Boost fee",
    ingress: `Deposit fee, ${chain}`,
    network: `${name} network fee`,
    broker: `Commission, ${askedBpsOf(status)} bps requested`,
    provider: `${name}’s share of the commission`,
    egress: `Payout fee, ${chain}`,
    liquidity: "Liquidity fee",
    refund: `Refund fee, ${chain}`,
  }
  return words[feeKind(fee, status)]
}

/** What goes off on the way: fees, and after them a partial refund. */
const costs = (facts: SwapFacts): ReadonlyArray<Step> => {
  const { status } = facts.swap.record
  const [refund, payout] = [arrived(status.refundEgress), arrived(status.swapEgress)]
  const cost = (asset: AssetId, native: bigint, words: Html | string, isEstimate = false): Step => {
    const usd = usdOf(facts, asset, native)
    return {
      words: <>− {words}{isEstimate && ", estimated"}</>,
      native: amount(asset, native),
      usd: usd === undefined ? undefined : BigDecimal.negate(toCents(usd)),
    }
  }
  return [
    ...status.fees.map((fee) => cost(fee.asset, fee.amount, feeWords(facts, fee), fee.isEstimate === true)),
    ...(refund === undefined || payout === undefined ? [] : [cost(
      status.sourceAsset,
      refund.amount,
      <b>{hasArrived(status, refund) ? "Refunded to the payer" : "To be refunded to the payer"}</b>,
    )]),
  ]
}

/** What is left between the known steps: that prices of the market are not those of the swap. */
const restOf = (left: Usd, end: Usd): Step => {
  const rest = BigDecimal.subtract(end, left)
  return {
    words: rest.value < 0n ? "− Swap rate below market price" : "+ Swap rate above market price",
    usd: rest,
  }
}

/** From the deposit to the payout, which adds up to the cent where all of it has a price. */
export const moneySection = (facts: SwapFacts): Html => {
  const { status } = facts.swap.record
  const { deposit, sourceAsset } = status
  if (deposit === undefined) return nothing
  const paid = usdOf(facts, sourceAsset, deposit.amount)
  const start: Step = {
    words: "Deposit of the payer",
    native: amount(sourceAsset, deposit.amount),
    usd: paid === undefined ? undefined : toCents(paid),
  }
  const parts = costs(facts)
  const isPaid = moneyEnd(status) !== undefined
  const isDone = isOver(status)
  // The deposit alone is in the figures above.
  if (!isDone && !isPaid && parts.length === 0) return nothing
  const result = moneyEnd(status) ?? {
    label: isDone && deposit.failure === undefined
      ? "Not paid out"
      : `${isDisputed(facts.swap) ? "Held or paid out" : isDone ? "Kept" : "Held"} by ${facts.contact.name}`,
    asset: sourceAsset,
    amount: deposit.amount,
  }
  const isPartOf = !isPaid && parts.length > 0
  const priced = parts.flatMap(({ usd }) => usd === undefined ? [] : [usd])
  const isPriced = start.usd !== undefined && priced.length === parts.length
  const left = start.usd === undefined || !isPriced ? undefined : BigDecimal.sumAll([start.usd, ...priced])
  const worth = isPartOf ? left : usdOf(facts, result.asset, result.amount)
  const end = {
    words: result.label,
    native: isPartOf ? "the rest" : amount(result.asset, result.amount),
    usd: worth === undefined ? undefined : toCents(worth),
  }
  const isWhole = end.usd !== undefined && isPriced
  const rest = isDone && isPaid && end.usd !== undefined && left !== undefined
    ? [restOf(left, end.usd)].filter(({ usd }) => usd?.value !== 0n)
    : []
  const cents = (usd: Usd | undefined) => known(usd, (usd) => dollars(usd, "cents"))
  const aside = !isDone ? "so far" : !isPaid ? "" : isWhole ? "adds up to the cent" : "some prices unknown"
  return section({ title: isDone ? "Where the money went" : "Where the money goes", id: "money", aside }, [
    table({
      caption: "From the deposit to the payout",
      columns: [
        ["Step", ({ words }) => words, "a"],
        ["Amount", ({ native }) => native ?? "", "number", ""],
        ["≈ USD", ({ usd }) => cents(usd), "number b"],
      ],
      rows: [start, ...parts.toSpliced(status.fees.length, 0, ...rest)],
      empty: "",
      totals: [end.words, end.native, cents(end.usd) ?? "–"],
    }),
  ])
}

const hostOf = (url: string): string => new URL(url).hostname.replace(/^www\./, "")

/** A transaction hash to copy, with a link to an explorer where there is one. */
export const transaction = (facts: SwapFacts, asset: AssetId, reference: string, name: string): Html => {
  const place = explorerUrl(asset, facts.network, reference)
  return (
    <>
      {copyable(reference, name)}
      {place !== undefined && (
        <>
          <br />
          <a href={place} rel="noreferrer noopener">{hostOf(`${place}`)} ↗</a>
        </>
      )}
    </>
  )
}

/** A payment: its amount, transaction and time. */
const payment = (facts: SwapFacts, name: string, asset: AssetId, paid: Deposit | Egress | undefined): Value =>
  known(
    paid,
    ({ amount: native, failedAt, transactionReference, witnessedAt }) => (
      <>
        {amount(asset, native)}
        <br />
        {transactionReference === undefined
          ? <span class="soft">No transaction hash{failedAt === undefined && " yet"}</span>
          : transaction(facts, asset, transactionReference, `transaction of the ${name}`)}
        {hasOurTime(facts) && witnessedAt !== undefined && (
          <>
            <br />Seen {time(witnessedAt, facts.now)}
          </>
        )}
        {hasOurTime(facts) && failedAt !== undefined && (
          <>
            <br />Failed {time(failedAt, facts.now)}
          </>
        )}
      </>
    ),
  )

/** The payments with their transactions, and the addresses and IDs of the swap. */
export const transactionsSection = (facts: SwapFacts): Html => {
  const { contact, now, swap: { record: { id, status } } } = facts
  const {
    deposit,
    depositChannel,
    destinationAsset,
    fallbackEgress,
    fillOrKill,
    refundEgress,
    sourceAsset,
    swapEgress,
  } = status
  const expiry = depositChannel?.estimatedExpiryTime
  const none = isClosed(status) ? "none" : "none yet"
  return section(
    { title: "Transactions and IDs", id: "ids" },
    kv([
      ["Deposit", payment(facts, "deposit", sourceAsset, deposit) ?? none],
      ["Payout", payment(facts, "payout", destinationAsset, swapEgress) ?? none],
      ["Refund", payment(facts, "refund", sourceAsset, refundEgress)],
      ["Fallback payout", payment(facts, "fallback payout", destinationAsset, fallbackEgress)],
      [
        "Deposit address",
        known(depositChannel, ({ depositAddress }) => copyable(depositAddress, "deposit address")) ??
          "none: the swap was in the payer’s own transaction",
      ],
      ["Memo", known(depositChannel?.memo, (memo) => copyable(memo, "memo"))],
      ["Exact amount", known(depositChannel?.exactAmount, (native) => amount(sourceAsset, native))],
      [
        depositChannel?.isExpired === true ? "Expired" : "Expires",
        hasOurTime(facts) ? known(expiry, (at) => time(at, now)) : undefined,
      ],
      ["Destination address", copyable(status.destinationAddress, "destination address")],
      ["Refund address", known(fillOrKill, ({ refundAddress }) => copyable(refundAddress, "refund address"))],
      ["Swap ID", `${id}`],
      [`${contact.name} ID`, known(status.swapId, (text) => copyable(text, `${contact.name} ID`)) ?? none],
      ["Channel", known(depositChannel, (channel) => code(formatChannelId(channel.id)))],
      ["Channel reference", known(depositChannel?.reference, (text) => copyable(text, "channel reference"))],
    ]),
  )
}
