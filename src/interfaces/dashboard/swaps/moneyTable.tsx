import { BigDecimal } from "effect"
import { type AssetId, chainOf } from "#domain/chains/Asset.ts"
import { chainFacts } from "#domain/chains/Chain.ts"
import { askedBpsOf } from "#domain/money/Commission.ts"
import type { Fee } from "#domain/money/Fee.ts"
import { isOver } from "#domain/swaps/Swap.ts"
import { amount, dollars } from "../../pages/amounts.tsx"
import { type Html, nothing } from "../../pages/jsx-runtime.ts"
import { section } from "../../pages/parts.tsx"
import { known, table } from "../../pages/table.tsx"
import { arrived } from "./describeSwap.tsx"
import { type SwapFacts, usdOf } from "./SwapFacts.ts"

type Usd = BigDecimal.BigDecimal

/** A step from what was paid in to what was paid out, with what it is worth to the cent; costs are below 0. */
interface Step {
  readonly words: Html | string
  readonly native?: Html
  readonly usd: Usd | undefined
}

const none = BigDecimal.fromBigInt(0n)

const toCents = (usd: Usd): Usd => BigDecimal.round(usd, { scale: 2, mode: "half-from-zero" })

const feeWords = (facts: SwapFacts, { asset, type }: Fee): Html | string => {
  const { contact: { name }, swap: { record: { status } } } = facts
  const chain = chainFacts(chainOf(asset)).title
  const words: Readonly<Record<Fee["type"], Html | string>> = {
    boost: "Fee for taking the deposit early",
    ingress: `Fee of the deposit, ${chain} network`,
    network: `Network fee of ${name}`,
    broker: (
      <>
        <b>Commission</b>, {askedBpsOf(status)} bps asked for
      </>
    ),
    provider: `What ${name} keeps of the commission`,
    egress: `Fee of the payment, ${chain} network`,
    liquidity: "Fee of those whose money it is swapped with",
    refund: `Fee of the refund, ${chain} network`,
  }
  return words[type]
}

/** The payments that have not failed. */
const arrivedOf = ({ swap: { record: { status } } }: SwapFacts) => ({
  swapEgress: arrived(status.swapEgress),
  refundEgress: arrived(status.refundEgress),
  fallbackEgress: arrived(status.fallbackEgress),
})

/** What goes off on the way: fees, and what went back where the rest was paid out. */
const costs = (facts: SwapFacts): ReadonlyArray<Step> => {
  const { fees, sourceAsset } = facts.swap.record.status
  const { refundEgress, swapEgress } = arrivedOf(facts)
  const cost = (asset: AssetId, native: bigint, words: Html | string, isEstimate = false): Step => {
    const usd = usdOf(facts, asset, native)
    return {
      words: <>− {words}{isEstimate && ", worked out"}</>,
      native: amount(asset, native),
      usd: usd === undefined ? undefined : BigDecimal.negate(toCents(usd)),
    }
  }
  return [
    ...fees.map((fee) => cost(fee.asset, fee.amount, feeWords(facts, fee), fee.isEstimate === true)),
    ...(refundEgress === undefined || swapEgress === undefined
      ? []
      : [cost(sourceAsset, refundEgress.amount, "Sent back to the payer")]),
  ]
}

/** What came out at the end: the payment, or the refund of a swap that paid nothing else. */
const endOfMoney = (facts: SwapFacts): Step => {
  const { destinationAsset, sourceAsset } = facts.swap.record.status
  const { fallbackEgress, refundEgress, swapEgress } = arrivedOf(facts)
  const step = (words: string, asset: AssetId, native: bigint): Step => {
    const usd = usdOf(facts, asset, native)
    return { words, native: amount(asset, native), usd: usd === undefined ? undefined : toCents(usd) }
  }
  if (swapEgress !== undefined) return step("Paid out", destinationAsset, swapEgress.amount)
  if (refundEgress !== undefined) return step("Sent back", sourceAsset, refundEgress.amount)
  if (fallbackEgress !== undefined) {
    return step("Paid to the fallback address", destinationAsset, fallbackEgress.amount)
  }
  return { words: "Paid out", usd: none }
}

/** What is left between the known steps: that prices of the market are not those of the swap, or what was not paid. */
const restOf = (start: Usd, parts: ReadonlyArray<Usd>, end: Usd, isPaid: boolean): Step => {
  const rest = BigDecimal.subtract(end, parts.reduce((sum, part) => BigDecimal.sum(sum, part), start))
  const words = !isPaid
    ? "− Not paid out"
    : rest.value < 0n
    ? "− Difference of the swap’s rate from the price list"
    : "+ Better rate than that of the price list"
  return { words, usd: rest }
}

/** From what was paid in to what was paid out, which adds up to the cent where all of it has a price. */
export const moneySection = (facts: SwapFacts): Html => {
  const { status } = facts.swap.record
  const { deposit, sourceAsset } = status
  if (deposit === undefined) return nothing
  const paid = usdOf(facts, sourceAsset, deposit.amount)
  const start: Step = {
    words: (
      <>
        <b>Paid in</b> by the payer
      </>
    ),
    native: amount(sourceAsset, deposit.amount),
    usd: paid === undefined ? undefined : toCents(paid),
  }
  const parts = costs(facts)
  const end = endOfMoney(facts)
  const isDone = isOver(status)
  const priced = parts.flatMap(({ usd }) => usd === undefined ? [] : [usd])
  const isWhole = start.usd !== undefined && end.usd !== undefined && priced.length === parts.length
  const isPaid = Object.values(arrivedOf(facts)).some((payment) => payment !== undefined)
  const rest = isDone && start.usd !== undefined && end.usd !== undefined && isWhole
    ? [restOf(start.usd, priced, end.usd, isPaid)].filter(({ usd }) => usd?.value !== 0n)
    : []
  const cents = (usd: Usd | undefined) => known(usd, (usd) => dollars(usd, "cents"))
  const aside = !isDone ? "so far" : isWhole ? "adds up to the cent" : "some of it has no price"
  return section({ title: isDone ? "Where the money went" : "Where the money goes", id: "money", aside }, [
    table({
      caption: "From what was paid in to what was paid out",
      columns: [
        ["Step", ({ words }) => words, "a"],
        ["Amount", ({ native }) => native ?? "", "number", ""],
        ["≈ USD", ({ usd }) => cents(usd), "number b"],
      ],
      rows: [start, ...parts, ...rest],
      empty: "",
      ...(isDone || isPaid ? { totals: [end.words, end.native ?? "nothing", cents(end.usd) ?? "–"] } : {}),
    }),
  ])
}
