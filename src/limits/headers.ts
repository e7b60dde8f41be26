import type { LimitState } from "./RateLimits.ts"

/** The fields of draft-ietf-httpapi-ratelimit-headers-11, which are structured ones (RFC 9651). */
export const limitField = "ratelimit"
export const policyField = "ratelimit-policy"

/** How the caller stands: tokens that are left, and for how many seconds they have to do. */
export const limitValue = ({ limit, left, seconds }: LimitState): string =>
  `"${limit}";r=${left};t=${seconds}`

const policyValue = ({ limit, quota }: LimitState): string =>
  `"${limit}";q=${quota.tokens};w=${Math.ceil(quota.windowMillis / 1_000)}`

/** What an answer says of the limit that its request counted against. */
export const limitHeaders = (standing: LimitState): Readonly<Record<string, string>> => ({
  [limitField]: limitValue(standing),
  [policyField]: policyValue(standing),
})
