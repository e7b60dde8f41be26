import { assert, layer } from "#test/support/it.ts"
import { Effect } from "effect"
import { brokerInProcess } from "#test/support/broker.ts"
import { ask } from "./asking.ts"

const quotesPath = "/quotes?sourceAsset=btc.btc&destinationAsset=eth.eth&amount=0.2"

const idOf = ({ headers }: { readonly headers: Headers }): string => headers.get("x-request-id") ?? ""

/** The sum of a figure over all other labels: which of them come first depends on what ran before. */
const figure = (pattern: RegExp) =>
  Effect.map(
    ask("GET", "/metrics", undefined, null),
    ({ text }) => [...text.matchAll(pattern)].reduce((sum, [, count]) => sum + Number(count), 0),
  )

const repeatedCount = figure(/quotes_shared_total\{[^}]*how="repeated"[^}]*\} (\d+)/g)
const requestCount = figure(/request_duration_seconds_count\{[^}]*route="\/quotes"[^}]*\} (\d+)/g)

/** Quotes of the same moment for as long as the test takes, of providers that it switches off by name. */
const settings = { PROVIDERS: "chainflip,near-intents", QUOTE_CACHE_TTL: "1 minute" }

layer(brokerInProcess(settings), { excludeTestServices: true })(
  "The same quotes asked again",
  (it) => {
    it.effect("are the same to the letter, each answer with an id of its own, and counted", function* () {
      // As many as it takes for one to come within 100 ms of another on a busy machine, in pairs: there is
      // much to be counted where many brokers were in this process before.
      // The figures are of this process, other tests' brokers included.
      const repeated = yield* repeatedCount
      const requests = yield* requestCount
      const answers = [yield* ask("GET", quotesPath)]
      while ((yield* repeatedCount) === repeated) {
        answers.push(...yield* Effect.replicateEffect(ask("GET", quotesPath), 2))
      }
      const [first, ...others] = answers
      for (const { status, text, headers } of others) {
        assert.strictEqual(status, 200)
        assert.strictEqual(text, first?.text)
        assert.strictEqual(headers.get("content-type"), "application/json")
        assert.strictEqual(headers.get("x-broker-mode"), "sandbox")
        assert.strictEqual(headers.get("x-content-type-options"), "nosniff")
      }
      assert.strictEqual(new Set(answers.map(idOf)).size, answers.length)
      assert.strictEqual((yield* requestCount) - requests, answers.length)
    })

    it.effect("are not repeated past a change, nor to whom the key does not belong", function* () {
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
    })
  },
)
