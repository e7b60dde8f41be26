import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { type Answer, call, get, withOwnBroker } from "./support/call.ts"
import { integerAt, listAt, textAt } from "./support/Json.ts"
import { openingFailures } from "./support/openingFailures.ts"
import { assertFailure } from "./support/problem.ts"
import { during, openSwap, recordOf, statusOf, swapParameters, throughout } from "./support/swaps.ts"

const pair = { sourceAsset: "btc.btc", destinationAsset: "eth.eth" }
const quoteEndpoints = {
  "/quotes": "0.1",
  "/quotes-native": "10000000",
  "/quote": "0.1",
  "/quote-native": "10000000",
}

const quote = (path = "/quotes", amount = "0.1") => call("GET", path, { query: { ...pair, amount } })
const openings: Readonly<Record<string, typeof openByGet>> = {
  GET: () => openByGet(),
  POST: () => call("POST", "/swap", { body: swapParameters() }),
}
const openByGet = () => call("GET", "/swap", { query: swapParameters() })

const assertRetryAfter = ({ headers, status }: Answer): void => {
  if (status === 503) assert.match(headers.get("retry-after") ?? "", /^[1-9][0-9]*$/)
}

/** The catalogue (decision 33) on the quote endpoints, where every row applies. */
const onQuotes: Readonly<Record<string, number>> = {
  amount_below_minimum: 400,
  egress_below_minimum: 400,
  egress_fee_not_covered: 400,
  insufficient_liquidity: 400,
  quoting_maintenance: 503,
  swapping_maintenance: 503,
  deposit_channel_failed: 503,
  too_many_channels: 503,
  asset_disabled: 503,
  upstream_error: 500,
  provider_unavailable: 503,
  request_cancelled: 500,
}

/** Many times as long as any other call takes, however slow the machine is. */
const timeouts = { QUOTE_TIMEOUT: "2 seconds", OPEN_TIMEOUT: "2 seconds", STATUS_TIMEOUT: "2 seconds" }

type Tests = Parameters<Parameters<ReturnType<typeof withOwnBroker>>[1]>[0]

const hasNoCode = (it: Tests, kind: string): void => {
  it.effect(`on quotes: ${kind} is temporary and has no code (decision 16)`, () =>
    throughout({ operation: "quote", kind }, function* () {
      const answer = yield* quote()
      assertFailure(answer, 503)
      assertRetryAfter(answer)
    }))

  it.effect(`on swaps: after ${kind} the outcome is unknown, and there is no code (decision 16)`, () =>
    throughout({ operation: "open", kind }, function* () {
      for (const open of Object.values(openings)) {
        const answer = yield* open()
        assertFailure(answer, 500)
        assert.match(textAt(answer.body, "detail"), /outcome is unknown/i)
      }
    }))
}

const showsTheStored = (it: Tests, rule: Readonly<Record<string, string>>): void => {
  it.effect(`on status: the stored record is answered in spite of ${Object.values(rule).join()}`, function* () {
    const opened = yield* openSwap()
    const record = yield* during({ operation: "status", ...rule }, recordOf(opened))
    assert.strictEqual(textAt(record, "status", "state"), "waiting")
    assert.strictEqual(textAt(yield* statusOf(opened), "state"), "waiting")
  })
}

// A refusal of too many quotes would rest them for minutes.
withOwnBroker({ CIRCUIT_RETRY_AFTER_MOST: "1 millis" })("the failures of upstreams (decision 33)", (it) => {
  for (const [code, status] of Object.entries(onQuotes)) {
    it.effect(`on quotes: ${code} is a ${status}`, () =>
      throughout({ operation: "quote", code }, function* () {
        for (const [path, amount] of Object.entries(quoteEndpoints)) {
          const answer = yield* quote(path, amount)
          assertFailure(answer, status, code)
          assertRetryAfter(answer)
        }
      }))
  }

  for (const [fault, status, code] of openingFailures) {
    it.effect(`on swaps: ${fault} is a ${status} with its code`, () =>
      throughout({ operation: "open", code: fault }, function* () {
        for (const open of Object.values(openings)) {
          const answer = yield* open()
          assertFailure(answer, status, code)
          assertRetryAfter(answer)
        }
      }))
  }

  it.effect("on swaps: what an upstream refuses opens nothing, and the next one is fine", function* () {
    const count = Effect.map(get("/sandbox"), (view) => integerAt(view, "openChannelCount"))
    const before = yield* count
    for (const [code] of openingFailures) yield* during({ operation: "open", code }, openByGet())
    assert.strictEqual(yield* count, before)
    yield* openSwap()
    assert.strictEqual(yield* count, before + 1)
  })

  for (const kind of ["reset", "malformed"]) hasNoCode(it, kind)

  it.effect("on quotes: an upstream that denies us the route is an upstream_error, and not a denied route", () =>
    throughout({ operation: "quote", code: "route_disabled" }, function* () {
      assertFailure(yield* quote(), 500, "upstream_error")
    }))

  it.effect("on quotes: an upstream that answers 500 is an upstream_error (chainflip/wire.md 3.5)", () =>
    throughout({ operation: "quote", kind: "http_500" }, function* () {
      assertFailure(yield* quote(), 500, "upstream_error")
    }))

  it.effect("on swaps: an upstream that answers 500 may have opened a channel", () =>
    throughout({ operation: "open", kind: "http_500" }, function* () {
      const answer = yield* openByGet()
      assertFailure(answer, 500)
      assert.match(textAt(answer.body, "detail"), /outcome is unknown/i)
    }))

  it.effect("on quotes: a fault that is used up is over", () =>
    throughout({ operation: "quote", kind: "malformed", count: 1 }, function* () {
      assertFailure(yield* quote(), 503)
      assert.isNotEmpty(listAt((yield* quote()).body))
    }))

  for (
    const rule of [{ kind: "reset" }, { kind: "http_500" }, { kind: "malformed" }, {
      code: "upstream_error",
    }, { code: "provider_unavailable" }]
  ) showsTheStored(it, rule)

  it.effect("say nothing that only the operator may know", function* () {
    for (const kind of ["reset", "malformed", "http_500"]) {
      const { text } = yield* during({ operation: "quote", kind }, quote())
      assert.notMatch(text, /127\.0\.0\.1|localhost|node_modules|\.ts:|Error:/)
    }
  })
})

withOwnBroker(timeouts)("an upstream that does not answer (decision 33)", (it) => {
  hasNoCode(it, "timeout")
  showsTheStored(it, { kind: "timeout" })

  it.effect("on quotes: an upstream that is slow is waited for, but not too long", function* () {
    const fine = yield* during({ operation: "quote", kind: "latency", latencyMs: 50 }, quote())
    assert.strictEqual(fine.status, 200, fine.text)
    const late = yield* during({ operation: "quote", kind: "latency", latencyMs: 20_000 }, quote())
    assertFailure(late, 503)
    assertRetryAfter(late)
  })

  it.effect("says nothing that only the operator may know", function* () {
    const { text } = yield* during({ operation: "quote", kind: "timeout" }, quote())
    assert.notMatch(text, /127\.0\.0\.1|localhost|node_modules|\.ts:|Error:/)
  })
})
