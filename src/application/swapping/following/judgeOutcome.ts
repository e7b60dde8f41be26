import { BigDecimal, Context, Data, Effect } from "effect"
import { formatUnits, wholeUnit } from "#domain/money/Amount.ts"
import { type AssetId, chainOf, factsOf } from "#domain/chains/Asset.ts"
import { grouped } from "#domain/figures.ts"
import { shareOf } from "#domain/money/Bps.ts"
import { chainFacts } from "#domain/chains/Chain.ts"
import type { ExactOutput } from "#domain/quotes/ExactOutput.ts"
import type { FeeType } from "#domain/money/Fee.ts"
import { anyPrice, outputAt, type Price } from "#domain/money/Price.ts"
import type { Egress, SwapStatus } from "#domain/swaps/Swap.ts"
import type { EndRules } from "#providers/Capabilities.ts"
import { unprovenEnd } from "./Progress.ts"

// What an upstream calls the end of a swap is held against what can have happened (decision 37). The limits are wide
// where honest networks differ from a plain sum, and each of them is ours: an upstream that tells high fees, or none,
// cannot explain away more than the bounds below.

/** What a swap's end is by our own record. */
export type OutcomeJudgement = Data.TaggedEnum<{
  /** It can have happened. What the notes say is for the operator alone. */
  Plausible: { readonly notes: ReadonlyArray<string> }
  /** It cannot have happened; one sentence says why. */
  Disputed: { readonly detail: string }
  /** Something is still missing that an honest upstream tells later. */
  Waits: { readonly detail: string }
}>
export const OutcomeJudgement = Data.taggedEnum<OutcomeJudgement>()

/** What a unit of an asset is worth at the very least, in thousandths of a US dollar: far below the price of years. */
const leastWorth: ReadonlyMap<string, bigint> = new Map([
  ["USDC", 1_000n],
  ["USDT", 1_000n],
  ["BTC", 20_000_000n],
  ["WBTC", 20_000_000n],
  ["CBBTC", 20_000_000n],
  ["ETH", 500_000n],
  ["SOL", 20_000n],
  ["BNB", 100_000n],
  ["TRX", 50n],
  ["DOT", 500n],
  ["POL", 20n],
  ["AVAX", 2_000n],
  ["LTC", 10_000n],
  ["DOGE", 10n],
  ["BCH", 30_000n],
  ["ZEC", 5_000n],
  ["DASH", 5_000n],
  ["XRP", 100n],
])

/** The most that sending on the asset's chain, or taking a deposit there, may have cost; in thousandths of a dollar. */
const mostCost = (asset: AssetId): bigint => BigInt(chainFacts(chainOf(asset)).mostCost)

/** Fees that follow the price of a transaction: told ones are believed four times over (thorchain/wire.md 7). */
const moving: ReadonlyArray<FeeType> = ["ingress", "egress", "refund"]
const timesMoving = 4n

/** The part of an amount that roundings may take, such as to the eight decimals of THORChain: one in so many. */
const roundings = 10_000n

/** Where nobody knows what an asset is worth, only less than this part of a floor is disputed: one in so many. */
const worthless = 100n

/** A swap with the rules of its provider: the record before the answer, and the answer. */
interface PaymentClaim {
  readonly known: SwapStatus
  readonly found: SwapStatus
  readonly rules: EndRules
}

const ofWorth = (asset: AssetId, milliUsd: bigint): bigint | undefined => {
  const worth = leastWorth.get(factsOf(asset).ticker)
  return worth === undefined ? undefined : milliUsd * wholeUnit(asset) / worth
}

/** The answer has the terms of a channel already; a Bitcoin transaction decides itself what its limit comes to. */
const limitOf = ({ known, found }: PaymentClaim): Price =>
  (found.fillOrKill ?? known.fillOrKill)?.minimumPrice ?? anyPrice

const atLimit = (claim: PaymentClaim, amount: bigint): bigint =>
  outputAt(limitOf(claim), amount, claim.found.sourceAsset, claim.found.destinationAsset)

/** The most that fees on the asset's own chain come to, in native units; undefined where its worth is not known. */
const ceilingOf = (asset: AssetId, claim: PaymentClaim): bigint | undefined => {
  const most = mostCost(asset)
  const known = ofWorth(asset, most)
  if (known !== undefined) return known
  // The swap's own limit is a price between its two assets.
  const { destinationAsset, sourceAsset } = claim.found
  const isSource = asset === sourceAsset
  const other = ofWorth(isSource ? destinationAsset : sourceAsset, most)
  const unit = wholeUnit(sourceAsset)
  const unitAtLimit = atLimit(claim, unit)
  if (other === undefined || unitAtLimit === 0n) return undefined
  return isSource ? other * unit / unitAtLimit : other * unitAtLimit / unit
}

