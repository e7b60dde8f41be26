import { Duration, Effect, Layer, Option, Record, Result } from "effect"
import * as CircuitBreaker from "effect/persistence/CircuitBreaker"
import { type LimitName, type Quotas, RateLimits } from "../limits/RateLimits.ts"
import type { Settings } from "../Config.ts"
import { CircuitScope } from "../platform/CircuitScope.ts"

/** What every key in Redis begins with. */
const prefix = "swap-broker/"

/** Long enough that a Redis that only just answers in time does not fill the log with its comings and goings. */
const rest = Duration.seconds(2)

const windowMillis = 60_000

/** The limits by their settings; 0 sets none. */
export const quotasOf = (settings: Settings): Quotas => {
  const tokens: { readonly [Name in LimitName]: number } = {
    default: settings.rateLimit,
    swap: settings.rateLimitSwap,
    account: Option.getOrElse(settings.rateLimitAccount, () => settings.rateLimit),
    accountSwap: Option.getOrElse(settings.rateLimitAccountSwap, () => settings.rateLimitSwap),
    credentials: settings.rateLimitCredentials,
  }
  return Record.filterMap(
    tokens,
    (tokens) => tokens > 0 ? Result.succeed({ tokens, windowMillis }) : Result.failVoid,
  )
}

/**
 * Where the state is that replicas can share, the circuits' and that of rate limits: in this process, or in
 * Redis for all of them. The Redis client is loaded only when it is used.
 */
export const replicaState = (
  settings: Settings,
): Layer.Layer<CircuitBreaker.CircuitBreakerStore | CircuitScope | RateLimits> => {
  const quotas = quotasOf(settings)
  const { redisUrl, redisTimeout: timeout, circuitForget: idleTimeToLive } = settings
  return Option.match(redisUrl, {
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
