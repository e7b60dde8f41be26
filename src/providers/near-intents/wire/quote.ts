import { Schema } from "effect"
import { Amount, Count, IsoTime, maybe, Seconds, Text } from "../../upstream/values.ts"

/** The members of a request that its answer has to repeat as they were. */
const echo = {
  dry: Schema.Boolean,
  swapType: Schema.String,
  depositType: Schema.String,
  refundType: Schema.String,
  recipientType: Schema.String,
  originAsset: Schema.String,
  destinationAsset: Schema.String,
  amount: Text,
  refundTo: Schema.String,
  recipient: Schema.String,
  slippageTolerance: Count,
  deadline: IsoTime,
  appFees: maybe(Schema.Array(Schema.Struct({ recipient: Schema.String, fee: Count }))),
}
const WireEcho = Schema.Struct(echo)
export type WireEcho = typeof WireEcho.Type

/** The figures of `quote`; `withdrawFee` is already taken off `amountOut` (near-intents/wire.md 1). */
const figures = {
  amountIn: Amount,
  /** A deposit of less is sent back. */
  minAmountIn: maybe(Amount),
  amountOut: Amount,
  minAmountOut: Amount,
  timeEstimate: Seconds,
  withdrawFee: maybe(Amount),
}
const WireFigures = Schema.Struct(figures)
export type WireFigures = typeof WireFigures.Type

/** The answer of `POST /v0/quote` to a dry request. */
export const WireDryQuote = Schema.Struct({ quoteRequest: WireEcho, quote: WireFigures })

/** The answer to one that is not dry: a deposit address is open. */
export const WireOrder = Schema.Struct({
  /** When the service made the order; always signed. */
  timestamp: IsoTime,
  quoteRequest: WireEcho,
  quote: Schema.Struct({
    ...figures,
    depositAddress: Schema.String,
    depositMemo: maybe(Schema.String),
    deadline: maybe(IsoTime),
    timeWhenInactive: maybe(IsoTime),
  }),
})
export type WireOrder = typeof WireOrder.Type
