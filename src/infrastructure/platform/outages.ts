import { Context, Data, type Duration, Effect, Option, Predicate } from "effect"
import { durationText } from "#domain/durationText.ts"
import { StoreUnavailable } from "#domain/StoreError.ts"
import { currentMillis } from "./currentMillis.ts"
import { forkWhenReady } from "./whenReady.ts"

/** Something that fails until it works again: since when, and the failures or jobs that are known of it. */
interface Outage {
  readonly since: number
  readonly known: Set<string>
}

interface State {
  /** The present outage of the database, with the jobs that have met it. */
  database: Outage | undefined
  /** The number of outages of the database that have ended. */
  ended: number
  /** The jobs that met the last of them and have not worked since. */
  left: Set<string>
  /** The jobs that fail for another reason. */
  readonly jobs: Map<string, Outage>
}

/** No outage. */
export const makeOutages = (): State => ({ database: undefined, ended: 0, left: new Set(), jobs: new Map() })

/** The outages of a service. */
export const Outages = Context.Reference<State>("swap-broker/platform/outages/Outages", {
  defaultValue: makeOutages,
})

/** The failures of one outage that get a line; more are variations of these. */
const mostKnown = 5

const textAt = (error: unknown, member: string): string =>
  Predicate.hasProperty(error, member) && Predicate.isString(error[member]) ? error[member] : ""

/** What a failure says of itself: some say it in `detail`. */
const messageOf = (error: unknown): string =>
  textAt(error, "message") || textAt(error, "detail") || textAt(error, "_tag") || `${error}`

/** The first line of what is at the bottom of a failure, such as the refusal of a connection. */
const reasonOf = (error: unknown): string =>
  Predicate.hasProperty(error, "cause") && Predicate.isObject(error.cause)
    ? reasonOf(error.cause)
    : (messageOf(error).split("\n", 1)[0] ?? "").slice(0, 200)

/** Logs that a job fails, once for each reason until it works again; `details` go with the first line. */
export const jobFailed = Effect.fnUntraced(function* (
  job: string,
  error: unknown,
  ...details: ReadonlyArray<unknown>
) {
  const { jobs } = yield* Outages
  const outage = jobs.get(job) ?? { since: yield* currentMillis, known: new Set() }
  jobs.set(job, outage)
  const reason = reasonOf(error)
  const isKnown = outage.known.has(reason) || outage.known.size >= mostKnown
  outage.known.add(reason)
  yield* isKnown ? Effect.logDebug(job, error) : Effect.logWarning(`${job}: ${reason}`, ...details)
})

/** Logs that a job works again, if its failure was logged. */
export const jobWorked = Effect.fnUntraced(function* (job: string) {
  const { jobs } = yield* Outages
  const outage = jobs.get(job)
  if (outage === undefined) return
  jobs.delete(job)
  yield* Effect.logInfo(`${job}: resolved after ${durationText((yield* currentMillis) - outage.since)}`)
})

/** A defect, as the failure of a round. */
class Defect extends Data.TaggedError("Defect")<{ readonly cause: unknown }> {}

/**
 * Runs a round of background work, which must go on whatever becomes of the round; returns none where it failed, also
 * with a defect. An outage of the database is a line when the first job meets it and a line when the first job works
 * again, for all jobs together. A job that fails while others work has two lines of its own. `usesDatabase`: whether a
 * success proves that the database answers.
 */
export const surviving =
  (job: string, { usesDatabase = true }: { readonly usesDatabase?: boolean } = {}) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<Option.Option<A>, never, R> =>
    Effect.gen(function* () {
      const outages = yield* Outages
      const { database: before, ended } = outages

      const failed = Effect.fnUntraced(function* (error: E | Defect) {
        if (error instanceof Defect) return yield* jobFailed(job, error.cause, error.cause)
        if (!(error instanceof StoreUnavailable)) return yield* jobFailed(job, error)
        outages.database?.known.add(job)
        // A call that was begun before the end of an outage does not begin another.
        if (outages.database !== undefined || outages.ended !== ended) {
          return yield* Effect.logDebug(job, error)
        }
        if (outages.left.has(job)) return yield* jobFailed(job, error)
        outages.database = { since: yield* currentMillis, known: new Set([job]) }
        yield* Effect.logError(`The database is not available, and all work waits for it: ${reasonOf(error)}`)
      })
      const worked = Effect.gen(function* () {
        yield* jobWorked(job)
        if (!usesDatabase) return
        outages.left.delete(job)
        // Work that was begun before the outage says nothing of it.
        if (before === undefined || outages.database !== before) return
        before.known.delete(job)
        outages.database = undefined
        outages.ended += 1
        outages.left = before.known
        const length = durationText((yield* currentMillis) - before.since)
        yield* Effect.logInfo(`The database is available again, after ${length}`)
      })
      return yield* work.pipe(
        Effect.catchDefect((cause) => Effect.fail(new Defect({ cause }))),
        Effect.tap(worked),
        Effect.asSome,
        Effect.catch((error) => Effect.as(failed(error), Option.none<A>())),
      )
    })

/** Repeats rounds of background work, each `interval` after the last, from when the process serves. */
export const repeating =
  (job: string, interval: Duration.Duration) => <A, E, R>(round: Effect.Effect<A, E, R>) =>
    forkWhenReady(Effect.forever(Effect.andThen(surviving(job)(round), Effect.sleep(interval))))

/** Makes a line about a failure, unless the failure is of an outage of the database, which has its line. */
export const unlessAway = (error: unknown, line: Effect.Effect<void>): Effect.Effect<void> =>
  Effect.flatMap(
    Outages,
    ({ database }) =>
      error instanceof StoreUnavailable && database !== undefined ? Effect.logDebug(error) : line,
  )
