import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Metric } from "effect"
import { TestClock } from "effect/testing"
import process from "node:process"
import { metrics } from "#infrastructure/ops/Metrics.ts"
import { processFigures } from "#infrastructure/ops/processFigures.ts"

const processorSeconds = (): number => {
  const { system, user } = process.cpuUsage()
  return (system + user) / 1_000_000
}

/** Takes some time of a processor. */
const work = Effect.sync(() => {
  const until = processorSeconds() + 0.02
  while (processorSeconds() < until) continue
})

describe("the figures of the process", () => {
  it.effect("count what the processors worked once, however often it is measured", () =>
    Effect.gen(function* () {
      const counted = Effect.map(Metric.value(metrics.processCpuSeconds), ({ count }) => Number(count))
      const before = yield* counted
      const began = processorSeconds()
      yield* Layer.build(processFigures)
      const first = (yield* counted) - before
      assert.isAtLeast(first, began)
      for (let time = 0; time < 3; time++) {
        yield* work
        yield* TestClock.adjust("5 seconds")
      }
      const last = (yield* counted) - before
      assert.isAtLeast(last, first + 0.06)
      assert.isAtMost(last, processorSeconds())
    }).pipe(Effect.scoped))

  it.effect("tell which build runs, since when, and how much memory it has", () =>
    Effect.gen(function* () {
      yield* Layer.build(processFigures)
      const { value: started } = yield* Metric.value(metrics.processStartTime)
      assert.closeTo(Number(started), performance.timeOrigin / 1_000, 1)
      const { value: memory } = yield* Metric.value(metrics.processResidentMemory)
      assert.isAbove(Number(memory), 1_000_000)
    }).pipe(Effect.scoped))
})
