import { assert } from "@effect/vitest"
import { Scope } from "#domain/accounts/Key.ts"
import { call, get, withBroker } from "./support/call.ts"
import { find, numberAt } from "./support/Json.ts"
import { issue, newAccount, operate } from "./support/operator.ts"
import { assertFailure } from "./support/problem.ts"
import { openSwap, swapParameters } from "./support/swaps.ts"

/** What each scope is for, endpoint by endpoint: `security/authorisation.long.test.ts`. */
withBroker()("what a key may be used for", (it) => {
  it.effect("is only to look at what the account has while that is suspended", function* () {
    const account = yield* newAccount()
    const { key } = yield* issue(account, { scopes: Scope.literals })
    const opened = yield* openSwap({}, { key })
    yield* operate("PATCH", `/accounts/${account}`, { suspended: true })
    const record = yield* get("/status-by-id", { swapId: numberAt(opened, "id") }, { key })
    assert.strictEqual(find(record, "status", "state"), "waiting")
    const listed = yield* get("/swaps", { status: "waiting" }, { key })
    assert.deepStrictEqual(find(listed, 0, "id"), find(opened, "id"))
    const refused = yield* call("GET", "/swap", { key, query: swapParameters() })
    assertFailure(refused, 403)
    yield* operate("PATCH", `/accounts/${account}`, { suspended: false })
    yield* openSwap({}, { key })
  })
})
