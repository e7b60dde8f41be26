import { assert, describe, it } from "#test/support/it.ts"
import { Array, Effect, Exit, Fiber, Option, Redacted, Result } from "effect"
import { TestClock } from "effect/testing"
import { makeBruteForceGuard } from "#application/limits/BruteForceGuard.ts"
import { makeRateLimiter } from "#application/limits/RateLimits.ts"
import { KeyId } from "#domain/accounts/Key.ts"

const credentials = { tokens: 3, windowMillis: 60_000 }
const address = "203.0.113.7"

/** A key as long as one has to be; but `short` is too short. */
const keyOf = (name: string): string => name === "short" ? name : name.padEnd(24, ".")

/** Guesses at keys of which those in `right` are right at present; every look-up is counted. */
const guessing = Effect.gen(function* () {
  const clock = yield* TestClock.testClockWith(Effect.succeed)
  const limits = makeRateLimiter({ credentials }, () => clock.currentTimeMillisUnsafe())
  const { check } = makeBruteForceGuard(limits)
  const right = new Set(["good", "better"])
  let lookUps = 0
  const lookUp = (key: string) =>
    Effect.sync(() => {
      lookUps += 1
      return right.has(key) ? Option.some(key) : Option.none()
    })
  /** Keys that carry a MAC are those that begin with `issued`. */
  const issued = (key: string) =>
    Effect.succeed(key.startsWith("issued") ? Option.some(KeyId.make("a".repeat(16))) : Option.none())
  /** `in`, `wrong`, or `limited`. */
  const ask = (key: string, from = address) =>
    Effect.map(
      Effect.result(check(Redacted.make(keyOf(key)), from, { issuedId: issued(key), lookUp: lookUp(key) })),
      Result.match({
        onSuccess: Option.match({ onNone: () => "wrong", onSome: () => "in" }),
        onFailure: () => "limited",
      }),
    )
  return { ask, check, right, lookUps: () => lookUps }
})

/** What becomes of a request that has to wait. */
const afterWait = Effect.fnUntraced(function* <A>(request: Effect.Effect<A>) {
  const fiber = yield* Effect.forkChild(request, { startImmediately: true })
  yield* TestClock.adjust("100 millis")
  return yield* Fiber.join(fiber)
})

const exhaust = (ask: (key: string) => Effect.Effect<string>) =>
  Effect.forEach(Array.range(1, 3), (number) => ask(`wrong ${number}`))

describe("a wrong key", () => {
  it.effect("is limited by the address that it comes from", function* () {
    const { ask } = yield* guessing
    assert.deepStrictEqual(yield* exhaust(ask), ["wrong", "wrong", "wrong"])
    assert.strictEqual(yield* afterWait(ask("wrong 4")), "limited")
    assert.strictEqual(yield* ask("wrong 5", "203.0.113.8"), "wrong")
    yield* TestClock.adjust("20 seconds")
    assert.strictEqual(yield* ask("wrong 6"), "wrong")
    assert.strictEqual(yield* afterWait(ask("wrong 7")), "limited")
  })

  it.effect("is not even looked up where an address sends very many at a time", function* () {
    const { ask, lookUps } = yield* guessing
    const answers = yield* Effect.forkChild(
      Effect.forEach(Array.range(1, 1_000), (number) => ask(`wrong ${number}`), { concurrency: "unbounded" }),
      { startImmediately: true },
    )
    yield* TestClock.adjust("1 hour")
    const counts = Array.groupBy(yield* Fiber.join(answers), (answer) => answer)
    assert.strictEqual(counts.wrong?.length, 3)
    assert.strictEqual(counts.limited?.length, 997)
    assert.strictEqual(lookUps(), 13)
  })

  it.effect("is looked up ten times a second at the most, once too many were wrong", function* () {
    const { ask, lookUps } = yield* guessing
    yield* exhaust(ask)
    const guesser = yield* Effect.forkChild(Effect.forever(ask("wrong")), { startImmediately: true })
    yield* TestClock.adjust("1 second")
    assert.strictEqual(lookUps(), 3 + 10)
    yield* Fiber.interrupt(guesser)
  })
})

