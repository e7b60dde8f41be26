import { assert, describe, it } from "@effect/vitest"
import { TokenBuckets } from "#application/limits/TokenBucket.ts"

const quota = { tokens: 2, windowMillis: 1_000 }

describe("the buckets of everybody", () => {
  it("are one for each subject, who shares it with nobody", () => {
    const buckets = new TokenBuckets(quota)
    assert.isTrue(buckets.of("one", 0).take(0))
    assert.isTrue(buckets.of("one", 0).take(0))
    assert.isFalse(buckets.of("one", 0).take(0))
    assert.isTrue(buckets.of("other", 0).take(0))
    assert.isUndefined(buckets.find("third"))
    assert.strictEqual(buckets.find("one")?.left(500), 1)
  })

  it("are kept while they are used, however long that is", () => {
    const buckets = new TokenBuckets(quota)
    const first = buckets.of("busy", 0)
    for (let now = 0; now < 20_000; now += 400) assert.strictEqual(buckets.of("busy", now), first)
  })

  it("are forgotten when they are full again, and no sooner", () => {
    const buckets = new TokenBuckets(quota)
    for (let index = 0; index < 1_000; index++) buckets.of(`address ${index}`, 0).take(0)
    buckets.of("somebody", 1_000)
    assert.strictEqual(buckets.size, 1_001)
    assert.strictEqual(buckets.find("address 0")?.left(499), 1)
    buckets.of("somebody", 2_000)
    assert.strictEqual(buckets.size, 1)
  })

  it("do not pile up however many call", () => {
    const buckets = new TokenBuckets(quota)
    for (let index = 0; index < 120_000; index++) buckets.of(`address ${index}`, 0)
    assert.isAtMost(buckets.size, 100_000)
    assert.isDefined(buckets.find("address 119999"))
  })

  it("are kept, and forgotten, by a clock that was set back", () => {
    const buckets = new TokenBuckets(quota)
    buckets.of("one", 50_000).take(50_000)
    assert.strictEqual(buckets.of("one", 10_000).left(10_000), 1)
    buckets.of("other", 11_000)
    buckets.of("other", 12_000)
    assert.isUndefined(buckets.find("one"))
  })
})
