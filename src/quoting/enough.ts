import { type Duration, Effect, Exit } from "effect"
import { makeDeadlines } from "../platform/Deadlines.ts"
import type { Seat } from "./SharedCalls.ts"

/** How long an answer is waited for. */
export interface Patience {
  /** Bounds a whole answer, however many providers are asked. */
  readonly deadline: Duration.Duration
  /** How much longer the others get once one has answered with quotes. */
  readonly grace: Duration.Duration
}

const hasQuotes = (seat: Seat): boolean => {
  const exit = seat.ended()
  return exit !== undefined && Exit.isSuccess(exit) && exit.value.length > 0
}

/**
 * Waits until all calls have ended, or the grace after the first quotes or the deadline is over. What is late
 * for the grace goes on until the deadline: a provider that is always late would otherwise be cut off each
 * time, and its circuit would never hear of it. One fiber waits for all, as this is on the way of each request.
 */
export const makeEnough = Effect.fnUntraced(function* ({ deadline, grace }: Patience) {
  const deadlines = yield* makeDeadlines(deadline)
  const graces = yield* makeDeadlines(grace)

  return (seats: ReadonlyArray<Seat>): Effect.Effect<void> =>
    Effect.callback<void>((resume) => {
      const waiting = new Set(seats.filter((seat) => seat.ended() === undefined))
      if (waiting.size === 0) return resume(Effect.void)
      let endGrace: (() => void) | undefined
      const beginGrace = () => {
        endGrace ??= graces.begin(() => resume(Effect.void))
      }
      const endDeadline = deadlines.begin(() => {
        for (const seat of waiting) seat.leave()
        finish()
      })
      const finish = () => {
        endDeadline()
        endGrace?.()
        resume(Effect.void)
      }
      for (const seat of waiting) {
        seat.onEnd(() => {
          waiting.delete(seat)
          if (waiting.size === 0) finish()
          else if (hasQuotes(seat)) beginGrace()
        })
      }
      if (seats.some(hasQuotes)) beginGrace()
      return Effect.sync(finish)
    })
})
