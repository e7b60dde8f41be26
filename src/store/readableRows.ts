import { Array, Effect, Option, Schema } from "effect"

/**
 * The rows that can be read. The others are logged with what does not happen to them: where many are taken on
 * together, those would be so again and again, and one row must not hold up all others.
 */
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
