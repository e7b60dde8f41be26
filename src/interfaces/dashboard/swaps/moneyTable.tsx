import { BigDecimal } from "effect"
import { type AssetId, chainOf } from "#domain/chains/Asset.ts"
import { chainFacts } from "#domain/chains/Chain.ts"
import { askedBpsOf } from "#domain/money/Commission.ts"
import type { Fee } from "#domain/money/Fee.ts"
import { isOver } from "#domain/swaps/Swap.ts"
import { amount, dollars } from "../../pages/values.tsx"
import { type Html, nothing } from "../../pages/jsx-runtime.ts"
import { known, section, table } from "../../pages/parts.tsx"
import { arrived } from "./describeSwap.tsx"
import { feeKind, hasArrived, moneyEnd } from "./moneyEvents.ts"
import { type SwapFacts, usdOf } from "./SwapFacts.ts"

type Usd = BigDecimal.BigDecimal

/** A step from the deposit to the payout, with what it is worth to the cent; costs are below 0. */
interface Step {
  readonly words: string
  readonly native?: Html | string
  readonly usd: Usd | undefined
}

const toCents = (usd: Usd): Usd => BigDecimal.round(usd, { scale: 2, mode: "half-from-zero" })

const feeWords = (facts: SwapFacts, fee: Fee): string => {
  const { contact: { name }, swap: { record: { status } } } = facts
  const chain = chainFacts(chainOf(fee.asset)).title
  const words: Readonly<Record<Fee["type"], string>> = {
    boost: "Boost fee",
    ingress: `Deposit fee, ${chain}`,
    network: `${name} network fee`,
    broker: `Commission, ${askedBpsOf(status)} bps asked for`,
    provider: `${name}’s share of the commission`,
    egress: `Payout fee, ${chain}`,
    liquidity: "Liquidity fee",
    refund: `Refund fee, ${chain}`,
  }
  return words[feeKind(fee, status)]
}

/** What goes off on the way: fees, and a partial refund. */
const costs = (facts: SwapFacts): ReadonlyArray<Step> => {
  const { status } = facts.swap.record
  const [refund, payout] = [arrived(status.refundEgress), arrived(status.swapEgress)]
  const cost = (asset: AssetId, native: bigint, words: string, isEstimate = false): Step => {
    const usd = usdOf(facts, asset, native)
    return {
      words: `− ${words}${isEstimate ? ", estimated" : ""}`,
      native: amount(asset, native),
      usd: usd === undefined ? undefined : BigDecimal.negate(toCents(usd)),
    }
  }
  return [
    ...status.fees.map((fee) => cost(fee.asset, fee.amount, feeWords(facts, fee), fee.isEstimate === true)),
    ...(refund === undefined || payout === undefined ? [] : [cost(
      status.sourceAsset,
      refund.amount,
      hasArrived(status, refund) ? "Refunded to the payer" : "To be refunded to the payer",
    )]),
  ]
}

/** What is left between the known steps: that prices of the market are not those of the swap. */
const restOf = (start: Usd, parts: ReadonlyArray<Usd>, end: Usd): Step => {
  const rest = BigDecimal.subtract(end, parts.reduce((sum, part) => BigDecimal.sum(sum, part), start))
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
  const result = moneyEnd(status) ?? {
    label: deposit.failure === undefined ? "Not paid out" : `Kept by ${facts.contact.name}`,
    asset: sourceAsset,
    amount: deposit.amount,
  }
  const isPartOf = !isPaid && parts.length > 0
  const worth = isPartOf ? undefined : usdOf(facts, result.asset, result.amount)
  const end = {
    words: result.label,
    native: isPartOf ? "the rest" : amount(result.asset, result.amount),
    usd: worth === undefined ? undefined : toCents(worth),
  }
  const isDone = isOver(status)
  const priced = parts.flatMap(({ usd }) => usd === undefined ? [] : [usd])
  const isWhole = start.usd !== undefined && end.usd !== undefined && priced.length === parts.length
  const rest = isDone && isPaid && start.usd !== undefined && end.usd !== undefined && isWhole
    ? [restOf(start.usd, priced, end.usd)].filter(({ usd }) => usd?.value !== 0n)
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
      rows: [start, ...parts, ...rest],
      empty: "",
      ...(isDone || isPaid ? { totals: [end.words, end.native, cents(end.usd) ?? "–"] } : {}),
    }),
  ])
}
