import { assert, describe, it, TestClock } from "../support.ts"
import { Array, Clock, Duration, Effect, Fiber, Schema } from "effect"
import type { GroupOptions } from "#providers/guard/GroupGuard.ts"
import { OperationGroup } from "#providers/operations.ts"
import { type Environment, readFrom } from "#test/infrastructure/config/read.ts"
import {
  after,
  begin,
  cut,
  defaultKnobs,
  guardedUpstream,
  guardLayer,
  type Script,
  times,
} from "./support.ts"

/** The upstream behind a guard whose group has these knobs. */
const guarded = (group: OperationGroup, knobs: Partial<GroupOptions>) =>
  guardedUpstream(guardLayer({
    ...defaultKnobs,
    groups: { ...defaultKnobs.groups, [group]: { ...defaultKnobs.groups[group], ...knobs } },
  }))

for (const group of OperationGroup) {
  describe(`the deadline of ${group}`, () => {
    it.effect("ends a call whose attempts may take longer, as a failure", function* () {
      const upstream = yield* guarded(group, {
        attemptTimeout: Duration.seconds(20),
        deadline: Duration.seconds(4),
      })
      const call = yield* begin(upstream.ask(group, Effect.never))
      yield* TestClock.adjust("3999 millis")
      assert.isUndefined(call.pollUnsafe())
      yield* TestClock.adjust("1 millis")
      assert.strictEqual(yield* Fiber.join(call), "TimedOut")
      assert.deepInclude((yield* upstream.view)[group].calls, { failed: 1, cancelled: 0 })
    })

    it.effect.prop(
      "holds, however long the attempts take and whatever the upstream asks to wait",
      [
        Schema.Array(Schema.Struct({
          takes: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 12_000 })),
          asks: Schema.UndefinedOr(Schema.Literals([0, 1, 5])),
        })).check(Schema.isMinLength(1)),
        Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 10_000 })),
        Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 10_000 })),
      ],
      ([attempts, attemptMillis, deadlineMillis]) =>
        Effect.gen(function* () {
          const upstream = yield* guarded(group, {
            attemptTimeout: Duration.millis(attemptMillis),
            deadline: Duration.millis(deadlineMillis),
            retries: 10,
          })
          let nth = 0
          const script: Script = Effect.suspend(() => {
            const { takes, asks } = attempts[nth++ % attempts.length] ?? { takes: 0, asks: undefined }
            return after(Duration.millis(takes), cut(asks))
          })
          const call = yield* begin(upstream.ask(group, script))
          yield* TestClock.adjust(Duration.millis(deadlineMillis))
          assert.isDefined(call.pollUnsafe())
        }).pipe(Effect.scoped, Effect.provide(TestClock.layer())),
      { arbitrary: { runs: 100, seed: "deadline" } },
    )
  })
}

/** How long a call takes whose upstream never answers. */
const tookWith = (environment: Environment, group: OperationGroup) =>
  Effect.gen(function* () {
    const knobs = (yield* readFrom(environment)).guard
    const upstream = yield* guardedUpstream(guardLayer(knobs))
    const call = yield* begin(upstream.ask(group, Effect.never))
    const started = yield* Clock.currentTimeMillis
    while (call.pollUnsafe() === undefined) yield* TestClock.adjust("50 millis")
    return (yield* Clock.currentTimeMillis) - started
  })

describe("the deadlines of the settings", () => {
  it.effect("are those of the settings' defaults", function* () {
    const { groups } = (yield* readFrom({})).guard
    assert.deepStrictEqual(
      OperationGroup.map((group) => Duration.toSeconds(groups[group].deadline)),
      [5, 65, 5, 5, 65],
    )
  })

  const rows: ReadonlyArray<readonly [OperationGroup, string, number]> = [
    ["quote", "QUOTE_DEADLINE", 3_000],
    ["open", "OPEN_DEADLINE", 60_000],
    ["status", "STATUS_DEADLINE", 3_000],
    ["node", "NODE_DEADLINE", 3_000],
  ]
  for (const [group, name, attempt] of rows) {
    it.effect(`bound a call, each of its own group: ${name}`, function* () {
      assert.strictEqual(yield* tookWith({}, group), attempt)
      assert.strictEqual(yield* tookWith({ [name]: "700 millis" }, group), 700)
      const others = rows.filter(([other]) => other !== group).map(([, other]) => [other, "100 millis"])
      assert.strictEqual(yield* tookWith(Object.fromEntries(others), group), attempt)
    })
  }

  it.effect("leave no time for a further attempt that would end later", function* () {
    const attempts = Effect.fnUntraced(function* (environment: Environment) {
      const knobs = (yield* readFrom(environment)).guard
      const upstream = yield* guardedUpstream(guardLayer(knobs))
      const call = yield* begin(upstream.ask("status", after("100 millis", cut(1))))
      yield* times(4, TestClock.adjust("2 seconds"))
      assert.isDefined(call.pollUnsafe())
      return upstream.attempts()
    })
    assert.deepStrictEqual(
      yield* Effect.forEach(
        Array.map([3, 4.2, 5.3], (seconds) => ({ STATUS_DEADLINE: `${seconds} seconds` })),
        attempts,
      ),
      [1, 2, 3],
    )
  })
})
