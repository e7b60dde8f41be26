import { Effect, Layer, Option } from "effect"
import * as CircuitBreaker from "effect/persistence/CircuitBreaker"
import type { Settings } from "../Config.ts"

/**
 * Where the circuits' state is: in this process, or in Redis for all replicas. The Redis client is loaded only
 * when it is used.
 */
export const circuitStore = ({ redisUrl, circuitForget }: Settings) =>
  Option.match(redisUrl, {
    onNone: () => CircuitBreaker.layerStoreMemory({ idleTimeToLive: circuitForget }),
    onSome: (url) =>
      Layer.unwrap(
        Effect.map(
          Effect.promise(() => import("./redisCircuitStore.ts")),
          ({ redisCircuitStore }) => redisCircuitStore(url, circuitForget),
        ),
      ),
  })
