import { Duration, Effect, Option, Schema, type Scope } from "effect"
import { currentMillis } from "../platform/currentMillis.ts"
import { type Budgets, makeBudgets } from "../providers/Budgets.ts"
import type { SharedStore } from "../limits/SharedStore.ts"

/** The replicas of a service, as each tells of itself. */
export interface Replicas {
  /** Writes what a replica says, and reads what all have said. */
  readonly say: (replica: string, words: string) => Effect.Effect<ReadonlyArray<string>, Error>
  /** Forgets a replica. */
  readonly forget: (replica: string) => Effect.Effect<void, Error>
}

/** How often a replica says that it is there. */
const interval = Duration.seconds(1)

/** How long a replica counts that says nothing new, in milliseconds. Clocks of replicas are not compared. */
const believedFor = 5_000

/** The part of a limit that a replica begins with, before it knows of the others. */
const firstPart = 1 / 2

/** What a replica says of itself. */
const Words = Schema.fromJsonString(Schema.Struct({
  replica: Schema.String,
  /** One more each time. */
  beat: Schema.Int,
  /** How many accounts ask it, by limit. */
  asking: Schema.Record(Schema.String, Schema.Int),
}))
type Words = typeof Words.Type
const read = Schema.decodeUnknownOption(Words)
const write = Schema.encodeSync(Words)

/** Half an account for who has none, so that a replica has something for the first that comes. */
const weightOf = ({ asking }: Words, limit: string): number => (asking[limit] ?? 0) + 1 / 2

/**
 * Budgets that all replicas share: each has a part of every limit, by how many accounts ask it. No call waits for the shared
 * store; while it is away, each replica keeps the part that it had.
 */
export const sharedBudgets = Effect.fnUntraced(function* (
  { ask }: SharedStore<{ readonly replicas: Replicas }>,
): Effect.fn.Return<Budgets["Service"], never, Scope.Scope> {
  const budgets = yield* makeBudgets(firstPart)
  const replica = crypto.randomUUID()
  const seen = new Map<string, { readonly beat: number; readonly at: number }>()
  let beat = 0

  /** Those that have said something new lately. */
  const alive = (all: ReadonlyArray<Words>, now: number): ReadonlyArray<Words> =>
    all.filter(({ beat, replica }) => {
      const before = seen.get(replica)
      if (before?.beat === beat) return now - before.at <= believedFor
      seen.set(replica, { beat, at: now })
      return true
    })

  const share = Effect.gen(function* () {
    beat += 1
    const own: Words = { replica, beat, asking: yield* budgets.asking }
    const said = yield* ask(({ replicas }) => replicas.say(replica, write(own)))
    if (Option.isNone(said)) return
    const all = said.value.flatMap((words) => Option.toArray(read(words)))
    const others = alive(all.filter((one) => one.replica !== replica), yield* currentMillis)
    const gone = all.filter((one) => one.replica !== replica && !others.includes(one))
    yield* budgets.share((limit) => {
      const weight = weightOf(own, limit)
      return weight / others.reduce((sum, other) => sum + weightOf(other, limit), weight)
    })
    yield* Effect.forEach(gone, (one) => ask(({ replicas }) => replicas.forget(one.replica)), {
      discard: true,
    })
  })
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(share, Effect.sleep(interval))))
  yield* Effect.addFinalizer(() => ask(({ replicas }) => replicas.forget(replica)))
  return budgets
})
