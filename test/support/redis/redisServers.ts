import * as NodeRedis from "@effect/platform-node/NodeRedis"
import { Context, Effect, Layer, type Scope } from "effect"
import { respServer } from "./respServer.ts"

/** A Redis for one test, and what its keys begin with. */
export interface TestRedis {
  readonly url: URL
  readonly prefix: string
}

/** A kind of Redis that the suites of the shared circuits run on. */
export interface RedisServer {
  readonly name: string
  /** For the length of a scope; what the test has written is gone afterwards. */
  readonly place: Effect.Effect<TestRedis, never, Scope.Scope>
}

const ownPrefix = () => `swap-broker/test/${crypto.randomUUID()}/`

/** Deletes every key with the prefix. */
const clear = ({ url, prefix }: TestRedis) =>
  Effect.gen(function* () {
    const { use } = Context.get(yield* Layer.build(NodeRedis.layer({ url: url.href })), NodeRedis.NodeRedis)
    yield* use(async (client) => {
      for await (const keys of client.scanIterator({ MATCH: `${prefix}*` })) {
        if (keys.length > 0) await client.del(keys)
      }
    })
  }).pipe(Effect.scoped, Effect.orDie)

const real = (url: URL): RedisServer => ({
  name: `Redis at ${url.host}`,
  place: Effect.acquireRelease(Effect.sync(() => ({ url, prefix: ownPrefix() })), clear),
})

const doubled: RedisServer = {
  name: "the protocol of Redis",
  place: Effect.map(respServer, (url) => ({ url, prefix: ownPrefix() })),
}

/** Whether something at a place says that it is a Redis that lets everybody in. */
const answers = async ({ hostname, port }: URL): Promise<boolean> => {
  try {
    using connection = await Deno.connect({ hostname, port: Number(port) })
    const timer = setTimeout(() => connection.close(), 500)
    await connection.write(new TextEncoder().encode("PING\r\n"))
    const bytes = new Uint8Array(7)
    await connection.read(bytes)
    clearTimeout(timer)
    return new TextDecoder().decode(bytes) === "+PONG\r\n"
  } catch {
    return false
  }
}

const named = Deno.env.get("TEST_REDIS_URL")
const usual = new URL("redis://127.0.0.1:6379")

/** A double of the tests' own, and the Redis of `TEST_REDIS_URL`, or else one that answers where it usually is. */
export const redisServers: ReadonlyArray<RedisServer> = [
  doubled,
  ...(named !== undefined ? [real(new URL(named))] : await answers(usual) ? [real(usual)] : []),
]
