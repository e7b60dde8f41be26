import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { Webhook } from "standardwebhooks"
import { eventually } from "#test/durability/eventually.ts"
import { receiver } from "#test/application/webhooks/support/receiver.ts"
import { call, get, withBroker } from "./support/call.ts"
import { at, find, integerAt, type Json, listAt, textAt } from "./support/Json.ts"
import { issue, newAccount, operate } from "./support/operator.ts"
import { assertFailure, faultyParameters } from "./support/problem.ts"
import { openSwap } from "./support/swaps.ts"

const advance = (advanceSeconds: number) => call("POST", "/sandbox/time", { body: { advanceSeconds } })

/** An account of its own with a key. */
const someone = Effect.gen(function* () {
  const account = yield* newAccount()
  return { account, ...(yield* issue(account)) }
})

const create = (key: string, url: string, more: Readonly<Record<string, unknown>> = {}) =>
  Effect.map(call("POST", "/webhooks", { key, body: { url, ...more } }), (answer) => {
    assert.strictEqual(answer.status, 201, answer.text)
    return { id: textAt(answer.body, "id"), secret: textAt(answer.body, "secret"), body: answer.body }
  })

const deliveriesOf = (key: string, id: string) => get(`/webhooks/${id}/deliveries`, {}, { key })

const isList = (json: Json): json is ReadonlyArray<Json> => Array.isArray(json)

const delivered = (key: string, id: string, count: number) =>
  eventually(
    deliveriesOf(key, id),
    (all) => isList(all) && all.filter((one) => textAt(one, "state") === "delivered").length >= count,
  )

