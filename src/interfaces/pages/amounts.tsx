import { BigDecimal } from "effect"
import { formatUnits } from "#domain/money/Amount.ts"
import { type AssetId, chainOf, factsOf } from "#domain/chains/Asset.ts"
import { chainFacts } from "#domain/chains/Chain.ts"
import { formatDecimal } from "#domain/money/Decimal.ts"
import { type Html } from "./jsx-runtime.ts"
import { changeText, type DollarForm, dollarText, fullAmount, listAmount, pointsText } from "./money.ts"
import { path } from "./Url.ts"

/** How an amount is written: with all its digits on the page of one thing, short in lists. */
export type AmountForm = "full" | "list"

const chainTitle = (asset: AssetId): string => chainFacts(chainOf(asset)).title

/** An asset with its chain, which is soft: `BTC Bitcoin`. */
export const assetName = (asset: AssetId): Html =>
  <>
    {factsOf(asset).ticker} <span class="ch">{chainTitle(asset)}</span>
  </>

/** The picture of an asset, which the words beside it say, too. */
export const coin = (asset: AssetId): Html =>
  <img class="co" src={path`/logos/${asset}.svg`} alt="" width="16" height="16" />

/** The number of an amount alone, for where its asset stands beside it. The exact one is always in it. */
export const figure = (asset: AssetId, native: bigint, form: AmountForm = "full"): Html => {
  const exact = formatUnits(asset, native)
  const full = fullAmount(asset, native)
  if (form === "full" && full === exact) return <>{full}</>
  const title = form === "list" && `${full} ${factsOf(asset).ticker} on ${chainTitle(asset)}`
  return <data value={exact} title={title}>{form === "list" ? listAmount(asset, native) : full}</data>
}

/** An amount with its asset and chain: `1,204.12 USDC Ethereum`. */
export const amount = (asset: AssetId, native: bigint, form: AmountForm = "full"): Html =>
  <span class="am">{figure(asset, native, form)} {assetName(asset)}</span>

/** Estimated dollars, with the time of their prices. The column or heading calls them estimates, too. */
export const dollars = (
  usd: BigDecimal.BigDecimal,
  form: DollarForm = "whole",
  priced = "at the time of the swap",
): Html =>
  <data value={formatDecimal(usd)} title={`${dollarText(usd, "cents")}, estimate ${priced}`}>
    {dollarText(usd, form)}
  </data>

/** Dollars of an amount that was not paid in, which are in no sum: `expected $13,710`. */
export const unpaidDollars = (usd: BigDecimal.BigDecimal): Html => (
  <span class="soft">expected {dollarText(usd, "whole")}</span>
)

const coloured = (text: string, isGood: boolean): Html =>
  <span class={text.startsWith("±") ? "soft" : isGood ? "up" : "down"}>{text}</span>

/** Which way of a change is good news. */
export type Good = "more" | "less"

/** How much more there is than before, `+10.3 %`, in the colour of good or bad news; undefined without a before. */
export const change = (now: number, before: number, good: Good = "more"): Html | undefined => {
  const text = changeText(now, before)
  return text === undefined ? undefined : coloured(text, now > before === (good === "more"))
}

/** How much a rate differs from the one before, both in percent: `+0.39 points`. */
export const points = (now: number, before: number, good: Good = "less"): Html =>
  coloured(pointsText(now, before), now > before === (good === "more"))
