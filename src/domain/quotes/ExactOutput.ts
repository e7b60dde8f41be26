import { Predicate, Schema } from "effect"
import { NativeAmount } from "../money/Amount.ts"
import { optional } from "../optional.ts"

/** The recipient gets so much, in the destination asset, and what has to be sent follows from it. */
export const ReceiveExactly = Schema.TaggedStruct("ReceiveExactly", { amount: NativeAmount })
export type ReceiveExactly = typeof ReceiveExactly.Type

/** The fixed amount of a request: sent (source asset; all rows of earlier versions) or received. */
export const SwapAmount = Schema.Union([NativeAmount, ReceiveExactly])
export type SwapAmount = typeof SwapAmount.Type

export const isSent = (amount: SwapAmount): amount is NativeAmount => Predicate.isBigInt(amount)

/** The amount that is sent, where a request fixes that. */
export const sentOf = (amount: SwapAmount | undefined): NativeAmount | undefined =>
  amount !== undefined && isSent(amount) ? amount : undefined

/** The amount that is received, where a request fixes that. */
export const receivedOf = (amount: SwapAmount | undefined): NativeAmount | undefined =>
  amount === undefined || isSent(amount) ? undefined : amount.amount

/** The number of units of an amount, whichever asset they are of. */
export const unitsOf = (amount: SwapAmount): NativeAmount => isSent(amount) ? amount : amount.amount

/** The amount in a text that tells every request from others. */
export const swapAmountText = (amount: SwapAmount): string =>
  isSent(amount) ? `${amount}` : `out${amount.amount}`

/** What a provider promises of an output, and asks for it. */
export const ExactOutput = Schema.Struct({
  /** What arrives, in the destination asset. */
  amount: NativeAmount,
  /** The most that has to be sent: what is sent above it goes back. As all others in the source asset. */
  sendAtMost: NativeAmount,
  /** A smaller deposit is not swapped, and goes back. */
  sendAtLeast: NativeAmount,
  /** What sending back costs: no more than that is kept of what is over. Absent where the upstream does not tell. */
  refundFee: optional(NativeAmount),
})
export type ExactOutput = typeof ExactOutput.Type
