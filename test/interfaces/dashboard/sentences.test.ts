import { assert, layer } from "#test/support/it.ts"
import { pages } from "#interfaces/dashboard/registry.ts"
import { brokerInProcess } from "#test/support/broker.ts"
import { wrongSentences } from "./support/sentences.ts"
import { seed, seededDatabases } from "./support/seed.ts"
import { enterAs, request, signIn } from "./support/signIn.ts"
import { visits } from "./support/visits.ts"

/** Where each page is looked at: its visits, else its own address where that names nothing. */
const looked = pages.flatMap(({ path }) => {
  const own = path.replace(":name", seed.account)
  return visits[path]?.(seed) ?? (own.includes(":") ? [] : [own])
})

layer(brokerInProcess({}, seededDatabases), { excludeTestServices: true })("a sentence of a page", (it) => {
  it("finds the faults that it looks for", () => {
    const html = "<main><p>1 swaps at relay, 5 %</p><td>GET /swap</td><p>1 swap at Relay, 5\u00a0%</p></main>"
    assert.deepStrictEqual(wrongSentences(html).map((one) => one.split(":")[0]), [
      "a provider's ID",
      "one of many",
      "a percent sign without a space that holds",
      "a call of the API",
    ])
  })

  it.effect("names no provider by its ID, no call of the API, and counts one as one", function* () {
    const viewers = [yield* signIn(), yield* enterAs(seed.account)]
    const found = new Map<string, string>()
    for (const cookie of viewers) {
      for (const visit of looked) {
        const { status, text } = yield* request(visit, { headers: { cookie } })
        assert.include([200, 404], status, visit)
        for (const fault of wrongSentences(text)) found.set(fault, visit)
      }
    }
    assert.deepStrictEqual([...found].map((one) => one.join(" at ")), [])
  })
})
