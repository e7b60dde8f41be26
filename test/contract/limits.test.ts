import { assert } from "@effect/vitest"
import { Array, Effect } from "effect"
import { ask } from "#test/interfaces/http/asking.ts"
import { type Answer, call, type Options, withOwnBroker } from "./support/call.ts"
import { textAt } from "./support/Json.ts"
import { assertFailure } from "./support/problem.ts"
import { issue, newAccount } from "./support/operator.ts"
import { pathOf, payloadParameters } from "./support/payloads.ts"
import { post, rpcCall } from "./support/rpc.ts"
import { swapParameters } from "./support/swaps.ts"

const quotesQuery = { sourceAsset: "btc.btc", destinationAsset: "eth.eth", amount: "0.1" }

const quotes = (options: Options = {}) => call("GET", "/quotes", { query: quotesQuery, ...options })
const history = (options: Options = {}) => call("GET", "/swaps", options)
const wrongKey = (number: number, options: Options = {}) =>
  history({ ...options, key: `a-key-that-nobody-was-ever-given-${number}` })

const times = (count: number, request: (number: number) => ReturnType<typeof call>) =>
  Effect.forEach(Array.range(1, count), request)

/** What an answer says is left: of which limit, how many tokens, for how many seconds. */
const leftIn = ({ headers }: Answer) => {
  const [, policy, r, t] = /^"(\w+)";r=(\d+);t=(\d+)$/.exec(headers.get("ratelimit") ?? "") ?? []
  return { policy, r: Number(r), t: Number(t) }
}

const assertPolicy = ({ headers }: Answer, policy: string, quota: number): void =>
  assert.strictEqual(headers.get("ratelimit-policy"), `"${policy}";q=${quota};w=60`)

const assertLimited = (answer: Answer, policy: string, quota: number): void => {
  assertFailure(answer, 429)
  assertPolicy(answer, policy, quota)
  const wait = Number(answer.headers.get("retry-after"))
  assert.isTrue(Number.isInteger(wait) && wait >= 1 && wait <= 60, `${wait}`)
  assert.deepStrictEqual(leftIn(answer), { policy, r: 0, t: wait })
}

const refusals = Effect.map(call("GET", "/metrics", { key: null }), ({ text }) => {
  const series = text.matchAll(/^swap_broker_requests_refused_total\{reason="(\w+)"\} (\d+)$/gm)
  return Object.fromEntries([...series].map(([, reason, count]) => [reason, Number(count)]))
})

