import { assert, describe, it } from "#test/support/it.ts"
import { Duration, Effect, Fiber, Option, Stream } from "effect"
import { TestClock } from "effect/testing"
import type { Caller } from "#domain/accounts/Account.ts"
import { Bps } from "#domain/money/Bps.ts"
import { inRounds } from "#interfaces/http/Quotes.ts"
import { callerWith } from "#test/support/account.ts"

const paying = (bps: number) => callerWith({ commissionBps: Bps.make(bps) })

/** Listens to three rounds, half a minute apart, whose answer is the caller's commission. */
const listening = Effect.fnUntraced(function* (
  ask: (caller: Caller) => Effect.Effect<Stream.Stream<string>, string> = ({ commissionBps }) =>
    Effect.succeed(Stream.make("asked", `at ${commissionBps} bps`)),
) {
  let listener = Option.some(paying(10))
  const heard: Array<string> = []
  const told = yield* inRounds({
    caller: paying(10),
    listener: Effect.sync(() => listener),
    ask,
    tell: (answer, isLast) => Effect.succeed(isLast ? `${answer}, for the last time` : answer),
    refused: (failure) => `refused: ${failure}`,
    pause: Duration.seconds(30),
    most: 3,
  })
  const fiber = yield* Effect.forkChild(
    Stream.runForEach(told, (text) => Effect.sync(() => heard.push(text))),
    { startImmediately: true },
  )
  return {
    heard,
    fiber,
    /** From now on the caller is another one. */
    becomes: (caller: Option.Option<Caller>) => {
      listener = caller
    },
  }
})

describe("the rounds of a stream of quotes", () => {
  it.effect("follow each other, and are each asked under the terms that the caller has by then", function* () {
    const { becomes, fiber, heard } = yield* listening()
    yield* TestClock.adjust("29 seconds")
    assert.deepStrictEqual(heard, ["asked", "at 10 bps"])
    becomes(Option.some(paying(100)))
    yield* TestClock.adjust("1 seconds")
    assert.deepStrictEqual(heard.slice(2), ["asked", "at 100 bps"])
    yield* TestClock.adjust("30 seconds")
    yield* Fiber.join(fiber)
    assert.deepStrictEqual(heard.slice(4), [
      "asked, for the last time",
      "at 100 bps, for the last time",
    ])
  })

  it.effect("end without another question once the caller may not listen any more", function* () {
    const { becomes, fiber, heard } = yield* listening()
    becomes(Option.none())
    yield* TestClock.adjust("30 seconds")
    yield* Fiber.join(fiber)
    assert.deepStrictEqual(heard, ["asked", "at 10 bps"])
  })

  it.effect("say why the caller may not ask again, and end; the first one fails", function* () {
    const affordable = ({ commissionBps }: Caller) =>
      commissionBps > 50 ? Effect.fail("too much") : Effect.succeed(Stream.make("asked"))
    const { becomes, fiber, heard } = yield* listening(affordable)
    becomes(Option.some(paying(51)))
    yield* TestClock.adjust("30 seconds")
    yield* Fiber.join(fiber)
    assert.deepStrictEqual(heard, ["asked", "refused: too much"])
    assert.strictEqual(yield* Effect.flip(listening(() => Effect.fail("never"))), "never")
  })
})
