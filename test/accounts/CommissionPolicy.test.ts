import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { effectiveCommission } from "../../src/accounts/CommissionPolicy.ts"
import { type Account, AccountId } from "../../src/domain/Account.ts"
import { Bps } from "../../src/domain/Bps.ts"

const accountWith = (commissionBps: Bps): Account => ({
  id: AccountId.make(1),
  name: "default",
  commissionBps,
  scopes: [],
})

describe("the effective commission", () => {
  it("is the account's default when nothing is asked for", () => {
    assert.strictEqual(effectiveCommission(accountWith(Bps.make(25)), Option.none()), 25)
  })

  it.effect.prop(
    "is never below the default and never below what is asked for",
    [Bps, Bps],
    ([own, asked]) =>
      Effect.sync(() => {
        const effective = effectiveCommission(accountWith(own), Option.some(asked))
        assert.strictEqual(effective, Math.max(own, asked))
      }),
  )
})