withOwnBroker({ RATE_LIMIT: "4", RATE_LIMIT_SWAP: "2" })("the limits of a key", (it) => {
  it.effect("say on every answer what is left, and refuse with a 429 what is more", function* () {
    const before = yield* refusals
    const answers = [
      yield* history(),
      yield* call("GET", "/quotes"),
      yield* call("GET", "/status-by-id", { query: { swapId: "99" } }),
      yield* call("POST", "/sandbox/time", { body: { advanceSeconds: 0 } }),
    ]
    assert.deepStrictEqual(answers.map(({ status }) => status), [200, 400, 404, 200])
    for (const [index, answer] of answers.entries()) {
      // A token comes back in fifteen seconds; where none is left, the time is until then.
      const { policy, r, t } = leftIn(answer)
      assert.deepStrictEqual([policy, r], ["default", 3 - index])
      assert.isAtMost(t, r === 0 ? 15 : 15 * (index + 1))
      assert.isAtLeast(t, 1)
    }
    for (const answer of answers) {
      assertPolicy(answer, "default", 4)
      assert.isNull(answer.headers.get("retry-after"))
    }
    for (const answer of yield* times(3, () => quotes())) {
      assertLimited(answer, "default", 4)
      assert.match(
        textAt(answer.body, "detail"),
        /^Too many requests with this API key: more than 4 in 60 seconds/,
      )
      assert.match(answer.headers.get("access-control-expose-headers") ?? "", /RateLimit, RateLimit-Policy/)
    }
    assert.strictEqual((yield* refusals).default, (before.default ?? 0) + 3)
  })

  it.effect("are apart, and tighter, for what opens swaps, and cannot be passed by another spelling", function* () {
    const opened = yield* call("GET", "/swap", { query: swapParameters() })
    assert.strictEqual(opened.status, 200, opened.text)
    assert.deepInclude(leftIn(opened), { policy: "swap", r: 1 })
    assert.strictEqual((yield* call("POST", "/swap", { body: {} })).status, 400)
    const further = [
      yield* call("GET", "/swap", { query: swapParameters() }),
      yield* call("POST", "/swap", { body: swapParameters() }),
    ]
    for (const answer of further) assertLimited(answer, "swap", 2)
    const disguised = yield* ask("GET", `/sw%61p?${new URLSearchParams(swapParameters())}`)
    assert.strictEqual(disguised.status, 404, disguised.text)
  })

  it.effect("are of no concern to what needs no key, or has none that is valid", function* () {
    const paths = [
      "/assets",
      "/networks",
      "/logos/btc.svg",
      "/livez",
      "/readyz",
      "/health/providers",
      "/openapi.json",
    ]
    for (const path of paths) {
      const answer = yield* call("GET", path)
      assert.strictEqual(answer.status, 200, path)
      assert.isNull(answer.headers.get("ratelimit"))
    }
    for (const answer of yield* times(6, () => history({ key: null }))) {
      assertFailure(answer, 401)
      assert.isNull(answer.headers.get("ratelimit"))
    }
  })
})

/** How many of the answers were let in, but for tokens that came back while they were asked for. */
const admitted = (answers: ReadonlyArray<Answer>, secondsPerToken: number, startedAt: number): number => {
  const cameBack = Math.floor((Date.now() - startedAt) / 1_000 / secondsPerToken)
  const count = answers.filter(({ status }) => status === 200).length
  return Math.max(0, count - cameBack)
}

withOwnBroker({ RATE_LIMIT: "40", RATE_LIMIT_SWAP: "1" })("the limits of an account", (it) => {
  it.effect("are the same for ten keys as for one", function* () {
    const account = yield* newAccount()
    const keys = yield* Effect.forEach(Array.range(1, 10), () => issue(account))
    const startedAt = Date.now()
    const answers = yield* Effect.forEach(
      Array.range(1, 8).flatMap(() => keys),
      ({ key }) => history({ key }),
    )
    assert.isAtMost(admitted(answers, 1.5, startedAt), 40)
    assert.isAtLeast(answers.filter(({ status }) => status === 200).length, 40)
    const refused = answers.find(({ status }) => status === 429)
    assert(refused !== undefined)
    assertLimited(refused, "account", 40)
    assert.match(
      textAt(refused.body, "detail"),
      /^Too many requests of this account/,
    )
  })

  it.effect("leave another account alone", function* () {
    const [flooding, calm] = yield* Effect.all([newAccount(), newAccount()])
    const keys = yield* Effect.forEach(Array.range(1, 3), () => issue(flooding))
    const { key } = yield* issue(calm)
    yield* Effect.forEach(Array.range(1, 21).flatMap(() => keys), ({ key }) => history({ key }))
    assert.strictEqual((yield* history({ key })).status, 200)
  })

  it.effect("count payloads as swaps", function* () {
    const { key } = yield* issue(yield* newAccount())
    const payload = call("POST", pathOf("evm"), { body: payloadParameters("evm"), key })
    const first = yield* payload
    assert.strictEqual(first.status, 200, first.text)
    assertPolicy(first, "swap", 1)
    assertLimited(yield* payload, "swap", 1)
  })

  it.effect("count each opening by JSON-RPC as a swap, alone and in a batch", function* () {
    const opening = (id: number) => rpcCall("broker_requestSwapDepositAddress", {}, id)
    const { key } = yield* issue(yield* newAccount())
    assert.strictEqual((yield* post(opening(1), { key })).status, 200)
    assertLimited(yield* post(opening(2), { key }), "swap", 1)
    const { key: other } = yield* issue(yield* newAccount())
    assert.strictEqual((yield* post([opening(1), opening(2)], { key: other })).status, 429)
  })

  it.effect("count each call of a batch, and refuse it whole where there are too few tokens", function* () {
    const { key } = yield* issue(yield* newAccount())
    const startedAt = Date.now()
    const batch = Array.makeBy(15, (id) => rpcCall("cf_environment", undefined, id))
    for (const { status } of [yield* post(batch, { key }), yield* post(batch, { key })]) {
      assert.strictEqual(status, 200)
    }
    const answers = [yield* post(batch, { key }), ...(yield* times(20, () => history({ key })))]
    assert.strictEqual(answers[0]?.status, 429, answers[0]?.text)
    assert.isAtMost(admitted(answers, 1.5, startedAt), 9)
  })
})

