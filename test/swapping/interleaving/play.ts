import { assert } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { keyedRequest, sendOpening } from "../../support/keyed.ts"
import { newAccount } from "../../support/store.ts"
import { makeNetwork } from "./Network.ts"
import { type Replica, startReplica, type World } from "./Replica.ts"
import { makeSteps } from "./Steps.ts"

/** Which of all that can happen does, time after time; and whether providers can look openings up. */
export const Play = Schema.Struct({
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
export const play = Effect.fnUntraced(function* ({ canFind, choices }: Play) {
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

  /** What would happen by itself comes three times as often as what gets in its way. */
  const possible = () => [
    ...[1, 2, 3].flatMap(() => [
      ...steps.waiting.map((step) => ({ name: step.name, happen: steps.release(step) })),
      ...networks.first.happenings(),
      ...networks.second.happenings(),
    ]),
    ...pauses.map((pause) => ({ name: "time passes", happen: TestClock.adjust(pause) })),
    ...(deaths < mostDeaths
      ? ([0, 1] as const).map((index) => ({ name: "a process dies", happen: die(index) }))
      : []),
    ...(requests < mostRequests
      ? replicas.map((replica) => ({
        name: "a request is sent",
        happen: Effect.andThen(Effect.sync(() => requests += 1), Effect.forkScoped(send(replica))),
      }))
      : []),
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

  const happens = Effect.fnUntraced(function* (choice: number) {
    const all = possible()
    const chosen = all[choice % all.length]
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
    yield* Effect.forEach(choices, happens, { discard: true })
    yield* comesToItsEnd
    const last = yield* send(yield* startReplica(world))
    assertAtMostOne()
    assert.strictEqual(yield* send(replicas[0]), last, happened.join("\n"))
    if (canFind) assert.notStrictEqual(last, "OutcomeUnknown", happened.join("\n"))
    return { happened, told }
  }).pipe(Effect.ensuring(steps.bury))
}, Effect.scoped)