const rounded = (amount: bigint): bigint => amount - amount / roundings - 1n

/** What is left of an amount after the fees that may have been taken on its asset's chain, and after roundings. */
const lessFees = (amount: bigint, asset: AssetId, claim: PaymentClaim): bigint => {
  const ceiling = ceilingOf(asset, claim)
  if (ceiling === undefined) return amount / worthless
  const told = claim.found.fees.filter((fee) => fee.asset === asset && moving.includes(fee.type))
    .reduce((sum, { amount }) => sum + amount, 0n) * timesMoving
  return rounded(amount) - (told > 0n && told < ceiling ? told : ceiling)
}

const hasMoved = ({ state }: SwapStatus): boolean => state !== "waiting" && state !== "receiving"

const toldDeposit = ({ deposit }: SwapStatus): bigint | undefined =>
  deposit?.isExpected === true ? undefined : deposit?.amount

/** What was paid in; undefined where nobody has told. A deposit that is being swapped does not become smaller. */
const depositedOf = ({ found, known }: PaymentClaim): bigint | undefined => {
  const told = toldDeposit(found)
  const before = hasMoved(known) ? toldDeposit(known) : undefined
  return before === undefined || (told !== undefined && told > before) ? told : before
}

const orderedOf = ({ known }: PaymentClaim): bigint | undefined => known.depositChannel?.expectedDepositAmount

/** What was promised of an output that was asked for: it is for any deposit, so that no price limit is held against it. */
const exactOutputOf = ({ known }: PaymentClaim): ExactOutput | undefined => known.depositChannel?.exactOutput

const payoutOf = ({ fallbackEgress, swapEgress }: SwapStatus): Egress | undefined =>
  fallbackEgress ?? swapEgress

/** The deposit less what the user allowed a boost to cost, which no upstream can make more. */
const lessBoost = (amount: bigint, { known: { boost } }: PaymentClaim): bigint =>
  boost === undefined ? amount : amount - shareOf(amount, boost.maximumBoostFeeBps)

/** What was swapped at the least: the price limit is kept for so much. */
const swappedOf = (deposited: bigint, claim: PaymentClaim): bigint => {
  const { found: { refundEgress, sourceAsset }, rules: { limit } } = claim
  const ordered = orderedOf(claim)
  if (limit === "as ordered" && ordered !== undefined) return ordered
  const kept = deposited - (refundEgress?.amount ?? 0n)
  const swapped = limit === "before sending" || refundEgress !== undefined
    ? lessFees(lessBoost(kept, claim), sourceAsset, claim)
    : kept
  return limit === "on arrival" && ordered !== undefined && swapped > ordered ? ordered : swapped
}

/** The least that has to arrive, in native units of the destination asset. */
const payoutFloor = (deposited: bigint, claim: PaymentClaim): bigint => {
  const { found: { brokers, dca, destinationAsset }, rules: { limit } } = claim
  const swapped = swappedOf(deposited, claim)
  if (swapped <= 0n) return 0n
  const least = atLimit(claim, swapped)
  if (limit === "before sending") return lessFees(least, destinationAsset, claim)
  if (limit === "by chunk" && dca !== undefined) {
    const bps = brokers.reduce((sum, { commissionBps }) => sum + commissionBps, 0)
    return lessFees(least - shareOf(least, bps), destinationAsset, claim)
  }
  // An order that was priced anew for another deposit has the same fixed fees.
  return limit === "on arrival" && swapped < (orderedOf(claim) ?? 0n)
    ? lessFees(least, destinationAsset, claim)
    : rounded(least)
}

/** The least that has to come back of a deposit that was not swapped, in native units of the source asset. */
const refundFloor = (deposited: bigint, claim: PaymentClaim): bigint =>
  lessFees(lessBoost(deposited, claim), claim.found.sourceAsset, claim)

const units = (asset: AssetId, amount: bigint): string =>
  `${grouped(formatUnits(asset, amount))} ${factsOf(asset).ticker}`

const digitsOf = (reference: string): string => reference.replace(/^0x/i, "").toLowerCase()

