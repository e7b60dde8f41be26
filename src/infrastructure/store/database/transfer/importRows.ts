import { Effect, Equal, Option, Schema, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { inTransaction } from "../inTransaction.ts"
import { appliedMigrations } from "../migrate.ts"
import { storeOperation } from "../storeOperation.ts"
import type { Counts } from "./exportRows.ts"
import { DatabaseNotEmpty, End, ExportUnreadable, Header, Line, TablesDiffer } from "./format.ts"
import { allTables } from "./tables.ts"

const decodeCounts = Schema.decodeUnknownEffect(Schema.NonEmptyArray(Schema.Struct({ count: Schema.Int })))

const unreadable = (reason: string) => new ExportUnreadable({ reason })

const readLine = (text: string) =>
  Effect.mapError(Schema.decodeEffect(Line)(text), () => unreadable("one of its lines is none of ours"))

const isHeader = Schema.is(Header)
const isEnd = Schema.is(End)

const latest = (migrations: ReadonlyArray<string>): string => migrations.at(-1) ?? "no migration"

/** Imports a complete export, checked by its counts, into an empty database, or nothing. */
export const importRows = <E, R>(lines: Stream.Stream<string, E, R>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const asked = storeOperation("Transfer.import")
    const tables = yield* asked(allTables)

    const count = (table: string) =>
      asked(
        Effect.flatMap(sql`SELECT count(*)::int AS count FROM ${sql(table)}`, decodeCounts),
      ).pipe(Effect.map(([row]) => [table, row.count] as const))

    const counted = Effect.map(Effect.forEach(tables, count), (all): Counts => Object.fromEntries(all))

    const refuseRows = Effect.flatMap(counted, (counts) => {
      const filled = tables.filter((table) => counts[table] !== 0)
      return filled.length === 0 ? Effect.void : Effect.fail(new DatabaseNotEmpty({ tables: filled }))
    })

    const checkHeader = Effect.fnUntraced(function* ({ migrations }: typeof Header.Type) {
      const ours = yield* appliedMigrations
      if (Equal.equals(migrations, ours)) return
      return yield* new TablesDiffer({ theirs: latest(migrations), ours: latest(ours) })
    })

    // Rows that a trigger wrote exist already; the counts at the end tell whether all rows are there.
    const insert = Effect.fnUntraced(function* (table: string, line: string) {
      if (!tables.includes(table)) return yield* unreadable(`there is no table "${table}"`)
      yield* asked(sql`
        INSERT INTO ${sql(table)} OVERRIDING SYSTEM VALUE
        SELECT * FROM json_populate_recordset(NULL::${sql(table)}, ${line}::json -> 'rows')
        ON CONFLICT DO NOTHING`)
    })

    const setSequence = ([name, last]: readonly [string, string]) =>
      asked(sql`SELECT setval(quote_ident(${name})::regclass, ${last}::text::bigint)`)

    /** Handles a line. The first must be the header, and the last must be the end. */
    const take = Effect.fnUntraced(function* (seen: Seen, text: string) {
      const line = yield* readLine(text)
      if (isHeader(line)) {
        yield* checkHeader(line)
        return { ...seen, header: true }
      }
      if (!seen.header || Option.isSome(seen.end)) return yield* unreadable("its lines are out of order")
      if (isEnd(line)) return { ...seen, end: Option.some(line) }
      yield* insert(line.table, text)
      return seen
    })

    const work = Effect.gen(function* () {
      yield* asked(
        sql`LOCK TABLE ${sql.csv(tables.map((table) => sql`${sql(table)}`))} IN ACCESS EXCLUSIVE MODE`,
      )
      yield* refuseRows
      const { end } = yield* Stream.runFoldEffect(lines, () => nothingSeen, take)
      if (Option.isNone(end)) return yield* unreadable("its end is missing")
      yield* Effect.forEach(Object.entries(end.value.sequences), setSequence, { discard: true })
      const counts = yield* counted
      if (!Equal.equals(counts, end.value.counts)) return yield* unreadable("rows are missing")
      return counts
    })
    return yield* inTransaction(sql, "Transfer.import")(work)
  })

interface Seen {
  readonly header: boolean
  readonly end: Option.Option<typeof End.Type>
}

const nothingSeen: Seen = { header: false, end: Option.none() }
