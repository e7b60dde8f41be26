import { type Duration, Effect, Exit, Queue, type Scope, Stream } from "effect"
import { makeDeadlines } from "#infrastructure/platform/Deadlines.ts"
import type { Waiter } from "./SharedCalls.ts"

/** Timeouts of the answer to a caller. */
export interface CollectTimeouts {
  /** The time for a whole answer, however many providers are asked. */
  readonly deadline: Duration.Duration
  /** The further time that the other providers get after the first quotes. */
  readonly grace: Duration.Duration
}

const hasQuotes = (waiter: Waiter): boolean => {
  const exit = waiter.ended()
  return exit !== undefined && Exit.isSuccess(exit) && exit.value.length > 0
}

/** How a request waits for its calls. */
export interface CollectQuotes {
  /**
   * Waits until all calls have ended, or the grace after the first quotes or the deadline is over. A call that misses
   * the grace goes on until the deadline: otherwise a provider that is always late would be cut off each time, and its
   * circuit would never learn of it. One fiber waits for all calls, as every request for quotes waits here.
   */
  readonly together: (waiters: ReadonlyArray<Waiter>) => Effect.Effect<void>
  /**
   * The names of the calls as they end, until all have or the deadline is over: there is no grace, as nobody waits for
   * the slowest.
   */
  readonly oneByOne: <Name>(waiters: ReadonlyMap<Name, Waiter>) => Stream.Stream<Name>
}

export const makeCollectQuotes = Effect.fnUntraced(function* (
  { deadline, grace }: CollectTimeouts,
): Effect.fn.Return<CollectQuotes, never, Scope.Scope> {
  const deadlines = yield* makeDeadlines(deadline)
  const graces = yield* makeDeadlines(grace)

  const together = (waiters: ReadonlyArray<Waiter>): Effect.Effect<void> =>
    Effect.callback<void>((resume) => {
      const waiting = new Set(waiters.filter((waiter) => waiter.ended() === undefined))
      if (waiting.size === 0) return resume(Effect.void)
      let endGrace: (() => void) | undefined
      const beginGrace = () => {
        endGrace ??= graces.begin(() => resume(Effect.void))
      }
      const endDeadline = deadlines.begin(() => {
        for (const waiter of waiting) waiter.cancel()
        finish()
      })
      const finish = () => {
        endDeadline()
        endGrace?.()
        resume(Effect.void)
      }
      for (const waiter of waiting) {
        waiter.onEnd(() => {
          waiting.delete(waiter)
          if (waiting.size === 0) finish()
          else if (hasQuotes(waiter)) beginGrace()
        })
      }
      if (waiters.some(hasQuotes)) beginGrace()
      return Effect.sync(finish)
    })

  const oneByOne = <Name>(waiters: ReadonlyMap<Name, Waiter>): Stream.Stream<Name> =>
    Stream.callback<Name>((queue) =>
      Effect.acquireRelease(
        Effect.sync(() => {
          let left = waiters.size
          const arrive = (name: Name) => {
            Queue.offerUnsafe(queue, name)
            left -= 1
            if (left === 0) Queue.endUnsafe(queue)
          }
          for (const [name, waiter] of waiters) {
            if (waiter.ended() === undefined) waiter.onEnd(() => arrive(name))
            else arrive(name)
          }
          return deadlines.begin(() => Queue.endUnsafe(queue))
        }),
        (callOff) => Effect.sync(callOff),
      ), { bufferSize: waiters.size })

  return { together, oneByOne }
})
