import { Duration, Effect, Layer, Logger, Option, Predicate, References } from "effect"
import {
  healthOf,
  type ProviderError,
  type ProviderErrorReason,
  type ProviderOperation,
} from "#domain/ProviderError.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import { reasonFactsOf } from "#domain/reasonFacts.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { upstreamText } from "../upstream/failures.ts"
import { CurrentWitness } from "../upstream/witness.ts"
import type { DifferenceKind } from "./CheckDifference.ts"
import { pathIn } from "#domain/RefusedAnswer.ts"
import { type Asking, type Notes, partsOf } from "./checkNotes.ts"

export interface Tally {
  asked: number
  answered: number
  /** Not offered now. */
  refused: number
  failed: number
}

/** Asks one provider, and notes what does not fit. */
export type Asker = ReturnType<typeof makeAsker>

/** The pause where an upstream takes no more calls and does not say for how long; and the longest one. */
const usualPause = 5
const longestPause = 30

/** How fast an upstream is asked, and how much. */
export interface Pace {
  readonly next: Effect.Effect<void>
  readonly isSpent: () => boolean
  /** How often a question is asked again where the upstream takes no more calls, each after a pause. */
  readonly pauses: number
  /** How many questions of an operation may fail in a row before it is asked no further. */
  readonly mostFailures: number
}

/** No more than `perSecond` questions begin in a second. */
export const perSecond = (perSecond: number): Pace => {
  let next = 0
  return {
    next: Effect.flatMap(currentMillis, (now) => {
      const begin = Math.max(now, next)
      next = begin + 1_000 / perSecond
      return Effect.sleep(Duration.millis(begin - now))
    }),
    isSpent: () => false,
    pauses: 2,
    mostFailures: Infinity,
  }
}

/** Whether an upstream offers no swap now, though it works. */
const isRefusal = (reason: ProviderErrorReason): boolean =>
  healthOf(reason) === "healthy" && reasonFactsOf(reason).isOfCaller !== true

export const wordsOf = (reason: ProviderErrorReason): string => {
  if ("detail" in reason) return `${reason._tag}: ${reason.detail}`
  return reason._tag === "RequestRefused"
    ? `${reason._tag}: ${
      Object.entries(reason.errors).map(([name, sentences]) => `${name} ${sentences.join(", ")}`).join("; ")
    }`
    : reason._tag
}

/** Notes what a provider warns of. A warning with a cause is about a failure, which whoever asks is told of. */
export const warningLogger = (notes: Notes, asking: Asking) =>
  Logger.make(({ logLevel, message }) => {
    const texts: ReadonlyArray<unknown> = Array.isArray(message) ? message : [message]
    if (logLevel !== "Warn" || !texts.every(Predicate.isString)) return
    notes.add(asking, { kind: "unclear", found: upstreamText(texts.join(" ")) })
  })

/** Notes what is read, and what providers warn of: parts that they left out because they do not know them. */
export const watched = (notes: Notes, asking: Asking) =>
  Layer.mergeAll(
    Layer.succeed(CurrentWitness, notes.witness(asking)),
    Logger.layer([warningLogger(notes, asking)]),
    Layer.succeed(References.MinimumLogLevel, "Warn"),
  )

