import { assert, layer } from "#test/support/it.ts"
import { Effect } from "effect"
import { defaultScopes } from "#application/accounts/accountTerms.ts"
import { newKeyId } from "#application/accounts/ApiKey.ts"
import type { KeyId } from "#domain/accounts/Key.ts"
import { EpochMillis } from "#domain/Time.ts"
import { CallersRepo } from "#infrastructure/store/accounts/CallersRepo.ts"
import { KeysRepo } from "#infrastructure/store/accounts/KeysRepo.ts"
import { newAccount, stores } from "#test/support/store.ts"

const minute = 60_000

/** A key of an account of its own. */
const aKey = Effect.gen(function* () {
  const account = yield* newAccount
  const id = newKeyId()
  const secretHash = crypto.getRandomValues(new Uint8Array(32))
  const createdAt = EpochMillis.make(0)
  yield* (yield* KeysRepo).add({
    id,
    accountId: account.id,
    secretHash,
    terms: { scopes: defaultScopes },
    createdAt,
  })
  return { account, id, secretHash }
})

const use = (...uses: ReadonlyArray<readonly [KeyId, number]>) =>
  Effect.flatMap(CallersRepo, ({ used }) => used(new Map(uses.map(([id, at]) => [id, EpochMillis.make(at)]))))

const lastUsed = (id: KeyId) =>
  Effect.flatMap(
    KeysRepo,
    ({ find }) => Effect.map(Effect.flatMap(find(id), Effect.fromOption), ({ key }) => key.lastUsedAt),
  )

for (const store of stores) {
  layer(store.layer)(`CallersRepo on ${store.name}`, (it) => {
    it.effect("finds who calls by the hash of a key, until that is revoked", function* () {
      const callers = yield* CallersRepo
      const { account, id, secretHash } = yield* aKey
      const match = yield* Effect.flatMap(callers.byKeyHash(secretHash), Effect.fromOption)
      assert.deepInclude(match.caller, { ...account, keyId: id, scopes: defaultScopes })
      assert.deepStrictEqual(match.keyHash, secretHash)
      assert.strictEqual((yield* callers.byKeyHash(new Uint8Array(32)))._tag, "None")
      yield* (yield* KeysRepo).revoke(id, EpochMillis.make(1))
      assert.strictEqual((yield* callers.byKeyHash(secretHash))._tag, "None")
    })

    it.effect("notes when keys were used, of each at most once a minute", function* () {
      const [one, other, unused] = [yield* aKey, yield* aKey, yield* aKey]
      yield* use([one.id, 1_000], [other.id, 2_000])
      assert.strictEqual(yield* lastUsed(one.id), 1_000)
      yield* use([one.id, 1_000 + minute - 1], [other.id, 2_000 + minute])
      assert.strictEqual(yield* lastUsed(one.id), 1_000)
      assert.strictEqual(yield* lastUsed(other.id), 2_000 + minute)
      yield* use([other.id, 5_000])
      assert.strictEqual(yield* lastUsed(other.id), 2_000 + minute, "one that comes late")
      assert.isUndefined(yield* lastUsed(unused.id))
    })
  })
}
