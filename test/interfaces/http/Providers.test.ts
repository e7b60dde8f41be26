import { assert, describe, it, layer } from "#test/support/it.ts"
import { Effect, Schedule } from "effect"
import { brokerInProcess, serverUrl } from "#test/support/broker.ts"
import { preparedFolderInMemory } from "#test/support/prepared/database.ts"
import { preparedDatabase } from "#test/support/prepared/template.ts"
import { ask, list, members } from "./asking.ts"

const live = { excludeTestServices: true } as const

/** Answers are reused for longer than any test: what is switched off is not served from them. */
const settings = {
  QUOTE_CACHE_TTL: "1 minute",
  QUOTE_REFUSAL_TTL: "1 minute",
  PROVIDERS: "chainflip,near-intents",
}

const quotesPath = "/quotes?sourceAsset=btc.btc&destinationAsset=eth.eth&amount=0.1"
const swapPath = "/swap?sourceAsset=btc.btc&destinationAsset=eth.eth&amount=0.1" +
  "&destinationAddress=0x2222222222222222222222222222222222222222"

const names = ["chainflip", "near-intents"]

const change = (name: string, body: unknown) => ask("POST", `/providers/${name}/switch`, body)

/** Switches something off for as long as an effect runs. */
const whileOff = <One extends Effect.Effect<unknown, unknown, Effect.Services<ReturnType<typeof ask>>>>(
  all: ReadonlyArray<readonly [name: string, what: Readonly<Record<string, string>>]>,
  steps: () => Generator<One, void, never>,
) => {
  const turn = (enabled: boolean) =>
    Effect.forEach(
      all,
      ([name, what]) =>
        Effect.map(change(name, { ...what, enabled, reason: "for the test" }), ({ status, text }) => {
          assert.strictEqual(status, 200, text)
        }),
    )
  return Effect.acquireUseRelease(turn(false), () => Effect.gen(steps), () => turn(true))
}

const platforms = Effect.map(ask("GET", quotesPath), ({ body, status, text }) => {
  assert.strictEqual(status, 200, text)
  return [...new Set(list(body).map(({ platform }) => platform))].sort()
})

const viewOf = (name: string) =>
  Effect.map(ask("GET", "/providers"), ({ body }) => members(list(body).find((one) => one.name === name)))

const health = Effect.map(ask("GET", "/health/providers", undefined, null), ({ body, status }) => {
  assert.strictEqual(status, 200)
  return body
})

const bothAre = (chainflip: string, nearIntents: string) => [
  { name: "chainflip", status: chainflip },
  { name: "near-intents", status: nearIntents },
]

