import { Clock, Context, Data, Effect, Layer } from "effect"
import type { Quota } from "./TokenBucket.ts"
import { TokenBuckets } from "./TokenBuckets.ts"

/**
 * What is limited: the requests of a key, those that open or prepare a swap, both of all keys of an account
 * together, and wrong keys from one address.
 */
export const limitNames = ["default", "swap", "account", "accountSwap", "credentials"] as const
export type LimitName = typeof limitNames[number]

/** The limits that there are; one without a quota is none. */
export type Quotas = { readonly [Name in LimitName]?: Quota }

/** How a subject stands under a limit once it has asked for a token. */
export interface Standing {
  readonly limit: LimitName
  readonly quota: Quota
  readonly isAdmitted: boolean
  /** Whole tokens that are left. */
  readonly left: number
  /** Until all tokens are there again; where none is left, until there is one. Whole seconds. */
  readonly seconds: number
}

/** There is no token left. */
export class LimitReached extends Data.TaggedError("LimitReached")<{ readonly standing: Standing }> {}

/** Limits of subjects by name: ids of API keys or of accounts, or addresses. Time is read only where a token is asked for. */
export interface RateLimiter {
  /**
   * Asks for a token; nothing where there is no such limit. It does not wait for anything, as it is on the way
   * of answers that take a few microseconds in all.
   */
  readonly take: (limit: LimitName, subject: string) => Standing | undefined
  /** Gives back a token that was had. */
  readonly giveBack: (limit: LimitName, subject: string) => void
  /** Makes the bucket of a subject hold so many tokens, where it has one; fewer than none are a debt. */
  readonly correct: (limit: LimitName, subject: string, tokens: number) => void
}

const toSeconds = (millis: number): number => Math.ceil(millis / 1_000)

/** Limits by the buckets of this process; `now` tells milliseconds. */
export const makeRateLimiter = (quotas: Quotas, now: () => number): RateLimiter => {
  const made = new Map(
    limitNames.flatMap((name) => {
      const quota = quotas[name]
      return quota === undefined ? [] : [[name, { quota, buckets: new TokenBuckets(quota) }] as const]
    }),
  )
  return {
    take: (limit, subject) => {
      const found = made.get(limit)
      if (found === undefined) return undefined
      const { quota, buckets } = found
      const at = now()
      const bucket = buckets.of(subject, at)
      const isAdmitted = bucket.take(at)
      const left = bucket.left(at)
      const seconds = toSeconds(left > 0 ? bucket.millisUntilFull(at) : bucket.millisUntilToken(at))
      return { limit, quota, isAdmitted, left, seconds }
    },
    giveBack: (limit, subject) => made.get(limit)?.buckets.find(subject)?.giveBack(),
    correct: (limit, subject, tokens) => made.get(limit)?.buckets.find(subject)?.setTo(tokens, now()),
  }
}

/** How often each API key and each account may ask, and each address be wrong about a key. */
export class RateLimits extends Context.Service<RateLimits, RateLimiter>()(
  "swap-broker/accounts/RateLimits",
) {
  /** Limits of this process alone. */
  static readonly layer = (quotas: Quotas): Layer.Layer<RateLimits> =>
    Layer.effect(
      RateLimits,
      Effect.map(Clock.Clock, (clock) => makeRateLimiter(quotas, () => clock.currentTimeMillisUnsafe())),
    )
}
