import { assert } from "#test/support/it.ts"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { Accounts } from "#application/accounts/Accounts.ts"
import { Keys } from "#application/accounts/Keys.ts"
import { accountsLayer } from "#application/accounts/mod.ts"
import { EpochMillis } from "#domain/Time.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { operator } from "#test/support/account.ts"
import { forgetAccounts } from "#test/support/forgetAccounts.ts"
import { onStores } from "#test/support/store.ts"
import { accountWithKey, latestChanges } from "./support.ts"

const operating = { scopes: ["operate"] } as const

/** The terms of a key that has so many milliseconds left. */
const expiringIn = (millis: number) =>
  Effect.map(currentMillis, (now) => ({ ...operating, expiresAt: EpochMillis.make(now + millis) }))

const refused = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), ({ _tag }) => assert.strictEqual(_tag, "LastOperator"))

/** How many can operate the database is what these are about: each begins with none. */
const nobodyOperates = forgetAccounts

onStores(accountsLayer)("the last operator", (it) => {
  it.effect("cannot revoke the key, nor suspend the account; nothing of it stays", function* () {
    yield* nobodyOperates
    const [accounts, keys] = [yield* Accounts, yield* Keys]
    const { id, name } = yield* accountWithKey({}, operating)
    yield* accountWithKey()
    const before = yield* latestChanges(1)
    yield* refused(keys.revoke(id, operator))
    yield* refused(accounts.change(name, { suspended: true }, operator))
    assert.isFalse((yield* accounts.find(name)).suspended)
    assert.isUndefined((yield* keys.ofAccount(name))[0]?.revokedAt)
    assert.deepStrictEqual(yield* latestChanges(1), before)
  })

  it.effect("is an account, however many keys it has: all of them go when it is suspended", function* () {
    yield* nobodyOperates
    const [accounts, keys] = [yield* Accounts, yield* Keys]
    const { id, name } = yield* accountWithKey({}, operating)
    yield* keys.issue(name, operating, operator)
    yield* refused(accounts.change(name, { suspended: true }, operator))
    assert.isFalse((yield* accounts.find(name)).suspended)
    yield* keys.revoke(id, operator)
  })

  it.effect("can do both once there is another one, of an account that is not suspended", function* () {
    yield* nobodyOperates
    const [accounts, keys] = [yield* Accounts, yield* Keys]
    const first = yield* accountWithKey({}, operating)
    yield* accountWithKey({ suspended: true }, operating)
    yield* refused(keys.revoke(first.id, operator))
    const { record } = yield* keys.issue(first.name, operating, operator)
    yield* keys.revoke(first.id, operator)
    yield* refused(keys.revoke(record.id, operator))
    yield* accountWithKey({}, operating)
    yield* accounts.change(first.name, { suspended: true }, operator)
  })

  it.effect("is not succeeded by a key that expires, before it does or after", function* () {
    yield* nobodyOperates
    const [accounts, keys] = [yield* Accounts, yield* Keys]
    const first = yield* accountWithKey({}, operating)
    const second = yield* accountWithKey({}, yield* expiringIn(1_000))
    yield* refused(keys.revoke(first.id, operator))
    yield* refused(accounts.change(first.name, { suspended: true }, operator))
    yield* TestClock.adjust("1 second")
    yield* refused(keys.revoke(first.id, operator))
    yield* keys.revoke(second.id, operator)
  })

  it.effect("is nothing that a key which expires has to be kept for", function* () {
    yield* nobodyOperates
    const [accounts, keys] = [yield* Accounts, yield* Keys]
    yield* accountWithKey({}, operating)
    const second = yield* accountWithKey({}, yield* expiringIn(1_000))
    yield* keys.revoke(second.id, operator)
    yield* accounts.change(second.name, { suspended: true }, operator)
  })

  it.effect("is the last of those that expire, where all of them do", function* () {
    yield* nobodyOperates
    const keys = yield* Keys
    const first = yield* accountWithKey({}, yield* expiringIn(1_000))
    const second = yield* accountWithKey({}, yield* expiringIn(2_000))
    yield* keys.revoke(first.id, operator)
    yield* refused(keys.revoke(second.id, operator))
    yield* TestClock.adjust("2 seconds")
    yield* keys.revoke(second.id, operator)
  })

  it.effect("stays when two operators revoke each other at the same time", function* () {
    yield* nobodyOperates
    const keys = yield* Keys
    const all = yield* Effect.forEach([1, 2, 3, 4], () => accountWithKey({}, operating))
    const outcomes = yield* Effect.forEach(all, ({ id }) => Effect.result(keys.revoke(id, operator)), {
      concurrency: "unbounded",
    })
    assert.strictEqual(outcomes.filter(({ _tag }) => _tag === "Success").length, 3)
  })

  it.effect("is nobody's concern where nobody can operate anyway", function* () {
    yield* nobodyOperates
    const { id, name } = yield* accountWithKey()
    yield* (yield* Keys).revoke(id, operator)
    yield* (yield* Accounts).change(name, { suspended: true }, operator)
  })
})
