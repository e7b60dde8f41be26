import { assert } from "#test/support/it.ts"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { Accounts } from "#application/accounts/Accounts.ts"
import { accountsLayer } from "#application/accounts/mod.ts"
import { Bps } from "#domain/money/Bps.ts"
import { Origin } from "#domain/accounts/Account.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { operator } from "#test/support/account.ts"
import { onStores } from "#test/support/store.ts"
import { accountWithKey, callerOf, latestChanges, newName, replica } from "./support.ts"

const defaults = {
  commissionBps: Bps.make(0),
  affiliates: true,
  allowedOrigins: "*",
  mcp: true,
  suspended: false,
} as const

const others = {
  commissionBps: Bps.make(25),
  affiliates: false,
  allowedOrigins: [Origin.make("https://app.example"), Origin.make("http://localhost:5173")],
  mcp: false,
  suspended: true,
} as const

onStores(accountsLayer)("Accounts", (it) => {
  it.effect("are created with what is given, and with the defaults of the rest", function* () {
    const accounts = yield* Accounts
    const createdAt = yield* currentMillis
    const [plain, special] = [newName(), newName()]
    const made = yield* accounts.create(plain, {}, operator)
    assert.deepInclude(made, { ...defaults, name: plain, createdAt })
    assert.deepInclude(yield* accounts.create(special, others, operator), { ...others, name: special })
    assert.deepStrictEqual(yield* accounts.find(plain), made)
    assert.deepInclude(yield* accounts.find(special), others)
    const names = (yield* accounts.all).map(({ name }) => name)
    assert.includeMembers(names, [plain, special])
    assert.deepStrictEqual(names, names.toSorted())
    assert.deepStrictEqual(yield* latestChanges(2), [
      { action: "account.created", account: special, after: others },
      { action: "account.created", account: plain, after: defaults },
    ])
  })

  it.effect("are created once, however many try at the same time", function* () {
    const accounts = yield* Accounts
    const name = newName()
    const made = yield* Effect.all(
      Array.from({ length: 5 }, () => Effect.result(accounts.create(name, {}, operator))),
      { concurrency: "unbounded" },
    )
    assert.strictEqual(made.filter(({ _tag }) => _tag === "Success").length, 1)
    const error = yield* Effect.flip(accounts.create(name, {}, operator))
    assert.strictEqual(error._tag, "AccountExists")
  })

  it.effect("keep what a change does not name, and log how it was and is", function* () {
    const accounts = yield* Accounts
    const name = newName()
    yield* accounts.create(name, {}, operator)
    const commissionBps = Bps.make(30)
    const changed = yield* accounts.change(name, { commissionBps }, operator)
    assert.deepInclude(changed, { ...defaults, commissionBps })
    assert.deepStrictEqual(yield* accounts.find(name), changed)
    const then = { ...defaults, commissionBps }
    assert.deepStrictEqual(yield* latestChanges(1), [
      { action: "account.changed", account: name, before: defaults, after: then },
    ])
    assert.deepInclude(yield* accounts.change(name, others, operator), others)
    assert.deepInclude(yield* accounts.change(name, { allowedOrigins: "*" }, operator), {
      ...others,
      allowedOrigins: "*",
    })
  })

  it.effect("log nothing where nothing changes", function* () {
    const accounts = yield* Accounts
    const name = newName()
    yield* accounts.create(name, others, operator)
    const before = yield* latestChanges(1)
    yield* accounts.change(name, {}, operator)
    yield* accounts.change(name, others, operator)
    assert.deepStrictEqual(yield* latestChanges(1), before)
  })

  it.effect("are not known by any other name", function* () {
    const accounts = yield* Accounts
    const name = newName()
    for (const missing of [accounts.find(name), accounts.change(name, {}, operator)]) {
      assert.strictEqual((yield* Effect.flip(missing))._tag, "AccountUnknown")
    }
  })

  it.effect("are followed at once by the replica that changed them, and within a second by others", function* () {
    const accounts = yield* Accounts
    const there = yield* replica
    const { name, key } = yield* accountWithKey()
    const here = callerOf(key)
    const elsewhere = Effect.provide(callerOf(key), there)
    assert.deepInclude(yield* here, defaults)
    assert.deepInclude(yield* elsewhere, defaults)
    yield* accounts.change(name, others, operator)
    assert.deepInclude(yield* here, others)
    yield* TestClock.adjust("1 second")
    assert.deepInclude(yield* elsewhere, others)
  })
})