withOwnBroker({ RATE_LIMIT: "10", QUOTE_CACHE_TTL: "1 minute" })("an answer that is given again", (it) => {
  it.effect("counts against the limit too, and says how that stands", function* () {
    const answers = yield* times(13, () => quotes())
    assert.deepStrictEqual(
      answers.map(({ status }) => status),
      [...Array.replicate(200, 10), ...Array.replicate(429, 3)],
    )
    assert.deepStrictEqual(
      answers.slice(0, 10).map((answer) => leftIn(answer).r),
      Array.range(0, 9).reverse(),
    )
    for (const answer of answers.slice(10)) assertLimited(answer, "default", 10)
  })
})

const trusting = { RATE_LIMIT_CREDENTIALS: "3", TRUSTED_PROXIES: "127.0.0.0/8" }

withOwnBroker(trusting)("wrong keys", (it) => {
  const from = (address: string): Options => ({ headers: { "x-forwarded-for": address } })

  it.effect("are limited by address, where a good key works all the same", function* () {
    const before = yield* refusals
    for (const answer of yield* times(3, wrongKey)) assertFailure(answer, 401)
    for (const answer of yield* times(3, (number) => wrongKey(number + 3))) {
      assertLimited(answer, "credentials", 3)
      assert.notInclude(answer.text, "nobody-was-ever-given")
    }
    assert.strictEqual((yield* refusals).credentials, (before.credentials ?? 0) + 3)
    for (const answer of yield* times(3, () => history())) assert.strictEqual(answer.status, 200)
  })

  it.effect("are those of whoever a trusted proxy names, a whole /64 together", function* () {
    yield* times(3, (number) => wrongKey(number, from(`2001:db8:1:2::${number}`)))
    assertLimited(yield* wrongKey(4, from("203.0.113.9, 2001:db8:1:2::ffff")), "credentials", 3)
    assertFailure(yield* wrongKey(5, from("2001:db8:1:3::1")), 401)
    assertFailure(yield* wrongKey(6, from("203.0.113.9")), 401)
  })
})

withOwnBroker({ RATE_LIMIT_CREDENTIALS: "2" })("wrong keys, where no proxy is trusted,", (it) => {
  it.effect("are those of who connects, whoever is said to", function* () {
    const answers = yield* times(
      3,
      (number) => wrongKey(number, { headers: { "x-forwarded-for": `203.0.113.${number}` } }),
    )
    assert.deepStrictEqual(answers.map(({ status }) => status), [401, 401, 429])
  })
})

withOwnBroker({ RATE_LIMIT: "0", RATE_LIMIT_SWAP: "0", RATE_LIMIT_CREDENTIALS: "0" })("limits of 0", (it) => {
  it.effect("are none, and nothing is said of them", function* () {
    for (const answer of yield* times(20, () => quotes())) {
      assert.strictEqual(answer.status, 200)
      assert.isNull(answer.headers.get("ratelimit"))
      assert.isNull(answer.headers.get("ratelimit-policy"))
    }
    for (const answer of yield* times(20, wrongKey)) assertFailure(answer, 401)
  })
})
