import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { SqlClient } from "effect/sql"
import { Accounts, Bootstrap } from "../../src/accounts/Accounts.ts"
import { Bps } from "../../src/domain/Bps.ts"
import { stores } from "../support/store.ts"

const key = Redacted.make("0123456789abcdef01234567")
const chosen = { key: Option.some(key), commissionBps: Bps.make(15), generate: false }
const generated = { key: Option.none(), commissionBps: Bps.make(0), generate: true }

const forgetAccounts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`TRUNCATE accounts CASCADE`
})

for (const store of stores) {
  layer(Accounts.layer.pipe(Layer.provideMerge(store.layer)), { timeout: "60 seconds" })(
    `Accounts on ${store.name}`,
    (it) => {
      it.effect("creates the account 'default' with the operator's key and commission", () =>
        Effect.gen(function* () {
          yield* forgetAccounts
          const accounts = yield* Accounts
          const outcome = yield* accounts.bootstrap(chosen)
          assert.isTrue(Bootstrap.$is("Created")(outcome) && Option.isNone(outcome.generatedKey))
          const found = Option.getOrThrow(yield* accounts.authenticate(key))
          assert.strictEqual(found.name, "default")
          assert.strictEqual(found.commissionBps, 15)
        }))

      it.effect("makes a key of at least 190 bits where it may, gives it once, and it works", () =>
        Effect.gen(function* () {
          yield* forgetAccounts
          const accounts = yield* Accounts
          const outcome = yield* accounts.bootstrap(generated)
          if (!Bootstrap.$is("Created")(outcome)) return assert.fail(outcome._tag)
          const made = Option.getOrThrow(outcome.generatedKey)
          assert.match(Redacted.value(made), /^sb_[1-9A-HJ-NP-Za-km-z]{32,33}$/)
          assert.deepStrictEqual(yield* accounts.authenticate(made), Option.some(outcome.account))
          assert.deepStrictEqual(yield* accounts.bootstrap(generated), Bootstrap.HasAccounts())
        }))

      it.effect("changes nothing at a later start, whatever the settings say then", () =>
        Effect.gen(function* () {
          yield* forgetAccounts
          const accounts = yield* Accounts
          yield* accounts.bootstrap(chosen)
          const other = Redacted.make("another key of the operator")
          assert.deepStrictEqual(
            yield* accounts.bootstrap({ ...chosen, key: Option.some(other) }),
            Bootstrap.HasAccounts(),
          )
          assert.isTrue(Option.isNone(yield* accounts.authenticate(other)))
        }))

      it.effect("lets exactly one of several replicas that start together win", () =>
        Effect.gen(function* () {
          yield* forgetAccounts
          const accounts = yield* Accounts
          const outcomes = yield* Effect.all(Array.from({ length: 8 }, () => accounts.bootstrap(generated)), {
            concurrency: "unbounded",
          })
          assert.strictEqual(outcomes.filter(Bootstrap.$is("Created")).length, 1)
          assert.strictEqual(outcomes.filter(Bootstrap.$is("HasAccounts")).length, 7)
        }))

      it.effect("refuses a chosen key under 24 characters", () =>
        Effect.gen(function* () {
          yield* forgetAccounts
          const accounts = yield* Accounts
          const short = Redacted.make("0123456789abcdef0123456")
          const error = yield* Effect.flip(accounts.bootstrap({ ...chosen, key: Option.some(short) }))
          assert.strictEqual(error._tag, "BootstrapKeyTooShort")
        }))

      it.effect("creates nothing without a key in live mode", () =>
        Effect.gen(function* () {
          yield* forgetAccounts
          const accounts = yield* Accounts
          assert.deepStrictEqual(
            yield* accounts.bootstrap({ ...generated, generate: false }),
            Bootstrap.NoAccount(),
          )
        }))

      it.effect("follows a change of the account within a second", () =>
        Effect.gen(function* () {
          yield* TestClock.adjust("1 second")
          yield* forgetAccounts
          const accounts = yield* Accounts
          const sql = yield* SqlClient.SqlClient
          yield* accounts.bootstrap(chosen)
          const commission = Effect.map(
            accounts.authenticate(key),
            Option.map((account) => account.commissionBps),
          )
          assert.deepStrictEqual(yield* commission, Option.some(Bps.make(15)))
          yield* sql`UPDATE accounts SET commission_bps = 20`
          yield* TestClock.adjust("1 second")
          assert.deepStrictEqual(yield* commission, Option.some(Bps.make(20)))
          yield* forgetAccounts
          yield* TestClock.adjust("1 second")
          assert.deepStrictEqual(yield* commission, Option.none())
        }))

      it.effect("knows no other key, not even one that differs in case or by a space", () =>
        Effect.gen(function* () {
          yield* forgetAccounts
          const accounts = yield* Accounts
          yield* accounts.bootstrap(chosen)
          for (
            const text of ["", "0123456789ABCDEF01234567", "0123456789abcdef01234567 ", "x".repeat(10_000)]
          ) {
            assert.isTrue(Option.isNone(yield* accounts.authenticate(Redacted.make(text))))
          }
        }))

      it.effect("keeps no part of a key in clear", () =>
        Effect.gen(function* () {
          yield* forgetAccounts
          const accounts = yield* Accounts
          const sql = yield* SqlClient.SqlClient
          yield* accounts.bootstrap(chosen)
          const rows = yield* sql<{ row: string }>`
          SELECT row_to_json(api_keys)::text AS row FROM api_keys
          UNION ALL SELECT row_to_json(accounts)::text FROM accounts`
          assert.strictEqual(rows.length, 2)
          for (const { row } of rows) assert.notInclude(row, "0123456789abcdef")
        }))
    },
  )
}
