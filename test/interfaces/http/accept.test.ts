import { assert, describe, it } from "#test/support/it.ts"
import { Effect, Result } from "effect"
import { noIssues } from "#domain/Issues.ts"
import { accept } from "#interfaces/requests/parameterIssues.ts"

describe("accept", () => {
  it.effect("gives the value when nothing is wrong", function* () {
    assert.strictEqual(yield* accept([noIssues, noIssues], Result.succeed(7)), 7)
  })

  it.effect("fails with what was wrong in reading, even where the rules found a value", function* () {
    const { errors } = yield* Effect.flip(accept([{ amount: ["amount is odd"] }], Result.succeed(7)))
    assert.deepStrictEqual(errors, { amount: ["amount is odd"] })
  })

  it.effect("puts the issues of reading and of the rules together, in that order", function* () {
    const read = [{ amount: ["amount is odd"] }, { amount: ["amount is twice there"], sort: ["sort is odd"] }]
    const { errors } = yield* Effect.flip(accept(read, Result.fail({ amount: ["amount is too much"] })))
    assert.deepStrictEqual(errors, {
      amount: ["amount is odd", "amount is twice there", "amount is too much"],
      sort: ["sort is odd"],
    })
  })

  it.effect("fails when the rules fail, even without an issue of their own", function* () {
    const { errors } = yield* Effect.flip(accept([{ amount: ["amount is odd"] }], Result.fail(noIssues)))
    assert.deepStrictEqual(errors, { amount: ["amount is odd"] })
  })
})
