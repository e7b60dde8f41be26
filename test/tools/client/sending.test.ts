import { assert, describe, it } from "@effect/vitest"
import { type CallOptions, Connection } from "#tools/client/typescript/connection.ts"
import { NoAnswer, ProblemError } from "#tools/client/typescript/errors.ts"
import { follow, type StreamOptions } from "#tools/client/typescript/events.ts"
import type { Operation, Sending } from "#tools/client/typescript/request.ts"
import { waitSeconds } from "#tools/client/typescript/time.ts"

/** What a service would do with the next request: an answer, or a connection that is cut. */
type Turn = (() => Response) | "cut" | "hang"

const problem = (status: number, headers: Record<string, string> = {}, more: object = {}) => () =>
  Response.json({ type: "about:blank", title: "T", status, detail: "D", traceId: "t", ...more }, {
    status,
    headers,
  })

const fine = () => Response.json({ id: 7 })

/** A client of a service that does these things in turn, and the requests that it got. */
const against = (...turns: ReadonlyArray<Turn>) => {
  const requests: Array<{ readonly url: string; readonly headers: Headers; readonly body: string }> = []
  const connection = new Connection({
    url: "http://service.test/prefix/?apiKey=stray",
    apiKey: "key",
    backoffSeconds: 0,
    fetch: async (url, init) => {
      const turn = turns[requests.length] ?? fine
      requests.push({ url, headers: new Headers(init.headers), body: await new Response(init.body).text() })
      if (turn === "cut") throw new TypeError("connection reset")
      if (turn === "hang") {
        return await new Promise((_, reject) =>
          init.signal?.addEventListener("abort", () => reject(new Error("aborted")))
        )
      }
      return turn()
    },
  })
  return { connection, requests }
}

const operation = (sending: Sending): Operation<object> => ({
  name: "do",
  method: sending === "freely" ? "GET" : "POST",
  path: "/things/{id}",
  sending,
  reads: { json: undefined },
  ...(sending === "freely" ? {} : { hasBody: true }),
})

/** What a call comes to after these turns: how often it was sent, and its error, if any. */
const called = async (sending: Sending, turns: ReadonlyArray<Turn>, options: CallOptions = {}) => {
  const { connection, requests } = against(...turns)
  const error: unknown = await connection.call(operation(sending), {
    id: "a/b",
    amount: "0.10",
    none: undefined,
  }, options)
    .then(() => undefined, (error: unknown) => error)
  return { sent: requests.length, requests, error }
}

