import { assert, layer } from "#test/support/it.ts"
import { ask } from "#test/interfaces/http/asking.ts"
import { brokerInProcess } from "#test/support/broker.ts"
import { request, signIn } from "./support/signIn.ts"

const settings = { PROVIDERS: "chainflip", QUOTE_CACHE_TTL: "1 millis" }

const quotes = "/quotes?sourceAsset=btc.btc&destinationAsset=eth.eth&amount=0.1"

layer(brokerInProcess(settings), { excludeTestServices: true })(
  "The page of a provider",
  (it) => {
    it.effect("shows an answer that was refused: one count, and the whole body", function* () {
      yield* ask("PUT", "/sandbox/faults", {
        provider: "chainflip",
        operation: "quote",
        kind: "malformed",
        count: 1,
      })
      yield* ask("GET", quotes)
      const { text: told } = yield* ask("GET", "/metrics", undefined, null)
      const counted = told.split("\n").filter((line) => line.startsWith("swap_broker_answers_refused_total{"))
      assert.deepStrictEqual(counted, [
        `swap_broker_answers_refused_total{provider="chainflip",operation="quote",member="body"} 1`,
      ])
      const { text } = yield* request("/dashboard/providers/chainflip", {
        headers: { cookie: yield* signIn() },
      })
      const [, section = ""] = /<section[^>]*id="refusals"([\s\S]*?)<\/section>/.exec(text) ?? []
      assert.include(section, "GET /chainflip/backend/v2/quote")
      assert.include(section, '{"unexpected":"form"}')
    })
  },
)
