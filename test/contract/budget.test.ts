import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { otherKey } from "./support/accounts.ts"
import { addressFor } from "./support/addresses.ts"
import { call, get, withOwnTwoAccounts } from "./support/call.ts"
import { listAt, objectAt, textAt } from "./support/Json.ts"

const limit = {
  PROVIDERS: "chainflip,near-intents",
  CHAINFLIP_QUOTES_PER_MINUTE: "100",
  // A busy machine is late.
  QUOTE_GRACE: "1 minute",
}

let asked = 0
/** A quote that nobody has asked for yet. */
const quote = (key?: string, path = "/quotes") => {
  asked += 1
  const query = { sourceAsset: "btc.btc", destinationAsset: "eth.eth", amount: `0.1${asked}1` }
  return call("GET", path, { query, ...(key === undefined ? {} : { key }) })
}

withOwnTwoAccounts(limit)("an account that asks for more than an upstream allows", (it) => {
  it.effect("gets the other providers' offers, and is told why and until when; others get all of them", function* () {
    const answers = yield* Effect.forEach(Array.from({ length: 40 }), () => quote(), { concurrency: 20 })
    const said = answers.map(({ headers }) => headers.get("provider-status") ?? "")
    for (const { body, status } of answers) {
      assert.strictEqual(status, 200)
      assert.isAbove(listAt(body).length, 0)
    }
    const refused = said.filter((one) =>
      /^chainflip;code="provider_unavailable";reason="budget";retry-after=\d+, near-intents;ok$/.test(one)
    )
    assert.isAbove(refused.length, 0)
    assert.strictEqual(
      (yield* quote(otherKey)).headers.get("provider-status"),
      "chainflip;ok, near-intents;ok",
    )
  })

  it.effect("is no reason to think worse of the provider, and opens swaps there", function* () {
    yield* Effect.forEach(Array.from({ length: 30 }), () => quote())
    const chainflip = listAt(yield* get("/providers")).find((one) => textAt(one, "name") === "chainflip")
    assert.strictEqual(textAt(objectAt(chainflip ?? null, "operations", "quote"), "circuit"), "closed")
    const opened = yield* call("POST", "/swap", {
      body: {
        sourceAsset: "btc.btc",
        destinationAsset: "eth.eth",
        destinationAddress: addressFor("eth.eth"),
        refundAddress: addressFor("btc.btc"),
        platform: "chainflip",
      },
    })
    assert.strictEqual(opened.status, 200, opened.text)
  })

  it.effect("compares only what is left over by quotes that somebody waits for", function* () {
    const statusOf = ({ headers }: { readonly headers: Headers }) => headers.get("provider-status") ?? ""
    // The budget is refilled while a busy machine makes the quotes, so one comparison alone may find enough.
    let compared = ""
    for (let turn = 0; turn < 20 && !compared.includes('reason="budget"'); turn += 1) {
      yield* Effect.forEach(Array.from({ length: 30 }), () => quote(), { concurrency: 10 })
      compared = statusOf(yield* quote(otherKey, "/quotes/compare"))
    }
    assert.match(compared, /^chainflip;.*reason="budget"/)
    let quoted = ""
    for (let turn = 0; turn < 200 && !quoted.startsWith("chainflip;ok"); turn += 1) {
      quoted = statusOf(yield* quote(otherKey))
    }
    assert.match(quoted, /^chainflip;ok/)
  })
})
