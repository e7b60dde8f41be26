import { assert, describe, it } from "#test/support/it.ts"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import type { ProviderError } from "#domain/ProviderError.ts"
import type { CallersQuotes } from "#application/quoting/RankedQuotes.ts"
import type { QuotesArrival } from "#application/quoting/quoteArrivals.ts"
import { OnBehalfOf } from "#infrastructure/platform/Bulkhead.ts"
import { callerWith } from "#test/support/account.ts"
import { begin, reasons } from "#test/providers/guard/support.ts"
import { after, amounts, noQuotes, patientKnobs, quotes, quotingOver, says } from "./quotingOver.ts"
import { first, second, third } from "./support.ts"

const whyNot = (failure: ProviderError | undefined): string => failure?.reason._tag ?? "no quotes"

/** The suite compares some answers, `STREAMS=all` a thousand. */
const runs = Deno.env.get("STREAMS") === "all" ? 1_000 : 200

/** An event in a few words: the output of every quote so far, or why there is none. */
const told = (event: QuotesArrival<CallersQuotes>): string => {
  switch (event._tag) {
    case "Quotes":
      return event.answer.quotes.map(({ egress, platform }) => `${platform} ${egress.amount}`).join()
    case "Refusal":
      return `${event.provider}: ${whyNot(event.failure)}`
    case "Done":
      return `done with ${event.quoteCount}${event.failure === undefined ? "" : `: ${whyNot(event.failure)}`}`
  }
}

describe("quotes that are told as they arrive", () => {
  it.effect("come with each provider that has some, the best first, and without any grace", function* () {
    const { listen } = yield* quotingOver([
      says("first", after(300)(quotes(first, 5n))),
      says("second", after(10)(quotes(second, 7n, 3n))),
      says("third", after(2_000)(quotes(third, 9n))),
    ])
    const heard: Array<string> = []
    const listening = yield* begin(listen((event) => heard.push(told(event))))
    yield* TestClock.adjust("10 millis")
    assert.deepStrictEqual(heard, ["second 7,second 3"])
    yield* TestClock.adjust("1990 millis")
    yield* Fiber.join(listening)
    assert.deepStrictEqual(heard.slice(1), [
      "second 7,first 5,second 3",
      "third 9,second 7,first 5,second 3",
      "done with 4",
    ])
  })

  it.effect("come beside the reasons of those that have none, in the order in which they are known", function* () {
    const { listen } = yield* quotingOver([
      says("first", Effect.never),
      says("second", after(20)(Effect.fail(reasons.InsufficientLiquidity))),
      says("third", noQuotes),
    ], patientKnobs)
    const heard: Array<string> = []
    const listening = yield* begin(listen((event) => heard.push(told(event))))
    yield* TestClock.adjust("4999 millis")
    assert.deepStrictEqual(heard, ["third: no quotes", "second: InsufficientLiquidity"])
    yield* TestClock.adjust("1 millis")
    yield* Fiber.join(listening)
    assert.deepStrictEqual(heard.slice(2), ["first: TimedOut", "done with 0"])
  })

  it.effect("end with the failure that stands for all where no provider succeeds", function* () {
    const { listen } = yield* quotingOver([
      says("first", Effect.fail(reasons.UpstreamFailed)),
      says("second", Effect.fail(reasons.InsufficientLiquidity)),
    ])
    const heard: Array<string> = []
    yield* listen((event) => heard.push(told(event)))
    assert.strictEqual(heard.at(-1), "done with 0: InsufficientLiquidity")
  })

  it.effect("end the calls that nobody else waits for with the listener", function* () {
    const slow = says("second", after(2_000)(quotes(second, 7n)))
    const { ask, listen } = yield* quotingOver([says("first", quotes(first, 5n)), slow])
    const one = yield* begin(listen(() => undefined))
    const other = yield* begin(listen(() => undefined))
    yield* TestClock.adjust("100 millis")
    yield* Fiber.interrupt(one)
    assert.deepStrictEqual(slow.calls, { begun: 1, cancelled: 0 })
    yield* Fiber.interrupt(other)
    yield* TestClock.adjust("1 millis")
    assert.deepStrictEqual(slow.calls, { begun: 1, cancelled: 1 })
    const asking = yield* begin(amounts(ask()))
    yield* TestClock.adjust("2 seconds")
    assert.deepStrictEqual(yield* Fiber.join(asking), [5n])
  })

  it.effect("are asked for on behalf of the account, wherever the stream is read", function* () {
    const seen: Array<unknown> = []
    const asked = Effect.andThen(Effect.map(OnBehalfOf, (account) => seen.push(account)), quotes(first, 5n))
    const { listen } = yield* quotingOver([says("first", asked)])
    yield* listen(() => undefined)
    assert.deepStrictEqual(seen, [callerWith().id])
  })

  it.effect("end as they would be answered at once, whatever the order of arrival", function* () {
    for (let run = 0; run < runs; run++) {
      const outputs = [0, 1, 2].map((index) => BigInt((run * 7 + index * 13) % 11))
      const delays = [0, 1, 2].map((index) => (run * 5 + index * 17) % 300)
      const names = [first, second, third]
      const { ask, listen } = yield* quotingOver(
        names.map((name, index) =>
          says(name, after(delays[index] ?? 0)(quotes(name, outputs[index] ?? 0n, 4n)))
        ),
      )
      let last: ReadonlyArray<unknown> = []
      const listening = yield* begin(listen((event) => {
        if (event._tag === "Quotes") last = event.answer.quotes
      }))
      const asking = yield* begin(ask())
      yield* TestClock.adjust("300 millis")
      yield* Fiber.join(listening)
      assert.deepStrictEqual(last, yield* Fiber.join(asking))
    }
  })
})
