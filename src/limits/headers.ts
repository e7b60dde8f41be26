import type { LimitState } from "./RateLimits.ts"

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