/** Whether a payment is said to be made by the deposit's own transaction, where that cannot be. */
const paysItself = ({ found, rules }: PaymentClaim): boolean => {
  const { deposit, destinationAsset, refundEgress, sourceAsset } = found
  const paidIn = deposit?.transactionReference
  if (paidIn === undefined) return false
  const isSame = (egress: Egress | undefined): boolean =>
    egress?.transactionReference !== undefined && digitsOf(egress.transactionReference) === digitsOf(paidIn)
  const isElsewhere = chainOf(sourceAsset) !== chainOf(destinationAsset)
  return isSame(payoutOf(found)) && (isElsewhere || !rules.paysByDeposit) ||
    isSame(refundEgress) && !rules.paysByDeposit
}

const disputed = (detail: string): OutcomeJudgement =>
  OutcomeJudgement.Disputed({ detail: `The upstream now reports completed, but ${detail}` })

const waits = (detail: string): OutcomeJudgement =>
  OutcomeJudgement.Waits({ detail: `The upstream now reports completed, but ${detail}` })

/** What the operator is told of an end that can have happened. */
const notesOn = (paid: bigint, deposited: bigint, claim: PaymentClaim): ReadonlyArray<string> => {
  const { found: { destinationAsset, refundEgress, sourceAsset }, known: { quote } } = claim
  const ordered = orderedOf(claim)
  // What is over and would not cover its refund is kept, as was told beforehand.
  const kept = (ordered ?? 0n) + (exactOutputOf(claim)?.refundFee ?? 0n)
  return [
    ...(quote !== undefined && refundEgress === undefined && deposited >= quote.amount &&
        paid * 2n < quote.quoted
      ? [`less than half of the quoted ${units(destinationAsset, quote.quoted)} arrived`]
      : []),
    ...(ordered !== undefined && refundEgress === undefined && rounded(deposited) > kept
      ? [`${units(sourceAsset, deposited - ordered)} above the ordered amount were not refunded`]
      : []),
    ...(exactOutputOf(claim) === undefined && limitOf(claim).value > 0n &&
        paid < rounded(atLimit(claim, deposited - (refundEgress?.amount ?? 0n)))
      ? ["the payout is below the minimum price by the fees taken after it"]
      : []),
  ]
}

const judgePayout = (payout: Egress, claim: PaymentClaim): OutcomeJudgement => {
  // An amount that was only promised says nothing.
  if (payout.isPromised === true) return OutcomeJudgement.Plausible({ notes: [] })
  const { destinationAsset, sourceAsset } = claim.found
  const asked = exactOutputOf(claim)?.amount
  if (asked !== undefined && payout.amount < asked) {
    return disputed(
      `paid ${units(destinationAsset, payout.amount)} where ${units(destinationAsset, asked)} were promised`,
    )
  }
  const deposited = depositedOf(claim) ??
    (claim.rules.deposit === "ordered" ? orderedOf(claim) : undefined)
  if (deposited === undefined) return judgeUntold(claim)
  // An answer can count a smaller deposit than an earlier one, for which its payout would be enough.
  const deposits = new Set([deposited, toldDeposit(claim.found) ?? deposited])
  const least = (deposit: bigint) =>
    `${units(destinationAsset, payoutFloor(deposit, claim))} for a deposit of ${units(sourceAsset, deposit)}`
  return asked === undefined && payout.amount < payoutFloor(deposited, claim)
    ? disputed(
      `paid ${units(destinationAsset, payout.amount)}. The minimum payout is ` +
        [...deposits].map(least).join(", and "),
    )
    : OutcomeJudgement.Plausible({ notes: notesOn(payout.amount, deposited, claim) })
}

const judgeRefund = (refund: Egress, claim: PaymentClaim): OutcomeJudgement => {
  const { sourceAsset } = claim.found
  const deposited = depositedOf(claim)
  if (deposited === undefined) {
    const ordered = orderedOf(claim)
    return ordered !== undefined && refund.amount < refundFloor(ordered, claim)
      ? waits(`refunded ${units(sourceAsset, refund.amount)} without reporting the deposit amount`)
      : judgeUntold(claim)
  }
  const floor = refundFloor(deposited, claim)
  return refund.amount < floor
    ? disputed(
      `refunded ${units(sourceAsset, refund.amount)} of ${units(sourceAsset, deposited)}, ` +
        `below the minimum of ${units(sourceAsset, floor)} after fees`,
    )
    : OutcomeJudgement.Plausible({ notes: [] })
}

const judgeUntold = ({ rules }: PaymentClaim): OutcomeJudgement =>
  rules.deposit === "told" ? waits("reports no deposit amount") : OutcomeJudgement.Plausible({ notes: [] })

