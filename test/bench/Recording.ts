import { Schema } from "effect"

/** What a Chainflip network answered, to be served again. */
export const Recording = Schema.Struct({
  /** Body of `GET /v2/quote`. */
  quotes: Schema.String,
  /** Body of `GET /api/networkInfo`. */
  networkInfo: Schema.String,
  /** Results of the node's methods. */
  node: Schema.Record(Schema.String, Schema.Json),
})
export type Recording = typeof Recording.Type

/** What the recorded quotes are for, in native units. */
export const recordedAmount = "100000000"