layer(brokerInProcess({ ...settings, PROVIDERS: "chainflip,near-intents,elsewhere" }), live)(
  "the operator's endpoints",
  (it) => {
    it.effect("show every provider that is named, with its operations, registered or not", function* () {
      yield* platforms
      const { body, status } = yield* ask("GET", "/providers")
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(list(body).map(({ name }) => name), [...names, "elsewhere"])
      const view = yield* viewOf("chainflip")
      assert.deepInclude(view, { registered: true, enabled: true, switches: [] })
      assert.strictEqual(members(view, "capabilities").affiliates, true)
      const quote = members(view, "operations", "quote")
      assert.strictEqual(quote.circuit, "closed")
      assert.isAtLeast(Number(members(quote, "calls").succeeded), 1)
      assert.isAtLeast(Number(members(quote, "window").succeeded), 1)
      assert.isTrue(Number.isInteger(quote.averageMillis))
      assert.notProperty(quote, "nextProbeAt")
      assert.deepStrictEqual<unknown>(yield* viewOf("elsewhere"), {
        name: "elsewhere",
        registered: false,
        enabled: false,
        stalledSwaps: 0,
        endings: [],
        disabledReason: "not part of this build, or not configured",
        switches: [],
        contact: { name: "elsewhere" },
      })
    })

    it.effect("switch a provider off and on: quotes are of the others only", function* () {
      assert.deepStrictEqual(yield* platforms, names)
      yield* whileOff([["chainflip", {}]], function* () {
        assert.deepStrictEqual(yield* platforms, ["near-intents"])
        const view = yield* viewOf("chainflip")
        assert.deepInclude(view, { enabled: false, disabledReason: "for the test" })
        const [thrown] = list(view.switches)
        assert.deepInclude(thrown, { reason: "for the test", changedBy: "default" })
        assert.match(`${thrown?.changedAt}`, /^\d{13}$/)
        assert.deepStrictEqual(yield* health, bothAre("down", "up"))
      })
      assert.deepStrictEqual(yield* platforms, names)
      assert.deepStrictEqual(yield* health, bothAre("up", "up"))
    })

    it.effect("answer provider_unavailable, or on openings no code, with Retry-After while all are off", () =>
      whileOff(names.map((name) => [name, {}] as const), function* () {
        const { body, headers, status } = yield* ask("GET", quotesPath)
        assert.strictEqual(status, 503)
        assert.strictEqual(headers.get("retry-after"), "60")
        assert.strictEqual(members(body).code, "provider_unavailable")
        assert.include(`${members(body).detail}`, "switched off by the operator: for the test")
        for (const method of ["GET", "POST"] as const) {
          const opening = yield* ask(method, swapPath)
          assert.strictEqual(opening.status, 503)
          assert.strictEqual(opening.headers.get("retry-after"), "60")
          // That code is for quotes alone (decision 33), and an opening has no other for it.
          assert.notProperty(opening.body, "code")
          assert.include(`${members(opening.body).detail}`, "switched off by the operator: for the test")
        }
      }))

    it.effect("switch one operation: openings go elsewhere while quotes go on", () =>
      whileOff([["chainflip", { operation: "open" }]], function* () {
        assert.deepStrictEqual(yield* platforms, names)
        const opened = yield* ask("GET", swapPath)
        assert.strictEqual(opened.status, 200, opened.text)
        const record = yield* ask("GET", `/status-by-id?swapId=${members(opened.body).id}`)
        assert.strictEqual(members(record.body).platform, "near-intents")
        assert.deepStrictEqual(yield* health, bothAre("degraded", "up"))
        assert.deepInclude(yield* viewOf("chainflip"), { enabled: true })
      }))

    it.effect("switch one asset: quotes with it are of the others, all other quotes go on", function* () {
      yield* whileOff([["chainflip", { asset: "eth.eth" }]], function* () {
        assert.deepStrictEqual(yield* platforms, ["near-intents"])
        const other = yield* ask("GET", quotesPath.replace("eth.eth", "usdc.eth"))
        assert.include(list(other.body).map(({ platform }) => platform), "chainflip")
      })
      yield* whileOff(names.map((name) => [name, { asset: "eth.eth" }] as const), function* () {
        for (const path of [quotesPath, swapPath]) {
          const { body, status } = yield* ask("GET", path)
          assert.strictEqual(status, 503, path)
          assert.strictEqual(members(body).code, "asset_disabled", path)
        }
      })
    })

    it.effect("go on following open swaps of a provider that is switched off", function* () {
      const opened = yield* ask("GET", swapPath)
      const { address, id } = members(opened.body)
      yield* whileOff([["chainflip", {}]], function* () {
        yield* ask("POST", "/sandbox/deposits", { address, amountNative: "10000000" })
        yield* ask("POST", "/sandbox/time", { advanceSeconds: 20_000 })
        const record = yield* ask("GET", `/status-by-id?swapId=${id}`)
        assert.strictEqual(members(record.body).platform, "chainflip")
        assert.strictEqual(members(record.body, "status").state, "completed")
      })
    })

    it.effect("tell all issues of a body at once", function* () {
      const faulty = yield* change("chainflip", { operation: "assets", asset: "gold", enabled: "off" })
      assert.strictEqual(faulty.status, 400)
      assert.deepStrictEqual(Object.keys(members(faulty.body, "errors")).sort(), [
        "asset",
        "enabled",
        "operation",
        "reason",
      ])
      for (
        const [body, status, parameter] of [
          [undefined, 400, "enabled"],
          ["[]", 400, "body"],
          ["{", 400, "body"],
          [{ enabled: false, reason: "" }, 400, "reason"],
          [{ enabled: false, reason: "x".repeat(501) }, 400, "reason"],
          [{ enabled: 0, reason: "why" }, 400, "enabled"],
          [{ operation: "status", asset: "btc.btc", enabled: false, reason: "why" }, 400, "asset"],
        ] as const
      ) {
        const answer = yield* change("chainflip", body)
        assert.strictEqual(answer.status, status, JSON.stringify(body))
        assert.property(members(answer.body, "errors"), parameter)
      }
      assert.deepInclude(yield* viewOf("chainflip"), { enabled: true, switches: [] })
    })

    it.effect("know no other provider, no other method, and nobody without a key", function* () {
      const body = { enabled: false, reason: "why" }
      assert.strictEqual((yield* change("unheard-of", body)).status, 404)
      const got = yield* ask("GET", "/providers/chainflip/switch")
      assert.strictEqual(got.status, 405)
      assert.strictEqual(got.headers.get("allow"), "POST")
      assert.strictEqual((yield* ask("GET", "/providers", undefined, null)).status, 401)
      assert.strictEqual((yield* ask("POST", "/providers/chainflip/switch", body, null)).status, 401)
    })
  },
)

