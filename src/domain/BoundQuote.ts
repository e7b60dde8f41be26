import { Schema } from "effect"
import { NativeAmount } from "./Amount.ts"
import { EpochMillis } from "./Time.ts"

/** The quote by which a swap was opened, as our own row keeps it. */
export const BoundQuote = Schema.Struct({
  /** The deposit that was quoted for, in the source asset. */
  amount: NativeAmount,
  /** The output that was quoted, in the destination asset. */
  quoted: NativeAmount,
  /** The least that arrives at the price limit, if fees stay as quoted; in the destination asset. */
  promised: NativeAmount,
  expiresAt: EpochMillis,
})
export type BoundQuote = typeof BoundQuote.Type
