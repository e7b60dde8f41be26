import type { BigDecimal } from "effect"
import { formatUnits } from "#domain/money/Amount.ts"
import { fixed, listAmount, roundedDivision } from "#domain/money/listAmount.ts"
import { grouped } from "#domain/figures.ts"
import type { AssetId } from "#domain/chains/Asset.ts"

export { grouped, listAmount }

/** An amount with all digits that the books have. */
export const fullAmount = (asset: AssetId, native: bigint): string => grouped(formatUnits(asset, native))

/** How dollars are written: `whole` for figures, with `cents` for commission and what is withdrawn. */
export type DollarForm = "whole" | "cents"

const placesOfForm = { whole: 0, cents: 2 } as const

/** The decimal times 10^`places`, rounded to the nearest whole number, a half away from zero. */
const rounded = ({ scale, value }: BigDecimal.BigDecimal, places: number): bigint => {
  const shift = places - scale
  if (shift >= 0) return value * 10n ** BigInt(shift)
  return roundedDivision(value, 10n ** BigInt(-shift))
}

/** Dollars, rounded to the nearest, as all dollars are estimates: `$22,850`, `$57.07`, `<$0.01`. */
export const dollarText = (usd: BigDecimal.BigDecimal, form: DollarForm): string => {
  const places = placesOfForm[form]
  const shown = rounded(usd, places)
  const written = (value: bigint): string => fixed(value, places).replace(/^−?/, (sign) => `${sign}$`)
  if (shown === 0n && usd.value !== 0n) return usd.value > 0n ? `<${written(1n)}` : `>${written(-1n)}`
  return written(shown)
}

/** A part of a whole in percent. Nothing is none, and not all is not all: `<0.1 %`, `99.9 %`. */
const percent = (part: number, whole: number, places: number): string => {
  if (part === 0) return "0\u00a0%"
  const least = 1 / 10 ** places
  const value = part / whole * 100
  if (part > 0 && value < least / 2) return `<${least.toFixed(places)}\u00a0%`
  if (part < whole && value > 100 - least / 2) return `${(100 - least).toFixed(places)}\u00a0%`
  return `${grouped(value.toFixed(places))}\u00a0%`
}

/** A share with one decimal, `94.4 %`; undefined where there is no whole. */
export const share = (part: number, whole: number): string | undefined =>
  whole > 0 ? percent(part, whole, 1) : undefined

/** A rate with one decimal, and two below 2 %: `1.15 %`; undefined where there is no whole. */
export const rate = (part: number, whole: number): string | undefined =>
  whole > 0 ? percent(part, whole, part / whole < 0.02 ? 2 : 1) : undefined

const signed = (value: number, places: number): string => {
  const text = value.toFixed(places)
  return Number(text) === 0 ? `±${(0).toFixed(places)}` : value > 0 ? `+${grouped(text)}` : grouped(text)
}

/** How much more there is than before, in percent: `+10.3 %`; undefined where there was nothing to compare with. */
export const changeText = (now: number, before: number): string | undefined =>
  before > 0 ? `${signed((now - before) / before * 100, 1)}\u00a0%` : undefined

/** How much a rate differs from the one before, both in percent: `+0.39 points`. */
export const pointsText = (now: number, before: number): string => `${signed(now - before, 2)} points`

const largeUnits: ReadonlyArray<readonly [size: number, name: string]> = [
  [1e12, " T"],
  [1e9, " B"],
  [1e6, " M"],
  [1e3, " k"],
]

/** A number where there is little room, as on an axis: `9,600`, `12.5 k`, `3 M`. */
export const compact = (value: number): string => {
  // What rounds up to the next unit is written in that one.
  const [size, name] = value < 9_999.5
    ? [1, ""]
    : largeUnits.find(([size]) => value >= size * 0.999_95) ?? [1, ""]
  return `${grouped(`${Number((value / size).toFixed(size === 1 ? 2 : 1))}`)}${name}`
}
