import { Duration, Effect, Option, Schema, type Scope } from "effect"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import type { Part } from "#infrastructure/platform/Budget.ts"
import { type Budgets, makeBudgets } from "#providers/Budgets.ts"
import type { SharedStore } from "../limits/SharedStore.ts"

/** The replicas of a service, as each tells of itself. */
export interface Replicas {
  /** Writes what a replica says, and reads what all have said. */
  readonly say: (replica: string, words: string) => Effect.Effect<ReadonlyArray<string>, Error>
  readonly forget: (replica: string) => Effect.Effect<void, Error>
}

/** How often a replica says that it is there. */
const interval = Duration.seconds(1)

/** How long a replica counts that says nothing new, in milliseconds. Clocks of replicas are not compared. */
const believedFor = 5_000

/** The part of a limit that a replica begins with, before it knows of the others. */
const firstPart = { atOnce: 1 / 2, evenly: 1 / 2 }

/** What a replica says of itself. */
const Words = Schema.fromJsonString(Schema.Struct({
  replica: Schema.String,
  /** One more each time. */
  beat: Schema.Int,
  /** How many accounts ask it, by limit. */
  asking: Schema.Record(Schema.String, Schema.Int),
  /** How much they want of what the upstream allows, by limit. Replicas of an earlier version do not say it. */
  wanted: Schema.optionalKey(Schema.Record(Schema.String, Schema.Finite)),
}))
type Words = typeof Words.Type
const read = Schema.decodeUnknownOption(Words)
const write = Schema.encodeSync(Words)

/** What counts as an account where none asks, so that a replica has something for the first that comes. */
const nobody = 1 / 20
/** The same in an earlier version, which did not know how much is wanted. */
const nobodyEarlier = 1 / 2

interface Demand {
  readonly weight: number
  readonly wanted: number
}
const weights = (of: ReadonlyArray<Demand>): number => of.reduce((sum, { weight }) => sum + weight, 0)
const wants = (of: ReadonlyArray<Demand>): number => of.reduce((sum, { wanted }) => sum + wanted, 0)

/** The part of what becomes free that a replica has which nobody asks. What there is at once is there all the same. */
const leastPart = 0.01

/**
 * The part of what becomes free that a replica has. Where all together want less than there is, each has what it wants, and the
 * rest is divided by how many accounts ask each; where they want more, it is all divided so, and none has more than it wants.
 */
const evenlyOf = (mine: Demand, others: ReadonlyArray<Demand>): number => {
  const all = [mine, ...others]
  const rest = 1 - wants(all)
  if (rest >= 0) return mine.wanted + rest * mine.weight / weights(all)
  const divide = (among: ReadonlyArray<Demand>, left: number): number => {
    const each = left / weights(among)
    const content = among.filter(({ wanted, weight }) => wanted <= each * weight)
    if (content.includes(mine)) return mine.wanted
    if (content.length === 0) return each * mine.weight
    return divide(among.filter((one) => !content.includes(one)), left - wants(content))
  }
  return divide(all, 1)
}

/** A replica's part of a limit. The burst stays whole: a saved part would be lost to the others. */
export const partOf = (own: Words, others: ReadonlyArray<Words>, limit: string): Part => {
  // A replica of an earlier version divides by accounts alone.
  const byAccounts = others.some(({ wanted }) => wanted === undefined)
  const demandOf = ({ asking, wanted }: Words): Demand => ({
    weight: (asking[limit] ?? 0) + (byAccounts ? nobodyEarlier : nobody),
    wanted: Math.max(leastPart, wanted?.[limit] ?? 0),
  })
  const [mine, theirs] = [demandOf(own), others.map(demandOf)]
  const byWeight = mine.weight / weights([mine, ...theirs])
  return byAccounts
    ? { atOnce: byWeight, evenly: byWeight }
    : { atOnce: 1 / (others.length + 1), evenly: evenlyOf(mine, theirs) }
}

/** Budgets shared by all replicas by demand. While the store is away, each keeps its part. */
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
    const own: Words = { replica, beat, ...yield* budgets.demand }
    const said = yield* ask(({ replicas }) => replicas.say(replica, write(own)))
    if (Option.isNone(said)) return
    const all = said.value.flatMap((words) => Option.toArray(read(words)))
    const others = alive(all.filter((one) => one.replica !== replica), yield* currentMillis)
    const gone = all.filter((one) => one.replica !== replica && !others.includes(one))
    yield* budgets.share((limit) => partOf(own, others, limit))
    yield* Effect.forEach(gone, (one) => ask(({ replicas }) => replicas.forget(one.replica)), {
      discard: true,
    })
  })
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(share, Effect.sleep(interval))))
  yield* Effect.addFinalizer(() => ask(({ replicas }) => replicas.forget(replica)))
  return budgets
})