export const makeAsker = (
  notes: Notes,
  provider: ProviderName,
  pace: Pace,
  watching: (notes: Notes, asking: Asking) => Layer.Layer<never> = watched,
) => {
  const tallies = new Map<ProviderOperation, Tally>()
  const halted = new Set<ProviderOperation>()
  const failedInTurn = new Map<ProviderOperation, number>()

  const tallyOf = (operation: ProviderOperation): Tally => {
    const tally = tallies.get(operation) ?? { asked: 0, answered: 0, refused: 0, failed: 0 }
    tallies.set(operation, tally)
    return tally
  }

  const halt = (operation: ProviderOperation, why: string): void => {
    if (halted.has(operation)) return
    halted.add(operation)
    const found = `${operation} is not asked any further: ${why}`
    notes.add({ provider, operation }, { kind: "failure", found })
  }

  const failed = (operation: ProviderOperation, about: string, reason: ProviderErrorReason): void => {
    if (reason._tag === "NotCalled") {
      return halt(
        operation,
        reason.because === "budget"
          ? "its calls are needed by others for now"
          : "too many calls failed, or were slow",
      )
    }
    if (reason._tag === "RateLimited") halt(operation, "the upstream takes no more calls (--per-second)")
    const asking = { provider, operation }
    if (isRefusal(reason)) {
      tallyOf(operation).refused += 1
      return notes.add(asking, { kind: "refused", found: wordsOf(reason), about })
    }
    tallyOf(operation).failed += 1
    if (reason._tag !== "MalformedBody") {
      notes.add(asking, { kind: "failure", found: wordsOf(reason), about })
      const times = (failedInTurn.get(operation) ?? 0) + 1
      failedInTurn.set(operation, times)
      return times < pace.mostFailures ? undefined : halt(operation, "too many calls failed")
    }
    const placed = pathIn(reason.detail)
    if (placed === undefined) return notes.add(asking, { kind: "contradiction", found: reason.detail, about })
    const [path, rest] = placed
    // Where a reading has shown it already, that says in which answer it was.
    if (notes.hasMisfit(provider, path)) return
    notes.add(asking, {
      kind: path === "body" ? "misfit" : "contradiction",
      ...optionalMembers(notes.callWith(provider, path), (call) => ({ call })),
      path,
      ...partsOf(rest),
      about,
    })
  }

  const once = <A>(operation: ProviderOperation, question: Effect.Effect<A, ProviderError>) =>
    pace.next.pipe(
      Effect.andThen(question),
      Effect.mapError(({ reason }) => reason),
      Effect.provide(watching(notes, { provider, operation })),
    )

  const attempt = <A>(
    operation: ProviderOperation,
    question: Effect.Effect<A, ProviderError>,
    pauses = pace.pauses,
  ): Effect.Effect<A, ProviderErrorReason> =>
    Effect.catch(once(operation, question), (reason) => {
      if (reason._tag !== "RateLimited" || pauses === 0) return Effect.fail(reason)
      const seconds = Math.min(reason.retryAfterSeconds ?? usualPause, longestPause)
      return Effect.delay(attempt(operation, question, pauses - 1), Duration.seconds(seconds))
    })

  const ask = <A>(
    operation: ProviderOperation,
    about: string,
    question: Effect.Effect<A, ProviderErrorReason>,
  ): Effect.Effect<Option.Option<A>> =>
    Effect.suspend(() => {
      if (halted.has(operation) || pace.isSpent()) return Effect.succeedNone
      const tally = tallyOf(operation)
      tally.asked += 1
      return question.pipe(
        Effect.map((answer) => {
          tally.answered += 1
          failedInTurn.delete(operation)
          return Option.some(answer)
        }),
        Effect.catch((reason) =>
          Effect.sync(() => {
            failed(operation, about, reason)
            return Option.none()
          })
        ),
        Effect.catchDefect((defect) =>
          Effect.sync(() => {
            tally.failed += 1
            const found = `a fault of this program: ${upstreamText(`${defect}`)}`
            notes.add({ provider, operation }, { kind: "failure", found, about })
            return Option.none()
          })
        ),
      )
    })

  return {
    provider,
    attempt,
    /** The answer; nothing where there is none. `about` says of what a difference was met. */
    ask: <A>(operation: ProviderOperation, about: string, question: Effect.Effect<A, ProviderError>) =>
      ask(operation, about, attempt(operation, question)),
    /** The answer to the last of several questions, each asked with `attempt`. */
    askInTurn: ask,
    /** An answer that was read says no, or says what cannot be. */
    disappointed: (
      operation: ProviderOperation,
      about: string,
      kind: DifferenceKind,
      found: string,
    ): void => {
      const tally = tallyOf(operation)
      tally.answered -= 1
      tally[kind === "refused" ? "refused" : "failed"] += 1
      notes.add({ provider, operation }, { kind, found, about })
    },
    passedOver: (operation: ProviderOperation, found: string): void =>
      notes.add({ provider, operation }, { kind: "refused", found }),
    tallies,
    /** Notes operations of which no answer was read: a rehearsal without answers proves nothing. */
    conclude: (): void => {
      for (const [operation, { answered, asked, refused }] of tallies) {
        if (answered > 0 || refused === 0) continue
        const found = `no answer to read: none of ${asked} is offered now`
        notes.add({ provider, operation }, { kind: "failure", found })
      }
    },
  }
}
