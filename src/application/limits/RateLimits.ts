import { Clock, Context, Data, Effect, Layer } from "effect"
import { perMinute, type Quota, TokenBuckets } from "./TokenBucket.ts"

/** A key's requests, its openings, both for an account, wrong keys of an address, and a payer's page. */
export const limitNames = ["default", "swap", "account", "accountSwap", "credentials", "payer"] as const
export type LimitName = typeof limitNames[number]

/** The quota of each limit; a limit without one admits everything. */
export type Quotas = { readonly [Name in LimitName]?: Quota }

/** The state of a subject's limit after it asked for a token. */
export interface LimitState {
  readonly limit: LimitName
  readonly quota: Quota
  readonly isAdmitted: boolean
  /** The whole tokens that are left. */
  readonly left: number
  /** Seconds until all tokens are back, or, where none is left, until there is one. A whole number. */
  readonly seconds: number
}

/** The fields of draft-ietf-httpapi-ratelimit-headers-11, which are structured fields (RFC 9651). */
export const limitField = "ratelimit"
export const policyField = "ratelimit-policy"

/** The caller's state: the tokens left, and the seconds that they have to last. */
export const limitValue = ({ limit, left, seconds }: LimitState): string =>
  `"${limit}";r=${left};t=${seconds}`

const policyValue = ({ limit, quota }: LimitState): string =>
  `"${limit}";q=${quota.tokens};w=${Math.ceil(quota.windowMillis / 1_000)}`

/** The headers of an answer about the limit that its request counted against. */
export const limitHeaders = (standing: LimitState): Readonly<Record<string, string>> => ({
  [limitField]: limitValue(standing),
  [policyField]: policyValue(standing),
})

/** The subject has no token left. */
export class LimitReached extends Data.TaggedError("LimitReached")<{ readonly standing: LimitState }> {}

/** Limits of subjects by name: ids of keys or accounts, or addresses. Time is read only when a token is asked for. */
export interface RateLimiter {
  /** Asks for a token, of the subject's own quota if it has one; undefined where there is no limit. Never waits. */
  readonly take: (limit: LimitName, subject: string, own?: Quota) => LimitState | undefined
  readonly giveBack: (limit: LimitName, subject: string) => void
  /** Sets the tokens of a subject that has a bucket; below zero is a debt. */
  readonly correct: (limit: LimitName, subject: string, tokens: number) => void
}

const toSeconds = (millis: number): number => Math.ceil(millis / 1_000)

/** Limits by the buckets of this process; `now` returns milliseconds. */
export const makeRateLimiter = (quotas: Quotas, now: () => number): RateLimiter => {
  const made = new Map(
    limitNames.map((name) => [name, new TokenBuckets(quotas[name] ?? perMinute(1))] as const),
  )
  return {
    take: (limit, subject, quota = quotas[limit]) => {
      const buckets = made.get(limit)
      if (buckets === undefined || quota === undefined) return undefined
      const at = now()
      const bucket = buckets.of(subject, at, quota)
      const isAdmitted = bucket.take(at)
      const left = bucket.left(at)
      const seconds = toSeconds(left > 0 ? bucket.millisUntilFull(at) : bucket.millisUntilToken(at))
      return { limit, quota, isAdmitted, left, seconds }
    },
    giveBack: (limit, subject) => made.get(limit)?.find(subject)?.giveBack(),
    correct: (limit, subject, tokens) => made.get(limit)?.find(subject)?.setTo(tokens, now()),
  }
}

/** The limits on how often each API key and account may ask, and how often each address may send a wrong key. */
export class RateLimits extends Context.Service<RateLimits, RateLimiter>()("swap-broker/limits/RateLimits") {
  /** The limits of this process alone. */
  static readonly layer = (quotas: Quotas): Layer.Layer<RateLimits> =>
    Layer.effect(RateLimits)(
      Effect.map(Clock.Clock, (clock) => makeRateLimiter(quotas, () => clock.currentTimeMillisUnsafe())),
    )
}
