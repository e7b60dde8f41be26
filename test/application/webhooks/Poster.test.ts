import type { Mode } from "#infrastructure/config/Setting.ts"
import { assert, describe, it } from "#test/support/it.ts"
import { Duration, Effect, Layer } from "effect"
import { NameUnresolved, Poster, Resolver } from "#application/webhooks/Poster.ts"
import { certificate, certificateKey } from "./support/certificate.ts"

type Handler = (request: Request) => Response | Promise<Response>

/** A server on the loopback address until the test ends; its port. */
const server = (handler: Handler, secure = false) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() =>
        Deno.serve(
          {
            hostname: "127.0.0.1",
            port: 0,
            onListen: () => {},
            ...(secure ? { cert: certificate, key: certificateKey } : {}),
          },
          handler,
        )
      ),
      (running) => Effect.promise(() => running.shutdown()),
    ),
    ({ addr }) => addr.port,
  )

/** What names lead to, one look-up after the other; the last one stays. */
const resolverOf = (names: Readonly<Record<string, ReadonlyArray<ReadonlyArray<string>>>>) => {
  const asked = new Map<string, number>()
  return Layer.succeed(Resolver, {
    addresses: (host) =>
      Effect.suspend(() => {
        const answers = names[host]
        const count = asked.get(host) ?? 0
        asked.set(host, count + 1)
        const found = answers?.[Math.min(count, answers.length - 1)]
        return found === undefined
          ? Effect.fail(new NameUnresolved({ cause: "no such name" }))
          : Effect.succeed(found)
      }),
  })
}

const ownMachine = [["127.0.0.1"]]

interface Options {
  readonly mode?: Mode
  readonly names?: Readonly<Record<string, ReadonlyArray<ReadonlyArray<string>>>>
  readonly trusted?: string
}

const posterOf = ({ mode = "sandbox", names = {}, ...rest }: Options) =>
  Effect.provide(
    Poster,
    Poster.layer({ mode, privateDestinations: [], timeout: Duration.seconds(2), ...rest }).pipe(
      Layer.provide(resolverOf(names)),
    ),
  )

const post = (url: string, options: Options = {}) =>
  Effect.flatMap(
    posterOf(options),
    (poster) => poster.post({ url, headers: { "webhook-id": "evt_1" }, body: '{"é":1}' }),
  ).pipe(Effect.map(({ at: _at, durationMillis: _duration, ...outcome }) => outcome))

