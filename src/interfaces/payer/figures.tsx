import { formatUnits } from "#domain/money/Amount.ts"
import { listAmount } from "#domain/money/listAmount.ts"
import type { Money } from "#domain/money/Money.ts"
import { assetName } from "../pages/values.tsx"
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

/** An amount rounded as the operator's lists round it; its value is the exact one. */
export const rounded = (amount: Money, point: Point): Html =>
  money(amount, point, listAmount(amount.asset, amount.native).replaceAll(",", ""))
