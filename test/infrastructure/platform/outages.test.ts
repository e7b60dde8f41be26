import { assert, describe, it } from "#test/support/it.ts"
import { Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import { StoreUnavailable } from "#domain/StoreError.ts"
import { surviving, unlessAway } from "#infrastructure/platform/outages.ts"
import { collectLogs } from "#test/support/collectLogs.ts"

const away = (operation: string) =>
  Effect.fail(new StoreUnavailable({ operation, cause: new Error("connection refused") }))

/** A job whose rounds do what the test says last. */
const job = (name: string) => {
  let round: Effect.Effect<unknown, unknown> = Effect.void
  return {
    does: (next: Effect.Effect<unknown, unknown>) => round = next,
    run: Effect.suspend(() => surviving(name)(round)),
  }
}

const linesOf = <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.map(collectLogs(work), ({ lines }) => lines)

describe("an outage of the database", () => {
  it.effect("is one line when it begins and one when it ends, however many jobs meet it", function* () {
    const jobs = ["Swaps are not followed", "Webhooks are not delivered", "Prices are not kept"].map(job)
    const lines = yield* linesOf(Effect.gen(function* () {
      for (const { does } of jobs) does(away("x"))
      for (let second = 0; second < 10; second++) {
        yield* Effect.forEach(jobs, ({ run }) => run, { concurrency: "unbounded" })
        yield* TestClock.adjust("1 second")
      }
      for (const { does } of jobs) does(Effect.void)
      for (let second = 0; second < 3; second++) yield* Effect.forEach(jobs, ({ run }) => run)
    }))
    assert.deepStrictEqual(lines, [
      "The database is not available, and all work waits for it: connection refused",
      "The database is available again, after 10 s",
    ])
  })

  it.effect("does not begin anew with a call of before its end", function* () {
    const [first, second] = [job("first"), job("second")]
    const lines = yield* linesOf(Effect.gen(function* () {
      first.does(away("x"))
      yield* first.run
      second.does(Effect.andThen(Effect.sleep("5 seconds"), away("y")))
      const late = yield* Effect.forkChild(second.run, { startImmediately: true })
      first.does(Effect.void)
      yield* first.run
      yield* TestClock.adjust("5 seconds")
      yield* Effect.yieldNow
      assert.isDefined(late)
    }))
    assert.strictEqual(lines.length, 2)
  })

  it.effect("is not taken to be over by work that was begun before it", function* () {
    const [first, second] = [job("first"), job("second")]
    const lines = yield* linesOf(Effect.gen(function* () {
      second.does(Effect.sleep("5 seconds"))
      yield* Effect.forkChild(second.run, { startImmediately: true })
      first.does(away("x"))
      yield* first.run
      yield* TestClock.adjust("5 seconds")
    }))
    assert.strictEqual(lines.length, 1)
  })

  it.effect("is told apart from a job that fails while others work, and hides no later one", function* () {
    const [ill, well] = [job("Prices are not kept"), job("well")]
    const lines = yield* linesOf(Effect.gen(function* () {
      ill.does(away("x"))
      for (let time = 0; time < 5; time++) {
        yield* ill.run
        yield* well.run
      }
      well.does(away("y"))
      yield* well.run
      well.does(Effect.void)
      yield* well.run
      ill.does(Effect.void)
      yield* ill.run
    }))
    assert.deepStrictEqual(lines.map((line) => `${line}`.split(/[:,]/, 1)[0]), [
      "The database is not available",
      "The database is available again",
      "Prices are not kept",
      "The database is not available",
      "The database is available again",
      "Prices are not kept",
    ])
  })

  it.effect("leaves out lines about requests that it fails", function* () {
    const line = Effect.logWarning("a request failed")
    const error = new StoreUnavailable({ operation: "x", cause: new Error("refused") })
    const lines = yield* linesOf(Effect.gen(function* () {
      const first = job("first")
      yield* unlessAway(error, line)
      first.does(away("x"))
      yield* first.run
      yield* unlessAway(error, line)
      yield* unlessAway(new Error("another"), line)
    }))
    assert.strictEqual(lines.filter((one) => one === "a request failed").length, 2)
  })
})

describe("a job", () => {
  it.effect("goes on after a defect, whose cause is logged once", function* () {
    const ill = job("Prices are not kept")
    const defect = new TypeError("no such member")
    const lines = yield* linesOf(Effect.gen(function* () {
      ill.does(Effect.die(defect))
      for (let time = 0; time < 3; time++) {
        assert.isTrue(Option.isNone(yield* ill.run))
      }
      ill.does(Effect.succeed(7))
      assert.deepStrictEqual(yield* ill.run, Option.some(7))
    }))
    assert.deepStrictEqual(lines, [
      "Prices are not kept: no such member",
      defect,
      "Prices are not kept: resolved after 0 s",
    ])
  })

  it.effect("has a line for each of a few reasons for which it fails, and no more of them", function* () {
    const ill = job("Prices are not kept")
    const lines = yield* linesOf(Effect.gen(function* () {
      for (let time = 0; time < 40; time++) {
        ill.does(Effect.fail(new Error(`reason ${time % 20}`)))
        yield* ill.run
      }
    }))
    assert.strictEqual(lines.length, 5)
  })
})