describe("sending a message", () => {
  it.live("posts it as it is, and keeps the beginning of the answer", function* () {
    const seen: Array<unknown> = []
    const port = yield* server(async (request) => {
      const { headers, method, url } = request
      seen.push([method, new URL(url).pathname, headers.get("webhook-id"), headers.get("content-type")])
      seen.push(await request.text())
      return new Response("thanks\n\u0007a lot", { status: 202 })
    })
    const outcome = yield* post(`http://127.0.0.1:${port}/hook`)
    assert.deepStrictEqual(outcome, { status: 202, excerpt: "thanks a lot" })
    assert.deepStrictEqual(seen, [["POST", "/hook", "evt_1", "application/json"], '{"é":1}'])
  })

  it.live("reads how long a busy receiver wants to be left alone", function* () {
    const answers = [[429, "7"], [503, "Wed, 01 Jan 2070 00:00:00 GMT"], [503, "soon"], [500, "7"], [
      200,
      "7",
    ]] as const
    const waits: Array<number | undefined> = []
    for (const [status, wait] of answers) {
      const port = yield* server(() => new Response(null, { status, headers: { "retry-after": wait } }))
      waits.push((yield* post(`http://127.0.0.1:${port}/`)).retryAfterSeconds)
    }
    const [seconds, date, ...others] = waits
    assert.strictEqual(seconds, 7)
    assert.isAbove(date ?? 0, 1_000_000)
    assert.deepStrictEqual(others, [undefined, undefined, undefined])
  })

  it.live("goes to the address that was checked, and by TLS to the name", function* () {
    const hosts: Array<string | null> = []
    const port = yield* server((request) => {
      hosts.push(request.headers.get("host"))
      return new Response(null, { status: 204 })
    }, true)
    const trusted = { trusted: certificate }
    const named = { "hooks.example": ownMachine, "other.example": ownMachine }
    const outcome = yield* post(`https://hooks.example:${port}/`, { ...trusted, names: named })
    assert.deepStrictEqual(outcome, { status: 204 })
    assert.deepStrictEqual(hosts, [`hooks.example:${port}`])
    const refused = { failure: "certificate_invalid" } as const
    assert.deepStrictEqual(
      yield* post(`https://other.example:${port}/`, { ...trusted, names: named }),
      refused,
    )
    assert.deepStrictEqual(yield* post(`https://hooks.example:${port}/`, { names: named }), refused)
    assert.deepStrictEqual(yield* post(`https://127.0.0.1:${port}/`, trusted), refused)
    assert.strictEqual(hosts.length, 1)
  })

  it.live("tries another address where no connection comes about, and each address once", function* () {
    const port = yield* server(() => new Response("ok"))
    const names = { "two.example": [["127.0.0.2", "127.0.0.1"]] }
    const outcome = yield* post(`http://two.example:${port}/`, { names })
    assert.deepStrictEqual(outcome, { status: 200, excerpt: "ok" })
    const closed = { "no.example": [["127.0.0.2", "127.0.0.3"]] }
    assert.deepStrictEqual(
      yield* post(`http://no.example:${port}/`, { names: closed }),
      { failure: "unreachable" },
    )
  })

  it.live("goes nowhere when the name leads elsewhere by then (DNS rebinding)", function* () {
    let calls = 0
    const port = yield* server(() => {
      calls++
      return new Response("secret")
    })
    const names = { "evil.example": [["8.8.8.8"], ["127.0.0.1"]] }
    const poster = yield* posterOf({ mode: "live", names })
    const url = `https://evil.example:${port}/`
    yield* poster.check(url)
    const { failure } = yield* poster.post({ url, headers: {}, body: "{}" })
    assert.strictEqual(failure, "address_forbidden")
    assert.strictEqual(calls, 0)
  })

  it.live("goes to no address of the machine or of its network in live mode, however it is written", function* () {
    const hosts = [
      "127.0.0.1",
      "2130706433",
      "0x7f.1",
      "[::1]",
      "[::ffff:127.0.0.1]",
      "10.1.1.1",
      "169.254.169.254",
    ]
    for (const host of hosts) {
      assert.deepStrictEqual(yield* post(`https://${host}:8443/`, { mode: "live" }), {
        failure: "address_forbidden",
      }, host)
    }
    assert.deepStrictEqual(yield* post("http://127.0.0.1:8443/", { mode: "live" }), {
      failure: "address_forbidden",
    })
    assert.deepStrictEqual(yield* post("https://nowhere.example/", { mode: "live" }), {
      failure: "name_unresolved",
    })
  })

  it.live("follows no redirect", function* () {
    let calls = 0
    const target = yield* server(() => {
      calls++
      return new Response("ok")
    })
    const port = yield* server(() => Response.redirect(`http://127.0.0.1:${target}/`, 307))
    assert.strictEqual((yield* post(`http://127.0.0.1:${port}/`)).status, 307)
    assert.strictEqual(calls, 0)
  })

  it.live("reads little of a long answer, and waits little for the rest of a slow one", function* () {
    let sent = 0
    const port = yield* server(() =>
      new Response(
        new ReadableStream({
          pull: (controller) => {
            sent++
            controller.enqueue(new Uint8Array(65_536).fill(97))
          },
        }),
      )
    )
    const long = yield* post(`http://127.0.0.1:${port}/`)
    assert.deepStrictEqual(long, { status: 200, excerpt: "a".repeat(500) })
    assert.isBelow(sent, 200)
    const slow = yield* server(() =>
      new Response(new ReadableStream({ start: (out) => out.enqueue(new TextEncoder().encode("part")) }))
    )
    assert.deepStrictEqual(yield* post(`http://127.0.0.1:${slow}/`), { status: 200, excerpt: "part" })
  })

  /** Takes one connection: reads what comes first, answers with that text, and ends where the client does. */
  const oneConnection = (answer: string | undefined) => {
    const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 })
    const { port } = listener.addr
    const ended = listener.accept().then(async (connection) => {
      await connection.read(new Uint8Array(4_096))
      if (answer !== undefined) await connection.write(new TextEncoder().encode(answer))
      else while (await connection.read(new Uint8Array(4_096)).catch(() => null) !== null) continue
      connection.close()
      listener.close()
    })
    return { port, url: `http://127.0.0.1:${port}/`, ended: Effect.promise(() => ended) }
  }

  /** How many connections come to a port of the second address of `two.example`, until the test ends. */
  const connectionsToSecond = (port: number) =>
    Effect.map(
      Effect.acquireRelease(
        Effect.sync(() => {
          const listener = Deno.listen({ hostname: "127.0.0.2", port })
          let count = 0
          const taking = (async () => {
            for await (const connection of listener) {
              count++
              connection.close()
            }
          })()
          return { count: () => count, listener, taking }
        }),
        ({ listener, taking }) => Effect.promise(() => (listener.close(), taking)),
      ),
      ({ count }) => count,
    )

  const twoAddresses = { "two.example": [["127.0.0.1", "127.0.0.2"]] }

  it.live("gives up after its timeout, and then has no connection any more", function* () {
    const { ended, url } = oneConnection(undefined)
    const started = Date.now()
    assert.deepStrictEqual(yield* post(url), { failure: "timeout" })
    yield* ended
    assert.isBelow(Date.now() - started, 4_000)
  })

  it.live("tells an answer that is none, or breaks off", function* () {
    for (const answer of ["nonsense\r\n\r\n", "HTTP/1.1 200 O", ""]) {
      const { ended, url } = oneConnection(answer)
      assert.deepStrictEqual(yield* post(url), { failure: "answer_broken" }, answer)
      yield* ended
    }
  })

  it.live("sends to no further address what the first one took and did not answer rightly", function* () {
    for (const answer of ["nonsense\r\n\r\n", "HTTP/1.1 200 O", ""]) {
      const { ended, port } = oneConnection(answer)
      const connections = yield* connectionsToSecond(port)
      const outcome = yield* post(`http://two.example:${port}/`, { names: twoAddresses })
      yield* ended
      assert.deepStrictEqual(outcome, { failure: "answer_broken" }, answer)
      assert.strictEqual(connections(), 0, answer)
    }
  })

  it.live("sends to no further address where the certificate of the first is wrong", function* () {
    const port = yield* server(() => new Response("ok"), true)
    const connections = yield* connectionsToSecond(port)
    const outcome = yield* post(`https://two.example:${port}/`, { names: twoAddresses })
    assert.deepStrictEqual(outcome, { failure: "certificate_invalid" })
    assert.strictEqual(connections(), 0)
  })
})
