import { Clock, Deferred, Duration, Effect, Exit, Fiber, Metric, Option, type Scope } from "effect"
import type { ProviderError } from "../domain/ProviderError.ts"
import type { Quote } from "../domain/Quote.ts"
import { metrics } from "../ops/Metrics.ts"
import { outcomeOf, providerErrorIn } from "../providers/guard/classify.ts"

type Quotes = ReadonlyArray<Quote>

/** For how long an answer stands in for a call of its own (resilience.md, "Coalescing"). */
export interface ReuseTimes {
  readonly quotes: Duration.Duration
  /** For refusals of the request; an upstream's failure is never reused. */
  readonly refusals: Duration.Duration
}

/** A call that is under way, or has just been answered. */
export interface SharedCall {
  readonly answer: Deferred.Deferred<Quotes, ProviderError>
  waiters: number
  fiber: Fiber.Fiber<Quotes, ProviderError> | undefined
  /** When a finished call can no longer be reused, in epoch milliseconds; nothing while it is under way. */
  reusableUntil: number | undefined
}

/** Runs a call for its key, or shares the one that is under way or was just answered. */
export type Share = (
  key: string,
  platform: string,
  call: Effect.Effect<Quotes, ProviderError>,
) => Effect.Effect<Quotes, ProviderError>

const reuseTime = (exit: Exit.Exit<Quotes, ProviderError>, times: ReuseTimes): number => {
  if (Exit.isSuccess(exit)) return Duration.toMillis(times.quotes)
  return Option.match(providerErrorIn(exit), {
    onNone: () => 0,
    onSome: ({ reason }) => outcomeOf(reason)._tag === "Success" ? Duration.toMillis(times.refusals) : 0,
  })
}

const isOld = ({ reusableUntil }: SharedCall, now: number): boolean =>
  reusableUntil !== undefined && reusableUntil <= now

type How = "joined" | "reused"

/** Counts what was shared; each counter is made once, as most requests of a busy pair are counted. */
const makeCounter = () => {
  const counters = new Map<string, Metric.Counter<number>>()
  return (platform: string, how: How) => {
    const key = `${platform} ${how}`
    const counter = counters.get(key) ??
      metrics.quotesShared.pipe(Metric.withAttributes({ provider: platform, how }))
    counters.set(key, counter)
    return Metric.update(counter, 1)
  }
}

/**
 * Lets callers of the same key share one call, and its answer for a moment afterwards. A caller who goes away
 * ends the call only when nobody else waits for it. `calls` holds what can be shared at present.
 */
export const makeShare = (
  times: ReuseTimes,
  calls: Map<string, SharedCall> = new Map(),
): Effect.Effect<Share, never, Scope.Scope> =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const countShared = makeCounter()
    let forgetting = false

    /** Forgets old answers now and then, for as long as there is anything to forget. */
    const forgetOld = Effect.gen(function* () {
      while (calls.size > 0) {
        yield* Effect.sleep(Duration.max(times.quotes, times.refusals))
        const now = yield* Clock.currentTimeMillis
        for (const [key, call] of calls) {
          if (isOld(call, now)) calls.delete(key)
        }
      }
      forgetting = false
    })

    const forgetLater = Effect.suspend(() => {
      if (forgetting) return Effect.void
      forgetting = true
      return Effect.forkIn(forgetOld, scope)
    })

    const remove = (key: string, call: SharedCall): void => {
      if (calls.get(key) === call) calls.delete(key)
    }

    const finish = (key: string, call: SharedCall, exit: Exit.Exit<Quotes, ProviderError>) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const reuse = reuseTime(exit, times)
        if (reuse > 0) call.reusableUntil = now + reuse
        else remove(key, call)
        Deferred.doneUnsafe(call.answer, exit)
        return reuse > 0 ? forgetLater : Effect.void
      })

    const begin = (key: string, call: SharedCall, work: Effect.Effect<Quotes, ProviderError>) =>
      Effect.map(
        Effect.forkIn(Effect.onExit(work, (exit) => finish(key, call, exit)), scope),
        (fiber) => {
          call.fiber = fiber
        },
      )

    /** Does not wait for the call's end, which a provider may delay: the caller is gone or out of time. */
    const leave = (key: string, call: SharedCall) =>
      Effect.suspend(() => {
        call.waiters -= 1
        if (call.waiters > 0 || call.reusableUntil !== undefined || call.fiber === undefined) {
          return Effect.void
        }
        remove(key, call)
        return Effect.asVoid(Effect.forkIn(Fiber.interrupt(call.fiber), scope, { startImmediately: true }))
      })

    /** Each caller is counted in the same step that finds the call, or the call could end in between. */
    const enter = (
      key: string,
      platform: string,
      work: Effect.Effect<Quotes, ProviderError>,
      now: number,
    ) => {
      const found = calls.get(key)
      if (found !== undefined && !isOld(found, now)) {
        found.waiters += 1
        const how = found.reusableUntil === undefined ? "joined" : "reused"
        return Effect.as(countShared(platform, how), found)
      }
      const call: SharedCall = {
        answer: Deferred.makeUnsafe(),
        waiters: 1,
        fiber: undefined,
        reusableUntil: undefined,
      }
      calls.set(key, call)
      return Effect.as(begin(key, call, work), call)
    }

    return (key, platform, work) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(
          Effect.flatMap(Clock.currentTimeMillis, (now) => enter(key, platform, work, now)),
          (call) => Effect.onInterrupt(restore(Deferred.await(call.answer)), () => leave(key, call)),
        )
      )
  })
