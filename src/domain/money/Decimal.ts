import { BigDecimal, Option } from "effect"

const plainDecimal = /^[0-9]+(?:\.[0-9]+)?$/

/** Parses digits with an optional fraction: no sign, exponent, space, grouping (decision 2). Exact. */
export const parseDecimal = (text: string): Option.Option<BigDecimal.BigDecimal> =>
  plainDecimal.test(text) ? BigDecimal.fromString(text) : Option.none()

const withExponent = /^(-?)([0-9]+)(?:\.([0-9]+))?[eE]([+-]?[0-9]+)$/

/** The largest exponent that is written out: no amount and no price has as many places. */
const mostShifted = 200

/** A JSON number without its exponent, moved in the text, exactly; beyond all figures it stays. */
export const withoutExponent = (number: string): string => {
  const [, sign = "", whole = "", fraction = "", exponent = ""] = withExponent.exec(number) ?? []
  const shift = Number(exponent)
  if (exponent === "" || Math.abs(shift) > mostShifted) return number
  const point = whole.length + shift
  const digits = `${whole}${fraction}`.padEnd(point, "0")
  const padded = point > 0 ? digits : `${"0".repeat(1 - point)}${digits}`
  const end = Math.max(point, 1)
  const places = withoutLastZeros(padded.slice(end))
  return `${sign}${padded.slice(0, end).replace(/^0+(?=[0-9])/, "")}${places === "" ? "" : `.${places}`}`
}

const withoutLastZeros = (digits: string): string => {
  let end = digits.length
  while (end > 0 && digits.charCodeAt(end - 1) === zero) end--
  return digits.slice(0, end)
}

const zero = "0".charCodeAt(0)

/** Prints `value` × 10^−`scale` in full, `scale` ≥ 0, as text: dividing zeros away takes far longer. */
export const formatScaled = (value: bigint, scale: number): string => {
  if (scale === 0) return `${value}`
  const digits = `${value < 0n ? -value : value}`.padStart(scale + 1, "0")
  const point = digits.length - scale
  const fraction = withoutLastZeros(digits.slice(point))
  return `${value < 0n ? "-" : ""}${digits.slice(0, point)}${fraction === "" ? "" : `.${fraction}`}`
}

/** Prints a decimal in full: no exponent, no trailing zeros, no rounding (decision 19). */
export const formatDecimal = ({ value, scale }: BigDecimal.BigDecimal): string =>
  scale < 0 ? `${value * 10n ** BigInt(-scale)}` : formatScaled(value, scale)
