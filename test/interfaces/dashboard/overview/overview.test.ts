import { assert, layer } from "#test/support/it.ts"
import { Effect } from "effect"
import { brokerInProcess } from "#test/support/broker.ts"
import { seededDatabases } from "../support/seed.ts"
import { request, signIn } from "../support/signIn.ts"

const textOf = Effect.fnUntraced(function* (path: string, cookie: string) {
  const { status, text } = yield* request(path, { headers: { cookie } })
  assert.strictEqual(status, 200, path)
  return text.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ")
})

layer(brokerInProcess({}, seededDatabases), { excludeTestServices: true })("the overview", (it) => {
  it.effect("says what needs a decision, how business is, and who brings it", function* () {
    const cookie = yield* signIn()
    const said = yield* textOf("/dashboard", cookie)
    for (const part of ["Needs a decision", "Last 7 days", "Volume", "Commission by day", "Failure rate"]) {
      assert.include(said, part)
    }
    assert.match(said, /Money held 1 swap stalled at|Money held \d+ swaps stalled at/)
    assert.match(said, /Now \d+ in progress, \d+ waiting for a deposit\./)
    assert.match(said, /By account Account Swaps/i)
  })

  it.effect("is of the period that the address names, and of the last 7 days otherwise", function* () {
    const cookie = yield* signIn()
    const titles = {
      "24h": "Last 24 hours",
      "last-week": "Last week",
      "30d": "Last 30 days",
      "last-month": "Last month",
      "<script>": "Last 7 days",
    }
    for (const [period, title] of Object.entries(titles)) {
      assert.include(yield* textOf(`/dashboard?period=${encodeURIComponent(period)}`, cookie), title)
    }
  })
})
