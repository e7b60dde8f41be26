import { Duration, Effect, Layer, Option } from "effect"
import * as CircuitBreaker from "effect/persistence/CircuitBreaker"
import type { Settings } from "../Config.ts"
import { CircuitScope } from "../providers/CircuitScope.ts"

/** What every key in Redis begins with. */
const prefix = "swap-broker/circuit/"

/** Long enough that a Redis that only just answers in time does not fill the log with its comings and goings. */
const rest = Duration.seconds(2)

/**
 * Where the circuits' state is: in this process, or in Redis for all replicas. The Redis client is loaded only
 * when it is used.
 */
export const circuitStore = (
  { redisUrl, redisTimeout, circuitForget }: Settings,
): Layer.Layer<CircuitBreaker.CircuitBreakerStore | CircuitScope> =>
  Option.match(redisUrl, {
    onNone: () =>
      Layer.merge(
        CircuitBreaker.layerStoreMemory({ idleTimeToLive: circuitForget }),
        CircuitScope.layerProcess,
      ),
    onSome: (url) =>
      Layer.unwrap(
        Effect.map(
          Effect.promise(() => import("./redisCircuits.ts")),
          ({ redisCircuits }) =>
            redisCircuits({ url, prefix, timeout: redisTimeout, rest, idleTimeToLive: circuitForget }),
        ),
      ),
  })
