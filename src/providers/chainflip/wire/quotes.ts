import { Schema } from "effect"
import {
  Count,
  WrittenAmount,
  WrittenBasisPoints,
  WrittenCount,
  WrittenDecimal,
  writtenMaybe,
  WrittenPrice,
  WrittenSeconds,
} from "../../upstream/values.ts"
import { WireAsset, WireAssetAmount, WireFee } from "./assets.ts"

/** `dcaParams` of records. */
export const WireDca = Schema.Struct({ numberOfChunks: Count, chunkIntervalBlocks: Count })

/** What plain and boosted quotes share (chainflip/wire.md 3.2). */
const figures = {
  srcAsset: WireAsset,
  destAsset: WireAsset,
  depositAmount: WrittenAmount,
  intermediateAmount: writtenMaybe(WrittenAmount),
  egressAmount: WrittenAmount,
  includedFees: Schema.Array(WireFee),
  poolInfo: Schema.Array(
    Schema.Struct({ baseAsset: WireAsset, quoteAsset: WireAsset, fee: WireAssetAmount }),
  ),
  lowLiquidityWarning: writtenMaybe(Schema.Boolean),
  estimatedDurationSeconds: WrittenSeconds,
  estimatedDurationsSeconds: Schema.Struct({
    deposit: WrittenSeconds,
    swap: WrittenSeconds,
    egress: WrittenSeconds,
  }),
}

/** The figures of a quote, boosted or not. */
export const WireFigures = Schema.Struct(figures)
export type WireFigures = typeof WireFigures.Type

/** One element of the answer of `GET /v2/quote` whose type is a known one; checked, not read yet. */
export const WireQuote = Schema.Struct({
  ...figures,
  estimatedPrice: WrittenPrice,
  recommendedSlippageTolerancePercent: WrittenDecimal,
  dcaParams: writtenMaybe(
    Schema.Struct({ numberOfChunks: WrittenCount, chunkIntervalBlocks: WrittenCount }),
  ),
  boostQuote: writtenMaybe(Schema.Struct({ ...figures, estimatedBoostFeeBps: WrittenBasisPoints })),
})
export type WireQuote = typeof WireQuote.Type

/** The answer as far as it must be read to tell which elements are of a known type. */
export const WireQuotes = Schema.Array(Schema.Struct({ type: Schema.String }))