describe("a request", () => {
  it("has its values in path, query and body, and the key in a header", async () => {
    const [read] = (await called("freely", [])).requests
    assert.strictEqual(read?.url, "http://service.test/prefix/things/a%2Fb?amount=0.10")
    assert.strictEqual(read?.headers.get("x-api-key"), "key")
    assert.isNull(read?.headers.get("idempotency-key"))
    const [opening] = (await called("keyed", [], { idempotencyKey: "order-1" })).requests
    assert.strictEqual(opening?.url, "http://service.test/prefix/things/a%2Fb")
    assert.strictEqual(opening?.body, '{"amount":"0.10"}')
    assert.strictEqual(opening?.headers.get("idempotency-key"), "order-1")
  })

  it("is sent again under the one key that was made up for it", async () => {
    const { error, requests } = await called("keyed", [
      "cut",
      problem(503),
      problem(409, { "retry-after": "0" }),
      fine,
    ])
    assert.isUndefined(error)
    const keys = requests.map(({ headers }) => headers.get("idempotency-key"))
    assert.match(keys[0] ?? "", /^[0-9a-f]{32}$/)
    assert.deepStrictEqual(keys, Array.from({ length: 4 }, () => keys[0] ?? ""))
    const [other] = (await called("keyed", [])).requests
    assert.notStrictEqual(other?.headers.get("idempotency-key"), keys[0])
  })

  it.each<readonly [string, Sending, Turn, number]>([
    ["that reads and was cut off", "freely", "cut", 2],
    ["that reads, with a 429", "freely", problem(429), 2],
    [
      "that reads, with a 503 that has a code",
      "freely",
      problem(503, {}, { code: "provider_unavailable" }),
      2,
    ],
    ["that reads, with the page of a proxy", "freely", () => new Response("<html>", { status: 502 }), 2],
    ["that reads, with a 500", "freely", problem(500), 1],
    ["that reads, with a 400", "freely", problem(400), 1],
    ["that opens and was cut off", "keyed", "cut", 2],
    ["that opens, with a 429", "keyed", problem(429), 2],
    ["that opens, while its key is in progress", "keyed", problem(409, { "retry-after": "0" }), 2],
    ["that opens, with the 409 of a quote that is over", "keyed", problem(409), 1],
    ["that opens, with an unknown outcome", "keyed", problem(500), 1],
    [
      "that opens, with a 503 that its key stands for",
      "keyed",
      problem(503, { "idempotent-replayed": "true" }),
      1,
    ],
    ["that opens, with a 422", "keyed", problem(422), 1],
    ["that changes without a key and was cut off", "once", "cut", 1],
    ["that changes without a key, with a 429", "once", problem(429), 1],
    ["that changes without a key, with a 503", "once", problem(503), 1],
  ])("%s", async (_, sending, turn, times) => {
    const { error, sent } = await called(sending, [turn])
    assert.strictEqual(sent, times)
    assert.strictEqual(error === undefined, times === 2)
  })

  it("says in its failure whether it may have been carried out, and under which key", async () => {
    const cases = [
      ["keyed", "cut", true],
      ["once", "cut", true],
      ["freely", "cut", false],
      ["keyed", problem(500), true],
      ["keyed", problem(503), false],
      ["keyed", () => new Response("<html>", { status: 504 }), true],
      ["keyed", () => new Response("cut sh", { status: 200 }), true],
    ] as const
    for (const [sending, turn, isOutcomeUnknown] of cases) {
      const { error } = await called(sending, [turn, turn, turn, turn], { idempotencyKey: "order-1" })
      if (!(error instanceof ProblemError || error instanceof NoAnswer)) assert.fail(`${error}`)
      assert.strictEqual(error.request.isOutcomeUnknown, isOutcomeUnknown, `${sending} ${error.message}`)
      assert.strictEqual(error.request.idempotencyKey, sending === "keyed" ? "order-1" : undefined)
    }
  })

  it("is sent four times at most, or as often as the caller says", async () => {
    const turns = Array.from({ length: 9 }, (): Turn => "cut")
    assert.strictEqual((await called("freely", turns)).sent, 4)
    assert.strictEqual((await called("freely", turns, { attempts: 7 })).sent, 7)
    assert.strictEqual((await called("freely", turns, { attempts: 1 })).sent, 1)
  })

  it("is not waited for beyond the deadline", async () => {
    const { error, sent } = await called("freely", [problem(503, { "retry-after": "61" })])
    assert.strictEqual(sent, 1)
    assert.strictEqual(error instanceof ProblemError ? error.retryAfterSeconds : undefined, 61)
    const slow = await called("freely", ["hang", "hang"], { deadlineSeconds: 0.02 })
    assert.strictEqual(slow.error instanceof NoAnswer ? slow.error.reason : slow.error, "too_slow")
  })

  it("ends at once with the caller's reason when the caller aborts, on the way and while it waits", async () => {
    for (const turn of ["hang", problem(503, { "retry-after": "50" })] as const) {
      const controller = new AbortController()
      const calling = called("freely", [turn], { signal: controller.signal })
      setTimeout(() => controller.abort("enough"), 5)
      assert.deepInclude(await calling, { sent: 1, error: "enough" })
    }
    assert.deepInclude(await called("keyed", [], { signal: AbortSignal.abort("before") }), {
      error: "before",
    })
  })

  it("waits what the service asks, and at random longer, the more often it failed", () => {
    for (let count = 0; count < 1_000; count++) {
      assert.isAtMost(waitSeconds(1, 0.5), 0.5)
      assert.isAtMost(waitSeconds(3, 0.5), 2)
      assert.isAtMost(waitSeconds(50, 0.5), 10)
      const asked = waitSeconds(1, 0.5, 7)
      assert.isTrue(asked >= 7 && asked <= 7.5)
    }
  })

  it("keeps a code that is newer than the client out of the codes", async () => {
    const { error } = await called("freely", [problem(400, {}, { code: "never_heard_of" })])
    if (!(error instanceof ProblemError)) assert.fail(`${error}`)
    assert.isUndefined(error.problem.code)
    assert.strictEqual(error.problem.unknownCode, "never_heard_of")
  })
})

