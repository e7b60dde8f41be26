import { Array, Effect, Option, Predicate, Schema, SchemaGetter } from "effect"
import { storableJson } from "#domain/storable.ts"
import { SwapStatus } from "#domain/swaps/Swap.ts"
import { SwapRequest } from "#domain/swaps/SwapRequest.ts"
import { EpochMillis } from "#domain/Time.ts"
import { UsdValue } from "#domain/money/UsdValue.ts"

/*
 * Schemas of columns. A statement gives its columns the names of the record that is read from them
 * (`created_at AS "createdAt"`). `Schema.encodeKeys` would rename them afterwards: that took 13.0 ms for a history of
 * 500 swaps, the names of the statement 7.8 ms, renaming by hand 8.9 ms, each with the compiled schema.
 */

/** A `bigint` column that holds a safe integer: a key, a block, a counter. Never an amount. */
export const WholeNumber = Schema.BigInt.pipe(Schema.decodeTo(Schema.Int, {
  decode: SchemaGetter.transform(Number),
  encode: SchemaGetter.transform(BigInt),
}))

/** A `bigint` column that holds an id of this kind. */
export const idOf = <Id extends Schema.Codec<number, number>>(id: Id) => WholeNumber.pipe(Schema.decodeTo(id))

/** A `timestamptz` column, in milliseconds. */
export const Timestamp = Schema.Date.pipe(Schema.decodeTo(EpochMillis, {
  decode: SchemaGetter.transform((date) => date.getTime()),
  encode: SchemaGetter.transform((millis) => new Date(millis)),
}))

/** A value in US dollars, as text. */
export const UsdText = Schema.BigDecimalFromString.pipe(Schema.decodeTo(UsdValue))

/** A nullable column, whose member is absent while the column is null. */
export const absentWhenNull = <S extends Schema.Constraint>(schema: S) =>
  Schema.NullOr(schema).pipe(Schema.decodeTo(Schema.optionalKey(Schema.toType(schema)), {
    decode: SchemaGetter.transformOptional(Option.filter(Predicate.isNotNull)),
    encode: SchemaGetter.transformOptional(Option.orElseSome(() => null)),
  }))

/** The parameter for a `timestamptz` column. */
export const toTimestamp = (millis: EpochMillis): Date => new Date(millis)

/** The parameter for a nullable `timestamptz` column. */
export const toNullable = (time: Option.Option<EpochMillis>): Date | null =>
  Option.getOrNull(Option.map(time, toTimestamp))

/** A `jsonb` column with the status of a swap; its amounts and prices are exact text. */
export const StatusJson = Schema.toCodecJson(SwapStatus)

const encodeStatusText = Schema.encodeEffect(Schema.fromJsonString(StatusJson))

/** The parameter for a `jsonb` column with a status; every status that an adapter makes can be stored. */
export const encodeStatus = (status: SwapStatus) => Effect.map(encodeStatusText(status), storableJson)

/** A `jsonb` column with the request of a swap; its amounts and prices are exact text. */
export const RequestJson = Schema.toCodecJson(SwapRequest)

const encodeRequestText = Schema.encodeEffect(Schema.fromJsonString(RequestJson))

/** The parameter for a `jsonb` column with a request. */
export const encodeRequest = (request: SwapRequest) => Effect.map(encodeRequestText(request), storableJson)

/** The rows that decode. Others are logged with `otherwise`, the work that they miss: they must not hold up the rest. */
export const readableRows = <A>(schema: Schema.ConstraintDecoder<A>, otherwise: string) => {
  const decode = Schema.decodeUnknownEffect(schema)
  return (rows: ReadonlyArray<unknown>): Effect.Effect<ReadonlyArray<A>> =>
    Effect.map(
      Effect.forEach(rows, (row) =>
        Effect.catch(
          Effect.asSome(decode(row)),
          (error) => Effect.as(Effect.logError(`${otherwise}: its row cannot be read`, error), Option.none()),
        )),
      Array.getSomes,
    )
}
