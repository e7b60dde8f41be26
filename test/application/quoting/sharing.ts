import { Duration, Effect } from "effect"
import type { ProviderError } from "#domain/ProviderError.ts"
import type { TimedQuote } from "#domain/quotes/Quote.ts"
import {
  makeSingleFlight,
  type ReuseTimes,
  type SharedCall,
  type Waiter,
} from "#application/quoting/SharedCalls.ts"
import { first, quoteOf } from "./support.ts"

export type Work = Effect.Effect<ReadonlyArray<TimedQuote>, ProviderError>

const times: ReuseTimes = { quotes: Duration.seconds(1), refusals: Duration.millis(250) }
export const answer = [quoteOf(first, 1n)]
export const answers: Work = Effect.succeed(answer)
export const answersAfter = (duration: Duration.Input): Work => Effect.delay(answers, duration)

/** Sharing that can be looked into. */
export const sharing = Effect.fnUntraced(function* (reuse: ReuseTimes = times) {
  const calls = new Map<string, SharedCall>()
  const singleFlight = yield* makeSingleFlight(reuse, calls)
  const count = { begun: 0, running: 0, cancelled: 0 }
  const counted = (work: Work): Work =>
    Effect.suspend(() => {
      count.begun += 1
      count.running += 1
      return work
    }).pipe(
      Effect.onInterrupt(() => Effect.sync(() => count.cancelled += 1)),
      Effect.ensuring(Effect.sync(() => count.running -= 1)),
    )
  const wait = (waiter: Waiter): Work =>
    Effect.callback((resume) => {
      const end = () => resume(Effect.suspend(() => waiter.ended() ?? Effect.die("It has not ended")))
      if (waiter.ended() !== undefined) return end()
      waiter.onEnd(end)
    })
  /** Waits for the call alone, and leaves it when interrupted. */
  const ask = (work: Work, shared = "key", begun = shared): Work =>
    Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(
        singleFlight({ shared, begun }, first, counted(work)),
        (waiter) => Effect.onInterrupt(restore(wait(waiter)), () => Effect.sync(() => waiter.cancel())),
      )
    )
  return { ask, calls, count }
})