/** An end without a proved payment: what is missing may come, but not after a payment of nothing, or one that failed. */
const judgeUnproven = (detail: string, claim: PaymentClaim): OutcomeJudgement => {
  const payments = [payoutOf(claim.found), claim.found.refundEgress].filter((egress) => egress !== undefined)
  const deposited = depositedOf(claim)
  const mayBeFees = deposited !== undefined && refundFloor(deposited, claim) <= 0n
  const isNothing = ({ amount, failure }: Egress): boolean => failure !== undefined || amount === 0n
  return payments.length > 0 && payments.every(isNothing) && !mayBeFees
    ? OutcomeJudgement.Disputed({ detail })
    : OutcomeJudgement.Waits({ detail })
}

/**
 * Judges what an answer says of a swap's end, by the record before and by the rules of the swap's provider. The answer
 * has the swap's own terms already, and contradicts none of them. Only the end as `completed` is judged: a failure says
 * of no money that it arrived, and upstreams take failures back.
 */
export const judgeOutcome = (known: SwapStatus, found: SwapStatus, rules: EndRules): OutcomeJudgement => {
  const claim = { known, found, rules }
  if (found.state !== "completed") return OutcomeJudgement.Plausible({ notes: [] })
  const [payout, refund] = [payoutOf(found), found.refundEgress]
  if (toldDeposit(found) === 0n && [payout, refund].some((egress) => egress !== undefined)) {
    return disputed("that nothing was paid in")
  }
  if (paysItself(claim)) return disputed("names the deposit's own transaction as the payment")
  const judged = payout !== undefined
    ? judgePayout(payout, claim)
    : refund !== undefined
    ? judgeRefund(refund, claim)
    : OutcomeJudgement.Plausible({ notes: [] })
  if (judged._tag !== "Plausible") return judged
  const unproven = unprovenEnd(found)
  return unproven === undefined ? judged : judgeUnproven(unproven, claim)
}

/** US dollars for a whole unit of each asset whose price is known of the last hour. None unless a program knows some. */
export const HourPrices = Context.Reference<Effect.Effect<ReadonlyMap<AssetId, BigDecimal.BigDecimal>>>(
  "swap-broker/swapping/HourPrices",
  { defaultValue: () => Effect.succeed(new Map()) },
)

/** An amount's worth in US dollars. */
const worthOf = (asset: AssetId, amount: bigint, price: BigDecimal.BigDecimal): BigDecimal.BigDecimal =>
  BigDecimal.multiply(
    BigDecimal.divideUnsafe(BigDecimal.fromBigInt(amount), BigDecimal.fromBigInt(wholeUnit(asset))),
    price,
  )

/** What fixed fees on both chains may have come to, in US dollars. */
const fixedFees = (from: AssetId, to: AssetId): BigDecimal.BigDecimal =>
  BigDecimal.make(mostCost(from) + mostCost(to), 3)

/** Notes an end without quote or limit (decision 37) that paid less than half of the deposit at the hour's prices. */
export const notesByPrices = Effect.fnUntraced(function* (
  known: SwapStatus,
  found: SwapStatus,
  prices: Effect.Effect<ReadonlyMap<AssetId, BigDecimal.BigDecimal>>,
): Effect.fn.Return<ReadonlyArray<string>> {
  const { destinationAsset, refundEgress, sourceAsset, state } = found
  const paid = payoutOf(found)
  const deposited = toldDeposit(found)
  const limit = (found.fillOrKill ?? known.fillOrKill)?.minimumPrice ?? anyPrice
  if (state !== "completed" || known.quote !== undefined || refundEgress !== undefined || limit.value > 0n) {
    return []
  }
  if (paid === undefined || paid.isPromised === true || deposited === undefined) return []
  const dollars = yield* prices
  const [from, to] = [dollars.get(sourceAsset), dollars.get(destinationAsset)]
  if (from === undefined || to === undefined) return []
  const expected = BigDecimal.subtract(
    worthOf(sourceAsset, deposited, from),
    fixedFees(sourceAsset, destinationAsset),
  )
  const arrived = worthOf(destinationAsset, paid.amount, to)
  return BigDecimal.isLessThan(BigDecimal.multiply(arrived, BigDecimal.fromBigInt(2n)), expected)
    ? [
      `${
        units(destinationAsset, paid.amount)
      } arrived, less than half of what the hour's prices make of the deposit`,
    ]
    : []
})
