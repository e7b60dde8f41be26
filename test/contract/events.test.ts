import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { otherKey } from "./support/accounts.ts"
import { call, withListeningBroker, withTwoAccounts } from "./support/call.ts"
import { find, numberAt, objectAt, textAt } from "./support/Json.ts"
import { assertFailure, faultyParameters } from "./support/problem.ts"
import { listen, type Received } from "./support/stream.ts"
import { deposit, openSwap, passUntil, recordOf } from "./support/swaps.ts"

const names = (events: ReadonlyArray<Received>) => events.map(({ event }) => event)

const firstOf = (events: ReadonlyArray<Received>): Received => {
  const [first] = events
  if (first === undefined) throw new Error("There was no event")
  return first
}

/** From a deposit to the end, with a look at each state. */
const finish = Effect.fnUntraced(function* (opened: Parameters<typeof deposit>[0]) {
  yield* deposit(opened, "1000000000000000001")
  yield* passUntil(opened, "completed")
})

const wholeWay = [
  "swap.waiting",
  "swap.receiving",
  "swap.swapping",
  "swap.sending",
  "swap.sent",
  "swap.completed",
]

withTwoAccounts()("GET /swaps/events", (it) => {
  it.effect("tells of everything that happens to the account's swaps, and of nobody else's", function* () {
    const mine = yield* listen("/swaps/events")
    const theirs = yield* listen("/swaps/events", { key: otherKey })
    const opened = yield* openSwap({ sourceAsset: "eth.arb" })
    yield* finish(opened)
    const other = yield* openSwap({}, { key: otherKey })
    const first = firstOf(yield* theirs.events(1))
    assert.strictEqual(numberAt(first.data, "data", "id"), numberAt(other, "id"))

    const seen = yield* mine.until("swap.completed")
    const last = firstOf(seen.toReversed())
    assert.strictEqual(last.event, "swap.completed")
    assert.deepStrictEqual(names(seen), wholeWay.filter((name) => names(seen).includes(name)), "in order")
    assert.deepStrictEqual<unknown>(find(last.data, "data"), objectAt(yield* recordOf(opened)))
    assert.strictEqual(textAt(last.data, "type"), "swap.completed")
    assert.match(textAt(last.data, "timestamp"), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?\+00:00$/)
    const ids = seen.map(({ id }) => Number(id))
    assert.deepStrictEqual(ids, ids.toSorted((one, two) => one - two))

    const again = yield* listen("/swaps/events", { headers: { "last-event-id": firstOf(seen).id } })
    assert.deepStrictEqual(yield* again.events(seen.length - 1), seen.slice(1), "from where it was cut off")
    const fromTheStart = yield* listen("/swaps/events?lastEventId=0")
    assert.deepStrictEqual(yield* fromTheStart.events(seen.length), seen)
  })

  it.effect("refuses an id that is none, and a key without the scope", function* () {
    const wrong = yield* call("GET", "/swaps/events", { headers: { "last-event-id": "yesterday" } })
    assertFailure(wrong, 400)
    assert.deepStrictEqual(faultyParameters(wrong), ["Last-Event-ID"])
    assert.deepStrictEqual(faultyParameters(yield* call("GET", "/swaps/events?lastEventId=-1")), [
      "lastEventId",
    ])
    assertFailure(yield* call("GET", "/swaps/events", { key: "nobody-has-this-key-0123456789" }), 401)
  })
})

withTwoAccounts()("GET /status-stream", (it) => {
  it.effect("begins with the swap as it is, and ends with it", function* () {
    const opened = yield* openSwap({ sourceAsset: "eth.arb" })
    const id = numberAt(opened, "id")
    const one = yield* listen(`/status-stream?swapId=${id}`)
    const current = firstOf(yield* one.events(1))
    assert.strictEqual(current.event, "swap.status")
    assert.strictEqual(textAt(current.data, "data", "status", "state"), "waiting")
    const another = yield* openSwap({ sourceAsset: "eth.arb" })
    yield* finish(another)
    yield* finish(opened)
    yield* one.ended
    const all = yield* one.events(Infinity)
    assert.strictEqual(all.at(-1)?.event, "swap.completed")
    for (const { data } of all) assert.strictEqual(numberAt(data, "data", "id"), id)

    const resumed = yield* listen(`/status-stream?swapId=${id}`, { headers: { "last-event-id": current.id } })
    yield* resumed.ended
    assert.deepStrictEqual(yield* resumed.events(Infinity), all.slice(1))

    const over = yield* call("GET", "/status-stream", {
      query: { swapId: id },
      headers: { "last-event-id": firstOf(all.toReversed()).id },
    })
    assert.strictEqual(over.status, 204, "a browser does not come again")
    const late = yield* listen(`/status-stream?swapId=${id}`)
    yield* late.ended
    assert.deepStrictEqual(names(yield* late.events(Infinity)), ["swap.status"])
  })

  it.effect("knows no swap of another account, and needs one", function* () {
    const opened = yield* openSwap()
    const query = { swapId: numberAt(opened, "id") }
    assertFailure(yield* call("GET", "/status-stream", { query, key: otherKey }), 404)
    assertFailure(yield* call("GET", "/status-stream", { query: { swapId: "0" } }), 404)
    assert.deepStrictEqual(faultyParameters(yield* call("GET", "/status-stream")), ["swapId"])
  })
})

withListeningBroker({ EVENT_STREAMS_MOST: "2", EVENT_HEARTBEAT: "50 millis" })("A stream of events", (it) => {
  it.effect("is one of so many of its key", function* () {
    yield* Effect.scoped(Effect.gen(function* () {
      yield* listen("/swaps/events")
      yield* listen("/swaps/events")
      assertFailure(yield* call("GET", "/swaps/events"), 429)
      assertFailure(yield* call("HEAD", "/swaps/events"), 429)
    }))
    const free = Effect.scoped(listen("/swaps/events"))
    yield* Effect.eventually(Effect.sandbox(free))
    for (let count = 0; count < 5; count++) yield* call("HEAD", "/swaps/events")
    yield* Effect.scoped(listen("/swaps/events"))
  })

  it.effect("is kept open by comments until its key is revoked", function* () {
    const { body } = yield* call("POST", "/operator/accounts/default/keys", { body: { scopes: ["status"] } })
    const stream = yield* listen("/swaps/events", { key: textAt(body, "key") })
    yield* stream.heard((text) => text.split(": \n\n").length > 2)
    yield* call("DELETE", `/operator/keys/${textAt(body, "id")}`)
    assert.match(yield* stream.ended, /^retry: 2000\n\n(?:: \n\n){2,}$/)
  })
})
