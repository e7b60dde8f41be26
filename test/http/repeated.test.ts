import { assert, layer } from "@effect/vitest"
import { Array, Effect } from "effect"
import { broker } from "../support/broker.ts"
import { ask } from "./asking.ts"

const quotesPath = "/quotes?sourceAsset=btc.btc&destinationAsset=eth.eth&amount=0.2"

const idOf = ({ headers }: { readonly headers: Headers }): string => headers.get("x-request-id") ?? ""

layer(broker(), { excludeTestServices: true, timeout: "60 seconds" })("The same quotes asked again", (it) => {
  it.effect("are the same to the letter, each answer with an id of its own, and counted", () =>
    Effect.gen(function* () {
      const answers = yield* Effect.forEach(Array.range(1, 20), () => ask("GET", quotesPath))
      const [first, ...others] = answers
      for (const { status, text, headers } of others) {
        assert.strictEqual(status, 200)
        assert.strictEqual(text, first?.text)
        assert.strictEqual(headers.get("content-type"), "application/json")
        assert.strictEqual(headers.get("x-broker-mode"), "sandbox")
        assert.strictEqual(headers.get("x-content-type-options"), "nosniff")
      }
      assert.strictEqual(new Set(answers.map(idOf)).size, 20)
      const { text } = yield* ask("GET", "/metrics", undefined, null)
      const [, repeated] = /quotes_shared_total\{[^}]*how="repeated"[^}]*\} (\d+)/.exec(text) ?? []
      assert.isAtLeast(Number(repeated), 1)
      const [, requests] = /request_duration_seconds_count\{[^}]*route="\/quotes"[^}]*\} (\d+)/.exec(text) ??
        []
      assert.strictEqual(Number(requests), 20)
    }))

  it.effect("are not repeated past a change, nor to whom the key does not belong", () =>
    Effect.gen(function* () {
      yield* Effect.replicateEffect(ask("GET", quotesPath), 3)
      const off = { enabled: false, reason: "a test of it" }
      for (const provider of ["chainflip", "near-intents"]) {
        assert.strictEqual((yield* ask("POST", `/providers/${provider}/switch`, off)).status, 200)
      }
      assert.strictEqual((yield* ask("GET", quotesPath)).status, 503)
      for (const provider of ["chainflip", "near-intents"]) {
        yield* ask("POST", `/providers/${provider}/switch`, { enabled: true, reason: "a test of it" })
      }
      yield* Effect.replicateEffect(ask("GET", quotesPath), 3)
      assert.strictEqual((yield* ask("GET", quotesPath, undefined, null)).status, 401)
    }))
})
