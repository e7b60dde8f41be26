import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { RateLimits } from "../../src/accounts/RateLimits.ts"
import { admitOpenings } from "../../src/http/admission.ts"

const openings = (keyId: string, count: number) =>
  Effect.flatMap(RateLimits, (limits) => Effect.result(admitOpenings(limits, keyId, count)))

layer(RateLimits.layer({ swap: { tokens: 5, windowMillis: 60_000 } }))("openings of one request", (it) => {
  it.effect("count each", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* openings("one", 3))._tag, "Success")
      assert.strictEqual((yield* openings("one", 2))._tag, "Success")
      assert.strictEqual((yield* openings("one", 1))._tag, "Failure")
    }))

  it.effect("count for nothing when they are more than may be", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* openings("other", 10))._tag, "Failure")
      assert.strictEqual((yield* openings("other", 5))._tag, "Success")
    }))
})
