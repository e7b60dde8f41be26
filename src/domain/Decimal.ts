import { BigDecimal, Option } from "effect"

const plainDecimal = /^[0-9]+(?:\.[0-9]+)?$/

/**
 * Parses decimal text as people write it: digits with an optional fraction. No sign, exponent, space or
 * digit grouping (decision 2). The value is exact however long the text is.
 */
export const parseDecimal = (text: string): Option.Option<BigDecimal.BigDecimal> =>
  plainDecimal.test(text) ? BigDecimal.fromString(text) : Option.none()

/** Prints a decimal in full: no exponent, no trailing zeros, no rounding (decision 19). */
export const formatDecimal = (decimal: BigDecimal.BigDecimal): string => {
  const { value, scale } = BigDecimal.normalize(decimal)
  if (scale <= 0) return `${value * 10n ** BigInt(-scale)}`
  const digits = `${value < 0n ? -value : value}`.padStart(scale + 1, "0")
  const point = digits.length - scale
  return `${value < 0n ? "-" : ""}${digits.slice(0, point)}.${digits.slice(point)}`
}
