import { Schema } from "effect"
import { Amount, BasisPoints, Count, Decimal, maybe, Seconds, WirePrice } from "../../upstream/values.ts"
import { Asset, AssetAmount, WireFee } from "./assets.ts"

/** `dcaParams` of quotes and records. */
export const WireDca = Schema.Struct({ numberOfChunks: Count, chunkIntervalBlocks: Count })

/** What plain and boosted quotes share (chainflip.md 3.2). */
const figures = {
  srcAsset: Asset,
  destAsset: Asset,
  depositAmount: Amount,
  intermediateAmount: maybe(Amount),
  egressAmount: Amount,
  includedFees: Schema.Array(WireFee),
  poolInfo: Schema.Array(Schema.Struct({ baseAsset: Asset, quoteAsset: Asset, fee: AssetAmount })),
  lowLiquidityWarning: maybe(Schema.Boolean),
  estimatedDurationSeconds: Seconds,
  estimatedDurationsSeconds: Schema.Struct({ deposit: Seconds, swap: Seconds, egress: Seconds }),
}

/** The figures of a quote, boosted or not. */
export const WireFigures = Schema.Struct(figures)
export type WireFigures = typeof WireFigures.Type

/** One element of the answer of `GET /v2/quote` whose type is a known one. */
export const WireQuote = Schema.Struct({
  ...figures,
  estimatedPrice: WirePrice,
  recommendedSlippageTolerancePercent: Decimal,
  dcaParams: maybe(WireDca),
  boostQuote: maybe(Schema.Struct({ ...figures, estimatedBoostFeeBps: BasisPoints })),
})
export type WireQuote = typeof WireQuote.Type

/** The answer as far as it must be read to tell which elements are of a known type. */
export const WireQuotes = Schema.Array(Schema.StructWithRest(
  Schema.Struct({ type: Schema.String }),
  [Schema.Record(Schema.String, Schema.Unknown)],
))
