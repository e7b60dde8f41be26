import { assert, describe, it } from "@effect/vitest"
import { Context } from "effect"
import type { LimitState } from "#application/limits/RateLimits.ts"
import { makeResponseCache } from "#interfaces/http/server/Server.ts"
import type { Repeatable } from "#interfaces/requests/RequestMeta.ts"

const url = "http://broker.test/quotes?amount=1"

const asked = (headers: Readonly<Record<string, string>> = {}, init: RequestInit = {}) =>
  new Request(url, { headers: { "x-api-key": "key", ...headers }, ...init })

const repeatable: Repeatable = { route: "/quotes", body: "[]", until: 1_000, providers: ["first"] }

const answer = () =>
  new Response("[]", { headers: { "x-request-id": "of the first", "x-broker-mode": "sandbox" } })

/** A cache on a clock that is set by hand. */
const repeating = () => {
  const clock = { now: 0 }
  const cache = makeResponseCache(Context.empty(), () => clock.now)
  const keep = (request = asked(), kept = repeatable) => cache.keeper(request)(kept, answer())
  return { ...cache, clock, keep }
}

describe("an answer that is repeated", () => {
  it("is the same to the letter, but for the id of the request", async () => {
    const { keep, find } = repeating()
    keep()
    const [one, other] = [find(asked()), find(asked())]
    assert.strictEqual(await one?.text(), "[]")
    assert.strictEqual(one?.status, 200)
    assert.strictEqual(one?.headers.get("x-broker-mode"), "sandbox")
    assert.match(one?.headers.get("x-request-id") ?? "", /^[0-9a-f]{32}$/)
    assert.notStrictEqual(one?.headers.get("x-request-id"), other?.headers.get("x-request-id"))
  })

  it("is repeated for 100 ms", () => {
    const { keep, find, clock } = repeating()
    keep()
    clock.now = 99
    assert.isDefined(find(asked()))
    clock.now = 100
    assert.isUndefined(find(asked()))
  })

  it("is repeated no longer than what it says is fresh", () => {
    const { keep, find, clock } = repeating()
    keep(asked(), { ...repeatable, until: 40 })
    clock.now = 39
    assert.isDefined(find(asked()))
    clock.now = 40
    assert.isUndefined(find(asked()))
  })

  it.each<readonly [string, Request]>([
    ["another URL", new Request(`${url}0`, { headers: { "x-api-key": "key" } })],
    ["another key", asked({ "x-api-key": "other" })],
    ["no key", new Request(url)],
    ["a second key", asked({ authorization: "Bearer other" })],
    ["a web page's origin", asked({ origin: "https://page.test" })],
    ["a trace to go on with", asked({ traceparent: `00-${"1".repeat(32)}-${"2".repeat(16)}-01` })],
    ["another method", asked({}, { method: "HEAD" })],
    ["a body", asked({ "content-length": "1" }, { method: "POST", body: "x" })],
  ])("is not the answer to %s", (_, request) => {
    const { keep, find } = repeating()
    keep()
    assert.isUndefined(find(request))
  })

  it("counts against the limit of its caller, says how that stands, and is not given when it is reached", () => {
    const { keeper, find } = repeating()
    let left = 3
    const meter = (): LimitState => ({
      limit: "default",
      quota: { tokens: 3, windowMillis: 60_000 },
      isAdmitted: left-- > 0,
      left: Math.max(0, left),
      seconds: 20,
    })
    const first = new Response("[]", {
      headers: { ratelimit: '"default";r=9;t=1', "ratelimit-policy": '"default";q=3;w=60' },
    })
    keeper(asked())(repeatable, first, meter)
    for (const standing of ["r=2", "r=1", "r=0"]) {
      const headers = find(asked())?.headers
      assert.strictEqual(headers?.get("ratelimit"), `"default";${standing};t=20`)
      assert.strictEqual(headers?.get("ratelimit-policy"), '"default";q=3;w=60')
    }
    assert.isUndefined(find(asked()))
  })

  it("is forgotten with every change, also one that came while it was made", () => {
    const { keep, find, keeper, forget } = repeating()
    keep()
    forget()
    assert.isUndefined(find(asked()))
    const late = keeper(asked())
    forget()
    late(repeatable, answer())
    assert.isUndefined(find(asked()))
  })

  it("does not pile up", () => {
    const { keep, find } = repeating()
    for (let index = 0; index <= 512; index++) keep(asked({ "x-api-key": `key ${index}` }))
    assert.isDefined(find(asked({ "x-api-key": "key 512" })))
    assert.isUndefined(find(asked({ "x-api-key": "key 0" })))
  })
})
