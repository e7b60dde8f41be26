import { Schema } from "effect"
import type { EpochMillis } from "#domain/Time.ts"
import { Timestamp, toTimestamp } from "../database/columns.ts"
import { readable, repository } from "../database/repository.ts"

const LeftBudgets = Schema.Struct({
  at: Timestamp,
  /** A process that did not end may have spent more since. */
  ended: Schema.Boolean,
  /** Calls that could be made at once, by limit. */
  calls: Schema.Record(Schema.String, Schema.Finite),
})
/** What a process has left of the calls that upstreams allow. */
export type LeftBudgets = typeof LeftBudgets.Type

const encodeCalls = Schema.encodeEffect(Schema.fromJsonString(LeftBudgets.fields.calls))
const left = readable(LeftBudgets, "What a process has left of the calls that upstreams allow is not known")

/** What the processes of this service have left of the calls that upstreams allow. */
export class BudgetsRepo extends repository<BudgetsRepo>()("Budgets", ({ op, sql }) => ({
  note: op("note", function* (process: string, { at, calls, ended }: LeftBudgets) {
    yield* sql`
      INSERT INTO upstream_budgets (process, at, ended, calls)
      VALUES (${process}, ${toTimestamp(at)}, ${ended}, ${yield* encodeCalls(calls)}::jsonb)
      ON CONFLICT (process) DO UPDATE
      SET at = EXCLUDED.at, ended = EXCLUDED.ended, calls = EXCLUDED.calls`
  }),

  /** What was written since a time. The rest is nobody's any more. */
  since: op("since", function* (time: EpochMillis) {
    yield* sql`DELETE FROM upstream_budgets WHERE at < ${toTimestamp(time)}`
    return yield* left.all(sql`SELECT at, ended, calls FROM upstream_budgets`)
  }),
})) {}
