import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { EventQueue } from "#sandbox/engine/EventQueue.ts"
import { present } from "./support.ts"

const Small = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 5 }))

describe("EventQueue", () => {
  it.effect.prop(
    "gives things out by time, then phase, then the order in which they were added",
    [Schema.Array(Schema.Tuple([Small, Small]))],
    ([dues]) =>
      Effect.sync(() => {
        const queue = new EventQueue<readonly [number, number, number]>()
        dues.forEach(([time, phase], index) => queue.add(time, phase, [time, phase, index]))
        const taken = dues.map(() => present(queue.takeDue(5)).value)
        const sorted = dues
          .map(([time, phase], index): readonly [number, number, number] => [time, phase, index])
          .sort((one, other) => one[0] - other[0] || one[1] - other[1] || one[2] - other[2])
        assert.deepStrictEqual(taken, sorted)
        assert.isUndefined(queue.takeDue(5))
      }),
    { arbitrary: { runs: 200, seed: "queue" } },
  )

  it("keeps what is due later", () => {
    const queue = new EventQueue<string>()
    queue.add(10, 0, "later")
    assert.isUndefined(queue.takeDue(9))
    assert.deepStrictEqual(queue.takeDue(10)?.value, "later")
    assert.isUndefined(queue.takeDue(100))
  })
})
