import { Effect, Schema } from "effect"
import {
  type HistoryFigure,
  historyFigures,
  type HistoryPart,
  type HistoryPeriod,
} from "#domain/operations/ProviderHistory.ts"
import { EpochMillis } from "#domain/Time.ts"
import { idOf, toTimestamp } from "../database/columns.ts"
import { deleteBefore, repository, rows } from "../database/repository.ts"

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

const parts = rows(Schema.Struct({
  operation: Schema.String,
  at: idOf(EpochMillis),
  figures: Schema.Record(Schema.Literals(historyFigures), Schema.Int),
}))

/** What became of the calls of providers, in parts of five minutes to which all replicas add. */
export class ProviderHistoryRepo
  extends repository<ProviderHistoryRepo>()("ProviderHistory", ({ op, sql }) => {
    const columns = sql.literal(each((name) => name))
    const figures = sql.literal(each((name, figure) => `'${figure}', sum(${name})::bigint`))

    return {
      /** Adds figures in one statement, rows in the same order on every replica, so that none deadlock. */
      add: op("add", (additions: ReadonlyArray<HistoryAddition>) =>
        Effect.asVoid(sql`
          INSERT INTO provider_history AS known (provider, at, operation, ${columns})
          SELECT provider, to_timestamp(at / 1000.0), operation, ${columns}
          FROM jsonb_to_recordset(${textOf(additions)}::text::jsonb) AS added (
            provider text, at bigint, operation text, ${sql.literal(each((name) => `${name} bigint`))}
          )
          ORDER BY 1, 2, 3
          ON CONFLICT (provider, at, operation) DO UPDATE SET
            ${sql.literal(each((name) => `${name} = known.${name} + excluded.${name}`))}`)),

      /** The parts of a period in which there was anything, by operation and time. */
      read: op("read", ({ from, partMillis, provider, to }: HistoryPeriod) =>
        parts.all(sql`
          SELECT operation, part * ${partMillis}::bigint AS at, jsonb_build_object(${figures}) AS figures
          FROM (
            SELECT *, (extract(epoch FROM at) * 1000)::bigint / ${partMillis}::bigint AS part
            FROM provider_history
            WHERE provider = ${provider} AND at >= ${toTimestamp(from)} AND at < ${toTimestamp(to)}
          ) AS parts
          GROUP BY operation, part ORDER BY operation, part`)),

      /** Deletes parts before a time, at most `limit`, the oldest first; returns their number. */
      expire: op("expire", deleteBefore(sql, "provider_history", "at", "ctid")),
    }
  }) {}
