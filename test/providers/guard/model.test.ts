import { assert, describe, it, TestClock } from "../support.ts"
import { Arbitrary, Duration, Effect } from "effect"
import type { GroupView } from "#providers/guard/GroupGuard.ts"
import { arbitrary, Chance, type Command, Commands, groups, makeGuardUnderTest } from "./commands.ts"
import { type GroupModel, makeModel } from "./model.ts"
import { withChance } from "./support.ts"

const seen = ({ circuit, calls }: GroupView): GroupModel => ({
  state: circuit._tag,
  remaining: circuit._tag === "Open" ? Math.round(Duration.toMillis(circuit.retryAfter)) : 0,
  probing: circuit._tag === "HalfOpen" && circuit.probing,
  openings: circuit._tag === "Closed" ? 0 : circuit.consecutiveOpenings,
  calls,
})

/** Runs the commands on the guard and on the model, and compares everything that shows after each of them. */
const agree = Effect.fnUntraced(function* (commands: ReadonlyArray<Command>, chance: number) {
  const model = makeModel(chance)
  const guard = yield* makeGuardUnderTest
  for (const [index, command] of commands.entries()) {
    const when = `after command ${index}, ${JSON.stringify(command)}`
    model.run(command)
    yield* guard.run(command)
    const views = yield* guard.upstream.view
    for (const group of groups) {
      assert.deepStrictEqual(seen(views[group]), model.view(group), `${group} ${when}`)
    }
    assert.deepStrictEqual(guard.answers(), model.answers(), `answers ${when}`)
    assert.strictEqual(guard.upstream.attempts(), model.attempts(), `attempts ${when}`)
  }
})

/** Everything that a sequence of commands came to: states with their number of openings, and answers. */
const reached = (commands: ReadonlyArray<Command>): ReadonlyArray<string> => {
  const model = makeModel(0.5)
  const states = commands.flatMap((command) => {
    model.run(command)
    return groups.map((group) => {
      const { state, probing, openings } = model.view(group)
      return `${group} ${state}${probing ? " probing" : ""} ${openings}`
    })
  })
  return [...states, ...model.answers().map((answer) => answer.replace(/ for .*/, ""))]
}

const everything = [
  ...groups.flatMap((group) => [
    `${group} Closed 0`,
    ...[1, 2, 3].map((openings) => `${group} Open ${openings}`),
    ...[1, 2].flatMap((
      openings,
    ) => [`${group} HalfOpen ${openings}`, `${group} HalfOpen probing ${openings}`]),
  ]),
  "under way",
  "answered",
  "InsufficientLiquidity",
  "UpstreamFailed",
  "RateLimited",
  "Unreachable",
  "TimedOut",
  "ProviderDefect",
  "cancelled",
  "not called",
]

describe("the guard", () => {
  it.effect.prop(
    "does what a naive model says, whatever happens",
    { commands: Commands, chance: Chance },
    ({ commands, chance }) =>
      agree(commands, chance).pipe(withChance(chance), Effect.scoped, Effect.provide(TestClock.layer())),
    { arbitrary },
  )

  it.effect("is brought to every state by the sequences that the model is compared over", function* () {
    const { runs, size, seed } = arbitrary
    const sequences = yield* Arbitrary.sampleEffect(Arbitrary.schema(Commands), { count: runs, size, seed })
    const all = new Set(sequences.flatMap(reached))
    assert.deepStrictEqual(everything.filter((each) => !all.has(each)), [])
  })
})
