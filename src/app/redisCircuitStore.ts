import * as NodeRedis from "@effect/platform-node/NodeRedis"
import { type Duration, Layer, Redacted, Schema } from "effect"
import * as CircuitBreaker from "effect/persistence/CircuitBreaker"

/** The Redis server cannot be used; the place has no user and no password. */
export class RedisUnusable extends Schema.TaggedError<RedisUnusable>()("RedisUnusable", {
  place: Schema.String,
}) {
  override get message(): string {
    return `The Redis server ${this.place} cannot be used. Check REDIS_URL and the server`
  }
}

/** Circuits that all replicas share. */
export const redisCircuitStore = (
  url: Redacted.Redacted<string>,
  idleTimeToLive: Duration.Duration,
): Layer.Layer<CircuitBreaker.CircuitBreakerStore, RedisUnusable> =>
  CircuitBreaker.layerStoreRedis({ prefix: "swap-broker/circuit/", idleTimeToLive }).pipe(
    Layer.provide(NodeRedis.layer({ url: Redacted.value(url) })),
    Layer.catch(() =>
      Layer.effect(
        CircuitBreaker.CircuitBreakerStore,
        new RedisUnusable({ place: new URL(Redacted.value(url)).host }),
      )
    ),
  )
