import { type AssetId, chainOf, factsOf } from "#domain/chains/Asset.ts"
import { chainFacts } from "#domain/chains/Chain.ts"
import { askedBpsOf, commissionsOf } from "#domain/money/Commission.ts"
import { bpsText } from "#domain/figures.ts"
import { promiseOf } from "#domain/swaps/OutputPromise.ts"
import { isOver, outcomeOf, type SwapStatus } from "#domain/swaps/Swap.ts"
import { clock, coin, dollars, figure, listAmount, type Tile, tiles } from "../../pages/values.tsx"
import { type Html, nothing } from "../../pages/jsx-runtime.ts"
import { minutesText } from "#domain/durationText.ts"
import { arrived, isClosed, isDisputed, stageOf } from "./describeSwap.tsx"
import { hasArrived, moneyEnd } from "./money.tsx"
import { hasOurTime, type SwapFacts, usdOf } from "./loadSwap.ts"

const sum = (asset: AssetId, native: bigint): Html => (
  <>
    {coin(asset)}
    {figure(asset, native, "list")} <small>{factsOf(asset).ticker}</small>
  </>
)

const onChain = (facts: SwapFacts, asset: AssetId, native: bigint, more = ""): Html => {
  const usd = usdOf(facts, asset, native)
  const worth = usd === undefined ? nothing : <>{" · ≈\u00a0"}{dollars(usd, "cents")}</>
  return <>{chainFacts(chainOf(asset)).title}{worth}{more}</>
}

const tileOf = (
  facts: SwapFacts,
  label: string,
  { asset, more = "", native }: { readonly asset: AssetId; readonly native: bigint; readonly more?: string },
): Tile => ({ label, figure: sum(asset, native), note: onChain(facts, asset, native, more) })

const inTile = (facts: SwapFacts): Tile => {
  const { status } = facts.swap.record
  const { deposit, depositChannel, sourceAsset: asset } = status
  if (deposit !== undefined) {
    const more = deposit.isExpected === true ? ", as expected; the provider reports no amount" : ""
    return tileOf(facts, "Deposit", { asset, native: deposit.amount, more })
  }
  const native = depositChannel?.expectedDepositAmount
  return native === undefined
    ? {
      label: "Expected deposit",
      figure: `any ${factsOf(asset).ticker}`,
      note: chainFacts(chainOf(asset)).title,
    }
    : tileOf(facts, "Expected deposit", {
      asset,
      native,
      more: isClosed(status) ? ", not received" : ", none yet",
    })
}

const outTile = (facts: SwapFacts): Tile => {
  const { status } = facts.swap.record
  const { destinationAsset: asset } = status
  const end = moneyEnd(status)
  if (end !== undefined) return tileOf(facts, end.label, { asset: end.asset, native: end.amount })
  const isOut = isClosed(status)
  const promise = isOut ? undefined : promiseOf(status)
  if (promise !== undefined) {
    // The callout of a disputed swap names the minimum after fees.
    const more = promise.from === "prices"
      ? ", estimate"
      : promise.from === "quote" && !isDisputed(facts.swap)
      ? `, at least ${listAmount(asset, promise.least)}`
      : ""
    return tileOf(facts, "Expected payout", { asset, native: promise.native, more })
  }
  return {
    label: isOut ? "Paid out" : "Expected payout",
    figure: isOut ? "none" : "unknown",
    note: `${factsOf(asset).ticker} on ${chainFacts(chainOf(asset)).title}`,
  }
}

/** The refund beside a payout; a refund alone is the result. */
const refundTile = (facts: SwapFacts): ReadonlyArray<Tile> => {
  const { refundEgress, sourceAsset: asset, swapEgress } = facts.swap.record.status
  const refund = arrived(refundEgress)
  if (refund === undefined || arrived(swapEgress) === undefined) return []
  const label = hasArrived(facts.swap.record.status, refund) ? "Refunded" : "To be refunded"
  return [tileOf(facts, label, { asset, native: refund.amount })]
}

