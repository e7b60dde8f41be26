import { assert } from "@effect/vitest"
import { Array, Effect } from "effect"
import { type Answer, call, get, type Options, withOwnBroker } from "./support/call.ts"
import { find, integerAt, textAt } from "./support/Json.ts"
import { issue, newAccount } from "./support/operator.ts"
import { assertFailure } from "./support/problem.ts"
import { errorOf, openMethod, openParams } from "./support/rpc.ts"
import { openSwap, pass, recordOf, swapParameters } from "./support/swaps.ts"

const most = 3

const upstream = Effect.map(get("/sandbox"), (view) => integerAt(view, "openChannelCount"))

/** An account of its own, and how it opens channels. */
const fresh = Effect.gen(function* () {
  const { key } = yield* issue(yield* newAccount())
  const swap = (options: Options = {}) => call("GET", "/swap", { query: swapParameters(), key, ...options })
  return { key, swap, open: openSwap({}, { key }) }
})

const assertRefused = (answer: Answer): void => {
  assertFailure(answer, 503, "too_many_channels")
  assert.match(textAt(answer.body, "detail"), /^This account has 3 deposit channels open/)
  assert.strictEqual(answer.headers.get("retry-after"), "60")
}

withOwnBroker({ OPEN_CHANNELS_MOST: `${most}` })("the cap of open channels (decision 33)", (it) => {
  it.effect("refuses one more by GET, by POST and by JSON-RPC, before the upstream hears of it", function* () {
    const { key, open, swap } = yield* fresh
    yield* Effect.replicateEffect(open, most)
    const before = yield* upstream
    assertRefused(yield* swap())
    assertRefused(yield* call("POST", "/swap", { body: swapParameters(), key }))
    const { error } = yield* errorOf(openMethod, openParams(), { key })
    assert.strictEqual(find(error, "data", "code"), "too_many_channels")
    assert.strictEqual(integerAt(error, "data", "status"), 503)
    assert.strictEqual(yield* upstream, before)
  })

  it.effect("is of each account, and leaves everything but openings alone", function* () {
    const { key, open } = yield* fresh
    const [first] = yield* Effect.replicateEffect(open, most)
    yield* (yield* fresh).open
    assert.strictEqual(find(yield* recordOf(first ?? null, { key }), "status", "state"), "waiting")
    yield* get("/quotes", { sourceAsset: "btc.btc", destinationAsset: "eth.eth", amount: "0.1" }, { key })
  })

  it.effect("cannot be passed by asking at the same time, in whatever way", function* () {
    const { key, swap } = yield* fresh
    const before = yield* upstream
    const ways = [
      () => swap(),
      () => call("POST", "/swap", { body: swapParameters(), key }),
      () => swap({ headers: { "idempotency-key": crypto.randomUUID() } }),
    ]
    const answers = yield* Effect.all(
      Array.makeBy(15, () => ways).flat().map((ask) => ask()),
      { concurrency: "unbounded" },
    )
    const refused = answers.filter(({ status }) => status !== 200)
    assert.strictEqual(answers.length - refused.length, most)
    for (const answer of refused) assertRefused(answer)
    assert.strictEqual(yield* upstream, before + most)
  })

  it.effect("does not stand in the way of an answer that is given again", function* () {
    const { open, swap } = yield* fresh
    const headers = { "idempotency-key": crypto.randomUUID() }
    const first = yield* swap({ headers })
    assert.strictEqual(first.status, 200, first.text)
    yield* Effect.replicateEffect(open, most - 1)
    const again = yield* swap({ headers })
    assert.deepStrictEqual([again.status, again.text], [200, first.text])
    assert.strictEqual(again.headers.get("idempotent-replayed"), "true")
    assertRefused(yield* swap())
  })

  it.effect("has room again when a channel has expired", function* () {
    const { key, open, swap } = yield* fresh
    const opened = yield* Effect.replicateEffect(open, most)
    assertRefused(yield* swap())
    yield* pass(3 * 86_400)
    for (const one of opened) {
      const record = yield* recordOf(one, { key })
      assert.isTrue(find(record, "status", "depositChannel", "isExpired"))
    }
    yield* Effect.replicateEffect(open, most)
    assertRefused(yield* swap())
  })
})
