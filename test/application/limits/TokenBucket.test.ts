import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { type Quota, TokenBucket } from "#application/limits/TokenBucket.ts"

const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

/** How long passes before somebody asks for a token; often nothing. */
const Wait = Schema.Union([Schema.Literal(0), between(0, 3_000)])

/** What a bucket is to do, said naively: a millisecond at a time, in big integers. */
class NaiveBucket {
  #parts: bigint
  constructor(readonly quota: Quota) {
    this.#parts = this.#whole
  }
  get #whole(): bigint {
    return BigInt(this.quota.tokens) * BigInt(this.quota.windowMillis)
  }
  get left(): number {
    return Number(this.#parts / BigInt(this.quota.windowMillis))
  }
  wait(millis: number): void {
    for (let passed = 0; passed < millis; passed++) {
      this.#parts += BigInt(this.quota.tokens)
      if (this.#parts > this.#whole) this.#parts = this.#whole
    }
  }
  take(): boolean {
    if (this.left === 0) return false
    this.#parts -= BigInt(this.quota.windowMillis)
    return true
  }
}

describe("a bucket of tokens", () => {
  it.prop(
    "admits what a naive one admits, millisecond by millisecond, and tells the same",
    [between(1, 9), between(1, 2_000), Schema.Array(Wait).check(Schema.isMaxLength(60))],
    ([tokens, windowMillis, waits]) => {
      const quota = { tokens, windowMillis }
      const naive = new NaiveBucket(quota)
      let now = 1_000_000
      const bucket = new TokenBucket(quota, now)
      for (const wait of waits) {
        now += wait
        naive.wait(wait)
        assert.strictEqual(bucket.take(now), naive.take())
        assert.strictEqual(bucket.left(now), naive.left)
      }
      const untilToken = bucket.millisUntilToken(now)
      if (naive.left > 0) assert.strictEqual(untilToken, 0)
      else {
        assert.strictEqual(bucket.left(now + untilToken - 1), 0)
        // One millisecond may bring several.
        assert.isAtLeast(bucket.left(now + untilToken), 1)
      }
      const untilFull = bucket.millisUntilFull(now)
      assert.strictEqual(bucket.millisUntilFull(now + untilFull), 0)
      assert.strictEqual(bucket.left(now + untilFull), tokens)
    },
  )

  it.prop(
    "admits no more in any time than it holds and what comes back in that time",
    [between(1, 20), between(1, 10_000), Schema.Array(between(0, 500)).check(Schema.isMaxLength(80))],
    ([tokens, windowMillis, waits]) => {
      const bucket = new TokenBucket({ tokens, windowMillis }, 0)
      let now = 0
      let admitted = 0
      for (const wait of waits) {
        now += wait
        if (bucket.take(now)) admitted++
        assert.isAtMost(admitted, tokens + Math.floor((now * tokens) / windowMillis))
      }
    },
  )

  it("never rounds, however odd the figures are", () => {
    const bucket = new TokenBucket({ tokens: 7, windowMillis: 60_000 }, 0)
    for (let count = 0; count < 7; count++) assert.isTrue(bucket.take(0))
    assert.isFalse(bucket.take(0))
    assert.strictEqual(bucket.millisUntilToken(0), 8_572)
    assert.strictEqual(bucket.millisUntilFull(0), 60_000)
    assert.isFalse(bucket.take(8_571))
    assert.isTrue(bucket.take(8_572))
    assert.strictEqual(bucket.left(59_999), 5)
    assert.strictEqual(bucket.left(60_000), 6)
  })

  it("gives nothing for a clock that is set back, and goes on from there", () => {
    const bucket = new TokenBucket({ tokens: 2, windowMillis: 1_000 }, 10_000)
    bucket.take(10_000)
    bucket.take(10_000)
    assert.isFalse(bucket.take(5_000))
    assert.isFalse(bucket.take(5_499))
    assert.isTrue(bucket.take(5_500))
  })

  it("can be in debt, which is paid before there is a token again", () => {
    const bucket = new TokenBucket({ tokens: 10, windowMillis: 1_000 }, 0)
    bucket.setTo(-4.5, 0)
    assert.strictEqual(bucket.left(0), 0)
    assert.strictEqual(bucket.millisUntilToken(0), 550)
    assert.isFalse(bucket.take(549))
    assert.isTrue(bucket.take(550))
    bucket.setTo(100, 550)
    assert.strictEqual(bucket.left(550), 10)
  })
})