const commissionTile = ({ swap: { commissionValue, record: { status } } }: SwapFacts): Tile => {
  const [first, ...others] = commissionsOf(status)
  const asked = bpsText(askedBpsOf(status))
  if (first === undefined) {
    return { label: "Commission", figure: isClosed(status) ? "none" : "none yet", note: `${asked} requested` }
  }
  return {
    label: "Commission",
    figure: (
      <>
        {figure(first.asset, first.amount, "list")} <small>{factsOf(first.asset).ticker}</small>
      </>
    ),
    note: (
      <>
        {chainFacts(chainOf(first.asset)).title} · {asked}
        {commissionValue !== undefined && <>{" · ≈\u00a0"}{dollars(commissionValue, "cents")}</>}
        {first.isEstimate && ", estimated"}
        {others.length > 0 && `, and ${others.length} more`}
      </>
    ),
  }
}

/** How much more was paid out than quoted, in percent: `+0.12 %`. */
const difference = (bps: number): string => `${bps < 0 ? "−" : "+"}${(Math.abs(bps) / 100).toFixed(2)}\u00a0%`

const quoteTile = (status: SwapStatus): ReadonlyArray<Tile> => {
  const outcome = outcomeOf(status)
  if (outcome === undefined) return []
  const asset = status.destinationAsset
  return [{
    label: "Against the quote",
    figure: difference(outcome.bps),
    note: `quoted ${listAmount(asset, outcome.quoted)} ${factsOf(asset).ticker}, at least ${
      listAmount(asset, outcome.promised)
    }`,
  }]
}

/** From our first sight of the deposit, where the journal's newest entries have it. */
const tookTile = ({ newest, swap: { createdAt, record: { standing, status } } }: SwapFacts): Tile => {
  const before = newest.findIndex(({ note }) => note._tag === "Change" && note.status.deposit === undefined)
  const seenAt = newest[before - 1]?.at
  const estimated = status.estimatedDuration
  return {
    label: "Took",
    figure: minutesText(standing.changedAt - (seenAt ?? createdAt)),
    note: `from ${seenAt === undefined ? "opening" : "deposit"} to result${
      estimated === undefined ? "" : `; ${minutesText(estimated)} expected`
    }`,
  }
}

const timeTile = (facts: SwapFacts): Tile => {
  const { now, swap: { nextLookupAt, record: { standing, status }, stalledSince } } = facts
  if (isOver(status)) return tookTile(facts)
  const { contradictedAt } = standing
  const { depositChannel, estimatedDuration, lastStateChainUpdateAt = now } = status
  const isWaiting = status.state === "waiting"
  if (contradictedAt !== undefined) {
    const note = <>since {clock(contradictedAt, now)} UTC</>
    return { label: "Disputed for", figure: minutesText(now - contradictedAt), note }
  }
  if (stalledSince !== undefined) {
    const note = <>over its usual time since {clock(stalledSince, now)} UTC</>
    return { label: "Stalled for", figure: minutesText(now - stalledSince), note }
  }
  if (isWaiting && depositChannel?.isExpired === false) {
    const expiry = depositChannel.estimatedExpiryTime
    const left = expiry - (hasOurTime(facts) ? now : lastStateChainUpdateAt)
    return {
      label: "Time left",
      figure: minutesText(Math.max(0, left)),
      note: hasOurTime(facts) ? <>until {clock(expiry, now)} UTC</> : "by the clock of the simulated network",
    }
  }
  return {
    label: `${stageOf(status)} for`,
    figure: minutesText(now - standing.changedAt),
    note: isWaiting
      ? nextLookupAt === undefined ? undefined : "still checked for a deposit from before the expiry"
      : estimatedDuration === undefined
      ? undefined
      : `${minutesText(estimatedDuration)} expected from deposit to payout`,
  }
}

/** The figures that the page of a swap begins with. */
export const swapTiles = (facts: SwapFacts): Html =>
  tiles([
    inTile(facts),
    outTile(facts),
    ...refundTile(facts),
    ...(facts.swap.stalledSince === undefined || isOver(facts.swap.record.status)
      ? [commissionTile(facts)]
      : []),
    ...quoteTile(facts.swap.record.status),
    timeTile(facts),
  ])
