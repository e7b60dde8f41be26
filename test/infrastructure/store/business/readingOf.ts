import { Effect, Schema } from "effect"
import { Statement } from "effect/sql"

/** A step of a plan, as the database tells it after it has run the statement. */
interface Step {
  readonly "Relation Name"?: string
  readonly "Index Name"?: string
  readonly "Actual Rows": number
  readonly "Actual Loops": number
  readonly "Rows Removed by Filter"?: number
  /** Of the step and all within it. */
  readonly "Shared Hit Blocks": number
  readonly "Shared Read Blocks": number
  readonly Plans?: ReadonlyArray<Step>
}

const Step: Schema.Codec<Step> = Schema.Struct({
  "Relation Name": Schema.optionalKey(Schema.String),
  "Index Name": Schema.optionalKey(Schema.String),
  "Actual Rows": Schema.Number,
  "Actual Loops": Schema.Number,
  "Rows Removed by Filter": Schema.optionalKey(Schema.Number),
  "Shared Hit Blocks": Schema.Number,
  "Shared Read Blocks": Schema.Number,
  Plans: Schema.optionalKey(Schema.Array(Schema.suspend(() => Step))),
})

const decodePlan = Schema.decodeUnknownEffect(
  Schema.Tuple([Schema.Struct({ "QUERY PLAN": Schema.Tuple([Schema.Struct({ Plan: Step })]) })]),
)

/** What statements read of tables and indexes. Blocks tell of what an index was walked past without a row to show. */
export interface Reading {
  readonly rows: number
  readonly blocks: number
}

const rowsOf = (step: Step): number => {
  const isScan = step["Relation Name"] !== undefined || step["Index Name"] !== undefined
  const own = isScan
    ? (step["Actual Rows"] + (step["Rows Removed by Filter"] ?? 0)) * step["Actual Loops"]
    : 0
  return (step.Plans ?? []).reduce((sum, part) => sum + rowsOf(part), own)
}

/** What all statements of an effect read together. Each is run twice. */
export const readingOf = Effect.fnUntraced(function* <E, R>(self: Effect.Effect<unknown, E, R>) {
  let reading: Reading = { rows: 0, blocks: 0 }
  const explaining: Statement.Transformer = (statement, sql) =>
    sql`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${statement}`.pipe(
      Effect.provideService(Statement.CurrentTransformer, undefined),
      Effect.flatMap(decodePlan),
      Effect.map(([{ "QUERY PLAN": [{ Plan: plan }] }]) => {
        reading = {
          rows: reading.rows + rowsOf(plan),
          blocks: reading.blocks + plan["Shared Hit Blocks"] + plan["Shared Read Blocks"],
        }
        return statement
      }),
      Effect.orDie,
    )
  yield* Effect.provideService(self, Statement.CurrentTransformer, explaining)
  return reading
})
