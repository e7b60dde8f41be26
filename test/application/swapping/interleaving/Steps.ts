import { Deferred, Effect } from "effect"

/** Something that waits to be let through. */
interface Waiting {
  readonly name: string
  readonly go: Deferred.Deferred<void>
}

/** A process takes steps for as long as it lives. */
export interface Process {
  readonly isAlive: boolean
}

/**
 * Holds everything that processes do to the world outside of them, one step at a time: whoever drives them
 * decides in which order steps are taken, and which never are because their process is gone.
 */
export interface Steps {
  /** What waits at present. */
  readonly waiting: ReadonlyArray<Waiting>
  /** A step: it waits for its turn, and stops for good where its process is gone by then. */
  readonly take: <A, E, R>(
    process: Process,
    name: string,
    step: Effect.Effect<A, E, R>,
  ) => Effect.Effect<A, E, R>
  /** What is waited for though it is no step: a question to the database that changes nothing. */
  readonly during: <A, E, R>(question: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Lets one step be taken. */
  readonly release: (waiting: Waiting) => Effect.Effect<void>
  /** Until each step that was let through has been taken, and what follows from it waits. */
  readonly settle: Effect.Effect<void>
  /** From now on nobody waits. */
  readonly open: Effect.Effect<void>
  /** Ends what processes left undone when they died. */
  readonly bury: Effect.Effect<void>
}

/** So many turns at most until what was let through has come to its next step. */
const quietTurns = 30

export const makeSteps = (): Steps => {
  const waiting: Array<Waiting> = []
  const grave = Deferred.makeUnsafe<never>()
  let running = 0
  let isOpen = false

  const during: Steps["during"] = (question) =>
    Effect.suspend(() => {
      running += 1
      return Effect.ensuring(question, Effect.sync(() => running -= 1))
    })

  const take: Steps["take"] = Effect.fnUntraced(function* (process, name, step) {
    if (!isOpen) {
      const go = Deferred.makeUnsafe<void>()
      waiting.push({ name, go })
      yield* Deferred.await(go)
    }
    if (!process.isAlive) return yield* Deferred.await(grave)
    const result = yield* during(step)
    return process.isAlive ? result : yield* Deferred.await(grave)
  })

  const release = (step: Waiting) =>
    Effect.suspend(() => {
      waiting.splice(waiting.indexOf(step), 1)
      return Effect.asVoid(Deferred.succeed(step.go, undefined))
    })

  return {
    waiting,
    take,
    during,
    release,
    settle: Effect.gen(function* () {
      for (let quiet = 0; quiet < quietTurns; quiet++) {
        yield* Effect.yieldNow
        if (running > 0) quiet = 0
      }
    }),
    open: Effect.suspend(() => {
      isOpen = true
      return Effect.forEach([...waiting], release, { discard: true })
    }),
    bury: Effect.suspend(() => Effect.asVoid(Deferred.interrupt(grave))),
  }
}
