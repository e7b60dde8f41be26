import { BigDecimal } from "effect"

/** Milliseconds as seconds, exactly. */
export const seconds = (millis: number): BigDecimal.BigDecimal =>
  BigDecimal.make(BigInt(Math.round(millis)), 3)

/** Members that are there only when the value is: absent, never null (decision 19). */
export const when = <A, Members extends object>(
  value: A | undefined,
  members: (value: A) => Members,
): Members | Record<never, never> => value === undefined ? {} : members(value)
