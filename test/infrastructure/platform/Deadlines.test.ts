import { assert, describe, it } from "#test/support/it.ts"
import { Duration, Effect, Exit, Fiber, Schema } from "effect"
import { TestClock } from "effect/testing"
import { endedBy, makeDeadlines } from "#infrastructure/platform/Deadlines.ts"

describe("deadlines of one length", () => {
  it.effect("pass in the order in which they began, each at its own time", function* () {
    const deadlines = yield* makeDeadlines(Duration.seconds(5))
    const passed: Array<string> = []
    deadlines.begin(() => passed.push("first"))
    yield* TestClock.adjust("2 seconds")
    deadlines.begin(() => passed.push("second"))
    yield* TestClock.adjust("2999 millis")
    assert.deepStrictEqual(passed, [])
    yield* TestClock.adjust("1 millis")
    assert.deepStrictEqual(passed, ["first"])
    yield* TestClock.adjust("2 seconds")
    assert.deepStrictEqual(passed, ["first", "second"])
    deadlines.begin(() => passed.push("third"))
    yield* TestClock.adjust("5 seconds")
    assert.deepStrictEqual(passed, ["first", "second", "third"])
  })

  const Waits = Schema.Array(Schema.Struct({
    begins: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 20 })),
    calledOffAfter: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 20 })),
  }))

  it.effect.prop(
    "pass exactly when nobody called them off before",
    { waits: Waits },
    ({ waits }) =>
      Effect.gen(function* () {
        const length = 10
        const deadlines = yield* makeDeadlines(Duration.millis(length))
        const passedAt = new Map<number, number>()
        const callOffs = new Map<number, () => void>()
        let now = 0
        for (; now <= 50; now++) {
          for (const [index, { begins, calledOffAfter }] of waits.entries()) {
            if (now === begins) callOffs.set(index, deadlines.begin(() => passedAt.set(index, now)))
            if (now === begins + calledOffAfter) callOffs.get(index)?.()
          }
          yield* TestClock.adjust("1 millis")
        }
        for (const [index, { begins, calledOffAfter }] of waits.entries()) {
          const expected = calledOffAfter < length ? undefined : begins + length - 1
          assert.strictEqual(passedAt.get(index), expected)
        }
      }).pipe(Effect.scoped, Effect.provide(TestClock.layer())),
    { arbitrary: { runs: 50, seed: "deadlines" } },
  )

  it.effect("end with their scope", function* () {
    let passed = false
    yield* Effect.scoped(Effect.map(makeDeadlines(Duration.seconds(1)), (deadlines) =>
      deadlines.begin(() => {
        passed = true
      })))
    yield* TestClock.adjust("1 minute")
    assert.isFalse(passed)
  })
})

describe("an effect with a deadline", () => {
  const within = <A>(effect: Effect.Effect<A>) =>
    Effect.flatMap(
      makeDeadlines(Duration.seconds(1)),
      (deadlines) => endedBy(deadlines, effect, () => "late"),
    )

  it.effect("answers, and nothing happens at the deadline", function* () {
    const fiber = yield* Effect.forkChild(within(Effect.as(Effect.sleep("999 millis"), 1)))
    yield* TestClock.adjust("2 seconds")
    assert.deepStrictEqual(yield* Fiber.await(fiber), Exit.succeed(1))
  })

  it.effect("is interrupted, waited for and late at the deadline", function* () {
    let ended = false
    const slowEnd = Effect.onInterrupt(Effect.never, () =>
      Effect.andThen(
        Effect.sleep("2 seconds"),
        Effect.sync(() => {
          ended = true
        }),
      ))
    const fiber = yield* Effect.forkChild(within(slowEnd))
    yield* TestClock.adjust("2999 millis")
    assert.isUndefined(fiber.pollUnsafe())
    yield* TestClock.adjust("1 millis")
    assert.deepStrictEqual(yield* Fiber.await(fiber), Exit.fail("late"))
    assert.isTrue(ended)
  })

  it.effect("is interrupted with whoever waits for it", function* () {
    let interrupted = false
    const fiber = yield* Effect.forkChild(
      within(Effect.onInterrupt(Effect.never, () =>
        Effect.sync(() => {
          interrupted = true
        }))),
      { startImmediately: true },
    )
    yield* Fiber.interrupt(fiber)
    assert.isTrue(interrupted)
  })

  it.effect("dies with its own interruption, which is not lateness", function* () {
    const exit = yield* Effect.exit(within(Effect.interrupt))
    assert.isTrue(Exit.hasInterrupts(exit))
  })
})
