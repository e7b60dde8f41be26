import { assert, describe, it } from "#test/support/it.ts"
import { Option } from "effect"
import { healthOf } from "#domain/ProviderError.ts"
import { EpochMillis } from "#domain/Time.ts"
import { refusalText, statusReason, unopened } from "#providers/upstream/failures.ts"
import type { Answer } from "#providers/upstream/transport.ts"

const answer = (status: number, body: unknown): Answer => ({
  status,
  answeredAt: EpochMillis.make(0),
  retryAfterSeconds: Option.none(),
  body: typeof body === "string" ? body : JSON.stringify(body),
})

/** Every form in which an upstream or its framework says why it refuses, with what is read of it. */
const readable: ReadonlyArray<readonly [body: unknown, text: string]> = [
  [{ message: "no" }, "no"],
  [{ message: ["a must be b", "c"] }, "a must be b"],
  [{ error: "no" }, "no"],
  [{ error: { message: "no", code: 7 } }, "no"],
  [{ error: { code: -32602 } }, "-32602"],
  [{ success: false, error: { issues: [{ path: ["a"], message: "no" }], name: "ZodError" } }, "no"],
  [{ issues: [{ path: ["a"] }], name: "ZodError" }, "ZodError"],
  [{ errors: [{ detail: "no" }] }, "no"],
  [{ type: "about:blank", title: "Order rejected", status: 400, code: "order-rejected", detail: "no" }, "no"],
  [{ type: "about:blank", title: "Order rejected", status: 400 }, "Order rejected"],
  [{ code: "order-rejected" }, "order-rejected"],
  [{ errorCode: "NEVER_HEARD_OF" }, "NEVER_HEARD_OF"],
  [{ code: 3, message: "", details: [] }, "3"],
  [{ statusCode: 400, error: "Bad Request" }, "Bad Request"],
  ['"no"', "no"],
  ["pair paused", "pair paused"],
]
const unreadable: ReadonlyArray<unknown> = [
  "",
  "   ",
  "<html><body>Bad Request</body></html>",
  "{",
  {},
  [],
  "null",
  "400",
  { status: 400 },
  { message: "" },
  { message: null },
  "x".repeat(400),
]

const call = { endpoint: "upstream", opening: false }
const healthIn = (status: number, body: unknown, general = false) =>
  healthOf(statusReason(answer(status, body), { ...call, general }))

describe("An upstream's word about one request (decision 61)", () => {
  it.each(readable)("%j says why", (body, text) => {
    assert.deepStrictEqual(refusalText(answer(400, body)), Option.some(text))
    for (const status of [400, 409, 422]) assert.strictEqual(healthIn(status, body), "healthy", `${status}`)
  })

  it.each(unreadable)("%j says nothing that can be read", (body) => {
    for (const status of [400, 404, 409, 422]) {
      assert.strictEqual(healthIn(status, body), "failure", `${status}`)
    }
  })

  it("is no line of a router that does not know the path", () => {
    assert.strictEqual(healthIn(404, "404 page not found"), "failure")
    assert.strictEqual(healthIn(404, { message: "no such pair" }), "healthy")
  })

  it.each([401, 402, 403, 405, 408, 410, 413, 429, 500, 502, 503, 504, 521])(
    "%i is the upstream's own failure, whatever it says",
    (status) => assert.strictEqual(healthIn(status, { message: "no" }), "failure"),
  )

  it("is none where everybody asks the same", () => {
    assert.strictEqual(healthIn(400, { message: "no" }, true), "failure")
    assert.strictEqual(healthIn(404, { message: "no" }, true), "failure")
  })

  it.each([[400, "healthy"], [401, "failure"], [410, "failure"]] as const)(
    "to an opening, %i opens nothing and counts as %s",
    (status, health) => {
      const refused = answer(status, { message: "no" })
      const reason = unopened(statusReason(refused, { ...call, opening: true }), refused)
      assert.deepStrictEqual([reason._tag, healthOf(reason)], ["DepositChannelFailed", health])
    },
  )

  it("is found in a body of any depth and length at once", () => {
    const deep = `${'{"error":'.repeat(5_000)}1${"}".repeat(5_000)}`
    assert.deepStrictEqual(refusalText(answer(400, deep)), Option.none())
  })
})
