import { Effect, Option, Redacted } from "effect"
import type { Value } from "../../config/Setting.ts"
import type { redisSettings } from "../../platform/redis.ts"
import { ill, well } from "./Finding.ts"

/** The client is loaded only where it is used. */
const ping = (url: Redacted.Redacted<string>) =>
  Effect.gen(function* () {
    const { NodeRedis, layer } = yield* Effect.promise(() => import("@effect/platform-node/NodeRedis"))
    const redis = layer({
      url: Redacted.value(url),
      socket: { connectTimeout: 3_000, reconnectStrategy: false },
    })
    yield* Effect.gen(function* () {
      const { use } = yield* NodeRedis
      yield* use((client) => client.ping())
    }).pipe(Effect.provide(redis), Effect.timeout("5 seconds"))
  })

/** Whether Redis answers, where it is used. */
export const checkRedis = ({ url }: Pick<Value<typeof redisSettings>, "url">) =>
  Option.match(url, {
    onNone: () => Effect.succeed(well("redis", "not used: circuit state is each process's own")),
    onSome: (url) =>
      Effect.match(ping(url), {
        onSuccess: () => well("redis", "answers"),
        onFailure: (error) =>
          ill(
            "redis",
            `does not answer (${error._tag}); circuit state is each process's own meanwhile`,
            "Start Redis, or correct or unset REDIS_URL",
          ),
      }),
  })
