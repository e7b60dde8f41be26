import { assert, describe, it } from "#test/support/it.ts"
import { Context, Deferred, Effect, Layer } from "effect"
import { Server } from "#interfaces/http/server/Server.ts"
import { broker } from "#test/support/broker.ts"
import { preparedDatabase } from "#test/support/prepared/template.ts"
import { ask, members } from "./asking.ts"

const serverUrl = Deno.env.get("TEST_DATABASE_URL")

/** Two brokers over one Postgres; without a server one, as nobody can share the embedded database. */
const replicas = Effect.gen(function* () {
  if (serverUrl === undefined) return [Context.get(yield* Layer.build(broker()), Server)]
  const environment = { DATABASE_URL: yield* preparedDatabase(serverUrl) }
  return yield* Effect.forEach(
    [1, 2],
    () =>
      Effect.map(Layer.build(Layer.fresh(broker(environment))), (context) => Context.get(context, Server)),
  )
})

/** An answer to a request with a key, and when the request was sent. */
interface Called {
  readonly replica: number
  readonly sentAt: number
  readonly status: number
}

/** Calls again and again until told to stop. */
const keepCalling = (
  { key, replica, taken, until }: {
    readonly key: string
    readonly replica: number
    /** Done when the key was taken. */
    readonly taken: Deferred.Deferred<void>
    readonly until: () => boolean
  },
  server: Server["Service"],
) =>
  Effect.gen(function* () {
    const calls: Array<Called> = []
    while (!until()) {
      const sentAt = performance.now()
      const { status } = yield* Effect.provideService(ask("GET", "/swaps", undefined, key), Server, server)
      calls.push({ replica, sentAt, status })
      if (status === 200) yield* Deferred.succeed(taken, undefined)
    }
    return calls
  })

describe(`a key that is revoked over HTTP, with ${serverUrl === undefined ? "one broker" : "two brokers"}`, () => {
  it.live(
    "is taken nowhere a second after that was answered, and not at all where it was done",
    function* () {
      const servers = yield* replicas
      const [here] = servers
      assert.isDefined(here)
      const operate = (method: string, path: string, body?: unknown) =>
        Effect.provideService(ask(method, `/operator${path}`, body), Server, here)
      assert.strictEqual((yield* operate("POST", "/accounts", { name: "leaky" })).status, 201)
      const { body } = yield* operate("POST", "/accounts/leaky/keys")
      const { id, key } = members(body)
      const calling = yield* Effect.forEach(
        servers,
        (server, replica) => Effect.map(Deferred.make<void>(), (taken) => ({ server, replica, taken })),
      )
      let revokedAt = Infinity
      const isOver = () => performance.now() > revokedAt + 1_500
      const [calls] = yield* Effect.all([
        Effect.forEach(
          calling,
          ({ server, ...caller }) => keepCalling({ ...caller, key: `${key}`, until: isOver }, server),
          { concurrency: "unbounded" },
        ),
        Effect.gen(function* () {
          for (const { taken } of calling) yield* Deferred.await(taken)
          assert.strictEqual((yield* operate("DELETE", `/keys/${id}`)).status, 200)
          revokedAt = performance.now()
        }),
      ], { concurrency: "unbounded" })
      const all = calls.flat()
      for (const [replica] of servers.entries()) {
        const mine = all.filter((one) => one.replica === replica)
        assert.isTrue(mine.some(({ status }) => status === 200), "it was taken before")
        const limit = replica === 0 ? revokedAt : revokedAt + 1_000
        const after = mine.filter(({ sentAt }) => sentAt > limit)
        assert.isNotEmpty(after)
        assert.deepStrictEqual(after.filter(({ status }) => status !== 401), [])
      }
    },
  )
})
