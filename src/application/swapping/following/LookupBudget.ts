import { type Quota, TokenBucket, TokenBuckets } from "../../limits/TokenBucket.ts"
import type { AccountId } from "#domain/accounts/Account.ts"
import type { ProviderName } from "#domain/ProviderName.ts"

export interface BudgetOptions {
  /** The most look-ups a second at each provider, by this process. */
  readonly lookupsPerSecond: number
}

const secondMillis = 1_000

const trackerShare = 1 / 2
/** The most of the budget for one account: three quarters of the share of all accounts. */
const accountShare = 3 / 8

/** A share of the look-ups a second, in the whole numbers that buckets count with. */
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

/**
 * Keeps the number of look-ups below the upstream's published limit, whoever asks for them. Half of it is for the
 * tracker, the other half for accounts; each may use what the other leaves, except for a reserve. Each process has one
 * budget. `now` is in milliseconds.
 */
export const makeLookupBudget = ({ lookupsPerSecond }: BudgetOptions) => {
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

  /** The tokens that stay with their owner, however many the other wants. */
  const reserve = Math.ceil(half.tokens / 2)
  const borrow = (from: TokenBucket, now: number): boolean => from.left(now) > reserve && from.take(now)
  /** Tokens beyond the owner's own were borrowed from the other. */
  const giveBack = (owner: TokenBucket, other: TokenBucket, now: number): void =>
    (owner.left(now) < half.tokens ? owner : other).giveBack()

  return {
    /** Takes up to `most` look-ups for the tracker; returns how many. */
    takeForTracker: (provider: ProviderName, most: number, now: number): number => {
      const { asking, tracker } = shares(provider, now)
      let taken = 0
      while (taken < most && (tracker.take(now) || borrow(asking, now))) taken += 1
      return taken
    },
    /** Gives back look-ups that the tracker did not use. */
    giveBackOfTracker: (provider: ProviderName, count: number, now: number): void => {
      const { asking, tracker } = shares(provider, now)
      for (let back = 0; back < count; back++) giveBack(tracker, asking, now)
    },
    /** Takes one look-up for an account; returns whether it did. One account never gets the whole share of accounts. */
    takeForAccount: (provider: ProviderName, account: AccountId, now: number): boolean => {
      const { accounts, asking, tracker } = shares(provider, now)
      const own = accounts.of(`${account}`, now)
      // An account that asks often leaves a reserve to those that seldom ask.
      const asksLittle = own.left(now) * 2 >= ofAccount.tokens
      if (!own.take(now)) return false
      if ((asksLittle ? asking.take(now) : borrow(asking, now)) || borrow(tracker, now)) return true
      own.giveBack()
      return false
    },
    /** Gives back the look-up that the account did not use. */
    giveBackOfAccount: (provider: ProviderName, account: AccountId, now: number): void => {
      const { accounts, asking, tracker } = shares(provider, now)
      accounts.of(`${account}`, now).giveBack()
      giveBack(asking, tracker, now)
    },
  }
}
