import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

const TableRows = Schema.Array(Schema.Struct({ name: Schema.String, refers_to: Schema.Array(Schema.String) }))
const decodeTables = Schema.decodeUnknownEffect(TableRows)

type Table = (typeof TableRows.Type)[number]

/** Tables in an order in which each follows those that it refers to. */
const inOrder = (tables: ReadonlyArray<Table>): ReadonlyArray<string> => {
  const done: Array<string> = []
  let waiting = tables
  while (waiting.length > 0) {
    const ready = waiting.filter(({ refers_to }) => refers_to.every((name) => done.includes(name)))
    if (ready.length === 0) throw new Error("The tables refer to each other in a circle")
    done.push(...ready.map(({ name }) => name))
    waiting = waiting.filter(({ name }) => !done.includes(name))
  }
  return done
}

/**
 * Every table of the service, each after those that it refers to. The list of migrations, the secrets of webhooks and
 * who is signed in to the dashboard are left out, as they never leave the database, and so are sums, the addresses of swaps
 * and the marks of the audit log, which triggers make anew. The names come from the catalogue, so that a table of a later migration is not
 * forgotten.
 */
export const allTables = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`
    SELECT c.relname::text AS name, ARRAY(
      SELECT f.relname::text FROM pg_constraint k JOIN pg_class f ON f.oid = k.confrelid
      WHERE k.conrelid = c.oid AND k.contype = 'f' AND f.oid <> c.oid
    ) AS refers_to
    FROM pg_class c
    WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::text::regnamespace
      AND c.relname NOT IN ('migrations', 'webhook_secrets', 'dashboard_sessions', 'portal_links', 'commission_days',
        'business_hours', 'earnings_sums', 'earnings_changes', 'audit_marks', 'swap_addresses')
    ORDER BY c.relname`
  return inOrder(yield* decodeTables(rows))
})

const SequenceRows = Schema.Array(Schema.Struct({ name: Schema.String, last: Schema.String }))
const decodeSequences = Schema.decodeUnknownEffect(SequenceRows)

/** The last number of each sequence, as text; unused sequences are absent. */
export const allSequences = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`
    SELECT sequencename::text AS name, last_value::text AS last FROM pg_sequences
    WHERE schemaname = current_schema() AND last_value IS NOT NULL
    ORDER BY sequencename`
  return Object.fromEntries((yield* decodeSequences(rows)).map(({ name, last }) => [name, last]))
})
