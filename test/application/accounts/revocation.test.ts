import { assert } from "#test/support/it.ts"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { Keys } from "#application/accounts/Keys.ts"
import { accountsLayer } from "#application/accounts/mod.ts"
import { operator } from "#test/support/account.ts"
import { onStores } from "#test/support/store.ts"
import { accountWithKey, replica, taken } from "./support.ts"

/** How long before the revocation the other replica last looked the key up, in milliseconds. */
const lookedUp = [0, 1, 250, 500, 999, 1_000, 5_000]

onStores(accountsLayer)("a revoked key", (it) => {
  for (const before of lookedUp) {
    it.effect(`is taken nowhere a second later, looked up elsewhere ${before} ms before`, function* () {
      const there = yield* replica
      const { id, key } = yield* accountWithKey()
      const here = taken(key)
      const elsewhere = Effect.provide(taken(key), there)
      assert.isTrue(yield* here)
      assert.isTrue(yield* elsewhere)
      yield* TestClock.adjust(before)
      yield* (yield* Keys).revoke(id, operator)
      assert.isFalse(yield* here, "on the replica that revoked it, at once")
      // Takes it again where it may, which must not make it last any longer.
      yield* TestClock.adjust(500)
      yield* elsewhere
      yield* TestClock.adjust(500)
      assert.isFalse(yield* elsewhere, "on the other one, after a second")
      assert.isFalse(yield* here)
      yield* TestClock.adjust("1 hour")
      assert.isFalse(yield* elsewhere)
    })
  }
})
