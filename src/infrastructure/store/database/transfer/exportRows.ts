import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { inTransaction } from "../inTransaction.ts"
import { appliedMigrations } from "../migrate.ts"
import { storeOperation } from "../storeOperation.ts"
import { End, Header, lotLine } from "./format.ts"
import { allSequences, allTables } from "./tables.ts"

/** The number of a table's rows that are in memory at a time. */
const lotSize = 500

const decodeRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ row: Schema.String })))
const encodeHeader = Schema.encodeEffect(Schema.fromJsonString(Header))
const encodeEnd = Schema.encodeEffect(Schema.fromJsonString(End))

/** The number of rows of each table. */
export type Counts = Readonly<Record<string, number>>

/** Writes the whole content of the database, as of one moment, line by line. */
export const exportRows = <E, R>(write: (line: string) => Effect.Effect<void, E, R>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const asked = storeOperation("Transfer.export")

    const exportTable = Effect.fnUntraced(function* (table: string) {
      yield* asked(
        sql`DECLARE rows_to_export NO SCROLL CURSOR FOR SELECT row_to_json(t)::text AS row FROM ${
          sql(table)
        } t`,
      )
      let count = 0
      while (true) {
        const lot = yield* asked(
          Effect.flatMap(sql`FETCH ${sql.literal(`${lotSize}`)} FROM rows_to_export`, decodeRows),
        )
        if (lot.length > 0) yield* write(lotLine(table, lot.map(({ row }) => row)))
        count += lot.length
        if (lot.length < lotSize) break
      }
      yield* asked(sql`CLOSE rows_to_export`)
      return [table, count] as const
    })

    const work = Effect.gen(function* () {
      yield* asked(sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY`)
      const migrations = yield* appliedMigrations
      yield* write(yield* asked(encodeHeader({ format: "swap-broker export 1", migrations })))
      const tables = yield* asked(allTables)
      const counts: Counts = Object.fromEntries(yield* Effect.forEach(tables, exportTable))
      const sequences = yield* asked(allSequences)
      yield* write(yield* asked(encodeEnd({ counts, sequences })))
      return counts
    })
    return yield* inTransaction(sql, "Transfer.export")(work)
  })
