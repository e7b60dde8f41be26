import { assert, describe, it } from "#test/support/it.ts"
import { Effect, Tracer } from "effect"
import { sampledPart } from "#infrastructure/platform/telemetry.ts"

/** A tracer that only remembers which of its spans are sampled. */
const makeDouble = (part: number) => {
  const sampled: Array<boolean> = []
  const tracer = Tracer.make({
    span: (options) => {
      sampled.push(options.sampled)
      return new Tracer.NativeSpan(options)
    },
  })
  return { sampled, tracer: sampledPart(tracer, part) }
}

const count = 400

const callers = (traceId: string, sampled = true) =>
  Tracer.externalSpan({ traceId, spanId: "00f067aa0ba902b7", sampled })

/** A request that calls something: two spans, in the trace of a caller where there is one. */
const request = (parent?: Tracer.AnySpan) =>
  Effect.void.pipe(Effect.withSpan("inner"), Effect.withSpan("outer", parent === undefined ? {} : { parent }))

const low = `${"f".repeat(19)}0000000000001`
const high = `${"0".repeat(19)}fffffffffffff`

describe("the part of traces that is sampled", () => {
  it.effect.each([0, 0.25, 1])(
    "is %d of those that begin here, each with all of its spans",
    function* (part) {
      const { sampled, tracer } = makeDouble(part)
      yield* Effect.replicateEffect(Effect.withTracer(request(), tracer), count)
      const outer = sampled.filter((_, index) => index % 2 === 0)
      const inner = sampled.filter((_, index) => index % 2 === 1)
      assert.deepStrictEqual(inner, outer)
      const found = outer.filter((is) => is).length / count
      assert.closeTo(found, part, part === 0.25 ? 0.15 : 0)
    },
  )

  it.effect("goes by the trace id where a caller has given one, whatever the caller wants", function* () {
    const { sampled, tracer } = makeDouble(0.5)
    for (const parent of [callers(low), callers(high), callers(low, false)]) {
      yield* Effect.withTracer(request(parent), tracer)
    }
    assert.deepStrictEqual(sampled, [true, true, false, false, false, false])
  })

  it.effect("leaves every trace its id, sampled or not", function* () {
    const { tracer } = makeDouble(0)
    const seen = yield* Effect.currentSpan.pipe(
      Effect.withSpan("request", { parent: callers(high) }),
      Effect.withTracer(tracer),
    )
    assert.strictEqual(seen.traceId, high)
  })
})
