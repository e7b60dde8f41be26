import { assert } from "#test/support/it.ts"
import { Clock, Context, Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import { Accounts } from "#application/accounts/Accounts.ts"
import { Keys } from "#application/accounts/Keys.ts"
import { accountsLayer } from "#application/accounts/mod.ts"
import { Sessions } from "#application/accounts/Sessions.ts"
import type { KeyTerms } from "#domain/accounts/Key.ts"
import { EpochMillis } from "#domain/Time.ts"
import { operator } from "#test/support/account.ts"
import { onStores } from "#test/support/store.ts"
import { accountWithKey, callerOf, newName, replica } from "./support.ts"

const operating = (terms: Partial<KeyTerms> = {}) => accountWithKey({}, { scopes: ["operate"], ...terms })

/** Who holds a session, by the tag of the viewer. */
const viewerOf = (token: Parameters<Sessions["Service"]["find"]>[0]) =>
  Effect.flatMap(
    Sessions,
    ({ find }) => Effect.map(find(token), (viewer) => Option.getOrUndefined(viewer)?._tag),
  )

onStores(accountsLayer)("sessions of the dashboard", (it) => {
  it.effect("last twelve hours", function* () {
    const { key } = yield* operating()
    const { token } = yield* (yield* Sessions).begin(yield* callerOf(key))
    yield* TestClock.adjust("719 minutes")
    assert.strictEqual(yield* viewerOf(token), "Operator")
    yield* TestClock.adjust("1 minutes")
    assert.isUndefined(yield* viewerOf(token))
  })

  it.effect("end in the moment in which their key expires", function* () {
    const now = yield* Clock.currentTimeMillis
    const { key } = yield* operating({ expiresAt: EpochMillis.make(now + 60_000) })
    const { token } = yield* (yield* Sessions).begin(yield* callerOf(key))
    yield* TestClock.adjust("59 seconds")
    assert.strictEqual(yield* viewerOf(token), "Operator")
    yield* TestClock.adjust("1 seconds")
    assert.isUndefined(yield* viewerOf(token))
  })

  it.effect("end on every replica with their key", function* () {
    const { id, key } = yield* operating()
    yield* operating()
    const sessions = yield* Sessions
    const { token } = yield* sessions.begin(yield* callerOf(key))
    const link = yield* sessions.link(newName(), operator).pipe(Effect.flip)
    assert.strictEqual(link._tag, "AccountUnknown")
    const other = Context.get(yield* replica, Sessions)
    assert.isTrue(Option.isSome(yield* other.find(token)))
    yield* (yield* Keys).revoke(id, operator)
    assert.isTrue(Option.isNone(yield* other.find(token)))
  })

  it.effect("by a link begin within five minutes, on any replica, and see the account as it is now", function* () {
    const { name } = yield* accountWithKey()
    const sessions = yield* Sessions
    const [late, inTime] = [yield* sessions.link(name, operator), yield* sessions.link(name, operator)]
    yield* TestClock.adjust("299 seconds")
    const other = Context.get(yield* replica, Sessions)
    const { token } = Option.getOrThrow(yield* other.enter(inTime.token))
    assert.isTrue(Option.isNone(yield* sessions.enter(inTime.token)))
    yield* TestClock.adjust("1 seconds")
    assert.isTrue(Option.isNone(yield* sessions.enter(late.token)))
    yield* (yield* Accounts).change(name, { suspended: true }, operator)
    const viewer = Option.getOrThrow(yield* sessions.find(token))
    assert(viewer._tag === "Integrator")
    assert.deepStrictEqual([viewer.account.name, viewer.account.suspended], [name, true])
  })

  it.effect("are not made of the tokens of links, nor links of those of sessions", function* () {
    const { key, name } = yield* operating()
    const sessions = yield* Sessions
    const session = yield* sessions.begin(yield* callerOf(key))
    const link = yield* sessions.link(name, operator)
    assert.isTrue(Option.isNone(yield* sessions.find(link.token)))
    assert.isTrue(Option.isNone(yield* sessions.enter(session.token)))
  })
})
