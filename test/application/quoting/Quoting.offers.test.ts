import { assert, describe, it } from "#test/support/it.ts"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { CallRecorder } from "#infrastructure/ops/CallRecorder.ts"
import { begin, reasons } from "#test/providers/guard/support.ts"
import { after, noQuotes, patientKnobs, quotes, quotingOver, says } from "./quotingOver.ts"
import { first, quoteOf, second, third } from "./support.ts"

/** Quoting over these providers, and the lists that were counted: who had an offer, and whose was the best. */
const counted = Effect.fnUntraced(function* (...providers: Parameters<typeof quotingOver>[0]) {
  const lists: Array<string> = []
  const recorder: CallRecorder = {
    call: () => {},
    circuit: () => {},
    offers: (offering, best) => {
      lists.push(`${best} of ${[...offering].toSorted().join(", ")}`)
    },
  }
  const quoting = yield* Effect.provideService(quotingOver(providers, patientKnobs), CallRecorder, recorder)
  return { lists, ...quoting }
})

const three = () => [
  says("first", quotes(first, 5n, 4n)),
  says("second", quotes(second, 7n)),
  says("third", noQuotes),
]

describe("whose offers are counted", () => {
  it.effect("is each list that a caller gets, once, though the providers were asked for another", function* () {
    const { ask, lists } = yield* counted(...three())
    yield* ask()
    yield* ask()
    assert.deepStrictEqual(lists, ["second of first, second", "second of first, second"])
  })

  it.effect("is a list in another order too: the best offer is the one that pays the most", function* () {
    const slow = Effect.succeed([{ ...quoteOf(second, 7n), totalDuration: 100 }])
    const { ask, lists } = yield* counted(says("first", quotes(first, 5n)), says("second", slow))
    const [fastest] = yield* ask({ rank: "fastest" })
    assert.strictEqual(fastest?.platform, first)
    assert.deepStrictEqual(lists, ["second of first, second"])
  })

  it.effect("is of a list only what is in it", function* () {
    const { ask, lists } = yield* counted(
      says("first", quotes(first, 5n)),
      says("second", Effect.succeed([quoteOf(second, 7n, 4)])),
    )
    yield* ask({ regularOnly: true })
    assert.deepStrictEqual(lists, ["first of first"])
  })

  it.effect("is no list of one provider, none without an offer, and none that nobody is shown", function* () {
    const { ask, decide, lists, ofAll } = yield* counted(...three())
    yield* ask({}, "first")
    yield* decide
    yield* ofAll
    const none = yield* counted(says("first", noQuotes), says("second", Effect.fail(reasons.TimedOut)))
    yield* none.ask()
    yield* none.listen(() => undefined)
    assert.deepStrictEqual([...lists, ...none.lists], [])
  })

  it.effect("is of a stream its last list, once there is nothing to come", function* () {
    const { listen, lists } = yield* counted(
      says("first", after(10)(quotes(first, 9n))),
      says("second", after(20)(quotes(second, 7n))),
      says("third", after(30)(quotes(third, 11n))),
    )
    const listening = yield* begin(listen(() => undefined))
    yield* TestClock.adjust("20 millis")
    assert.deepStrictEqual(lists, [])
    yield* TestClock.adjust("10 millis")
    yield* Fiber.join(listening)
    assert.deepStrictEqual(lists, ["third of first, second, third"])
  })

  it.effect("is nothing of a stream whose caller hangs up before its end", function* () {
    const { listen, lists } = yield* counted(says("first", quotes(first, 9n)), says("second", Effect.never))
    const listening = yield* begin(listen(() => undefined))
    yield* TestClock.adjust("100 millis")
    yield* Fiber.interrupt(listening)
    assert.deepStrictEqual(lists, [])
  })
})
