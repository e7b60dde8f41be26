import { type Quota, TokenBucket } from "../limits/TokenBucket.ts"
import { TokenBuckets } from "../limits/TokenBucket.ts"
import type { AccountId } from "../domain/Account.ts"
import type { ProviderName } from "../domain/ProviderName.ts"

/** How often each provider may be asked, whatever comes of it. */
export interface BudgetOptions {
  /** Most look-ups a second at each provider, of this process. */
  readonly lookupsPerSecond: number
}

/**
 * Keeps the number of look-ups below what an upstream publishes as its limit, whoever wants them. Half of it is for
 * the tracker, the other half for accounts that ask; either may use what the other leaves, but for a reserve. One for
 * each process. `now` is in milliseconds.
 */
export interface LookupBudget {
  /** Takes as much as there is for the tracker at present, at most this; how much that was. */
  readonly takeForTracker: (provider: ProviderName, most: number, now: number) => number
  /** Gives back what the tracker did not use. */
  readonly giveBackOfTracker: (provider: ProviderName, count: number, now: number) => void
  /** Takes one for an account, which never gets all that there is for those who ask. */
  readonly takeForAccount: (provider: ProviderName, account: AccountId, now: number) => boolean
  /** Gives back what the account did not use. */
  readonly giveBackOfAccount: (provider: ProviderName, account: AccountId, now: number) => void
}

const secondMillis = 1_000

const trackerShare = 1 / 2
/** One account has three quarters, at the most, of the share of all accounts. */
const accountShare = 3 / 8

/** A part of so many a second, in the whole numbers that buckets count with. */
const partOf = (lookupsPerSecond: number, share: number): Quota => {
  const perSecond = lookupsPerSecond * share
  return perSecond >= 1
    ? { tokens: Math.floor(perSecond), windowMillis: secondMillis }
    : { tokens: 1, windowMillis: Math.ceil(secondMillis / perSecond) }
}

interface Shares {
  readonly tracker: TokenBucket
  readonly asking: TokenBucket
  readonly accounts: TokenBuckets
}

/** An untouched budget. */
export const makeLookupBudget = ({ lookupsPerSecond }: BudgetOptions): LookupBudget => {
  const half = partOf(lookupsPerSecond, trackerShare)
  const ofAccount = partOf(lookupsPerSecond, accountShare)
  const sharesOf = new Map<ProviderName, Shares>()

  const shares = (provider: ProviderName, now: number): Shares => {
    const known = sharesOf.get(provider) ?? {
      tracker: new TokenBucket(half, now),
      asking: new TokenBucket(half, now),
      accounts: new TokenBuckets(ofAccount),
    }
    sharesOf.set(provider, known)
    return known
  }

  /** What stays for its owner, however much the other wants. */
  const reserve = Math.ceil(half.tokens / 2)
  const borrow = (from: TokenBucket, now: number): boolean => from.left(now) > reserve && from.take(now)
  /** What is more than its owner can have was borrowed from the other. */
  const giveBack = (owner: TokenBucket, other: TokenBucket, now: number): void =>
    (owner.left(now) < half.tokens ? owner : other).giveBack()

  return {
    takeForTracker: (provider, most, now) => {
      const { asking, tracker } = shares(provider, now)
      let taken = 0
      while (taken < most && (tracker.take(now) || borrow(asking, now))) taken += 1
      return taken
    },
    giveBackOfTracker: (provider, count, now) => {
      const { asking, tracker } = shares(provider, now)
      for (let back = 0; back < count; back++) giveBack(tracker, asking, now)
    },
    takeForAccount: (provider, account, now) => {
      const { accounts, asking, tracker } = shares(provider, now)
      const own = accounts.of(`${account}`, now)
      // An account that asks much leaves a reserve to those that ask little.
      const asksLittle = own.left(now) * 2 >= ofAccount.tokens
      if (!own.take(now)) return false
      if ((asksLittle ? asking.take(now) : borrow(asking, now)) || borrow(tracker, now)) return true
      own.giveBack()
      return false
    },
    giveBackOfAccount: (provider, account, now) => {
      const { accounts, asking, tracker } = shares(provider, now)
      accounts.of(`${account}`, now).giveBack()
      giveBack(asking, tracker, now)
    },
  }
}
