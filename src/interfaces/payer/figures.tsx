import { formatUnits } from "#domain/money/Amount.ts"
import type { AssetId } from "#domain/chains/Asset.ts"
import type { Money } from "#domain/money/Money.ts"
import { assetName } from "../pages/amounts.tsx"
import { type Html } from "../pages/jsx-runtime.ts"

/*
 * Amounts are the same in every language. A comma between thousands is drawn by the style and is no part of the text, so
 * that a copied amount has only its digits and its point.
 */

/** The whole part in groups of three digits. */
const grouped = (text: string): Html => {
  const [whole = "", fraction] = text.split(".")
  const [first, ...others] = whole.replaceAll(/\d(?=(?:\d{3})+$)/g, "$& ").split(" ")
  return (
    <>
      {first}
      {others.map((digits) => <span class="k">{digits}</span>)}
      {fraction !== undefined && `.${fraction}`}
    </>
  )
}

const named = (asset: AssetId, value: string, digits: Html): Html =>
  <span class="am">
    <data value={value}>{digits}</data> {assetName(asset)}
  </span>

/** An amount, exact, with its asset and chain. */
export const money = ({ asset, native }: Money): Html => {
  const value = formatUnits(asset, native)
  return named(asset, value, grouped(value))
}

/** The digits of an estimate that are told; what is cut off makes it smaller, never larger. */
const tellingDigits = 6

const shortened = (text: string): string => {
  const [whole = "", fraction = ""] = text.split(".")
  const zeros = whole === "0" ? /^0*/.exec(fraction)?.[0].length ?? 0 : 0
  const kept = fraction.slice(0, Math.max(0, tellingDigits + zeros - (whole === "0" ? 0 : whole.length)))
  const places = kept.replace(/0+$/, "")
  return places === "" ? whole : `${whole}.${places}`
}

/** An amount that nobody promises, shortened; its value is the exact one. */
export const estimate = ({ asset, native }: Money): Html => {
  const value = formatUnits(asset, native)
  return named(asset, value, grouped(shortened(value)))
}
