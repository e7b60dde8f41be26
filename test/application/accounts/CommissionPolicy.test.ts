import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { effectiveCommission } from "#application/accounts/accountTerms.ts"
import { Bps } from "#domain/money/Bps.ts"
import { accountWith } from "#test/support/account.ts"

describe("the effective commission", () => {
  it("is the account's default when nothing is asked for", () => {
    assert.strictEqual(effectiveCommission(accountWith({ commissionBps: Bps.make(25) }), undefined), 25)
  })

  it.effect.prop(
    "is never below the default and never below what is asked for",
    [Bps, Bps],
    ([own, asked]) =>
      Effect.sync(() => {
        const effective = effectiveCommission(accountWith({ commissionBps: own }), asked)
        assert.strictEqual(effective, Math.max(own, asked))
      }),
  )
})
