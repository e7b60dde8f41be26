import type { PGlite } from "@electric-sql/pglite"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient } from "effect/sql"
import { startInMemory } from "#infrastructure/store/database/EmbeddedDatabase.ts"
import { migrate } from "#infrastructure/store/database/migrate.ts"
import { embeddedClient } from "#infrastructure/store/database/Sql.ts"
import { fromNothing } from "./support/fromNothing.ts"

const ours = "(SELECT oid FROM pg_namespace WHERE nspname = 'public')"

/** All that a database has besides the engine's own, one list for each kind. */
const questions = {
  columns:
    `SELECT table_name, column_name, data_type, column_default, is_nullable, is_generated, identity_generation
    FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, ordinal_position`,
  constraints: `SELECT conrelid::regclass::text AS of, conname, pg_get_constraintdef(oid) AS is
    FROM pg_constraint WHERE connamespace = ${ours} ORDER BY 1, 2, 3`,
  indexes: "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1",
  functions:
    `SELECT proname, pg_get_functiondef(oid) AS is FROM pg_proc WHERE pronamespace = ${ours} ORDER BY 1, 2`,
  triggers:
    "SELECT tgname, pg_get_triggerdef(oid) AS is FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1, 2",
  sequences: "SELECT sequencename, start_value, last_value FROM pg_sequences ORDER BY 1",
  roles: "SELECT rolname, rolsuper, rolcanlogin FROM pg_roles ORDER BY 1",
  settings: `SELECT name, setting FROM pg_settings WHERE source = 'configuration file' ORDER BY 1`,
  extensions: "SELECT extname, extversion FROM pg_extension ORDER BY 1",
  schemas: "SELECT nspname FROM pg_namespace WHERE nspname !~ '^pg_t' ORDER BY 1",
}

const contentOf = (database: PGlite) =>
  Effect.promise(async () => {
    const ask = async (question: string) => (await database.query<Record<string, unknown>>(question)).rows
    const found = Object.entries(questions).map(async ([kind, question]) =>
      [kind, await ask(question)] as const
    )
    const tables = await ask("SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1")
    const rows = tables.map(async ({ tablename }) => {
      const without = tablename === "migrations" ? " - 'created_at'" : ""
      return [
        `rows of ${tablename}`,
        await ask(`SELECT to_jsonb(t)${without} AS row FROM ${tablename} t`),
      ] as const
    })
    return Object.fromEntries(await Promise.all([...found, ...rows]))
  })

it.live("A new embedded database is what one made from nothing would be, and nothing more", () =>
  Effect.gen(function* () {
    const image = yield* startInMemory
    yield* Effect.provideServiceEffect(migrate, SqlClient.SqlClient, embeddedClient(image))
    const copy = yield* contentOf(image)
    assert.isAbove(Object.keys(copy).length, Object.keys(questions).length)
    assert.deepStrictEqual(copy, yield* contentOf(yield* fromNothing()))
  }).pipe(Effect.provide(Reactivity.layer)))
