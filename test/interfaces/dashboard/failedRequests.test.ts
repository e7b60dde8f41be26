import { reasonFacts } from "#domain/reasonFacts.ts"
import { assert, layer } from "#test/support/it.ts"
import { Effect } from "effect"
import { brokerInProcess } from "#test/support/broker.ts"
import { failing, failingDatabases } from "./support/failures.ts"
import { enterAs, request, signIn } from "./support/signIn.ts"

const get = Effect.fnUntraced(function* (path: string, cookie: string) {
  const { status, text } = yield* request(path, { headers: { cookie } })
  assert.strictEqual(status, 200, path)
  return text
})

/** What a page says, without its tags. */
const saidIn = (text: string): string => text.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ")

const causes = [
  reasonFacts.NotCalled.operators,
  "Opening with an unknown outcome",
  "Too many requests",
  reasonFacts.RequestRefused.operators,
  reasonFacts.AmountBelowMinimum.operators,
  "Webhook unknown",
] as const

/** The causes in the table of a page, in their order. */
const causesIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/<td class="a"><b>([^<]*)<\/b>/g)].map(([, title = ""]) => title)

layer(brokerInProcess({}, failingDatabases), { excludeTestServices: true })("failed requests", (it) => {
  it.effect("are told by cause over all accounts, ours first, then the most frequent", function* () {
    const cookie = yield* signIn()
    const text = yield* get("/dashboard/failed", cookie)
    assert.deepStrictEqual(causesIn(text), causes)
    const said = saidIn(text)
    for (
      const part of [
        "Server errors (5xx) 67 Rate limits (429) 5,238 Request errors (4xx) 49",
        `${reasonFacts.NotCalled.operators} provider_unavailable GET /quotes acme-wallet 23, kite-bot 22, harbor-pay 21`,
        "GET /quotes , GET /quotes-native , getSwapStatus and 1 more",
        "destinationAddress: must be an address of Ethereum",
        reasonFacts.NotCalled.toDo.slice(0, -1),
      ]
    ) assert.include(said, part)
    assert.include(text, `href="/dashboard/accounts/${failing.bot}"`)
    assert.include(text, `aria-label="In 24 of 24 hours"`)
  })

  it.effect("are of the kind, the account and the period that the address names", function* () {
    const cookie = yield* signIn()
    const [down, unknown, limit, , small, hook] = causes
    assert.deepStrictEqual(causesIn(yield* get("/dashboard/failed?status=5xx", cookie)), [down, unknown])
    assert.deepStrictEqual(causesIn(yield* get("/dashboard/failed?status=429", cookie)), [limit])
    const one = `/dashboard/failed?account=${failing.pay}`
    assert.deepStrictEqual(causesIn(yield* get(one, cookie)), [down, unknown, hook])
    assert.deepStrictEqual(causesIn(yield* get(`/dashboard/accounts/${failing.quiet}`, cookie)), [])
    assert.deepStrictEqual(causesIn(yield* get(`/dashboard/accounts/${failing.pay}`, cookie)), [
      down,
      unknown,
      hook,
    ])
    const month = saidIn(yield* get(`/dashboard/failed?account=${failing.wallet}&period=30d`, cookie))
    assert.match(month, new RegExp(`${small}.* 90 `))
    const quoting = saidIn(yield* get("/dashboard/failed?endpoint=getQuotes", cookie))
    assert.include(quoting, "GET /quotes acme-wallet 23")
    assert.notInclude(quoting, "GET /swap kite-bot")
    const { status } = yield* request("/dashboard/failed?account=no%20name", { headers: { cookie } })
    assert.strictEqual(status, 400)
  })

  it.effect("are an integrator's own, without whose they are and what we can do", function* () {
    const text = yield* get("/dashboard/errors", yield* enterAs(failing.pay))
    const [down, unknown, , , , hook] = causes
    assert.deepStrictEqual(causesIn(text), [down, unknown, hook])
    assert.notInclude(text, failing.wallet)
    assert.notInclude(text, "What to do")
  })

  it.effect("are a table for spreadsheets, with the filters of the page", function* () {
    const cookie = yield* signIn()
    const lines = (yield* get("/dashboard/failed?format=csv&status=5xx", cookie)).trim().split("\r\n")
    assert.lengthOf(lines, 3)
    assert.match(lines[0] ?? "", /^status,code,kind,cause,endpoints,parameters,count,firstHour,lastAt,/)
    assert.match(
      lines.find((line) => line.startsWith("503")) ?? "",
      new RegExp(
        `^503,provider_unavailable,NotCalled,${reasonFacts.NotCalled.operators},GET /quotes,,66,.*acme-wallet 23; kite-bot 22;`,
      ),
    )
    const own = yield* get("/dashboard/errors?format=csv", yield* enterAs(failing.pay))
    assert.lengthOf(own.trim().split("\r\n"), 4)
    assert.notInclude(own, failing.wallet)
  })
})
