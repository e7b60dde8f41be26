import { Schema } from "effect"
import { NativeAmount } from "../money/Amount.ts"
import { Price } from "../money/Price.ts"
import { EpochMillis } from "../Time.ts"

/** The most characters of an id, so that one fits into a path and a query together. */
export const longestQuoteId = 512

/** The id of a quote: opaque to clients, made of characters that stand in a URL as they are. */
export const QuoteId = Schema.String
  .check(Schema.isPattern(new RegExp(`^[A-Za-z0-9._~-]{1,${longestQuoteId}}$`)))
  .pipe(Schema.brand("QuoteId"))
export type QuoteId = typeof QuoteId.Type

/** The quote by which a swap was opened, as the record of the swap keeps it. */
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

/** The same with what proves it, as the request of the opening keeps it. Rows of earlier versions have only the former. */
export const RequestedQuote = Schema.Struct({
  ...BoundQuote.fields,
  id: Schema.optionalKey(QuoteId),
  quotedAt: Schema.optionalKey(EpochMillis),
  estimatedPrice: Schema.optionalKey(Price),
})
export type RequestedQuote = typeof RequestedQuote.Type

/** The part of a quote that the record of its swap keeps. */
export const boundBy = ({ amount, expiresAt, promised, quoted }: RequestedQuote): BoundQuote => ({
  amount,
  quoted,
  promised,
  expiresAt,
})
