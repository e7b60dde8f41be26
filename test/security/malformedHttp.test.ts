import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { call, withListeningBroker } from "#test/contract/support/call.ts"
import { assertProblem } from "#test/contract/support/problem.ts"
import { brokerUrl, testKey } from "#test/support/broker.ts"
import { unhandledDuring } from "#test/support/unhandledDuring.ts"
import { type Reply, Wire } from "./hostile/Wire.ts"

const key = `x-api-key: ${testKey}\r\n`
const get = (headers: string, target = "/swaps") => `GET ${target} HTTP/1.1\r\nhost: a\r\n${headers}\r\n`
const post = (headers: string, body: string) =>
  `POST /swap HTTP/1.1\r\nhost: a\r\n${key}${headers}\r\n${body}`
const next = "GET /operator/accounts HTTP/1.1\r\nhost: a\r\n\r\n"

/** Bytes that look like noise, always the same ones. */
const noise = Uint8Array.from({ length: 4_096 }, (_, index) => (index * index * 31 + index * 17) % 256)

const malformed: ReadonlyArray<readonly [what: string, bytes: string | Uint8Array]> = [
  ["noise", noise],
  ["NULs", new Uint8Array(1_000)],
  ["a TLS greeting", Uint8Array.of(22, 3, 1, 2, 0, 1, 0, 1, 252, 3, 3)],
  ["an HTTP/2 greeting with noise", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\nnoise"],
  ["empty lines", "\r\n\r\n\r\n"],
  ["a method alone", "GET\r\n\r\n"],
  ["no version", "GET /swaps\r\n\r\n"],
  ["an unknown version", "GET /swaps HTTP/9.9\r\n\r\n"],
  ["HTTP/1.0", "GET /swaps HTTP/1.0\r\n\r\n"],
  ["HTTP/1.0 that is to stay", `GET /swaps HTTP/1.0\r\nconnection: keep-alive\r\n${key}\r\n`],
  ["no host", "GET /swaps HTTP/1.1\r\n\r\n"],
  ["two hosts", get("host: b\r\n")],
  ["a host that is none", "GET /swaps HTTP/1.1\r\nhost: a/b?c#d@e\r\n\r\n"],
  ["a host with a port beyond all", "GET /swaps HTTP/1.1\r\nhost: a:99999999\r\n\r\n"],
  ["a host in pieces", "GET /swaps HTTP/1.1\r\nhost: [::\r\n\r\n"],
  ["an unknown method", `${"X".repeat(300)} /swaps HTTP/1.1\r\nhost: a\r\n\r\n`],
  ["a method in lower case", "get /swaps HTTP/1.1\r\nhost: a\r\n\r\n"],
  ["the target of a proxy", get(key, "http://elsewhere.test/swaps")],
  ["a target of another scheme", get(key, "file:///etc/passwd")],
  ["a target without a slash", get(key, "swaps")],
  ["a target that is two slashes", get(key, "//elsewhere.test/swaps")],
  ["a target with a fragment", get(key, "/swaps#x")],
  ["a target with a back slash", get(key, "\\swaps")],
  ["a target with a NUL", get(key, "/swaps\u0000")],
  ...["%", "%zz", "%00", "%ff%fe", "%c0%af", "%ed%a0%80", "%u0041", "%2e%2e%2f"].flatMap((encoded) => [
    [`${encoded} in a path`, get(key, `/swaps${encoded}`)] as const,
    [`${encoded} in a query`, get(key, `/swaps?limit=${encoded}&${encoded}`)] as const,
  ]),
  ["a target with spaces", get(key, "/swaps x")],
  ["CONNECT", "CONNECT a:443 HTTP/1.1\r\nhost: a\r\n\r\n"],
  ["TRACE", "TRACE /swaps HTTP/1.1\r\nhost: a\r\n\r\n"],
  ["OPTIONS of everything", "OPTIONS * HTTP/1.1\r\nhost: a\r\n\r\n"],
  ["GET of everything", get(key, "*")],
  [
    "a switch to WebSocket",
    get(`${key}upgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-key: x\r\n`),
  ],
  ["a header without a colon", get("header\r\n")],
  ["a header with a space in its name", get("x key : a\r\n")],
  ["a header over two lines", get("x-a: b\r\n c\r\n")],
  ["a NUL in a header", get("x-a: b\u0000c\r\n")],
  ["a lone carriage return", get("x-a: b\rx-b: c\r\n")],
  ["line feeds alone", "GET /swaps HTTP/1.1\nhost: a\n\n"],
  ["10,000 headers", get("x-a: b\r\n".repeat(10_000))],
  ["a header of a megabyte", get(`x-a: ${"b".repeat(1_000_000)}\r\n`)],
  ["a head without an end", `GET /swaps HTTP/1.1\r\nx-a: ${"b".repeat(100)}`],
  ["100 keys", get(`${key}x-api-key: another-key-that-is-long-enough\r\n`.repeat(100))],
  ["two lengths", post("content-length: 2\r\ncontent-length: 60\r\n", `{}${next}`)],
  ["a list of lengths", post("content-length: 2, 60\r\n", `{}${next}`)],
  ["a negative length", post("content-length: -1\r\n", "{}")],
  ["a length with a sign", post("content-length: +2\r\n", "{}")],
  ["a length in hex", post("content-length: 0x2\r\n", "{}")],
  ["a length beyond 64 bits", post(`content-length: ${"9".repeat(30)}\r\n`, "{}")],
  ["a length and chunks", post("content-length: 2\r\ntransfer-encoding: chunked\r\n", `0\r\n\r\n${next}`)],
  ["chunks and a length", post("transfer-encoding: chunked\r\ncontent-length: 60\r\n", `0\r\n\r\n${next}`)],
  ["chunks by a name that is not quite it", post("transfer-encoding: xchunked\r\n", `0\r\n\r\n${next}`)],
  ["chunks twice", post("transfer-encoding: chunked, chunked\r\n", "0\r\n\r\n")],
  ["chunks and then something else", post("transfer-encoding: chunked, identity\r\n", "0\r\n\r\n")],
  ["a chunk whose size is none", post("transfer-encoding: chunked\r\n", "zz\r\n{}\r\n0\r\n\r\n")],
  ["a chunk beyond 64 bits", post("transfer-encoding: chunked\r\n", "fffffffffffffffff\r\n{}\r\n")],
  ["a negative chunk", post("transfer-encoding: chunked\r\n", "-2\r\n{}\r\n0\r\n\r\n")],
  [
    "a chunk with an endless extension",
    post("transfer-encoding: chunked\r\n", `2;${"x".repeat(100_000)}\r\n{}\r\n`),
  ],
  ["chunks that end early", post("transfer-encoding: chunked\r\n", "5\r\n{}")],
  ["a body that ends early", post("content-length: 100\r\n", "{")],
  ["a body that nobody announced", get(key) + "{}".repeat(100)],
  ["a body that waits to be asked for", post("expect: 100-continue\r\ncontent-length: 2\r\n", "")],
  ["an expectation of something else", post("expect: a wonder\r\ncontent-length: 2\r\n", "{}")],
  ["a body in an encoding", post("content-encoding: gzip\r\ncontent-length: 2\r\n", "{}")],
]

/** What may come of it: no answer, the runtime's bare refusal, or an answer of ours that is no failure of ours. */
const assertHarmless = (what: string, reply: Reply): void => {
  if (reply === "closed") return
  const { headers, status, text } = reply
  assert.isBelow(status, 500, `${what}: ${text}`)
  if (status === 100 || (status === 400 && text === "" && !headers.has("x-request-id"))) return
  assert.match(headers.get("x-request-id") ?? "", /^[0-9a-f]{32}$/, `${what}: ${status}`)
  if (status >= 400) assertProblem(reply)
}

const encoder = new TextEncoder()
const bytesOf = (text: string | Uint8Array) => typeof text === "string" ? encoder.encode(text) : text

/** That everybody else is still answered. */
const assertServes = Effect.gen(function* () {
  assert.strictEqual((yield* call("GET", "/livez", { key: null })).status, 200)
  assert.strictEqual((yield* call("GET", "/swaps")).status, 200)
})

const unfinished = 200

withListeningBroker()("malformed HTTP", (it) => {
  it.effect("is refused or answered properly, and leaves the service as it was", function* () {
    const url = yield* brokerUrl
    const unhandled = yield* unhandledDuring(Effect.gen(function* () {
      yield* Effect.forEach(malformed, ([what, text]) =>
        Effect.gen(function* () {
          const reply = yield* Effect.promise(() => new Wire(url).askAndEnd(bytesOf(text))).pipe(
            Effect.timeout("15 seconds"),
            Effect.catchTag("TimeoutError", () => Effect.die(new Error(`${what}: no end`))),
          )
          assertHarmless(what, reply)
        }), { concurrency: 4, discard: true })
      yield* assertServes
    }))
    assert.deepStrictEqual(unhandled, [])
  })

  it.effect("a request in single bytes is answered as any other", function* () {
    const { hostname, port } = yield* brokerUrl
    const reply = yield* Effect.promise(async () => {
      const socket = await Deno.connect({ hostname, port: Number(port) })
      socket.setNoDelay(true)
      for (const byte of encoder.encode(get(`${key}connection: close\r\n`))) {
        await socket.write(Uint8Array.of(byte))
      }
      return new Response(socket.readable).text()
    })
    assert.match(reply, /^HTTP\/1\.1 200 OK\r\n/)
  })

  it.effect("requests that do not wait for each other's answers get their own, in order", function* () {
    const { hostname, port } = yield* brokerUrl
    const requests = [get(""), get(key), post("content-length: 2\r\n", "{}"), get("connection: close\r\n")]
    const reply = yield* Effect.promise(async () => {
      const socket = await Deno.connect({ hostname, port: Number(port) })
      await socket.write(encoder.encode(requests.join("")))
      return new Response(socket.readable).text()
    })
    const statuses = [...reply.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => status)
    assert.deepStrictEqual(statuses, ["401", "200", "400", "401"])
    assert.lengthOf(new Set(reply.match(/x-request-id: [0-9a-f]{32}/g)), requests.length)
  })

  it.effect("heads and bodies that never end do not keep others from being answered", function* () {
    const { hostname, port } = yield* brokerUrl
    const heads = ["GET /swaps HTTP/1.1\r\nx-a: b", post("content-length: 60\r\n", "{")]
    yield* Effect.acquireUseRelease(
      Effect.promise(() =>
        Promise.all(Array.from({ length: unfinished }, async (_, index) => {
          const socket = await Deno.connect({ hostname, port: Number(port) })
          await socket.write(encoder.encode(heads[index % heads.length] ?? ""))
          return socket
        }))
      ),
      () => assertServes,
      (sockets) =>
        Effect.sync(() => {
          for (const socket of sockets) socket.close()
        }),
    )
    yield* assertServes
  })
})
