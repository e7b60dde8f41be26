import { assert, it } from "#test/support/it.ts"
import { Context, Deferred, Effect, Fiber } from "effect"
import { makeBatched } from "#infrastructure/store/database/batched.ts"

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

it.effect("writes what comes in alone at once, and together what comes in meanwhile", function* () {
  const { batches, open, write } = observed(3)
  const fibers = yield* Effect.forEach([1, 2, 3, 4, 5], (item) => begin(write(item)))
  assert.deepStrictEqual(batches, [[1]])
  yield* open
  const results = yield* Effect.forEach(fibers, Fiber.join)
  assert.deepStrictEqual(results, [1, 2, 3, 4, 5].map((item) => `wrote ${item}`))
  assert.deepStrictEqual(batches, [[1], [2, 3, 4], [5]])
})

it.effect("fails those together whose write fails, and nobody else", function* () {
  const { open, write } = observed(2)
  const fibers = yield* Effect.forEach([1, 12, 13, 14], (item) => begin(Effect.result(write(item))))
  yield* open
  const results = yield* Effect.forEach(fibers, Fiber.join)
  assert.deepStrictEqual(results.map(({ _tag }) => _tag), ["Success", "Failure", "Failure", "Success"])
})

it.effect("writes once for the others though the first of them is interrupted meanwhile", function* () {
  const { batches, open, write } = observed(5)
  const first = yield* begin(write(1))
  const [second, third] = yield* Effect.all([begin(write(2)), begin(write(3))])
  yield* Fiber.interrupt(first)
  assert.deepStrictEqual(batches, [[1]])
  yield* open
  assert.strictEqual(yield* Fiber.join(second), "wrote 2")
  assert.strictEqual(yield* Fiber.join(third), "wrote 3")
  assert.deepStrictEqual(batches, [[1], [2, 3]])
})

it.effect("lets go of a caller who is interrupted while the write goes on", function* () {
  const gate = yield* Deferred.make<void>()
  const written: Array<number> = []
  const write = makeBatched(
    (items: ReadonlyArray<number>) =>
      Effect.as(
        Effect.andThen(Deferred.await(gate), Effect.sync(() => written.push(...items))),
        (item: number) => item,
      ),
    5,
  )
  const alone = yield* begin(write(1))
  yield* Fiber.interrupt(alone)
  assert.deepStrictEqual(written, [])
  yield* Deferred.succeed(gate, undefined)
  assert.strictEqual(yield* write(2), 2)
  assert.deepStrictEqual(written, [1, 2])
})

it.effect("writes with the context of the first of those who wait", function* () {
  const gate = yield* Deferred.make<void>()
  const names: Array<string> = []
  const Name = Context.Reference<string>("batched.test/Name", { defaultValue: () => "nobody" })
  const write = makeBatched((_items: ReadonlyArray<number>) =>
    Effect.gen(function* () {
      yield* Deferred.await(gate)
      names.push(yield* Name)
      return (item: number) => item
    }), 5)
  const as = (name: string, item: number) => begin(Effect.provideService(write(item), Name, name))
  const fibers = yield* Effect.all([as("first", 1), as("second", 2), as("third", 3)])
  yield* Deferred.succeed(gate, undefined)
  yield* Effect.forEach(fibers, Fiber.join)
  assert.deepStrictEqual(names, ["first", "second"])
})

it.effect("forgets what is given up before it was written", function* () {
  const { batches, open, write } = observed(5)
  const [first, second] = yield* Effect.all([begin(write(1)), begin(write(2))])
  yield* Fiber.interrupt(second)
  yield* open
  yield* Fiber.join(first)
  yield* write(3)
  assert.deepStrictEqual(batches, [[1], [3]])
})
