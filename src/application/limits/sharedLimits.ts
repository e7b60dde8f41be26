import { Clock, Duration, Effect, Option, type Scope } from "effect"
import type { RateLimiterStore } from "effect/persistence/RateLimiter"
import { type LimitName, makeRateLimiter, type Quotas, type RateLimiter } from "./RateLimits.ts"
import type { Quota } from "./TokenBucket.ts"
import type { SharedStore } from "./SharedStore.ts"
import { syncLater } from "./syncLater.ts"

/** Tokens of a subject that were taken here and not yet reported. */
interface Taken {
  readonly limit: LimitName
  readonly subject: string
  readonly quota: Quota
  tokens: number
}

/**
 * Limits that all replicas share while the shared store answers; while it does not, this process's own.
 *
 * No request waits for the store: it is admitted by the buckets of this process. The process reports the tokens taken
 * to the store ten times a second, and learns what others left. So a subject that calls several replicas at once can
 * take too many tokens for the length of an interval; the excess is a debt in the store, and no replica admits the
 * subject until it is paid. Over any longer time all replicas together admit as many requests as one would.
 */
export const sharedLimits = Effect.fnUntraced(function* (
  { ask }: SharedStore<{ readonly limits: RateLimiterStore["Service"] }>,
  quotas: Quotas,
): Effect.fn.Return<RateLimiter, never, Scope.Scope> {
  const clock = yield* Clock.Clock
  const local = makeRateLimiter(quotas, () => clock.currentTimeMillisUnsafe())

  const keyOf = (limit: LimitName, subject: string): string => `${limit}/${subject}`

  const note = (limit: LimitName, subject: string, quota: Quota): void => {
    const key = keyOf(limit, subject)
    const taken = untold.get(key)
    if (taken !== undefined) {
      taken.tokens += 1
      return
    }
    untold.note(key, { limit, subject, quota, tokens: 1 })
  }

  const tell = Effect.fnUntraced(function* ({ limit, subject, quota, tokens }: Taken, key: string) {
    const answer = yield* ask(({ limits }) =>
      limits.tokenBucket({
        key,
        tokens,
        limit: quota.tokens,
        refillRate: Duration.millis(quota.windowMillis / quota.tokens),
        allowOverflow: true,
      })
    )
    if (Option.isNone(answer)) return
    const [remaining, elapsedMillis] = answer.value
    // Redis forgets a bucket at once that holds more than a quota that was lowered.
    if (remaining > quota.tokens) return
    const part = elapsedMillis * quota.tokens / quota.windowMillis
    local.correct(limit, subject, remaining + part - (untold.get(key)?.tokens ?? 0))
  })

  const untold = yield* syncLater(tell)

  return {
    ...local,
    take: (limit, subject, own) => {
      const standing = local.take(limit, subject, own)
      if (standing?.isAdmitted === true) note(limit, subject, standing.quota)
      return standing
    },
    giveBack: (limit, subject) => {
      local.giveBack(limit, subject)
      const taken = untold.get(keyOf(limit, subject))
      // Tokens that were reported already come back by themselves, in the time that a token takes.
      if (taken !== undefined) taken.tokens -= 1
    },
  }
})
