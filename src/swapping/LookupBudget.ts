import { TokenBucket } from "../accounts/TokenBucket.ts"
import type { ProviderName } from "../domain/ProviderName.ts"

/** How often each provider may be asked, whatever comes of it. */
export interface BudgetOptions {
  /** Most look-ups a second at each provider, of this process. */
  readonly lookupsPerSecond: number
}

/**
 * Keeps the number of look-ups below what an upstream publishes as its limit, whoever wants them. One for each
 * process.
 */
export interface LookupBudget {
  /** Takes as much as there is at present, at most this; how much that was. `now` in milliseconds. */
  readonly take: (provider: ProviderName, most: number, now: number) => number
  /** Gives back what was not used. */
  readonly giveBack: (provider: ProviderName, count: number, now: number) => void
}

const windowMillis = 1_000

/** An untouched budget. */
export const makeLookupBudget = ({ lookupsPerSecond }: BudgetOptions): LookupBudget => {
  const buckets = new Map<ProviderName, TokenBucket>()
  const bucketOf = (provider: ProviderName, now: number): TokenBucket => {
    const known = buckets.get(provider) ?? new TokenBucket({ tokens: lookupsPerSecond, windowMillis }, now)
    buckets.set(provider, known)
    return known
  }
  return {
    take: (provider, most, now) => {
      const bucket = bucketOf(provider, now)
      let taken = 0
      while (taken < most && bucket.take(now)) taken += 1
      return taken
    },
    giveBack: (provider, count, now) => {
      const bucket = bucketOf(provider, now)
      for (let back = 0; back < count; back++) bucket.giveBack()
    },
  }
}
