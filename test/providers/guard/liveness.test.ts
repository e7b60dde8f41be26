import { assert, describe, it, TestClock } from "../support.ts"
import { Duration, Effect, Schema, type Scope } from "effect"
import {
  arbitrary,
  Chance,
  type Command,
  Commands,
  type Group,
  groups,
  makeGuardUnderTest,
  smallKnobs,
} from "./commands.ts"
import { withChance } from "./support.ts"

const openTimeMost = Duration.toMillis(smallKnobs.circuit.openTimeMost)
const retryAfterMost = Duration.toMillis(smallKnobs.circuit.retryAfterMost)

/** The longest that calls which began before the provider was well may go on, retries included. */
const stragglers: Readonly<Record<Group, number>> = { quote: 5_000, open: 10_000 }

/** The longest opening that can begin by then, with its jitter or as the upstream asked. */
const longestOpening = Math.max(openTimeMost * 1.2, retryAfterMost)

/** Outcomes that any circuit of the guard under test looks at. */
const longestWindow = 6

type GuardUnderTest = Effect.Success<typeof makeGuardUnderTest>

/** Asks every half second, and tells how many milliseconds pass until the first answer. */
const untilAnswered = Effect.fnUntraced(function* (guard: GuardUnderTest, group: Group, most: number) {
  for (let waited = 0; waited <= most; waited += 500) {
    if ((yield* guard.upstream.ask(group)) === "answered") return waited
    yield* TestClock.adjust("500 millis")
  }
  return Infinity
})

const input = { commands: Commands, chance: Chance, group: Schema.Literals(groups) }

/** A guard in whatever state the commands bring it to. */
const broughtBy = Effect.fnUntraced(function* (commands: ReadonlyArray<Command>) {
  const guard = yield* makeGuardUnderTest
  yield* Effect.forEach(commands, guard.run)
  return guard
})

/** On a clock and with random numbers of its own. */
const alone = (chance: number) => <A, E>(effect: Effect.Effect<A, E, Scope.Scope>) =>
  effect.pipe(withChance(chance), Effect.scoped, Effect.provide(TestClock.layer()))

describe("a provider that is well again", () => {
  it.effect.prop(
    "is used again after one open time at most, and by every call after one window and at most one more opening",
    input,
    ({ commands, chance, group }) =>
      Effect.gen(function* () {
        const guard = yield* broughtBy(commands)

        const most = stragglers[group] + longestOpening + 500
        assert.isAtMost(yield* untilAnswered(guard, group, most), most)
        // Failures of before are still in the window, and can tip the balance once more as it fills.
        yield* TestClock.adjust(Duration.millis(stragglers[group]))
        yield* Effect.replicateEffect(guard.upstream.ask(group), longestWindow)
        yield* TestClock.adjust(Duration.millis(longestOpening))
        const answers = yield* Effect.replicateEffect(guard.upstream.ask(group), 30)
        assert.deepStrictEqual(new Set(answers), new Set(["answered"]))
      }).pipe(alone(chance)),
    { arbitrary: { ...arbitrary, runs: 100 } },
  )

  it.effect.prop(
    "is used again by the very first call once the circuit that is open has had its time",
    input,
    ({ commands, chance, group }) =>
      Effect.gen(function* () {
        const guard = yield* broughtBy(commands)
        yield* TestClock.adjust(Duration.millis(stragglers[group]))

        const circuit = yield* guard.upstream.circuit(group)
        const wait = circuit._tag === "Open" ? circuit.retryAfter : Duration.zero
        assert.isAtMost(Duration.toMillis(wait), longestOpening)
        yield* TestClock.adjust(wait)
        assert.strictEqual(yield* guard.upstream.ask(group), "answered")
        assert.notStrictEqual((yield* guard.upstream.circuit(group))._tag, "HalfOpen")
      }).pipe(alone(chance)),
    { arbitrary: { ...arbitrary, runs: 100, seed: "liveness" } },
  )

  it.effect.prop(
    "is used again although nobody waits for the answers of the probes",
    input,
    ({ commands, chance, group }) =>
      Effect.gen(function* () {
        const guard = yield* broughtBy(commands)
        yield* TestClock.adjust(Duration.millis(stragglers[group] + longestOpening))
        for (let probe = 0; probe < 5; probe++) {
          yield* guard.run({ _tag: "Ask", group, count: 1, fate: "hang", millis: 0 })
          yield* guard.run({ _tag: "Cancel", call: 0 })
        }
        assert.strictEqual(yield* guard.upstream.ask(group), "answered")
      }).pipe(alone(chance)),
    { arbitrary: { ...arbitrary, runs: 50, seed: "lost probes" } },
  )
})
