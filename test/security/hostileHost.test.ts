import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { call, withListeningBroker } from "#test/contract/support/call.ts"
import { assertProblem, faultyParameters } from "#test/contract/support/problem.ts"
import { brokerUrl, testKey } from "#test/support/broker.ts"
import { type Reply, Wire } from "./hostile/Wire.ts"

const head = (method: string, target: string, hosts: ReadonlyArray<string>) =>
  new TextEncoder().encode(
    `${method} ${target} HTTP/1.1\r\n${hosts.map((host) => `host: ${host}\r\n`).join("")}` +
      `x-api-key: ${testKey}\r\ncontent-length: 0\r\n\r\n`,
  )

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "get", "TRACE"]

/** Hosts that would be the beginning of a path which a proxy keeps strangers from. */
const pathHosts = ["/metrics", "/operator/accounts", "/dashboard"].flatMap((path) =>
  ["?", "#", "?x=", ";"].map((end) => `evil${path}${end}`)
)

const otherHosts = ["", "a/", "a?", "a#", "user@a", "a b", "a\\b", "ä", "a,b", "a%2fb", "a:65536", "[::1"]

/** Targets that are URLs by themselves, of no host or no scheme of this service. */
const absoluteTargets = ["http://user@a/livez", "http://a:65536/livez", "http://a%2f/livez", "ftp://a/livez"]

const assertRefused = (what: string, reply: Reply): void => {
  if (reply === "closed") return assert.fail(`${what}: no answer`)
  assert.strictEqual(reply.status, 400, what)
  if (reply.text === "") return
  assertProblem(reply)
  assert.deepStrictEqual(faultyParameters(reply), ["Host"], what)
}

withListeningBroker()("a Host that is more than a host", (it) => {
  it.effect("is refused before the path is looked at, by every method, on one connection", function* () {
    const wire = new Wire(yield* brokerUrl)
    const refuse = (method: string, target: string, hosts: ReadonlyArray<string>) =>
      Effect.map(
        Effect.promise(() => wire.ask(head(method, target, hosts), method)),
        (reply) => assertRefused(`${method} ${target} of ${hosts}`, reply),
      )
    for (const method of methods) {
      for (const host of [...pathHosts, ...otherHosts]) yield* refuse(method, "/livez", [host])
      for (const target of absoluteTargets) yield* refuse(method, target, ["a"])
      yield* refuse(method, "http://a/livez", ["evil/metrics?"])
      // The runtime refuses these by itself.
      yield* refuse(method, "/livez", ["a", "evil/metrics?"])
    }
    wire.close()
    assert.notInclude((yield* call("GET", "/metrics")).text, "evil")
  })

  it.effect("is refused among requests that do not wait for each other", function* () {
    const { hostname, port } = yield* brokerUrl
    const statuses = yield* Effect.promise(async () => {
      const socket = await Deno.connect({ hostname, port: Number(port) })
      for (const host of ["a", "evil/metrics?", "[::1]:80", "evil/operator/accounts#"]) {
        await socket.write(head("GET", "/swaps", [host]))
      }
      await socket.write(
        new TextEncoder().encode("GET /livez HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n"),
      )
      return [...(await new Response(socket.readable).text()).matchAll(/HTTP\/1\.1 (\d{3}) /g)]
        .map(([, status]) => status)
    })
    assert.deepStrictEqual(statuses, ["200", "400", "200", "400", "200"])
  })

  it.effect("is not taken for a path that begins like an answer which is repeated", function* () {
    const wire = new Wire(yield* brokerUrl)
    const quotes = "/quotes?sourceAsset=btc.btc&destinationAsset=eth.eth&amount=1"
    for (let count = 0; count < 4; count++) {
      const own = yield* Effect.promise(() => wire.ask(head("GET", `${quotes}&x=/`, ["a"])))
      assert.isTrue(own !== "closed" && own.status === 200)
      assertRefused("quotes", yield* Effect.promise(() => wire.ask(head("GET", "/", [`a${quotes}&x=`]))))
    }
    wire.close()
  })
})

withListeningBroker()("a target", (it) => {
  it.effect("that is a URL counts with its own host", function* () {
    const wire = new Wire(yield* brokerUrl)
    const reply = yield* Effect.promise(() =>
      wire.ask(head("GET", "http://own.example/networks", ["other.example"]))
    )
    assert.isTrue(
      reply !== "closed" && reply.status === 200 && reply.text.includes("http://own.example/logos/"),
    )
    assert.isFalse(reply !== "closed" && reply.text.includes("other.example"))
    wire.close()
  })

  it.effect("that a proxy's rules by the beginning of a path would miss finds nothing that is closed", function* () {
    const wire = new Wire(yield* brokerUrl)
    for (const path of ["/metrics", "/operator/accounts", "/dashboard", "/providers"]) {
      for (const target of [`/${path}`, `//${path}`, `http://a/${path}`]) {
        const reply = yield* Effect.promise(() => wire.ask(head("GET", target, ["a"])))
        assert.isTrue(reply !== "closed" && reply.status === 404, target)
      }
    }
    const open = yield* Effect.promise(() => wire.ask(head("GET", "//livez", ["a"])))
    assert.isTrue(open !== "closed" && open.status === 200)
    wire.close()
  })
})
