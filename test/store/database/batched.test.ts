import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { makeBatched } from "../../../src/store/database/batched.ts"

/** A write that waits until it is let through, and which items came together. */
const observed = (most: number) => {
  const batches: Array<ReadonlyArray<number>> = []
  const gate = Deferred.makeUnsafe<void>()
  const write = makeBatched<number, string, string>(
    (items) =>
      Effect.gen(function* () {
        batches.push(items)
        yield* Deferred.await(gate)
        if (items.includes(13)) return yield* Effect.fail("unlucky")
        return (item) => `wrote ${item}`
      }),
    most,
  )
  return { batches, open: Deferred.succeed(gate, undefined), write }
}

const begin = <A, E>(work: Effect.Effect<A, E>) => Effect.forkChild(work, { startImmediately: true })

it.effect("writes what comes in alone at once, and together what comes in meanwhile", () =>
  Effect.gen(function* () {
    const { batches, open, write } = observed(3)
    const fibers = yield* Effect.forEach([1, 2, 3, 4, 5], (item) => begin(write(item)))
    assert.deepStrictEqual(batches, [[1]])
    yield* open
    const results = yield* Effect.forEach(fibers, Fiber.join)
    assert.deepStrictEqual(results, [1, 2, 3, 4, 5].map((item) => `wrote ${item}`))
    assert.deepStrictEqual(batches, [[1], [2, 3, 4], [5]])
  }))

it.effect("fails those together whose write fails, and nobody else", () =>
  Effect.gen(function* () {
    const { open, write } = observed(2)
    const fibers = yield* Effect.forEach([1, 12, 13, 14], (item) => begin(Effect.result(write(item))))
    yield* open
    const results = yield* Effect.forEach(fibers, Fiber.join)
    assert.deepStrictEqual(results.map(({ _tag }) => _tag), ["Success", "Failure", "Failure", "Success"])
  }))

it.effect("writes again for the others where the one that wrote for them is interrupted", () =>
  Effect.gen(function* () {
    const { batches, open, write } = observed(5)
    const first = yield* begin(write(1))
    const [second, third] = yield* Effect.all([begin(write(2)), begin(write(3))])
    yield* Fiber.interrupt(first)
    yield* Effect.yieldNow
    assert.deepStrictEqual(batches, [[1], [2, 3]])
    yield* Fiber.interrupt(second)
    yield* open
    assert.strictEqual(yield* Fiber.join(third), "wrote 3")
    assert.deepStrictEqual(batches, [[1], [2, 3], [3]])
  }))

it.effect(
  "leaves nobody waiting who has to be written again after others that came later",
  () =>
    Effect.gen(function* () {
      const { batches, open, write } = observed(2)
      const first = yield* begin(write(1))
      const [second, third] = yield* Effect.all([begin(write(2)), begin(write(3))])
      yield* Fiber.interrupt(first)
      yield* Effect.yieldNow
      const [fourth, fifth] = yield* Effect.all([begin(write(4)), begin(write(5))])
      yield* Fiber.interrupt(second)
      yield* open
      const results = yield* Effect.forEach([third, fourth, fifth], Fiber.join)
      assert.deepStrictEqual(results, ["wrote 3", "wrote 4", "wrote 5"])
      assert.deepStrictEqual(batches, [[1], [2, 3], [3, 4], [5]])
    }),
  5_000,
)

it.effect("forgets what is given up before it was written", () =>
  Effect.gen(function* () {
    const { batches, open, write } = observed(5)
    const [first, second] = yield* Effect.all([begin(write(1)), begin(write(2))])
    yield* Fiber.interrupt(second)
    yield* open
    yield* Fiber.join(first)
    yield* write(3)
    assert.deepStrictEqual(batches, [[1], [3]])
  }))
