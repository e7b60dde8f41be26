import { Option, Schema, SchemaGetter } from "effect"
import { SwapStatus } from "../domain/Swap.ts"
import { SwapRequest } from "../domain/SwapRequest.ts"
import { EpochMillis } from "../domain/Time.ts"

/** A `bigint` column that holds a whole number of ours: a key, a block, a counter. Never an amount. */
export const WholeNumber = Schema.BigInt.pipe(Schema.decodeTo(Schema.Int, {
  decode: SchemaGetter.transform(Number),
  encode: SchemaGetter.transform(BigInt),
}))

/** A `timestamptz` column, in milliseconds. */
export const Timestamp = Schema.Date.pipe(Schema.decodeTo(EpochMillis, {
  decode: SchemaGetter.transform((date) => date.getTime()),
  encode: SchemaGetter.transform((millis) => new Date(millis)),
}))

/** The parameter for a `timestamptz` column. */
export const toTimestamp = (millis: EpochMillis): Date => new Date(millis)

/** The parameter for a `timestamptz` column that can be empty. */
export const toNullable = (time: Option.Option<EpochMillis>): Date | null =>
  Option.getOrNull(Option.map(time, toTimestamp))

/** A `jsonb` column with everything that is known of a swap; amounts and prices are text in it, exact. */
export const StatusJson = Schema.toCodecJson(SwapStatus)

/** The parameter for a `jsonb` column with a status. */
export const encodeStatus = Schema.encodeEffect(Schema.fromJsonString(StatusJson))

/** A `jsonb` column with what was asked for, exact in the same way. */
export const RequestJson = Schema.toCodecJson(SwapRequest)

/** The parameter for a `jsonb` column with a request. */
export const encodeRequest = Schema.encodeEffect(Schema.fromJsonString(RequestJson))