const stream = (...pieces: ReadonlyArray<string>) => () =>
  new Response(ReadableStream.from(pieces.map((piece) => new TextEncoder().encode(piece))), {
    headers: { "content-type": "text/event-stream" },
  })

const over = () => new Response(null, { status: 204 })

const followed: Operation<{ readonly id: string; readonly event: string; readonly data: unknown }> = {
  name: "follow",
  method: "GET",
  path: "/events",
  sending: "freely",
  reads: { events: {} },
}

/** The events of a stream over these connections, with the `Last-Event-ID` of each. */
const listened = async (turns: ReadonlyArray<Turn>, options: StreamOptions = {}) => {
  const { connection, requests } = against(...turns)
  const events: Array<string> = []
  let error: unknown
  try {
    for await (const { data, event, id } of follow({ connection, operation: followed, input: {}, options })) {
      events.push(`${id} ${event} ${JSON.stringify(data)}`)
    }
  } catch (cause) {
    error = cause
  }
  return { events, error, lastEventIds: requests.map(({ headers }) => headers.get("last-event-id")) }
}

describe("a stream", () => {
  it("goes on after the last event over lost connections, failures and restarts, to its end", async () => {
    const { error, events, lastEventIds } = await listened([
      stream(
        "retry: 0\n\nid: 1\nevent: a\nda",
        'ta: {"n":1}\n\n: \n\nid: 2\nevent: b\ndata: {}\n\nid: 3\nevent: lost\ndata: {',
      ),
      "cut",
      problem(503, { "retry-after": "0" }),
      stream("retry: 0\n\nid: 3\r\nevent: c\r\ndata: [1.50,\r\ndata: 2]\r\n\r\n"),
      over,
    ])
    assert.isUndefined(error)
    assert.deepStrictEqual(events, ['1 a {"n":1}', "2 b {}", '3 c ["1.50",2]'])
    assert.deepStrictEqual(lastEventIds, [null, "2", "2", "2", "3"])
  })

  it("begins after the event that the caller knows", async () => {
    assert.deepStrictEqual((await listened([over], { lastEventId: "41" })).lastEventIds, ["41"])
  })

  it("fails where the service refuses it, or cannot be reached from the beginning", async () => {
    const refused = await listened([problem(404)])
    assert.strictEqual(
      refused.error instanceof ProblemError ? refused.error.problem.status : refused.error,
      404,
    )
    const away = await listened(["cut", "cut", "cut", "cut"])
    assert.strictEqual(away.error instanceof NoAnswer ? away.error.reason : away.error, "unreachable")
    assert.strictEqual(away.lastEventIds.length, 4)
  })

  it("is begun anew where its connection is silent for too long", async () => {
    const turns: ReadonlyArray<Turn> = ["hang", stream("retry: 0\n\nid: 1\nevent: a\ndata: 1\n\n"), over]
    const { events, lastEventIds } = await listened(turns, { idleSeconds: 0.2 })
    assert.deepStrictEqual(events, ["1 a 1"])
    assert.deepStrictEqual(lastEventIds, [null, null, "1"])
  })
})
