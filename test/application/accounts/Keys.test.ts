import { assert } from "#test/support/it.ts"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Accounts } from "#application/accounts/Accounts.ts"
import { Keys } from "#application/accounts/Keys.ts"
import { defaultScopes } from "#application/accounts/accountTerms.ts"
import { ScopesNotHeld } from "#application/accounts/failures.ts"
import { accountsLayer } from "#application/accounts/mod.ts"
import { newKeyId } from "#application/accounts/ApiKey.ts"
import { actorOf } from "#domain/operations/Audit.ts"
import { Scope } from "#domain/accounts/Key.ts"
import { EpochMillis } from "#domain/Time.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { operator } from "#test/support/account.ts"
import { onStores } from "#test/support/store.ts"
import { accountWithKey, callerOf, latestChanges, newName, taken } from "./support.ts"

onStores(accountsLayer)("Keys", (it) => {
  it.effect("are issued for everything but operating, where nothing else is said", function* () {
    const createdAt = yield* currentMillis
    const { key, id, name } = yield* accountWithKey()
    const caller = yield* callerOf(key)
    assert.strictEqual(caller.name, name)
    assert.strictEqual(caller.keyId, id)
    assert.deepStrictEqual(caller.scopes, ["quote", "swap", "status", "history"])
    assert.include(Redacted.value(key), `sbk_${id}_`)
    assert.deepStrictEqual<unknown>(yield* (yield* Keys).ofAccount(name), [
      { id, scopes: ["quote", "swap", "status", "history"], createdAt },
    ])
  })

  it.effect("are issued as it is said, and logged without the key", function* () {
    const keys = yield* Keys
    const createdAt = yield* currentMillis
    const terms = {
      scopes: ["status", "operate"],
      label: "of the night shift",
      expiresAt: EpochMillis.make(createdAt + 90_000),
    } as const
    const { name, id, key } = yield* accountWithKey({}, terms)
    assert.deepStrictEqual((yield* callerOf(key)).scopes, terms.scopes)
    const [record] = yield* keys.ofAccount(name)
    assert.deepStrictEqual<unknown>(record, { id, ...terms, createdAt })
    const [change] = yield* latestChanges(1)
    assert.deepStrictEqual<unknown>(change, { action: "key.issued", account: name, keyId: id, after: terms })
  })

  it.effect("work beside each other, so that one can be replaced without a gap", function* () {
    const keys = yield* Keys
    const { name, id, key: old } = yield* accountWithKey()
    const now = yield* currentMillis
    const { key: replacement, record } = yield* keys.issue(name, {}, operator)
    assert.isTrue(yield* taken(old))
    assert.isTrue(yield* taken(replacement))
    const revoked = yield* keys.revoke(id, operator)
    assert.strictEqual(revoked.revokedAt, now)
    assert.isFalse(yield* taken(old))
    assert.isTrue(yield* taken(replacement))
    assert.deepStrictEqual((yield* keys.ofAccount(name)).map(({ id, revokedAt }) => [id, revokedAt]), [
      [record.id, undefined],
      [id, now],
    ])
  })

  it.effect("are of no agent any more once they are revoked, over, or of an account without MCP", function* () {
    const { change } = yield* Accounts
    const keys = yield* Keys
    const expiresAt = EpochMillis.make((yield* currentMillis) + 1_000)
    const good = yield* accountWithKey()
    const revoked = yield* accountWithKey()
    const over = yield* accountWithKey({}, { expiresAt })
    const off = yield* accountWithKey()
    const ids = [good, revoked, over, off].map(({ id }) => id)
    assert.deepStrictEqual(yield* keys.withoutMcp(ids), [])
    assert.deepStrictEqual(yield* keys.withoutMcp([]), [])
    yield* keys.revoke(revoked.id, operator)
    yield* change(off.name, { mcp: false }, operator)
    yield* TestClock.adjust("1 second")
    assert.sameMembers([...yield* keys.withoutMcp(ids)], [revoked.id, over.id, off.id])
    yield* change(off.name, { mcp: true }, operator)
    assert.sameMembers([...yield* keys.withoutMcp([good.id, off.id])], [])
  })

  it.effect("are revoked once: again changes nothing and logs nothing", function* () {
    const keys = yield* Keys
    const { id, name } = yield* accountWithKey({}, { label: "short-lived" })
    const first = yield* keys.revoke(id, operator)
    const [change] = yield* latestChanges(1)
    assert.deepStrictEqual<unknown>(change, {
      action: "key.revoked",
      account: name,
      keyId: id,
      before: { label: "short-lived", scopes: first.scopes },
    })
    yield* TestClock.adjust("9 seconds")
    assert.deepStrictEqual(yield* keys.revoke(id, operator), first)
    assert.deepStrictEqual(yield* latestChanges(1), change === undefined ? [] : [change])
  })

  it.effect("stop working when they expire", function* () {
    const expiresAt = EpochMillis.make((yield* currentMillis) + 1_500)
    const { key } = yield* accountWithKey({}, { expiresAt })
    yield* TestClock.adjust(1_499)
    assert.isTrue(yield* taken(key))
    yield* TestClock.adjust(1)
    assert.isFalse(yield* taken(key))
  })

  it.effect("are issued by a key with its own scopes alone, whosever they are to be", function* () {
    const keys = yield* Keys
    yield* accountWithKey({}, { scopes: ["operate"] })
    const maker = yield* accountWithKey({}, { scopes: ["operate", "quote"] })
    const by = actorOf(yield* callerOf(maker.key))
    const other = yield* accountWithKey({}, { scopes: ["withdraw", "quote"] })
    const audit = yield* latestChanges(1)
    for (const name of [maker.name, other.name]) {
      const wanted = [undefined, Scope.literals, ["withdraw"]] as const
      for (const scopes of wanted) {
        const refused = yield* Effect.flip(
          keys.issue(name, optionalMembers(scopes, (scopes) => ({ scopes })), by),
        )
        const held: ReadonlyArray<Scope> = ["operate", "quote"]
        const missing = (scopes ?? defaultScopes).filter((scope) => !held.includes(scope))
        assert.deepStrictEqual(refused, new ScopesNotHeld({ scopes: missing }))
      }
    }
    assert.deepStrictEqual(yield* latestChanges(1), audit)
    const { record } = yield* keys.issue(other.name, { scopes: ["quote"] }, by)
    assert.strictEqual(record.madeBy, maker.id)
    yield* keys.revoke(maker.id, operator)
    const late = yield* Effect.flip(keys.issue(other.name, { scopes: ["quote"] }, by))
    assert.deepStrictEqual(late, new ScopesNotHeld({ scopes: ["quote"] }))
    const expiring = yield* accountWithKey({}, {
      scopes: ["operate"],
      expiresAt: EpochMillis.make((yield* currentMillis) + 1_000),
    })
    const byExpiring = actorOf(yield* callerOf(expiring.key))
    yield* keys.issue(other.name, { scopes: ["operate"] }, byExpiring)
    yield* TestClock.adjust("1 second")
    const expired = yield* Effect.flip(keys.issue(other.name, { scopes: ["operate"] }, byExpiring))
    assert.deepStrictEqual(expired, new ScopesNotHeld({ scopes: ["operate"] }))
  })

  it.effect("are revoked with all that came of them, where that is asked for", function* () {
    const keys = yield* Keys
    const scopes = ["operate", "quote"] as const
    yield* accountWithKey({}, { scopes: ["operate"] })
    const first = yield* accountWithKey({}, { scopes })
    const other = yield* accountWithKey()
    const made = yield* keys.issue(other.name, { scopes }, actorOf(yield* callerOf(first.key)))
    const ofMade = yield* keys.issue(first.name, { scopes }, actorOf(yield* callerOf(made.key)))
    const listed = [...yield* keys.ofAccount(first.name), ...yield* keys.ofAccount(other.name)]
    assert.deepStrictEqual(
      listed.map(({ id, madeBy }) => [id, madeBy]),
      [[ofMade.record.id, made.record.id], [first.id, undefined], [made.record.id, first.id], [
        other.id,
        undefined,
      ]],
    )
    yield* keys.revoke(first.id, operator)
    assert.isTrue((yield* taken(made.key)) && (yield* taken(ofMade.key)))
    const again = yield* keys.revoke(first.id, operator, { withMade: true })
    assert.strictEqual(again.id, first.id)
    assert.isFalse((yield* taken(made.key)) || (yield* taken(ofMade.key)))
    assert.isTrue(yield* taken(other.key))
    assert.deepStrictEqual(
      (yield* latestChanges(3)).map((change) => "keyId" in change ? change.keyId : undefined),
      [ofMade.record.id, made.record.id, first.id],
    )
  })

  it.effect("end with the key that issues them, and with the key that they replace, whoever asks", function* () {
    const keys = yield* Keys
    const now = yield* currentMillis
    const end = EpochMillis.make(now + 60_000)
    const { name, id, key } = yield* accountWithKey({}, { scopes: Scope.literals, expiresAt: end })
    const by = actorOf(yield* callerOf(key))
    const made = yield* keys.issue(name, { label: "made" }, by)
    assert.strictEqual(made.record.expiresAt, end)
    const before = EpochMillis.make(now + 30_000)
    assert.strictEqual((yield* keys.issue(name, { expiresAt: before }, by)).record.expiresAt, before)
    const later = yield* Effect.flip(keys.issue(name, { expiresAt: EpochMillis.make(end + 1) }, by))
    assert.deepStrictEqual(later._tag === "InvalidRequest" && Object.keys(later.errors), ["expiresAt"])
    const rotated = yield* keys.issue(name, { replaces: made.record.id }, operator)
    assert.deepInclude(rotated.record, { label: "made", scopes: made.record.scopes, expiresAt: end })
    const longer = keys.issue(
      name,
      { replaces: made.record.id, expiresAt: EpochMillis.make(end + 1) },
      operator,
    )
    assert.strictEqual((yield* Effect.flip(longer))._tag, "InvalidRequest")
    const sql = yield* SqlClient.SqlClient
    yield* sql`UPDATE api_keys SET expires_at = NULL WHERE public_id = ${made.record.id}`
    const ofOldRecord = yield* keys.issue(name, { replaces: made.record.id }, operator)
    assert.strictEqual(ofOldRecord.record.expiresAt, end, "a key of an earlier version, whose maker ends")
    const other = yield* accountWithKey()
    for (const replaces of [id, other.id]) {
      if (replaces === id) yield* keys.revoke(id, operator)
      const refused = yield* Effect.flip(keys.issue(name, { replaces }, operator))
      assert.deepStrictEqual(refused._tag === "InvalidRequest" && Object.keys(refused.errors), ["replaces"])
    }
    yield* TestClock.adjust("1 minute")
    const over = yield* Effect.flip(keys.issue(name, { replaces: rotated.record.id }, operator))
    assert.strictEqual(over._tag, "InvalidRequest")
  })

  it.effect("are not issued for a time that is over, nor to nobody", function* () {
    const keys = yield* Keys
    const { name } = yield* accountWithKey()
    const late = yield* Effect.flip(keys.issue(name, { expiresAt: yield* currentMillis }, operator))
    assert.strictEqual(late._tag, "InvalidRequest")
    const issued = yield* Effect.flip(keys.issue(newName(), {}, operator))
    assert.strictEqual(issued._tag, "AccountUnknown")
    const listed = yield* Effect.flip(keys.ofAccount(newName()))
    assert.strictEqual(listed._tag, "AccountUnknown")
    assert.strictEqual((yield* Effect.flip(keys.revoke(newKeyId(), operator)))._tag, "KeyUnknown")
  })
})