layer(
  brokerInProcess({
    ...settings,
    PROVIDERS: "chainflip,near-intents",
    QUOTE_RETRIES: "0",
    STATUS_DEADLINE: "300 millis",
  }),
  live,
)(
  "the operator's view of a failing provider",
  (it) => {
    it.effect("shows the open circuit, its next probe and the last error; anybody sees that it is down", function* () {
      yield* ask("PUT", "/sandbox/faults", { provider: "chainflip", operation: "quote", kind: "http_500" })
      const started = Date.now()
      for (let call = 1; call <= 12; call++) {
        assert.strictEqual((yield* ask("GET", quotesPath.replace("0.1", `0.1${call}`))).status, 200)
      }
      const view = yield* viewOf("chainflip")
      assert.strictEqual(view.enabled, true)
      const quote = members(view, "operations", "quote")
      assert.strictEqual(quote.circuit, "open")
      assert.isAbove(Number(quote.nextProbeAt), started)
      assert.isAtLeast(Number(members(quote, "window").failed), 10)
      assert.isAtLeast(Number(members(quote, "calls").rejected), 1)
      const lastError = members(quote, "lastError")
      assert.isAtLeast(Number(lastError.at), started)
      assert.isNotEmpty(lastError.reason)
      assert.isNotEmpty(lastError.detail)
      assert.strictEqual(members(view, "operations", "open").circuit, "closed")
      assert.deepStrictEqual(yield* health, bothAre("down", "up"))
    })

    it.effect("counts a status that never comes as a failure of the provider, and shows the stored one", function* () {
      const opened = yield* ask("GET", `${swapPath}&platform=chainflip`)
      assert.strictEqual(opened.status, 200, opened.text)
      yield* ask("PUT", "/sandbox/faults", { provider: "chainflip", operation: "status", kind: "timeout" })
      const record = yield* ask("GET", `/status-by-id?swapId=${members(opened.body).id}`)
      assert.strictEqual(members(record.body, "status").state, "waiting")
      // The reader does not wait for the very end of the call.
      const calls = yield* Effect.repeat(
        Effect.map(viewOf("chainflip"), (view) => members(view, "operations", "status", "calls")),
        {
          until: ({ failed, cancelled }) => Number(failed) + Number(cancelled) > 0,
          schedule: Schedule.spaced("20 millis"),
        },
      )
      assert.deepInclude(calls, { failed: 1, cancelled: 0 })
    })
  },
)

const place = serverUrl === undefined
  ? Effect.map(preparedFolderInMemory, (folder) => ({ DATA_DIR: folder }))
  : Effect.map(preparedDatabase(serverUrl), (url) => ({ DATABASE_URL: url }))

describe("the operator's switches", () => {
  it.live("survive a restart of the broker", function* () {
    const kept = { ...settings, PROVIDERS: "chainflip,near-intents", ...(yield* place) }
    yield* change("chainflip", { enabled: false, reason: "until tomorrow" }).pipe(
      Effect.provide(brokerInProcess(kept)),
    )
    yield* Effect.gen(function* () {
      assert.deepInclude(yield* viewOf("chainflip"), { enabled: false, disabledReason: "until tomorrow" })
      assert.deepStrictEqual(yield* platforms, ["near-intents"])
    }).pipe(Effect.provide(brokerInProcess(kept)))
  })
})
