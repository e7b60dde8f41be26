import { assert } from "@effect/vitest"
import { otherKey } from "./support/accounts.ts"
import { type Answer, call, get, withTwoAccounts } from "./support/call.ts"
import { assertJournalsTell, journalOf, kindsIn, withoutValues } from "./support/journals.ts"
import { at, find, integerAt, listAt, numberAt, objectAt, parseJson, textAt } from "./support/Json.ts"
import { assertFailure, faultyParameters } from "./support/problem.ts"
import { deposit, openSwap, pass, passUntil, recordOf } from "./support/swaps.ts"

const withoutTrace = ({ body }: Answer) =>
  Object.fromEntries(Object.entries(objectAt(body)).filter(([name]) => name !== "traceId"))

withTwoAccounts()("the journal of a swap", (it) => {
  it.effect("has everything that happened to it, in order, with what the upstream said", function* () {
    const opened = yield* openSwap({ sourceAsset: "eth.arb" })
    assert.deepStrictEqual(kindsIn(yield* journalOf(opened)), ["opened waiting"])
    yield* deposit(opened, "1000000000000000001")
    const { seen } = yield* passUntil(opened, "completed")
    const journal = yield* journalOf(opened)
    const kinds = kindsIn(journal)
    assert.strictEqual(kinds[0], "opened waiting")
    const inOrder = kinds.slice(1).map((kind) => kind.split(" ")[1])
    assert.deepStrictEqual([...new Set(inOrder)].filter((state) => state !== "waiting"), seen)
    const ids = journal.map((entry) => integerAt(entry, "id"))
    assert.deepStrictEqual(ids, ids.toSorted((one, other) => one - other))
    const last = journal.at(-1)
    assert(last !== undefined)
    const body = parseJson(textAt(last, "upstreamBody"))
    assert.strictEqual(textAt(body, "state"), "COMPLETED")
    assert.strictEqual(integerAt(last, "upstreamBodyLength"), textAt(last, "upstreamBody").length)
    const record = yield* recordOf(opened)
    assert.deepStrictEqual(
      at(last, "status", "swapEgress"),
      withoutValues(at(record, "status", "swapEgress")),
    )
  })

  it.effect("comes in parts, each of which leads to the next", function* () {
    const opened = yield* openSwap({ sourceAsset: "eth.arb" })
    yield* deposit(opened, "1000000000000000001")
    yield* passUntil(opened, "completed")
    const id = numberAt(opened, "id")
    const whole = (yield* journalOf(opened)).map((entry) => integerAt(entry, "id"))
    for (const root of ["/swaps", "/operator/swaps"]) {
      const seen: Array<number> = []
      let next: string | undefined = `${root}/${id}/journal?limit=2`
      while (next !== undefined) {
        const part: Answer = yield* call("GET", next)
        seen.push(...listAt(part.body).map((entry) => integerAt(entry, "id")))
        next = /<([^>]+)>; rel="next"/.exec(part.headers.get("link") ?? "")?.[1]
      }
      assert.deepStrictEqual(seen, whole)
      const path = `${root}/${id}/journal`
      const beyond = yield* get(path, { offset: `${(whole.at(-1) ?? 0) + 1}` })
      assert.deepStrictEqual(listAt(beyond), [])
      const wrong = yield* call("GET", path, { query: { limit: "501", offset: "x" } })
      assertFailure(wrong, 400)
      assert.deepStrictEqual(faultyParameters(wrong), ["limit", "offset"])
      assertFailure(yield* call("GET", `${root}/999999999/journal`, { query: { offset: "5" } }), 404)
    }
  })

  it.effect("is the account's own; any other is not there, whatever its number", function* () {
    const opened = yield* openSwap()
    const path = (id: string) => `/swaps/${id}/journal`
    const foreign = yield* call("GET", path(numberAt(opened, "id")), { key: otherKey })
    assertFailure(foreign, 404)
    for (const id of ["0", "999999999", "-1", "1.0", "abc", "9007199254740993", "1e3"]) {
      const answer = yield* call("GET", path(id))
      assertFailure(answer, 404)
      assert.deepStrictEqual(withoutTrace(answer), withoutTrace(foreign), id)
    }
  })

  it.effect("of any account is the operator's to see", function* () {
    const opened = yield* openSwap({}, { key: otherKey })
    const journal = yield* get(`/operator/swaps/${numberAt(opened, "id")}/journal`)
    assert.strictEqual(textAt(journal, 0, "kind"), "opened")
    assertFailure(yield* call("GET", "/operator/swaps/999999999/journal"), 404)
  })

  it.effect("says when the channel has expired", function* () {
    const opened = yield* openSwap({ sourceAsset: "eth.arb" })
    yield* pass(3 * 86_400)
    yield* recordOf(opened)
    const last = (yield* journalOf(opened)).at(-1)
    assert(last !== undefined)
    assert.strictEqual(textAt(last, "kind"), "expired")
    assert.strictEqual(find(last, "status", "depositChannel", "isExpired"), true)
  })

  it.effect("comes to the record of each swap", () => assertJournalsTell)
})