withBroker()("webhooks", (it) => {
  it.effect("tell everything that becomes of a swap, in order and signed", function* () {
    const { key } = yield* someone
    const endpoint = yield* receiver()
    const { id, secret } = yield* create(key, endpoint.url)
    const swap = yield* openSwap({}, { key })
    const deposit = { address: textAt(swap, "address"), amount: "0.1" }
    yield* call("POST", "/sandbox/deposits", { key, body: deposit })
    const isDone = Effect.gen(function* () {
      yield* advance(60)
      yield* get("/status-by-id", { swapId: `${integerAt(swap, "id")}` }, { key })
      return endpoint.told()
    })
    const all = yield* eventually(
      isDone,
      (messages) => messages.some(({ type }) => type === "swap.completed"),
    )
    const types = all.map(({ type }) => type)
    assert.strictEqual(types[0], "swap.waiting")
    assert.strictEqual(types.at(-1), "swap.completed")
    const order = ["waiting", "receiving", "swapping", "sending", "sent", "completed"].map((one) =>
      `swap.${one}`
    )
    assert.deepStrictEqual(types, order.filter((type) => types.includes(type)))
    for (const message of all) {
      const body = new Webhook(secret).verify(message.body, message.headers)
      assert.nestedPropertyVal(body, "data.id", integerAt(swap, "id"))
      assert.nestedPropertyVal(body, "data.status.state", message.type.replace("swap.", ""))
    }
    assert.strictEqual(new Set(all.map(({ id }) => id)).size, all.length)
    const listed = yield* delivered(key, id, all.length)
    assert.deepStrictEqual(
      isList(listed) ? listed.map((one) => textAt(one, "messageId")).toReversed() : [],
      all.map((message) => message.id),
    )
    const story = yield* get(`/webhooks/${id}/deliveries/${integerAt(listed, 0, "id")}`, {}, { key })
    assert.strictEqual(integerAt(story, "attempts", 0, "status"), 200)
    assert.strictEqual(textAt(story, "attempts", 0, "excerpt"), "thanks")
    const { text } = yield* call("GET", "/metrics", { key: null })
    assert.match(text, /^swap_broker_webhook_attempts_total\{outcome="delivered"\} [1-9]/m)
    assert.match(text, /^swap_broker_webhook_lag_seconds_count [1-9]/m)
  })

  it.effect("are tried again after five seconds, with the same id", function* () {
    const { key } = yield* someone
    const endpoint = yield* receiver([500])
    const { id } = yield* create(key, endpoint.url)
    yield* openSwap({}, { key })
    yield* delivered(key, id, 1)
    const [first, second, ...others] = endpoint.told()
    assert.isEmpty(others)
    assert.isDefined(first)
    assert.strictEqual(first?.id, second?.id)
    assert.strictEqual(first?.body, second?.body)
    assert.isAtLeast((second?.at ?? 0) - (first?.at ?? 0), 4_900)
  })

  it.effect("are disabled by 410, and go on where they were once they are enabled", function* () {
    const { key } = yield* someone
    const endpoint = yield* receiver([410])
    const { id } = yield* create(key, endpoint.url)
    yield* openSwap({}, { key })
    const disabled = yield* eventually(
      get(`/webhooks/${id}`, {}, { key }),
      (webhook) => find(webhook, "enabled") === false,
    )
    assert.strictEqual(textAt(disabled, "disabledReason"), "gone")
    assertFailure(yield* call("POST", `/webhooks/${id}/test`, { key }), 409)
    assertFailure(yield* call("POST", `/webhooks/${id}/replay`, { key, body: { eventId: 1 } }), 409)
    yield* openSwap({}, { key })
    const enabled = yield* call("PATCH", `/webhooks/${id}`, { key, body: { enabled: true } })
    assert.strictEqual(find(enabled.body, "enabled"), true)
    assert.isUndefined(find(enabled.body, "disabledReason"))
    yield* delivered(key, id, 1)
    assert.deepStrictEqual(endpoint.told().map(({ type }) => type), ["swap.waiting", "swap.waiting"])
  })

  it.effect("sign with both secrets while one replaces the other, and show each once", function* () {
    const { key } = yield* someone
    const endpoint = yield* receiver()
    const { id, secret } = yield* create(key, endpoint.url)
    const rotated = yield* call("POST", `/webhooks/${id}/rotate`, { key })
    assert.strictEqual(rotated.status, 200, rotated.text)
    const next = textAt(rotated.body, "secret")
    const tell = Effect.gen(function* () {
      const before = endpoint.told().length
      assert.strictEqual((yield* call("POST", `/webhooks/${id}/test`, { key })).status, 202)
      const all = yield* eventually(Effect.sync(endpoint.told), (all) => all.length > before)
      const last = all.at(-1)
      assert(last !== undefined)
      return last
    })
    const both = yield* tell
    assert.strictEqual(both.type, "webhook.test")
    for (const one of [secret, next]) new Webhook(one).verify(both.body, both.headers)
    const last = textAt(
      (yield* call("POST", `/webhooks/${id}/rotate`, { key, body: { overlapSeconds: 0 } })).body,
      "secret",
    )
    const only = yield* tell
    new Webhook(last).verify(only.body, only.headers)
    for (const one of [secret, next]) assert.throws(() => new Webhook(one).verify(only.body, only.headers))
    const shown = JSON.stringify([
      yield* get("/webhooks", {}, { key }),
      yield* get(`/webhooks/${id}`, {}, { key }),
    ])
    assert.notInclude(shown, "whsec_")
    const audit = JSON.stringify(yield* operate("GET", "/audit"))
    assert.include(audit, "webhook.rotated")
    assert.notInclude(audit, "whsec_")
    assert.notInclude(audit, endpoint.url)
  })

  it.effect("are told again of one event or of a range", function* () {
    const { key } = yield* someone
    yield* openSwap({}, { key })
    const endpoint = yield* receiver()
    const { id } = yield* create(key, endpoint.url)
    const replay = (body: unknown) =>
      Effect.map(call("POST", `/webhooks/${id}/replay`, { key, body }), (answer) => {
        assert.strictEqual(answer.status, 202, answer.text)
        return integerAt(answer.body, "events")
      })
    // An event is told once no other transaction of the server can still come before it.
    yield* eventually(replay({ since: 0 }), (events) => events === 1)
    const [first] = yield* eventually(Effect.sync(endpoint.told), (all) => all.length === 1)
    const eventId = Number(first?.id.replace("evt_", ""))
    // A delivery is passed over while its attempt is under way: its end is written after the receiver's answer.
    yield* eventually(replay({ eventId }), (events) => events === 1)
    const all = yield* eventually(Effect.sync(endpoint.told), (all) => all.length === 2)
    assert.strictEqual(all[1]?.id, first?.id)
    assert.strictEqual(yield* replay({ fromEventId: eventId + 1 }), 0)
    assert.strictEqual(yield* replay({ until: 0 }), 0)
    for (
      const [body, faulty] of [[{}, "eventId"], [{ eventId, since: 0 }, "eventId"], [{ since: "x" }, "since"]]
    ) {
      const answer = yield* call("POST", `/webhooks/${id}/replay`, { key, body })
      assert.include(faultyParameters(answer), faulty)
    }
  })

  it.effect("are the account's own, and the operator's", function* () {
    const mine = yield* someone
    const other = yield* someone
    const endpoint = yield* receiver()
    const { id } = yield* create(mine.key, endpoint.url, { types: ["swap.failed"] })
    const { key } = other
    assert.deepStrictEqual(yield* get("/webhooks", {}, { key }), [])
    for (
      const [method, path] of [
        ["GET", ""],
        ["PATCH", ""],
        ["DELETE", ""],
        ["POST", "/rotate"],
        ["POST", "/test"],
        ["GET", "/deliveries"],
        ["GET", "/deliveries/1"],
      ] as const
    ) {
      assertFailure(yield* call(method, `/webhooks/${id}${path}`, { key }), 404)
      assertFailure(yield* call(method, `/operator/accounts/${other.account}/webhooks/${id}${path}`), 404)
      assertFailure(yield* call(method, `/operator/accounts/nobody/webhooks/${id}${path}`), 404)
    }
    assertFailure(yield* call("POST", `/webhooks/${id}/replay`, { key, body: { eventId: 1 } }), 404)
    const path = `/accounts/${mine.account}/webhooks`
    assert.strictEqual(textAt(yield* operate("GET", path), 0, "id"), id)
    assert.deepStrictEqual(at(yield* operate("GET", `${path}/${id}`), "types"), ["swap.failed"])
    const all = yield* operate("PATCH", `${path}/${id}`, { types: "*" })
    assert.isUndefined(find(all, "types"))
    assert.strictEqual(textAt(yield* operate("DELETE", `${path}/${id}`), "id"), id)
    assertFailure(yield* call("GET", `/webhooks/${id}`, { key: mine.key }), 404)
    assert.deepStrictEqual(listAt(yield* get("/webhooks", {}, { key: mine.key })), [])
  })

  it.effect("tell what is wrong with them, and are ten at most", function* () {
    const { key } = yield* someone
    const endpoint = yield* receiver()
    const wrong: ReadonlyArray<readonly [body: unknown, faulty: string]> = [
      [{}, "url"],
      [{ url: 7 }, "url"],
      [{ url: "ftp://example.com" }, "url"],
      [{ url: "http://8.8.8.8/" }, "url"],
      [{ url: "https://10.0.0.1/" }, "url"],
      [{ url: "https://169.254.169.254/latest/meta-data" }, "url"],
      [{ url: "https://user:secret@example.com/" }, "url"],
      [{ url: endpoint.url, types: [] }, "types"],
      [{ url: endpoint.url, types: ["swap.lost"] }, "types"],
      [{ url: endpoint.url, types: ["swap.failed", "swap.failed"] }, "types"],
    ]
    for (const [body, faulty] of wrong) {
      const answer = yield* call("POST", "/webhooks", { key, body })
      assert.deepStrictEqual(faultyParameters(answer), [faulty], JSON.stringify(body))
    }
    for (let count = 0; count < 10; count++) yield* create(key, endpoint.url)
    assertFailure(yield* call("POST", "/webhooks", { key, body: { url: endpoint.url } }), 409)
  })
})
