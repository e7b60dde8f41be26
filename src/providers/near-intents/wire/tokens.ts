import { Schema } from "effect"
import { Count, maybe } from "../../upstream/values.ts"

/** The answer of `GET /v0/tokens` as far as it must be read to tell which rows are of a chain of ours. */
export const WireTokens = Schema.Array(Schema.StructWithRest(
  Schema.Struct({ blockchain: Schema.String }),
  [Schema.Record(Schema.String, Schema.Unknown)],
))

/** One row; a chain's own coin has no contract (providers.md 1.1). */
export const WireToken = Schema.Struct({
  assetId: Schema.NonEmptyString,
  decimals: Count,
  symbol: Schema.String,
  contractAddress: maybe(Schema.String),
})
export type WireToken = typeof WireToken.Type
