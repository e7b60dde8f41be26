import * as NodeRedis from "@effect/platform-node/NodeRedis"
import { Context, type Duration, Effect, Layer, Redacted, References } from "effect"
import { CircuitBreaker, Persistence, RateLimiter } from "effect/persistence"
import { Redis } from "effect/persistence/Redis"
import { type Quotas, RateLimits } from "../limits/RateLimits.ts"
import { type Replicas, sharedBudgets } from "./sharedBudgets.ts"
import { sharedCircuits } from "./sharedCircuits.ts"
import { sharedLimits } from "../limits/sharedLimits.ts"
import { Budgets } from "#providers/Budgets.ts"
import { Explanations, sharedExplanations } from "../quoting/Explanations.ts"
import { type Connection, sharedStore } from "../limits/SharedStore.ts"

/** The key that checks a connection. No circuit has it: theirs hold a provider and a group of operations. */
const checkKey = "connection"

export interface RedisStateOptions {
  readonly url: Redacted.Redacted<string>
  readonly prefix: string
  /** The longest that Redis may take to answer. */
  readonly timeout: Duration.Duration
  /** The pause before another attempt to connect to Redis. */
  readonly rest: Duration.Duration
  /** The idle time after which a circuit is forgotten. */
  readonly idleTimeToLive: Duration.Duration
  readonly quotas: Quotas
}

interface RedisStores {
  readonly circuits: CircuitBreaker.CircuitBreakerStore["Service"]
  readonly limits: RateLimiter.RateLimiterStore["Service"]
  readonly explanations: Persistence.BackingPersistenceStore
  readonly replicas: Replicas
}

/** What replicas say of themselves stands in one hash, which goes with the last of them. */
const replicasIn = ({ send }: Redis["Service"], key: string): Replicas => ({
  say: (replica, words) =>
    send("HSET", key, replica, words).pipe(
      Effect.andThen(send("PEXPIRE", key, "60000")),
      Effect.andThen(send<ReadonlyArray<string>>("HVALS", key)),
    ),
  forget: (replica) => Effect.asVoid(send("HDEL", key, replica)),
})

/** The client gives up instead of reconnecting or queueing, and where a ping is not answered. */
const clientOptions = {
  disableOfflineQueue: true,
  pingInterval: 1_000,
  socket: { connectTimeout: 1_000, socketTimeout: 3_000, reconnectStrategy: false },
} as const

/** A connection counts only once Redis has run the script of an admission over it, and has kept the result. */
const connect = Effect.fnUntraced(function* ({ url, prefix, timeout, idleTimeToLive }: RedisStateOptions) {
  const redis = yield* Layer.build(NodeRedis.layer({ ...clientOptions, url: Redacted.value(url) }))
  const { client } = Context.get(redis, NodeRedis.NodeRedis)
  // The client is destroyed, as closing it would wait for outstanding answers, which may never come.
  yield* Effect.addFinalizer(() => Effect.sync(() => client.destroy()))
  const context = yield* Layer.build(Layer.mergeAll(
    CircuitBreaker.layerStoreRedis({ prefix: `${prefix}circuit/`, idleTimeToLive }),
    RateLimiter.layerStoreRedis({ prefix: `${prefix}limit/` }),
    Persistence.layerBackingRedis,
  )).pipe(Effect.provide(redis))
  const circuits = Context.get(context, CircuitBreaker.CircuitBreakerStore)
  const explanations = yield* Context.get(context, Persistence.BackingPersistence).make(
    `${prefix}explanation`,
  )
  yield* Effect.scoped(circuits.admit(checkKey)).pipe(Effect.timeout(timeout))
  const lost = Effect.callback<string>((resume) => {
    const end = (cause: Error) => resume(Effect.succeed(cause.message))
    client.once("terminated", end)
    return Effect.sync(() => client.off("terminated", end))
  })
  const replicas = replicasIn(Context.get(redis, Redis), `${prefix}replicas`)
  const limits = Context.get(context, RateLimiter.RateLimiterStore)
  const store = { circuits, limits, explanations, replicas }
  return { store, lost } satisfies Connection<RedisStores>
})

/** Circuits, rate limits, explanations of quotes and budgets of calls that all replicas share through Redis, while it answers. */
export const redisState = (options: RedisStateOptions) =>
  Layer.effectContext(
    Effect.gen(function* () {
      const shared = yield* sharedStore({
        name: `Redis at ${new URL(Redacted.value(options.url)).host}`,
        // The client's log of each attempt to connect is turned off; that Redis is away is logged once.
        connect: Effect.provideService(connect(options), References.MinimumLogLevel, "None"),
        patience: options.timeout,
        rest: options.rest,
      })
      const local = yield* Layer.build(CircuitBreaker.layerStoreMemory(options))
      return sharedCircuits(shared, Context.get(local, CircuitBreaker.CircuitBreakerStore)).pipe(
        Context.add(RateLimits, yield* sharedLimits(shared, options.quotas)),
        Context.add(Explanations, yield* sharedExplanations(shared)),
        Context.add(Budgets, yield* sharedBudgets(shared)),
      )
    }),
  )
