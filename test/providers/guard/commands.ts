import { Duration, Effect, Fiber, Schema } from "effect"
import { CircuitBreaker } from "effect/persistence"
import { TestClock } from "effect/testing"
import type { GuardOptions } from "#providers/guard/GroupGuard.ts"
import {
  after,
  cut,
  defaultKnobs,
  fails,
  guardedUpstream,
  guardLayer,
  impatientKnobs,
  inTurn,
  limits,
  reasons,
} from "./support.ts"
import { type Script, settle } from "./support.ts"

/** The groups that a sequence of commands plays with: both kinds of trip policy. */
export const groups = ["quote", "open"] as const
export type Group = typeof groups[number]

/** What the upstream does to each attempt of a call. */
export const Fate = Schema.Literals([
  "answer",
  "refuse",
  "fail",
  "limit",
  "cut",
  "cut, come back in 1 s",
  "cut, then answer",
  "hang",
  "break",
])
export type Fate = typeof Fate.Type

/** `count` calls at once. */
const Ask = Schema.TaggedStruct("Ask", {
  group: Schema.Literals(groups),
  count: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 4 })),
  fate: Fate,
  /** How long each attempt takes: at once, a while, just not too slow, too slow, longer than a quote may. */
  millis: Schema.Literals([0, 100, 2_000, 2_600, 4_000]),
})

/** The caller of the n-th call under way goes away; nothing where there are fewer. */
const Cancel = Schema.TaggedStruct("Cancel", {
  call: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 4 })),
})

const Pass = Schema.TaggedStruct("Pass", {
  millis: Schema.Literals([500, 1_000, 3_000, 5_000, 20_000, 150_000]),
})

/** Something that happens around the guard. */
export const Command = Schema.Union([Ask, Cancel, Pass])
export type Command = typeof Command.Type

/** Long enough to open, close and open again. */
export const Commands = Schema.Array(Command).check(Schema.isMaxLength(60))

/** How sequences are made; without a size of their own they would hardly have three commands. */
export const arbitrary = { runs: 300, size: 60, seed: "guard" }

/** A random number that makes the jitter come out even, so that a model can say it exactly. */
export const Chance = Schema.Literals([0, 0.25, 0.5, 0.75])

/** What the upstream asks to wait when it limits calls. */
export const limitSeconds = 30

/** Smaller figures than the real ones, so that short sequences reach every state. */
export const smallKnobs: GuardOptions = {
  circuit: {
    openTime: Duration.seconds(5),
    openTimeMost: Duration.seconds(15),
    retryAfterMost: Duration.seconds(25),
  },
  sharing: impatientKnobs.sharing,
  groups: {
    quote: {
      ...defaultKnobs.groups.quote,
      bulkhead: 3,
      trip: CircuitBreaker.rate({ threshold: 0.5, size: 6, minimumCalls: 4 }),
    },
    open: {
      ...defaultKnobs.groups.open,
      attemptTimeout: Duration.seconds(10),
      bulkhead: 2,
      trip: CircuitBreaker.consecutive(3),
    },
    status: defaultKnobs.groups.status,
    node: defaultKnobs.groups.node,
    treasury: defaultKnobs.groups.treasury,
  },
}

/** Circuits that were not used for so long are forgotten. */
export const smallIdleMillis = 120_000

/** No two calls do anything in the same millisecond, unless they do so at once: the order would be chance. */
export const attemptMillis = (millis: number, call: number): number => millis === 0 ? 0 : millis + call + 1

const results: Readonly<Record<Fate, () => Script>> = {
  answer: () => Effect.void,
  refuse: () => Effect.fail(reasons.InsufficientLiquidity),
  fail: () => fails,
  limit: () => limits(limitSeconds),
  cut: () => cut(),
  "cut, come back in 1 s": () => cut(1),
  "cut, then answer": () => inTurn(cut(), Effect.void),
  hang: () => Effect.never,
  break: () => Effect.die("a bug of the provider"),
}

/** The real guard under commands. */
export const makeGuardUnderTest = Effect.gen(function* () {
  const store = CircuitBreaker.layerStoreMemory({ idleTimeToLive: Duration.millis(smallIdleMillis) })
  const upstream = yield* guardedUpstream(guardLayer(smallKnobs, store))
  const calls: Array<Fiber.Fiber<string>> = []

  const ask = Effect.fnUntraced(function* (group: Group, fate: Fate, millis: number) {
    const result = results[fate]()
    const took = attemptMillis(millis, calls.length)
    const call = upstream.call(group, took === 0 ? result : after(Duration.millis(took), result)).pipe(
      Effect.match({
        onSuccess: () => "answered",
        onFailure: ({ reason }) =>
          reason._tag === "NotCalled" ? `not called for ${reason.retryAfterSeconds} s` : reason._tag,
      }),
    )
    calls.push(yield* Effect.forkScoped(call))
    yield* settle
  })

  /** Calls under way, in the order in which they began. */
  const underWay = () => calls.filter((fiber) => fiber.pollUnsafe() === undefined)

  const run = Effect.fnUntraced(function* (command: Command) {
    switch (command._tag) {
      case "Ask":
        return yield* Effect.replicateEffect(ask(command.group, command.fate, command.millis), command.count)
      case "Cancel":
        return yield* Effect.forEach(underWay().slice(command.call, command.call + 1), Fiber.interrupt)
      case "Pass":
        return yield* TestClock.adjust(Duration.millis(command.millis))
    }
  })

  const answerOf = (fiber: Fiber.Fiber<string>): string => {
    const exit = fiber.pollUnsafe()
    if (exit === undefined) return "under way"
    return exit._tag === "Success" ? exit.value : "cancelled"
  }

  return { run, upstream, answers: () => calls.map(answerOf) }
})
