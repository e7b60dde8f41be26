import { Duration, Effect, Layer, Option } from "effect"
import * as CircuitBreaker from "effect/persistence/CircuitBreaker"
import type { Value } from "../config/Setting.ts"
import type { quotas } from "../limits/settings.ts"
import { RateLimits } from "../limits/RateLimits.ts"
import { CircuitScope } from "../platform/CircuitScope.ts"
import type { redisSettings } from "../platform/redis.ts"

/** What every key in Redis begins with. */
const prefix = "swap-broker/"

/** Long enough that a Redis that only just answers in time does not fill the log with its comings and goings. */
const rest = Duration.seconds(2)

interface ReplicaSettings {
  /** Idle time after which a circuit is forgotten. */
  readonly circuitForget: Duration.Duration
  readonly quotas: Value<typeof quotas>
  readonly redis: Value<typeof redisSettings>
}

/**
 * Where the state is that replicas can share, the circuits' and that of rate limits: in this process, or in
 * Redis for all of them. The Redis client is loaded only when it is used.
 */
export const replicaState = (
  { circuitForget: idleTimeToLive, quotas, redis: { url, timeout } }: ReplicaSettings,
): Layer.Layer<CircuitBreaker.CircuitBreakerStore | CircuitScope | RateLimits> => {
  return Option.match(url, {
    onNone: () =>
      Layer.mergeAll(
        CircuitBreaker.layerStoreMemory({ idleTimeToLive }),
        CircuitScope.layerProcess,
        RateLimits.layer(quotas),
      ),
    onSome: (url) =>
      Layer.unwrap(
        Effect.map(
          Effect.promise(() => import("./redisState.ts")),
          ({ redisState }) => redisState({ url, prefix, timeout, rest, idleTimeToLive, quotas }),
        ),
      ),
  })
}
