import { assert, describe, it, TestClock } from "../support.ts"
import { Effect, Result } from "effect"
import { HttpClient, HttpClientRequest, HttpClientResponse } from "effect/http"
import { maximumAnswerBytes, neverConnected, send } from "#providers/upstream/transport.ts"

describe("A transport fault", () => {
  const coded = (code: string) => Object.assign(new Error("failed"), { code })

  it.each(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"])(
    "of the kind %s came before anything was sent",
    (code) => {
      assert.isTrue(neverConnected(new TypeError("fetch failed", { cause: coded(code) })))
    },
  )

  it.each(["ECONNRESET", "EPIPE", "ETIMEDOUT"])("of the kind %s may have come after", (code) => {
    assert.isFalse(neverConnected(new TypeError("fetch failed", { cause: coded(code) })))
  })

  it("that says nothing, or is its own cause, may have come after", () => {
    const circular: { cause?: unknown } = {}
    circular.cause = circular
    for (const fault of [undefined, null, "refused", circular]) assert.isFalse(neverConnected(fault))
  })
})

describe("The time of an answer", () => {
  const answeredAt = Effect.fnUntraced(function* (headers: Readonly<Record<string, string>>) {
    yield* TestClock.setTime(60_000)
    const client = HttpClient.make((request) =>
      Effect.succeed(HttpClientResponse.fromWeb(request, new Response("", { headers })))
    )
    const answer = yield* send(
      client,
      "upstream",
      HttpClientRequest.get("http://upstream.test/"),
      (body) => body,
    )
    return answer.answeredAt
  })

  const times: ReadonlyArray<
    readonly [name: string, headers: Readonly<Record<string, string>>, at: number]
  > = [
    ["is the upstream's where it says one", { date: "Thu, 01 Jan 1970 01:00:00 GMT" }, 3_600_000],
    ["is ours where it says none", {}, 60_000],
    ["is ours where its date cannot be read", { date: "yesterday" }, 60_000],
    ["is ours where its date is before all time", { date: "Wed, 31 Dec 1969 00:00:00 GMT" }, 60_000],
  ]

  it.effect.each(times)("%s", function* ([, headers, at]) {
    assert.strictEqual<number>(yield* answeredAt(headers), at)
  })
})

describe("The body of an answer", () => {
  const mebibyte = new Uint8Array(1024 * 1024).fill(32)

  /** Sends as many pieces as are asked for, and counts them. */
  const answering = Effect.fnUntraced(function* (mebibytes: number) {
    let sent = 0
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        if (sent === mebibytes) return controller.close()
        sent += 1
        controller.enqueue(mebibyte)
      },
    })
    const client = HttpClient.make((request) =>
      Effect.succeed(HttpClientResponse.fromWeb(request, new Response(body)))
    )
    const answer = yield* Effect.result(
      send(client, "upstream", HttpClientRequest.get("http://upstream.test/"), (body) => body),
    )
    return { answer, sent }
  })

  it.effect("is read whole up to the limit", function* () {
    const { answer } = yield* answering(maximumAnswerBytes / mebibyte.byteLength)
    assert.isTrue(Result.isSuccess(answer) && answer.success.body.length === maximumAnswerBytes)
  })

  it.effect("that never ends is given up at the limit", function* () {
    const { answer, sent } = yield* answering(Infinity)
    assert.isTrue(Result.isFailure(answer) && answer.failure._tag === "MalformedBody")
    assert.isBelow(sent, 8)
  })
})
