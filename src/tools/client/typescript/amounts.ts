/**
 * An exact decimal as text, such as "0.25": every digit that the service wrote. Amounts in human units, prices, percentages
 * and estimated durations are decimals; the twin of an amount whose name ends with `Native` is a bigint in the smallest unit.
 * `Number(quote.estimatedDurationSeconds)` is the seconds from when the deposit is sent, `Number(quote.time.estimateSeconds)`
 * those from when it is confirmed.
 */
export type Decimal = string

/** A text of the contract that has more values than this client knows: take it for "something else". */
export type Other = string & Record<never, never>

const plain = /^(-?)(\d+)(?:\.(\d+))?$/

/**
 * A decimal in the smallest unit of an asset with so many decimals, exactly. A RangeError where it is no plain decimal
 * or has more digits after its point.
 */
export const toNative = (amount: Decimal, decimals: number): bigint => {
  const [, sign = "", whole = "", fraction = ""] = plain.exec(amount) ?? []
  if (whole === "") throw new RangeError(`${JSON.stringify(amount)} is no plain decimal such as "0.25"`)
  if (fraction.length > decimals) throw new RangeError(`${amount} has more than ${decimals} decimals`)
  return BigInt(`${sign}${whole}${fraction.padEnd(decimals, "0")}`)
}

/** An amount in the smallest unit as a decimal, without zeros at its end. */
export const fromNative = (native: bigint, decimals: number): Decimal => {
  const digits = `${native < 0n ? -native : native}`.padStart(decimals + 1, "0")
  const point = digits.length - decimals
  const fraction = digits.slice(point).replace(/0+$/, "")
  return `${native < 0n ? "-" : ""}${digits.slice(0, point)}${fraction === "" ? "" : `.${fraction}`}`
}
