import { Duration, Effect, Layer, Option } from "effect"
import { CircuitBreaker } from "effect/persistence"
import type { Value } from "#infrastructure/config/Setting.ts"
import type { quotas } from "../limits/settings.ts"
import { RateLimits } from "../limits/RateLimits.ts"
import { Budgets } from "#providers/Budgets.ts"
import { Explanations } from "../quoting/Explanations.ts"
import { CircuitScope } from "#infrastructure/platform/CircuitScope.ts"
import type { redisSettings } from "#infrastructure/platform/redis.ts"

/** The prefix of every key in Redis. */
const prefix = "swap-broker/"

/** The pause before another attempt, long enough that a Redis on the edge of its timeout does not fill the log. */
const rest = Duration.seconds(2)

interface ReplicaSettings {
  /** The idle time after which a circuit is forgotten. */
  readonly circuitForget: Duration.Duration
  readonly quotas: Value<typeof quotas>
  readonly redis: Value<typeof redisSettings>
}

/** Circuits, rate limits, budgets and explanations: in this process, or in Redis (loaded on use) for all. */
export const replicaState = (
  { circuitForget: idleTimeToLive, quotas, redis: { url, timeout } }: ReplicaSettings,
): Layer.Layer<CircuitBreaker.CircuitBreakerStore | CircuitScope | RateLimits | Explanations | Budgets> => {
  return Option.match(url, {
    onNone: () =>
      Layer.mergeAll(
        CircuitBreaker.layerStoreMemory({ idleTimeToLive }),
        CircuitScope.layerProcess,
        RateLimits.layer(quotas),
        Explanations.layer,
        Budgets.layer,
      ),
    onSome: (url) =>
      Layer.unwrap(Effect.map(
        Effect.promise(() => import("./redisState.ts")),
        ({ redisState }) => redisState({ url, prefix, timeout, rest, idleTimeToLive, quotas }),
      )),
  })
}
