import { Schema } from "effect"
import { Count, maybe } from "../../upstream/values.ts"

/** The answer of `GET /v0/tokens` as far as it must be read to tell which rows are of a chain of ours. */
export const WireTokens = Schema.Array(Schema.StructWithRest(
  Schema.Struct({ blockchain: Schema.String }),
  [Schema.Record(Schema.String, Schema.Unknown)],
))

/**
 * One row; a chain's own coin has no contract (near-intents/wire.md 1). The price is for information only, so one
 * that cannot be read must not cost the row.
 */
export const WireToken = Schema.Struct({
  assetId: Schema.NonEmptyString,
  decimals: Count,
  symbol: Schema.String,
  contractAddress: maybe(Schema.String),
  price: maybe(Schema.Unknown),
})
export type WireToken = typeof WireToken.Type
