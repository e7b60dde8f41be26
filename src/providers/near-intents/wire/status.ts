import { Schema } from "effect"
import { Address } from "../../../domain/Address.ts"
import { Amount, IsoTime, maybe, Seconds } from "../../upstream/values.ts"

const Transactions = maybe(Schema.Array(Schema.Struct({ hash: Schema.NonEmptyString })))

/** What has become of the deposit so far; nothing of it before there is one. */
const WireDetails = Schema.Struct({
  amountIn: maybe(Amount),
  amountOut: maybe(Amount),
  originChainTxHashes: Transactions,
  destinationChainTxHashes: Transactions,
  depositedAmount: maybe(Amount),
  refundedAmount: maybe(Amount),
  refundReason: maybe(Schema.String),
  withdrawFee: maybe(Amount),
})
export type WireDetails = typeof WireDetails.Type

/** The answer of `GET /v0/status` (near-intents/wire.md 1). */
export const WireStatus = Schema.Struct({
  status: Schema.String,
  updatedAt: IsoTime,
  quoteResponse: Schema.Struct({
    quoteRequest: Schema.Struct({
      originAsset: Schema.String,
      destinationAsset: Schema.String,
      recipient: Address,
      refundTo: Address,
    }),
    quote: Schema.Struct({
      depositAddress: Address,
      amountIn: Amount,
      timeEstimate: maybe(Seconds),
      withdrawFee: maybe(Amount),
      refundFee: maybe(Amount),
    }),
  }),
  swapDetails: maybe(WireDetails),
})
export type WireStatus = typeof WireStatus.Type
