import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import {
  type HistoryFigure,
  historyFigures,
  type HistoryPart,
  type HistoryPeriod,
} from "../../domain/ProviderHistory.ts"
import type { StoreUnavailable } from "../../domain/StoreError.ts"
import { EpochMillis } from "../../domain/Time.ts"
import { toTimestamp, WholeNumber } from "../database/columns.ts"
import { storeOperation } from "../database/storeOperation.ts"

/** Figures to be added to those of a part of five minutes. */
export interface HistoryAddition extends HistoryPart {
  readonly provider: string
}

/** The column of a figure: `timed_out` of `timedOut`, `took_25` of `took25`. */
const columnOf = (figure: HistoryFigure): string =>
  figure.replace(/[A-Z]|(?<=[a-z])[0-9]/g, (letter) => `_${letter.toLowerCase()}`)

/** SQL for the column of each figure, with commas in between. */
const each = (write: (column: string, figure: HistoryFigure) => string): string =>
  historyFigures.map((figure) => write(columnOf(figure), figure)).join(", ")

/** Additions as JSON text, with the figures by their columns. */
const textOf = (additions: ReadonlyArray<HistoryAddition>): string =>
  JSON.stringify(additions.map(({ at, figures, operation, provider }) => ({
    provider,
    operation,
    at,
    ...Object.fromEntries(historyFigures.map((figure) => [columnOf(figure), figures[figure] ?? 0])),
  })))

const decodeParts = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({
  operation: Schema.String,
  at: WholeNumber.pipe(Schema.decodeTo(EpochMillis)),
  figures: Schema.Record(Schema.Literals(historyFigures), Schema.Int),
})))

/** What became of the calls of providers, in parts of five minutes to which all replicas add. */
export class ProviderHistoryRepo extends Context.Service<ProviderHistoryRepo, {
  /** Adds figures to those that are there, in one statement. */
  readonly add: (additions: ReadonlyArray<HistoryAddition>) => Effect.Effect<void, StoreUnavailable>
  /** The parts of a period in which there was anything, by operation and time. */
  readonly read: (period: HistoryPeriod) => Effect.Effect<ReadonlyArray<HistoryPart>, StoreUnavailable>
  /** Deletes parts before a time, at most `limit`, the oldest first; returns their number. */
  readonly expire: (before: EpochMillis, limit: number) => Effect.Effect<number, StoreUnavailable>
}>()("swap-broker/store/ProviderHistoryRepo") {
  static readonly layer = Layer.effect(
    ProviderHistoryRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      // Every replica takes the rows in the same order, so that no two wait for each other.
      const add = (additions: ReadonlyArray<HistoryAddition>) =>
        sql`
          INSERT INTO provider_history AS known (provider, at, operation, ${
          sql.literal(each((name) => name))
        })
          SELECT provider, to_timestamp(at / 1000.0), operation, ${sql.literal(each((name) => name))}
          FROM jsonb_to_recordset(${textOf(additions)}::text::jsonb) AS added (
            provider text, at bigint, operation text, ${sql.literal(each((name) => `${name} bigint`))}
          )
          ORDER BY 1, 2, 3
          ON CONFLICT (provider, at, operation) DO UPDATE SET
            ${sql.literal(each((name) => `${name} = known.${name} + excluded.${name}`))}`.pipe(
          Effect.asVoid,
          storeOperation("ProviderHistory.add"),
        )

      const figures = each((name, figure) => `'${figure}', sum(${name})::bigint`)
      const read = ({ from, partMillis, provider, to }: HistoryPeriod) =>
        sql`
          SELECT operation, part * ${partMillis}::bigint AS at, jsonb_build_object(${
          sql.literal(figures)
        }) AS figures
          FROM (
            SELECT *, (extract(epoch FROM at) * 1000)::bigint / ${partMillis}::bigint AS part
            FROM provider_history
            WHERE provider = ${provider} AND at >= ${toTimestamp(from)} AND at < ${toTimestamp(to)}
          ) AS parts
          GROUP BY operation, part ORDER BY operation, part`.pipe(
          Effect.flatMap(decodeParts),
          storeOperation("ProviderHistory.read"),
        )

      const expire = (before: EpochMillis, limit: number) =>
        sql`
          DELETE FROM provider_history WHERE ctid IN (
            SELECT ctid FROM provider_history WHERE at < ${toTimestamp(before)} ORDER BY at LIMIT ${limit}
            FOR UPDATE SKIP LOCKED
          ) RETURNING 1`.pipe(
          Effect.map((rows) => rows.length),
          storeOperation("ProviderHistory.expire"),
        )

      return ProviderHistoryRepo.of({ add, read, expire })
    }),
  )
}
