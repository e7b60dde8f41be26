import { assert, it } from "#test/support/it.ts"
import { Effect } from "effect"
import { InvalidRequest, issueAbout } from "#domain/Issues.ts"
import { ProviderError, RequestRefused, SwappingMaintenance } from "#domain/ProviderError.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { byAffiliateNumbering } from "#application/swapping/opening/SwapRules.ts"

const errors = {
  ...issueAbout("affiliate1", "is odd"),
  ...issueAbout("affiliate2CommissionBps", "is too much"),
}

const renamed = {
  ...issueAbout("affiliate2", "is odd"),
  ...issueAbout("affiliate4CommissionBps", "is too much"),
}

const failureOf = <E>(failure: E) =>
  Effect.flip(byAffiliateNumbering({ affiliateNumbers: [2, 4] })(Effect.fail(failure)))

const ofProvider = (reason: ProviderError["reason"]) =>
  new ProviderError({ provider: ProviderName.make("chainflip"), operation: "open", reason })

it.effect("names affiliates by the caller's numbers, whoever finds the issue", function* () {
  assert.deepStrictEqual(
    yield* failureOf(new InvalidRequest({ errors })),
    new InvalidRequest({ errors: renamed }),
  )
  assert.deepStrictEqual(
    yield* failureOf(ofProvider(new RequestRefused({ errors }))),
    ofProvider(new RequestRefused({ errors: renamed })),
  )
})

it.effect("leaves every other failure as it is", function* () {
  const failure = ofProvider(new SwappingMaintenance({ detail: "affiliate1 sleeps" }))
  assert.strictEqual(yield* failureOf(failure), failure)
})
