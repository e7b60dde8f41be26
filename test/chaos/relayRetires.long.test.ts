import { assert, describe, it } from "#test/support/it.ts"
import { Array, Effect } from "effect"
import { addressFor } from "#test/contract/support/addresses.ts"
import { call, get, withOwnBroker } from "#test/contract/support/call.ts"
import { integerAt, type Json, listAt, textAt } from "#test/contract/support/Json.ts"
import { deposit, fault, openSwap, pass, statusOf } from "#test/contract/support/swaps.ts"
import { cliWith } from "#test/cli/running.ts"
import { startSandbox } from "#test/sandbox/support.ts"
import { begins, service } from "#test/application/alerts/support/service.ts"
import { eventually } from "#test/durability/eventually.ts"
import { ask, list, members } from "#test/interfaces/http/asking.ts"

const amountNative = "2000000000000000000"

const pair = { sourceAsset: "eth.eth", destinationAsset: "usdc.arb" }

/** An opening with a commission: a question before, and the call that opens. */
const open = openSwap({
  ...pair,
  platform: "relay",
  amountNative,
  commissionBps: "12",
  minimumPrice: "0.01",
  refundAddress: addressFor("eth.eth"),
})

let asked = 0
/** A quote that nobody has asked for yet. */
const quote = Effect.suspend(() => {
  asked += 1
  return call("GET", "/quotes-native", {
    query: { ...pair, amount: `${BigInt(amountNative) + BigInt(asked)}` },
  })
})

/** How many requests are open at the simulated Relay. */
const requests = Effect.map(get("/sandbox"), (sandbox) => integerAt(sandbox, "relay", "openRequestCount"))

const retire = (retired: number) =>
  fault({ provider: "relay", ends: { endpoint: "POST /quote/v2", retired } })

withOwnBroker({ PROVIDERS: "relay", RATE_LIMIT: "1000000" })("Relay retires v2 of its quotes", (it) => {
  it.effect.each<readonly [status: number, many: number]>([
    [410, 200],
    [404, 24],
  ])(
    "by a %i in the middle of %i swaps: all are followed to their end, none is opened twice, no quote fails",
    function* ([status, many]) {
      const earlier = yield* requests
      const before = yield* Effect.forEach(Array.range(1, many / 2), () => open, { concurrency: 8 })
      yield* Effect.forEach(before.slice(0, many / 4), (swap) => deposit(swap, amountNative))
      yield* pass(13)
      // The others are being opened, and quotes asked for, when v2 ends.
      const after = yield* Effect.forEach(Array.range(1, many / 2), (number) =>
        Effect.gen(function* () {
          if (number === many / 8) yield* retire(status)
          const { body, text } = yield* quote
          assert.lengthOf(listAt(body), 1, text)
          return yield* open
        }), { concurrency: 8 })
      const all = [...before, ...after]
      assert.strictEqual(new Set(all.map((swap) => textAt(swap, "address"))).size, many)
      // No deposit is filled yet: there is a request for each swap, and none besides.
      assert.strictEqual((yield* requests) - earlier, many)
      yield* Effect.forEach(all.slice(many / 4), (swap) => deposit(swap, amountNative))
      yield* pass(3_600)
      // A look-up in a hurry shows the last status that is known, so each is asked until it is the last one.
      const stateOf = (swap: Json) => Effect.map(statusOf(swap), (status) => textAt(status, "state"))
      yield* Effect.forEach(all, (swap) => eventually(stateOf(swap), (state) => state === "completed"), {
        concurrency: 8,
      })
      yield* call("DELETE", "/sandbox/faults")
    },
  )
})

/** Settings of a Relay that stands apart from the sandbox's, of which no key is known. */
const keyless = (url: URL) => ({
  SANDBOX_URL: url.origin,
  RELAY_URL: `${url.origin}/relay/`,
  RELAY_QUOTE_VERSION: "v3",
  PROVIDERS: "relay",
  CIRCUIT_MINIMUM_CALLS: "2",
  CIRCUIT_WINDOW: "2",
  QUOTE_CACHE_TTL: "1 millis",
  QUOTE_REFUSAL_TTL: "1 millis",
})

describe("Relay over v3 without a key", () => {
  it.live("is named as what lacks, in quotes, the alert and what doctor finds", () =>
    Effect.gen(function* () {
      const { url } = yield* startSandbox()
      yield* Effect.gen(function* () {
        const path = "/quotes?sourceAsset=eth.eth&destinationAsset=usdc.arb&amount=2"
        const saw = Effect.map(ask("GET", path), ({ headers }) => headers.get("provider-status") ?? "")
        assert.strictEqual(yield* saw, 'relay;code="upstream_error";reason="key"')
        // Also while calls are paused.
        yield* eventually(
          saw,
          (status) => /^relay;code="provider_unavailable";reason="key";retry-after=/.test(status),
        )
        const { because, operations } = yield* begins("provider_down", "relay")
        assert.deepStrictEqual({ because, operations }, { because: "key", operations: ["quote"] })
        const { body } = yield* ask("GET", "/providers")
        const [relay] = list(body)
        assert.match(
          `${members(relay, "operations", "quote", "lastError").detail}`,
          /rejects the API key of this service, or requires one/,
        )
      }).pipe(Effect.provide(service(keyless(url))))
      const { code, output } = yield* cliWith({ DATA_DIR: "memory", ...keyless(url) }, "doctor")
      assert.strictEqual(code, 1)
      assert.match(output, /key of relay +FAILS +Relay has no API key/)
      assert.include(output, "set RELAY_KEY")
    }).pipe(Effect.scoped))
})
