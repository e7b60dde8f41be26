import { assert, describe, it } from "@effect/vitest"
import { Array } from "effect"
import { AccountId } from "#domain/accounts/Account.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { makeLookupBudget } from "#application/swapping/following/LookupBudget.ts"

const provider = ProviderName.make("first")
const [one, other] = [AccountId.make(1), AccountId.make(2)]

const untouched = (lookupsPerSecond = 100) => {
  const budget = makeLookupBudget({ lookupsPerSecond })
  return {
    ...budget,
    /** How many of so many look-ups an account may make at a time. */
    flood: (account: AccountId, count: number, now: number) =>
      Array.makeBy(count, () => budget.takeForAccount(provider, account, now)).filter((taken) => taken)
        .length,
  }
}

describe("the budget of look-ups", () => {
  it("leaves the tracker half of it, however many accounts flood", () => {
    const { flood, takeForTracker } = untouched()
    let tracked = 0
    for (let now = 0; now < 10_000; now += 100) {
      for (let account = 1; account <= 20; account++) flood(AccountId.make(account), 180, now)
      tracked += takeForTracker(provider, 1_000, now)
    }
    assert.isAtLeast(tracked, 10 * 50)
  })

  it("leaves another account a part of it, however often one asks", () => {
    const { flood, takeForTracker } = untouched()
    let taken = 0
    let asked = 0
    for (let now = 0; now < 10_000; now += 100) {
      takeForTracker(provider, 1_000, now)
      taken += flood(one, 180, now)
      asked += flood(other, 1, now)
    }
    assert.isAtMost(taken, 37 * 11)
    assert.strictEqual(asked, 100)
  })

  it("lets the tracker have nearly all where nobody asks, and stays below what the upstream tolerates", () => {
    const { flood, takeForTracker } = untouched()
    let tracked = 0
    for (let now = 0; now <= 10_000; now += 100) tracked += takeForTracker(provider, 1_000, now)
    assert.isAtLeast(tracked, 10 * 95)
    let all = 0
    for (let now = 20_000; now <= 30_000; now += 100) {
      all += takeForTracker(provider, 1_000, now) + flood(one, 100, now) + flood(other, 100, now)
    }
    assert.isAtMost(all, 11 * 100)
  })

  it("takes back what was not used", () => {
    const { flood, giveBackOfAccount, giveBackOfTracker, takeForTracker } = untouched(8)
    assert.strictEqual(takeForTracker(provider, 100, 0), 6)
    giveBackOfTracker(provider, 2, 0)
    assert.strictEqual(takeForTracker(provider, 100, 0), 2)
    const { flood: again } = untouched(8)
    assert.strictEqual(again(one, 10, 0), 3)
    assert.strictEqual(flood(one, 10, 0), 2)
    giveBackOfAccount(provider, one, 0)
    assert.strictEqual(flood(one, 10, 0), 1)
  })

  it("takes nothing from those who ask while the tracker finds nothing that is due", () => {
    const { flood, giveBackOfTracker, takeForTracker } = untouched(20)
    for (let poll = 0; poll < 10; poll++) {
      giveBackOfTracker(provider, takeForTracker(provider, 16, 0), 0)
    }
    const fresh = untouched(20)
    assert.strictEqual(
      flood(one, 4, 0) + flood(other, 6, 0),
      fresh.flood(one, 4, 0) + fresh.flood(other, 6, 0),
    )
    assert.strictEqual(takeForTracker(provider, 100, 0), fresh.takeForTracker(provider, 100, 0))
  })

  it("is shared even where it is one look-up a second", () => {
    const { flood, takeForTracker } = untouched(1)
    let tracked = 0
    let asked = 0
    for (let now = 0; now < 60_000; now += 250) {
      asked += flood(one, 10, now)
      tracked += takeForTracker(provider, 10, now)
    }
    assert.isAtLeast(tracked, 29)
    assert.isAtLeast(asked, 20)
    assert.isAtMost(tracked + asked, 62)
  })
})
