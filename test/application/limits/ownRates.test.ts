import { assert, describe, it } from "#test/support/it.ts"
import { Array } from "effect"
import { ownQuota } from "#application/limits/admitRequest.ts"
import { limitHeaders, makeRateLimiter } from "#application/limits/RateLimits.ts"
import { perMinute } from "#application/limits/TokenBucket.ts"
import { Limit } from "#domain/accounts/OwnTerms.ts"

/** Limits with a clock of their own: requests of an account at a rate, by how many were admitted. */
const limiter = (quotas: Parameters<typeof makeRateLimiter>[0] = { account: perMinute(100) }) => {
  let now = 0
  const limits = makeRateLimiter(quotas, () => now)
  return {
    limits,
    wait: (millis: number) => {
      now += millis
    },
    admitted: (count: number, rate?: number, subject = "1") =>
      Array.makeBy(
        count,
        () => limits.take("account", subject, rate === undefined ? undefined : perMinute(rate)),
      )
        .filter((state) => state?.isAdmitted === true).length,
  }
}

describe("the rate of an account's own", () => {
  it("counts in place of the setting, also where that has no limit, and of no other account", () => {
    const { admitted, limits } = limiter()
    assert.strictEqual(admitted(200, 7), 7)
    assert.strictEqual(admitted(200, 120, "2"), 120)
    assert.strictEqual(admitted(200, undefined, "3"), 100)
    const state = limits.take("account", "1", perMinute(7))
    assert.strictEqual(state && limitHeaders(state)["ratelimit-policy"], '"account";q=7;w=60')
    assert.strictEqual(limiter({}).admitted(9, 4), 4)
  })

  it("keeps a bucket as full as it was when it changes, so that no change gives tokens", () => {
    const { admitted, wait } = limiter()
    assert.strictEqual(admitted(10, 10), 10)
    for (const rate of [1_000, 10, 6_000, 1, 10]) assert.strictEqual(admitted(1, rate), 0)
    wait(6_001)
    assert.strictEqual(admitted(5, 10), 1)
    wait(60_000)
    assert.strictEqual(admitted(50, 100), 50)
    assert.strictEqual(admitted(50, 10), 5)
    // What is nearly empty at a high rate is not closed for hours at a low one.
    assert.strictEqual(admitted(9, 6_000), 0)
    wait(60_000)
    assert.strictEqual(admitted(9, 3), 3)
  })

  it("is that of requests or of openings", () => {
    const rates = { requestsPerMinute: Limit.make(3), openingsPerMinute: Limit.make(2) }
    assert.deepStrictEqual(ownQuota(rates), perMinute(3))
    assert.deepStrictEqual(ownQuota(rates, "swap"), perMinute(2))
    assert.isUndefined(ownQuota({}, "swap"))
  })
})
