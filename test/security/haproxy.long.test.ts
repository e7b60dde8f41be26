import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { withListeningBroker } from "#test/contract/support/call.ts"
import { eventually } from "#test/durability/eventually.ts"
import { brokerUrl, testKey } from "#test/support/broker.ts"
import { temporaryFolder } from "#test/support/folder.ts"
import { version } from "#infrastructure/platform/version.ts"

const program = "/usr/sbin/haproxy"

const isInstalled = Effect.promise(() => Deno.stat(program).then(() => true, () => false))

/** The configuration that operators are shown, but for where it listens and where the service is. */
const configuration = (socket: string, { host }: URL) =>
  Effect.map(
    Effect.promise(() => Deno.readTextFile(new URL("../../src/cli/deploy/haproxy.cfg", import.meta.url))),
    (shown) => {
      const changes = [
        ["bind :443 ssl crt /etc/haproxy/broker.pem", `bind unix@${socket}`],
        ["server broker 127.0.0.1:8080", `server broker ${host}`],
      ] as const
      return changes.reduce((text, [from, to]) => {
        assert.include(text, from)
        return text.replace(from, to)
      }, shown)
    },
  )

/** Everything that comes back on one connection for these bytes, a character for each byte. */
const exchange = (socket: string, bytes: string) =>
  Effect.promise(async () => {
    const connection = await Deno.connect({ transport: "unix", path: socket })
    try {
      await connection.write(new TextEncoder().encode(bytes))
      return new TextDecoder("latin1").decode(await new Response(connection.readable).arrayBuffer())
    } catch (error) {
      if (error instanceof Deno.errors.ConnectionReset || error instanceof Deno.errors.BrokenPipe) return ""
      throw error
    }
  })

/** HAProxy as the document has it, in front of the service: where it listens. */
const proxied = Effect.gen(function* () {
  const folder = yield* temporaryFolder
  const socket = `${folder}/socket`
  const text = yield* configuration(socket, yield* brokerUrl)
  yield* Effect.promise(() => Deno.writeTextFile(`${folder}/haproxy.cfg`, text))
  yield* Effect.acquireRelease(
    Effect.sync(() => new Deno.Command(program, { args: ["-db", "-f", `${folder}/haproxy.cfg`] }).spawn()),
    (child) =>
      Effect.promise(async () => {
        child.kill("SIGKILL")
        await child.status
      }),
  )
  yield* eventually(
    Effect.promise(() => Deno.stat(socket).then(() => true, () => false)),
    (listens) => listens,
  )
  return socket
})

const closed = ["/metrics", "/operator/accounts", "/dashboard"]

const methods = ["GET", "HEAD", "POST", "PUT", "OPTIONS"]

/** Spellings of a target that some proxy or server has taken for the path, and of what a URL can have around it. */
const targetsOf = (path: string): ReadonlyArray<string> => {
  const name = path.slice(1)
  const [first = ""] = name
  const encoded = `%${first.charCodeAt(0).toString(16)}${name.slice(1)}`
  const spellings = [
    ...[path, `${path}/`, `${path}?a=b`, `${path};a=b`, `/${path}`, `//${path}`, `/.${path}`, `/%2e${path}`],
    ...[
      `/livez/..${path}`,
      `/livez/%2e%2e${path}`,
      `/livez/..%2f${name}`,
      `/livez?/..${path}`,
      `/livez;${path}`,
    ],
    ...[`/${encoded}`, `/${encoded.toUpperCase()}`, `/%25${encoded.slice(1)}`, `/%2f${name}`, `/%5c${name}`],
    ...[`/\\${name}`, `/${name.toUpperCase()}`, `/${name}%00`, `/${name}%20`, `/livez%0d%0a${path}`, name],
  ]
  return [
    ...spellings,
    ...spellings.flatMap((spelling) =>
      ["http://a", "https://a:443", "HTTP://a"].map((at) => `${at}${spelling}`)
    ),
    `http://a?${path}`,
    `http://a#${path}`,
    `http://user@a${path}`,
    `ftp://a${path}`,
    `a:80${path}`,
  ]
}

const hostsOf = (path: string): ReadonlyArray<string> => [
  "a",
  "",
  ...["", "?", "#", "?x=", ";", "\\"].map((end) => `a${path}${end}`),
  `a:80${path}?`,
  `@a${path}?`,
]

