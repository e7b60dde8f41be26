import { Duration } from "effect"
import type { AssetId } from "#domain/chains/Asset.ts"
import { chainFacts } from "#domain/chains/Chain.ts"
import { amount, assetName, coin, dollars, grouped } from "../../pages/values.tsx"
import { type Html, nothing } from "../../pages/jsx-runtime.ts"
import { counted } from "#domain/figures.ts"
import { folded, kv, pill, section } from "../../pages/parts.tsx"
import { durationText } from "#domain/durationText.ts"
import type { FundsStanding, OpeningFunds, TreasuryStanding } from "#application/treasury/Treasury.ts"
import { providerTitle } from "#providers/Registry.ts"
import { atTodaysPrices, type Valuing } from "./balances.tsx"
import { channelsLeft, fewChannels } from "./tabs.ts"

const year = 365 * 86_400_000

const worth = (valueOf: Valuing, asset: AssetId, native: bigint): Html | undefined => {
  const value = valueOf(asset, native)
  return value === undefined ? undefined : <small>≈ {dollars(value, "cents", atTodaysPrices)}</small>
}

/** What a channel costs, and how many the funds pay for; chains with the same price stand together. */
const openingLines = (asset: AssetId, openings: ReadonlyArray<OpeningFunds>): Html => {
  const byPrice = [...Map.groupBy(openings, ({ channels, fee }) => `${fee} ${channels}`).values()]
  return (
    <>
      {byPrice.flatMap((same) => {
        const from = byPrice.length === 1
          ? "every chain"
          : same.map(({ chain }) => chainFacts(chain).title).toSorted().join(", ")
        return same.slice(0, 1).map(({ channels, fee }) => (
          <div>
            {channels === undefined ? "free" : <>{amount(asset, fee)}, {grouped(`${channels}`)} left</>}, from
            {" "}
            {from}
          </div>
        ))
      })}
    </>
  )
}

/** How many openings there were of late, and for how long the funds last at that pace, where they took any. */
const paceOf = ({ funding: { free }, takers, window }: FundsStanding) => {
  const channels = takers.reduce((sum, taker) => sum + taker.channels, 0)
  const spent = takers.reduce((sum, taker) => sum + taker.spent, 0n)
  const millis = Duration.toMillis(window)
  const left = spent === 0n ? 0 : Number(free * BigInt(Math.round(millis)) / spent)
  return {
    openings: `${channels === 0 ? "none" : channels} in the last ${durationText(millis)}`,
    lasts: left === 0 ? undefined : `Enough for ${left > year ? "over a year" : durationText(left)}`,
  }
}

/** What openings at a provider are paid from, and how many more that pays for. */
const factsOf = (standing: TreasuryStanding, funds: FundsStanding, valueOf: Valuing): Html => {
  const { funding: { asset, bond, free, redeemable }, openings } = funds
  const left = channelsLeft(standing)
  const { lasts, openings: made } = paceOf(funds)
  const facts = kv([
    ["Free", <>{coin(asset)}{amount(asset, free)} {worth(valueOf, asset, free)}</>],
    ["A channel", openingLines(asset, openings)],
    ["Openings", made],
    ["Bond", bond === 0n ? undefined : amount(asset, bond)],
    ["Redeemable", redeemable === 0n || redeemable === free ? undefined : amount(asset, redeemable)],
  ])
  const isLow = left !== undefined && left < fewChannels
  return (
    <>
      <p>
        {providerTitle(standing.platform)} takes {assetName(asset)} for each channel.{" "}
        {left === undefined ? pill("Channels are free", "good") : pill(
          isLow || lasts === undefined ? `${counted(Number(left), "channel")} left` : lasts,
          isLow ? "warn" : "good",
        )}
      </p>
      {isLow ? facts : folded("Details", facts, `funds-${standing.platform}`)}
    </>
  )
}

/** What openings are paid from, at the providers that take something for one; nothing where none does. */
export const fundsSection = (standings: ReadonlyArray<TreasuryStanding>, valueOf: Valuing): Html => {
  const funded = standings.flatMap((standing) =>
    standing.funds === undefined ? [] : [factsOf(standing, standing.funds, valueOf)]
  )
  return funded.length === 0
    ? nothing
    : section({ title: "Funds to open channels", id: "funds", live: true }, funded)
}
