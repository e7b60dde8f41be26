import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import { BodyTooLarge, HostInvalid, UrlTooLong } from "#interfaces/requests/RequestMeta.ts"
import { receive } from "#interfaces/http/server/receive.ts"

const maximumBody = 65_536
const maximumUrl = 8_192

const post = (body: BodyInit, headers: Readonly<Record<string, string>> = {}) =>
  receive(new Request("http://broker.test/swap", { method: "POST", body, headers }))

const textOf = (request: HttpServerRequest.HttpServerRequest) => Effect.runPromise(request.text)

/** A body that comes in pieces; says how many of them were asked for. */
const streamed = (pieces: number, size: number) => {
  const asked = { pieces: 0, cancelled: false }
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      if (asked.pieces === pieces) return controller.close()
      asked.pieces++
      controller.enqueue(new Uint8Array(size).fill(32))
    },
    cancel: () => {
      asked.cancelled = true
    },
  }, { highWaterMark: 0 })
  return { asked, body }
}

const urlOfLength = (length: number): string => {
  const start = "http://broker.test/quotes?apiKey=secret&amount="
  return start + "1".repeat(length - start.length)
}

describe("receive", () => {
  it("passes method, path, query, headers and body on, without the key", async () => {
    const { request, meta } = await receive(
      new Request("http://broker.test/swap?platform=chainflip&apiKey=secret", {
        method: "POST",
        body: '{"boostFee": 10}',
        headers: { "content-type": "application/json", "x-api-key": "secret" },
      }),
    )
    assert.strictEqual(request.method, "POST")
    assert.strictEqual(request.url, "/swap?platform=chainflip")
    assert.deepStrictEqual({ ...request.headers }, { "content-type": "application/json" })
    assert.strictEqual(await textOf(request), '{"boostFee": 10}')
    assert.notInclude(Deno.inspect(request, { depth: 10 }), "secret")
    assert.deepStrictEqual(meta.credentials.map(Redacted.value), ["secret"])
    assert.notProperty(meta, "refusal")
  })

  it.each([
    ["//quotes", "/quotes"],
    ["/quotes/", "/quotes"],
    ["///quotes//", "/quotes"],
    ["//", "/"],
    ["/", "/"],
    ["//[::bad//x", "/[::bad/x"],
  ])("reads the path %s as %s", async (written, path) => {
    const { request } = await receive(new Request(`http://broker.test${written}?amount=1`))
    assert.strictEqual(request.url, `${path}?amount=1`)
  })

  /** A request as the runtime makes it of a URL that it does not parse, and a `Host`. */
  const unparsed = (url: string, host?: string) =>
    new Proxy(new Request("http://broker.test/", host === undefined ? {} : { headers: { host } }), {
      get: (request, name) => name === "url" ? url : Reflect.get(request, name, request),
    })

  it.each([
    ["http://broker.test", undefined, "/", undefined],
    ["http://broker.test?amount=1", undefined, "/?amount=1", undefined],
    ["http://[::1]:80/quotes", "[::1]:80", "/quotes", "[::1]:80"],
    ["http://own.test/quotes", "other.test", "/quotes", "own.test"],
  ])("finds path and host of the URL %s with the Host %s", async (url, named, path, host) => {
    const { request, meta } = await receive(unparsed(url, named))
    assert.strictEqual(request.url, path)
    assert.strictEqual(request.headers.host, host)
    assert.notProperty(meta, "refusal")
  })

  it.each([
    ["http://a/metrics?/livez", "a/metrics?"],
    ["http://[::bad/quotes?amount=1", "[::bad"],
    ["http://user:secret@broker.test/quotes", "broker.test"],
    ["http://broker.test:65536/quotes", undefined],
    ["ftp://broker.test/quotes", "broker.test"],
  ])("keeps nothing of the URL %s with the Host %s", async (url, host) => {
    const { request, meta } = await receive(unparsed(url, host))
    assert.deepStrictEqual(meta.refusal, new HostInvalid())
    assert.strictEqual(request.url, "/")
    assert.notProperty(request.headers, "host")
  })

  it("takes a body of exactly 64 KiB", async () => {
    const { request, meta } = await post(new Uint8Array(maximumBody).fill(32))
    assert.notProperty(meta, "refusal")
    assert.lengthOf(await textOf(request), maximumBody)
  })

  it("refuses a body of one byte more", async () => {
    const { request, meta } = await post(new Uint8Array(maximumBody + 1), { "x-api-key": "secret" })
    assert.deepStrictEqual(meta.refusal, new BodyTooLarge({ maximumBytes: maximumBody }))
    assert.strictEqual(await textOf(request), "")
    assert.deepStrictEqual(meta.credentials.map(Redacted.value), ["secret"])
  })

  it("counts bytes and not characters", async () => {
    const { meta } = await post("ü".repeat(maximumBody / 2 + 1))
    assert.strictEqual(meta.refusal?._tag, "BodyTooLarge")
  })

  it("puts a body in pieces together in their order", async () => {
    const pieces = ['{"amount": "1', "234567", '8"}'].map((text) => new TextEncoder().encode(text))
    const { request } = await post(ReadableStream.from(pieces))
    assert.strictEqual(await textOf(request), '{"amount": "12345678"}')
  })

  it("stops reading an endless body at the limit", async () => {
    const { asked, body } = streamed(Infinity, 1_024)
    const { meta } = await post(body)
    assert.strictEqual(meta.refusal?._tag, "BodyTooLarge")
    assert.isAtMost(asked.pieces, 66)
    assert.isTrue(asked.cancelled)
  })

  it("refuses a body that breaks off", async () => {
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.error(new Error("the connection was cut"))
      },
    })
    const { meta } = await post(body)
    assert.strictEqual(meta.refusal?._tag, "BodyIncomplete")
  })

  it.each(["TRACE", "CONNECT"])("answers %s like any method that no path has", async (method) => {
    const incoming = new Proxy(new Request("http://broker.test/quotes"), {
      get: (request, name) => name === "method" ? method : Reflect.get(request, name, request),
    })
    const { request } = await receive(incoming)
    assert.strictEqual(request.method, "OPTIONS")
  })

  it("takes a URL of exactly 8 KiB, key included", async () => {
    const { meta } = await receive(new Request(urlOfLength(maximumUrl)))
    assert.notProperty(meta, "refusal")
  })

  it("refuses a URL of one byte more, keeps nothing of it, and does not read the body", async () => {
    const { asked, body } = streamed(1, 1_024)
    const { request, meta } = await receive(
      new Request(urlOfLength(maximumUrl + 1), { method: "POST", body }),
    )
    assert.deepStrictEqual(meta.refusal, new UrlTooLong({ maximumBytes: maximumUrl }))
    assert.strictEqual(request.url, "/")
    assert.strictEqual(await textOf(request), "")
    assert.strictEqual(asked.pieces, 0)
  })
})
