import { assert } from "@effect/vitest"
import { Effect, Schema, Struct } from "effect"
import { TestClock } from "effect/testing"
import { keyedRequest, sendOpening } from "#test/support/keyed.ts"
import { newAccount } from "#test/support/store.ts"
import { makeNetwork } from "./Network.ts"
import { type Replica, startReplica, type World } from "./Replica.ts"
import { makeSteps } from "./Steps.ts"

/**
 * How a play may begin, so that it gets to where it is delicate; what cannot happen is left out, and the rest
 * is left to the choices.
 */
const beginnings = {
  "with nothing": [],
  "with an opening whose request was lost": [
    "a request is sent",
    "looks at the key",
    "takes the key",
    "hears of it",
    "a request is lost",
    "61 seconds pass",
    "hears of the opening",
    "records that it is unknown",
    "a request is sent",
    "a request is sent",
  ],
  "with a process that is held up before it asks": [
    "a request is sent",
    "looks at the key",
    "takes the key",
    "80 seconds pass",
    "a request is sent",
  ],
  "with a process that is held up before it asks another provider": [
    "a request is sent",
    "looks at the key",
    "takes the key",
    "hears of it",
    "a request is refused",
    "an answer arrives",
    "hears of the opening",
    "80 seconds pass",
    "a request is sent",
    "looks at the key",
    "gives up what lapsed",
    "looks at the key",
    "looks the opening up",
    "takes the key over",
    "retargets",
  ],
} as const

/** Which of all that can happen does, time after time; and whether providers can look openings up. */
export const Play = Schema.Struct({
  beginning: Schema.Literals(Struct.keys(beginnings)),
  choices: Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 9_999 })))
    .check(Schema.isMaxLength(80)),
  canFind: Schema.Boolean,
})
export type Play = typeof Play.Type

/** Requests under the one key, and deaths of processes, in one play. */
const mostRequests = 8
const mostDeaths = 4

/** From less than an opening takes to more than its lease. */
const pauses = ["10 seconds", "61 seconds", "80 seconds"] as const

const namesChannel = (outcome: string): boolean => outcome.includes(" at ")

/** What happened in a play, and what the callers were told. */
export interface Played {
  readonly happened: ReadonlyArray<string>
  readonly told: ReadonlyArray<string>
}

/**
 * Sends requests with one key to two processes that die and start again, over networks that answer or do not,
 * in the order that the choices say; then lets everything come to its end, and asks twice more.
 */
export const play = Effect.fnUntraced(function* ({ beginning, canFind, choices }: Play) {
  const account = yield* newAccount
  const keyed = keyedRequest(account)
  const steps = makeSteps()
  const networks = { first: makeNetwork(), second: makeNetwork() }
  const world: World = { networks, canFind, steps }
  const replicas: [Replica, Replica] = [yield* startReplica(world), yield* startReplica(world)]
  const happened: Array<string> = []
  const told: Array<string> = []
  let requests = 0
  let deaths = 0

  const send = ({ services }: Replica) =>
    sendOpening(account, keyed).pipe(
      Effect.match({ onFailure: ({ _tag }) => _tag, onSuccess: ({ body }) => body }),
      Effect.tap((outcome) => Effect.sync(() => told.push(outcome))),
      Effect.provideContext(services),
    )

  const die = Effect.fnUntraced(function* (index: 0 | 1) {
    deaths += 1
    replicas[index].isAlive = false
    replicas[index] = yield* startReplica(world)
  })

  const request = (replica: Replica) => ({
    name: "a request is sent",
    happen: Effect.andThen(Effect.sync(() => requests += 1), Effect.forkScoped(send(replica))),
  })

  /** What would happen by itself comes three times as often as what gets in its way. */
  const possible = () => [
    ...[1, 2, 3].flatMap(() => [
      ...steps.waiting.map((step) => ({ name: step.name, happen: steps.release(step) })),
      ...networks.first.happenings(),
      ...networks.second.happenings(),
    ]),
    ...pauses.map((pause) => ({ name: `${pause} pass`, happen: TestClock.adjust(pause) })),
    ...(deaths < mostDeaths
      ? ([0, 1] as const).map((index) => ({ name: "a process dies", happen: die(index) }))
      : []),
    // In turns, so that a beginning has both processes at it.
    ...(requests < mostRequests ? [replicas[requests % 2 === 0 ? 0 : 1], ...replicas].map(request) : []),
  ]

  const channels = () => Object.values(networks).flatMap((network) => network.channels())

  /** At most one channel, ever, and no caller was told of any other. */
  const assertAtMostOne = () => {
    const story = happened.join("\n")
    assert.isAtMost(channels().length, 1, story)
    const answers = [...new Set(told.filter(namesChannel))]
    assert.isAtMost(answers.length, 1, story)
    for (const answer of answers) {
      assert.include(answer, channels()[0]?.channel.depositAddress ?? "no channel at all", story)
    }
  }

  const happens = Effect.fnUntraced(function* (chosen: ReturnType<typeof possible>[number] | undefined) {
    if (chosen === undefined) return
    happened.push(chosen.name)
    yield* chosen.happen
    yield* steps.settle
    assertAtMostOne()
  })

  /** Everything that is on its way arrives or is lost, everybody does what is left, and leases end. */
  const comesToItsEnd = Effect.gen(function* () {
    yield* steps.open
    yield* steps.settle
    for (const network of Object.values(networks)) {
      for (let all = network.happenings(); all.length > 0; all = network.happenings()) {
        yield* all[all.length - 1]?.happen ?? Effect.void
        yield* steps.settle
      }
    }
    yield* TestClock.adjust("160 seconds")
    yield* steps.settle
    for (const network of Object.values(networks)) yield* network.becomePrompt
  })

  return yield* Effect.gen(function* () {
    for (const wanted of beginnings[beginning]) {
      yield* happens(possible().find(({ name }) => name === wanted))
    }
    for (const choice of choices) {
      const all = possible()
      yield* happens(all[choice % all.length])
    }
    yield* comesToItsEnd
    const last = yield* send(yield* startReplica(world))
    assertAtMostOne()
    assert.strictEqual(yield* send(replicas[0]), last, happened.join("\n"))
    if (canFind) assert.notStrictEqual(last, "OutcomeUnknown", happened.join("\n"))
    return { happened, told }
  }).pipe(Effect.ensuring(steps.bury))
}, Effect.scoped)
