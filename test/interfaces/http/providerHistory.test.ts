import { assert, layer } from "#test/support/it.ts"
import { Effect } from "effect"
import { eventually } from "#test/durability/eventually.ts"
import { brokerInProcess } from "#test/support/broker.ts"
import { ask, list, members } from "./asking.ts"

const path = "/operator/providers/chainflip/history"
const quotes = "/quotes?sourceAsset=btc.btc&destinationAsset=eth.eth&amount="

layer(brokerInProcess({ PROVIDERS: "chainflip", QUOTE_CACHE_TTL: "1 millis", QUOTE_RETRIES: "0" }), {
  excludeTestServices: true,
})("GET /operator/providers/{name}/history", (it) => {
  it.effect("has every call that the guard counted, with its cause where it failed", function* () {
    yield* ask("GET", `${quotes}0.1`)
    yield* ask("PUT", "/sandbox/faults", {
      provider: "chainflip",
      operation: "quote",
      kind: "malformed",
      count: 1,
    })
    yield* ask("GET", `${quotes}0.2`)
    const parts = yield* eventually(
      Effect.map(ask("GET", `${path}?partMinutes=5`), ({ body }) => list(body)),
      (all) => all.some(({ failures }) => members(failures).malformed === 1),
    )
    const quoting = parts.filter(({ operation }) => operation === "quote")
    assert.isAbove(quoting.reduce((sum, { succeeded }) => sum + Number(succeeded), 0), 0)
    assert.isTrue(quoting.some(({ p90Millis }) => Number(p90Millis) > 0))
  })

  it.effect("refuses periods that make no sense, and providers that are not there", function* () {
    const errorsOf = (query: string) =>
      Effect.map(ask("GET", `${path}?${query}`), ({ body, status }) => {
        assert.strictEqual(status, 400)
        return members(body, "errors")
      })
    assert.deepStrictEqual(yield* errorsOf("from=5&to=5"), { from: ["from must be before to"] })
    assert.deepStrictEqual(yield* errorsOf("partMinutes=7"), {
      partMinutes: ["partMinutes must be a multiple of 5"],
    })
    assert.deepStrictEqual(yield* errorsOf("partMinutes=4"), {
      partMinutes: ["partMinutes must be a whole number of minutes from 5 to 1440"],
    })
    assert.deepStrictEqual(yield* errorsOf("from=0&partMinutes=5"), {
      partMinutes: ["partMinutes must be longer for so long a period, which may have 2016 parts"],
    })
    assert.strictEqual((yield* ask("GET", "/operator/providers/nobody/history")).status, 404)
    assert.strictEqual((yield* ask("GET", path, undefined, null)).status, 401)
  })
})