describe("a key that was issued here", () => {
  const good = `issued key ${"x".repeat(24)}`

  it.effect("works at once behind an address that is limited, whoever guesses there", function* () {
    const { ask, right } = yield* guessing
    right.add(good)
    yield* exhaust(ask)
    yield* Effect.forEach(
      Array.range(1, 50),
      (number) => Effect.forkChild(ask(`wrong ${number}`), { startImmediately: true }),
    )
    assert.strictEqual(yield* ask(good), "in")
  })

  it.effect("and is revoked has a limit of its own, and takes nothing from its address", function* () {
    const { ask, lookUps } = yield* guessing
    const answers = yield* Effect.forkChild(
      Effect.forEach(Array.range(1, 1_000), () => ask(good), { concurrency: "unbounded" }),
      { startImmediately: true },
    )
    yield* TestClock.adjust("1 hour")
    yield* Fiber.join(answers)
    assert.strictEqual(lookUps(), 13)
    assert.deepStrictEqual(yield* exhaust(ask), ["wrong", "wrong", "wrong"])
  })
})

describe("a key that nobody can have", () => {
  it.effect("waits in no line, where it would only be in the way of others", function* () {
    const { ask } = yield* guessing
    assert.deepStrictEqual(
      yield* Effect.forEach(Array.range(1, 20), () => ask("short", address)),
      [...Array.replicate("wrong", 3), ...Array.replicate("limited", 17)],
    )
  })
})

describe("a right key", () => {
  it.effect("counts as nothing, whether it is new or not", function* () {
    const { ask } = yield* guessing
    for (let count = 0; count < 20; count++) {
      assert.strictEqual(yield* ask("good"), "in")
      assert.strictEqual(yield* ask("better"), "in")
    }
    assert.deepStrictEqual(yield* exhaust(ask), ["wrong", "wrong", "wrong"])
  })

  it.effect("works at once from an address that is limited, if it worked before from wherever", function* () {
    const { ask } = yield* guessing
    assert.strictEqual(yield* ask("good", "198.51.100.1"), "in")
    yield* exhaust(ask)
    assert.strictEqual(yield* ask("good"), "in")
  })

  it.effect("works after a moment from an address that is limited, if it is new", function* () {
    const { ask } = yield* guessing
    yield* exhaust(ask)
    assert.strictEqual(yield* afterWait(ask("good")), "in")
    assert.strictEqual(yield* ask("good"), "in")
  })

  it.effect("is a guess like any other once it is wrong", function* () {
    const { ask, right } = yield* guessing
    yield* ask("good")
    right.delete("good")
    assert.deepStrictEqual(yield* exhaust(() => ask("good")), ["wrong", "wrong", "wrong"])
    assert.strictEqual(yield* afterWait(ask("good")), "limited")
  })

  it.effect("is none where nobody can tell: that counts as nothing either", function* () {
    const { ask, check } = yield* guessing
    for (let count = 0; count < 20; count++) {
      const exit = yield* Effect.exit(
        check(Redacted.make("any key of ours, it may be"), address, {
          issuedId: Effect.succeedNone,
          lookUp: Effect.fail("the database is away"),
        }),
      )
      assert.deepStrictEqual(exit, Exit.fail("the database is away"))
    }
    assert.deepStrictEqual(yield* exhaust(ask), ["wrong", "wrong", "wrong"])
  })

  it.effect("leaves the line to others when its caller goes away", function* () {
    const { ask } = yield* guessing
    yield* exhaust(ask)
    const waiting = yield* Effect.forEach(
      Array.range(1, 10),
      () => Effect.forkChild(ask("wrong"), { startImmediately: true }),
    )
    assert.strictEqual(yield* ask("good"), "limited")
    yield* Fiber.interruptAll(waiting)
    assert.strictEqual(yield* afterWait(ask("good")), "in")
  })
})
