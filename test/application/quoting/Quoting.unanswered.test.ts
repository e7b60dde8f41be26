import { assert, describe, it } from "#test/support/it.ts"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { Bps } from "#domain/money/Bps.ts"
import type { ProviderErrorReason } from "#domain/ProviderError.ts"
import { begin, limits, reasons, times } from "#test/providers/guard/support.ts"
import { after, amounts, type Asking, quotes, quotingOver, says, toldBy } from "./quotingOver.ts"
import { first, second } from "./support.ts"

describe("where no provider has an answer", () => {
  it.effect("what each of them said is told in the operator's order, whatever theirs", function* () {
    const { ask } = yield* quotingOver([
      says("first", after(30)(Effect.fail(reasons.UpstreamFailed))),
      says("second", after(10)(Effect.fail(reasons.AmountBelowMinimum))),
      says("third", after(20)(Effect.fail(reasons.MalformedBody))),
    ])
    const asking = yield* begin(toldBy(ask()))
    yield* TestClock.adjust("30 millis")
    assert.deepStrictEqual(yield* Fiber.join(asking), {
      failure: "AmountBelowMinimum",
      providers: ["first: UpstreamFailed", "second: AmountBelowMinimum", "third: MalformedBody"],
    })
  })

  it.effect("as no provider is enabled, or none of the name, nobody is asked", function* () {
    const nobody = yield* quotingOver([])
    assert.deepInclude(yield* Effect.flip(nobody.ask()), {
      _tag: "NoProviderAvailable",
      retryAfterSeconds: 5,
    })
    const one = says("first", quotes(first, 5n))
    const { ask } = yield* quotingOver([one])
    assert.deepInclude(yield* Effect.flip(ask({}, "second")), { _tag: "NoProviderAvailable" })
    assert.strictEqual(one.calls.begun, 0)
  })
})

describe("a provider that cannot take the commission", () => {
  const commissionBps = Bps.make(101)

  it.effect("is passed over without being asked, while the others answer", function* () {
    const modest = says("first", quotes(first, 9n), 100)
    const { ask } = yield* quotingOver([modest, says("second", quotes(second, 7n), 101)])
    assert.deepStrictEqual(yield* amounts(ask({ commissionBps })), [7n])
    assert.strictEqual(modest.calls.begun, 0)
    assert.deepStrictEqual(yield* amounts(ask({ commissionBps: Bps.make(100) })), [9n, 7n])
  })

  it.effect("says so where no other has an answer", function* () {
    const { ask } = yield* quotingOver([
      says("first", quotes(first, 9n), 100),
      says("second", Effect.fail(reasons.UpstreamFailed)),
    ])
    const { providers } = yield* toldBy(ask({ commissionBps }))
    assert.deepStrictEqual(providers, ["first: RequestRefused", "second: UpstreamFailed"])
    const error = yield* Effect.flip(ask({ commissionBps }, "first"))
    const reason = error._tag === "QuotesFailed" ? error.failure.reason : undefined
    assert.deepStrictEqual(reason?._tag === "RequestRefused" ? reason.errors : undefined, {
      commissionBps: ["commissionBps is more than first takes: at most 100 basis points"],
    })
  })
})

describe("where the circuits of all providers are open", () => {
  const limited = (seconds: number): Effect.Effect<never, ProviderErrorReason> =>
    Effect.andThen(limits(seconds), Effect.never)

  /** What stands for all, and its wait in seconds. */
  const waitOf = (asking: Asking) =>
    Effect.map(
      Effect.flip(asking),
      (error) =>
        error._tag === "QuotesFailed" && "retryAfterSeconds" in error.failure.reason
          ? `${error.failure.reason._tag} ${error.failure.reason.retryAfterSeconds}`
          : error._tag,
    )

  it.effect("callers are told at once when the first of them can be asked again", function* () {
    const [one, other] = [says("first", limited(60)), says("second", limited(30))]
    const { ask } = yield* quotingOver([one, other])
    yield* times(10, Effect.flip(ask()))
    yield* TestClock.adjust("10 seconds")
    assert.deepStrictEqual(yield* waitOf(ask()), "NotCalled 20")
    assert.deepStrictEqual(yield* waitOf(ask({}, "first")), "NotCalled 50")
    assert.deepInclude(yield* toldBy(ask()), {
      providers: ["first: NotCalled", "second: NotCalled"],
    })
    assert.deepStrictEqual([one.calls.begun, other.calls.begun], [10, 10])
  })

  it.effect("the shortest wait counts, whether a provider rests or limits calls", function* () {
    for (const [limit, waits] of [[60, "NotCalled 30"], [10, "RateLimited 10"]] as const) {
      const { ask } = yield* quotingOver([says("first", limited(limit)), says("second", limited(30))])
      yield* times(10, Effect.flip(ask({}, "second")))
      assert.deepStrictEqual(yield* waitOf(ask()), waits)
    }
  })

  it.effect("the one whose time has come is asked, and its quotes are given", function* () {
    let well = false
    const recovering = says("second", Effect.suspend(() => well ? quotes(first, 7n) : limited(30)))
    const { ask } = yield* quotingOver([says("first", limited(60)), recovering])
    yield* times(10, Effect.flip(ask()))
    well = true
    yield* TestClock.adjust("30 seconds")
    assert.deepStrictEqual(yield* amounts(ask()), [7n])
  })
})