/** What proxies and servers are told of the path in by others. */
const headersOf = (path: string): ReadonlyArray<string> =>
  [
    "X-Original-URL",
    "X-Rewrite-URL",
    "X-Forwarded-Host",
    "X-Forwarded-Prefix",
    "X-Forwarded-Path",
    "Forwarded",
  ]
    .map((name) => `${name}: ${name === "Forwarded" ? `host="a${path}?"` : path}`)

const request = (method: string, target: string, host: string, ...headers: ReadonlyArray<string>): string =>
  [
    `${method} ${target} HTTP/1.1`,
    `Host: ${host}`,
    `X-API-Key: ${testKey}`,
    "Connection: close",
    ...method === "POST" || method === "PUT" ? ["Content-Length: 0"] : [],
    ...headers,
    "",
    "",
  ].join("\r\n")

/** The body of what is open to anybody, which tells nothing. */
const alive = `{"status":"ok","version":"${version}"}`

/** Whether an answer is a refusal, or of `/livez`. */
const tellsNothing = (answer: string): boolean =>
  answer === "" || /^HTTP\/1\.[01] (?:400|403|404|405|411|414|501|505) /.test(answer) ||
  /^HTTP\/1\.1 20[04] /.test(answer) && ["", alive].includes(answer.slice(answer.indexOf("\r\n\r\n") + 4))

withListeningBroker()("behind HAProxy as haproxy.cfg has it, strangers", (it) => {
  it.effect("reach what is open, and by no spelling what is closed", function* () {
    if (!(yield* isInstalled)) {
      return console.log("Not tested, as haproxy is not installed (Debian's package haproxy): a real proxy.")
    }
    const socket = yield* proxied
    const open = yield* exchange(socket, request("GET", "/livez", "a"))
    assert.isTrue(open.startsWith("HTTP/1.1 200 ") && open.endsWith(alive), open)
    const quotes = "/quotes?sourceAsset=btc.btc&destinationAsset=eth.eth&amount=1"
    assert.include(yield* exchange(socket, request("GET", quotes, "a")), '"quoteId"')
    const { origin } = yield* brokerUrl
    for (const path of closed) {
      const own = yield* Effect.promise(() =>
        fetch(`${origin}${path}`, { headers: { "X-API-Key": testKey } })
      )
      assert.strictEqual(own.status, 200, path)
      yield* Effect.promise(() => own.text())
    }

    const requests = closed.flatMap((path) =>
      methods.flatMap((method) => [
        ...targetsOf(path).map((target) => request(method, target, "a")),
        ...hostsOf(path).flatMap((host) => [
          request(method, "/livez", host),
          request(method, "http://a/livez", host),
        ]),
        ...headersOf(path).map((header) => request(method, "/livez", "a", header)),
      ])
    )
    const told: Array<string> = []
    for (const one of requests) {
      const answer = yield* exchange(socket, one)
      if (!tellsNothing(answer)) told.push(`${one}${answer.slice(0, 300)}`)
    }
    assert.isAbove(requests.length, 1_000)
    assert.deepStrictEqual(told, [])
  })

  it.effect("hide no second request in the first one's body, nor behind it", function* () {
    if (!(yield* isInstalled)) return
    const socket = yield* proxied
    for (const path of closed) {
      const second = request("GET", path, "a")
      const chunks = `0\r\n\r\n${second}`
      for (
        const framing of [
          `Content-Length: 4\r\nTransfer-Encoding: chunked`,
          `Content-Length: ${chunks.length}\r\nTransfer-Encoding: chunked`,
          `Content-Length: ${chunks.length}\r\nTransfer-Encoding : chunked`,
          `Content-Length: ${chunks.length}\r\nTransfer-Encoding: \x0bchunked`,
          `Content-Length: ${chunks.length}\r\nTransfer-Encoding: chunked, identity`,
          `Content-Length: 0\r\nContent-Length: ${chunks.length}`,
          `Content-Length: +0`,
          "Content-Length: 0",
        ]
      ) {
        const answers = yield* exchange(
          socket,
          `POST /livez HTTP/1.1\r\nHost: a\r\n${framing}\r\n\r\n${chunks}`,
        )
        for (const answer of answers.split(/(?=HTTP\/1\.[01] \d)/)) {
          assert.isTrue(tellsNothing(answer), `${framing}\n${answers}`)
        }
      }
    }
  })
})
