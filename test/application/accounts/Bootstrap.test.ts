import { assert } from "#test/support/it.ts"
import { Effect, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { Accounts } from "#application/accounts/Accounts.ts"
import { Audit } from "#application/accounts/Audit.ts"
import { Bootstrap } from "#application/accounts/Bootstrap.ts"
import { accountsLayer } from "#application/accounts/mod.ts"
import { newKeyId, newKeyWithoutMac } from "#application/accounts/ApiKey.ts"
import { Bps } from "#domain/money/Bps.ts"
import { Scope } from "#domain/accounts/Key.ts"
import { forgetAccounts } from "#test/support/forgetAccounts.ts"
import { onStores } from "#test/support/store.ts"

const key = Redacted.make("0123456789abcdef01234567")
const chosen = { key: Option.some(key), commissionBps: Bps.make(15), generate: false }
const hasAccounts = (isKeyIgnored: boolean) => Bootstrap.HasAccounts({ isKeyIgnored })
const generated = { key: Option.none(), commissionBps: Bps.make(0), generate: true }

onStores(accountsLayer)("the first account", (it) => {
  it.effect("creates the account 'default' with the operator's key and commission", function* () {
    yield* forgetAccounts
    const accounts = yield* Accounts
    const outcome = yield* accounts.bootstrap(chosen)
    assert.isTrue(Bootstrap.$is("Created")(outcome) && Option.isNone(outcome.generatedKey))
    const found = Option.getOrThrow(yield* accounts.authenticate(key))
    assert.strictEqual(found.name, "default")
    assert.strictEqual(found.commissionBps, 15)
  })

  it.effect("makes a key of at least 190 bits where it may, gives it once, and it works", function* () {
    yield* forgetAccounts
    const accounts = yield* Accounts
    const outcome = yield* accounts.bootstrap(generated)
    if (!Bootstrap.$is("Created")(outcome)) return assert.fail(outcome._tag)
    const made = Option.getOrThrow(outcome.generatedKey)
    assert.match(Redacted.value(made), /^sbk_[a-z2-7]{16}_[a-z2-7]{48}$/)
    const caller = Option.getOrThrow(yield* accounts.authenticate(made))
    assert.strictEqual(caller.id, outcome.account.id)
    assert.deepStrictEqual(caller.scopes, Scope.literals)
    assert.include(Redacted.value(made), caller.keyId)
    assert.deepStrictEqual(yield* accounts.bootstrap(generated), hasAccounts(false))
  })

  it.effect("changes nothing at a later start, whatever the settings say then", function* () {
    yield* forgetAccounts
    const accounts = yield* Accounts
    yield* accounts.bootstrap(chosen)
    const other = Redacted.make("another key of the operator")
    assert.deepStrictEqual(
      yield* accounts.bootstrap({ ...chosen, key: Option.some(other) }),
      hasAccounts(true),
    )
    assert.isTrue(Option.isNone(yield* accounts.authenticate(other)))
    assert.deepStrictEqual(yield* accounts.bootstrap(chosen), hasAccounts(false))
    const sql = yield* SqlClient.SqlClient
    yield* sql`UPDATE api_keys SET revoked_at = now()`
    assert.deepStrictEqual(yield* accounts.bootstrap(chosen), hasAccounts(true))
  })

  it.effect("lets exactly one of several replicas that start together win", function* () {
    yield* forgetAccounts
    const accounts = yield* Accounts
    const outcomes = yield* Effect.all(Array.from({ length: 8 }, () => accounts.bootstrap(generated)), {
      concurrency: "unbounded",
    })
    assert.strictEqual(outcomes.filter(Bootstrap.$is("Created")).length, 1)
    assert.strictEqual(outcomes.filter(Bootstrap.$is("HasAccounts")).length, 7)
  })

  it.effect("refuses a chosen key under 24 characters", function* () {
    yield* forgetAccounts
    const accounts = yield* Accounts
    const short = Redacted.make("0123456789abcdef0123456")
    const error = yield* Effect.flip(accounts.bootstrap({ ...chosen, key: Option.some(short) }))
    assert.include(error.message, "must have 24 characters or more")
  })

  it.effect("takes a chosen key of our own form by its id, but not one that was copied wrongly", function* () {
    yield* forgetAccounts
    const accounts = yield* Accounts
    const id = newKeyId()
    const ours = newKeyWithoutMac(id)
    const cut = Redacted.make(Redacted.value(ours).slice(0, -1))
    const error = yield* Effect.flip(accounts.bootstrap({ ...chosen, key: Option.some(cut) }))
    assert.include(error.message, "its checksum does not fit")
    yield* accounts.bootstrap({ ...chosen, key: Option.some(ours) })
    assert.strictEqual(Option.getOrThrow(yield* accounts.authenticate(ours)).keyId, id)
  })

  it.effect("creates nothing without a key in live mode", function* () {
    yield* forgetAccounts
    const accounts = yield* Accounts
    assert.deepStrictEqual(
      yield* accounts.bootstrap({ ...generated, generate: false }),
      Bootstrap.NoAccount(),
    )
  })

  it.effect("knows no other key, not even one that differs in case or by a space", function* () {
    yield* forgetAccounts
    const accounts = yield* Accounts
    yield* accounts.bootstrap(chosen)
    for (
      const text of ["", "0123456789ABCDEF01234567", "0123456789abcdef01234567 ", "x".repeat(10_000)]
    ) {
      assert.isTrue(Option.isNone(yield* accounts.authenticate(Redacted.make(text))))
    }
  })

  it.effect("is in the audit log with its key, and who made it", function* () {
    yield* forgetAccounts
    yield* (yield* Accounts).bootstrap(chosen)
    const { items } = yield* (yield* Audit).page({ limit: 2 })
    assert.deepStrictEqual(items.map(({ actor, change }) => [actor.type, change.action]), [
      ["bootstrap", "key.issued"],
      ["bootstrap", "account.created"],
    ])
  })

  it.effect("keeps no part of a key in clear", function* () {
    yield* forgetAccounts
    const accounts = yield* Accounts
    const sql = yield* SqlClient.SqlClient
    yield* accounts.bootstrap(chosen)
    const rows = yield* sql<{ row: string }>`
          SELECT row_to_json(api_keys)::text AS row FROM api_keys
          UNION ALL SELECT row_to_json(accounts)::text FROM accounts
          UNION ALL SELECT row_to_json(audit_log)::text FROM audit_log`
    assert.isAtLeast(rows.length, 4)
    for (const { row } of rows) assert.notInclude(row, "0123456789abcdef")
  })
})
