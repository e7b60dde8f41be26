import { formatUnits } from "#domain/money/Amount.ts"
import type { Money } from "#domain/money/Money.ts"
import { assetName } from "../pages/amounts.tsx"
import { type Html } from "../pages/jsx-runtime.ts"

/** What separates the decimals of a language. */
export type Point = "." | ","

/** The number with its point; what separates thousands is drawn by the style, so that it is not copied. */
const grouped = (text: string, point: Point): Html => {
  const [whole = "", fraction] = text.split(".")
  const [first, ...others] = whole.replaceAll(/\d(?=(?:\d{3})+$)/g, "$& ").split(" ")
  return (
    <>
      {first}
      {others.map((digits) => <span class="k">{digits}</span>)}
      {fraction !== undefined && `${point}${fraction}`}
    </>
  )
}

/** An amount with its asset and chain, its digits exact or as `written`. No line breaks before the ticker. */
export const money = ({ asset, native }: Money, point: Point, written?: string): Html => {
  const value = formatUnits(asset, native)
  return (
    <span class="am">
      <data value={value}>{grouped(written ?? value, point)}</data>
      {"\u00a0"}
      {assetName(asset)}
    </span>
  )
}

/** The most digits of a shortened amount. */
export const mostDigits = 6

/** The first digits of an amount; what is cut off makes it smaller, never larger. Whole units are told in full. */
export const shortened = ({ asset, native }: Money, digits: number): string => {
  const [whole = "", fraction = ""] = formatUnits(asset, native).split(".")
  const zeros = whole === "0" ? /^0*/.exec(fraction)?.[0].length ?? 0 : 0
  const kept = fraction.slice(0, Math.max(0, digits + zeros - (whole === "0" ? 0 : whole.length)))
  const places = kept.replace(/0+$/, "")
  return places === "" ? whole : `${whole}.${places}`
}
