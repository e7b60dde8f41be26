import { assert, layer } from "#test/support/it.ts"
import { Array, Effect } from "effect"
import { RateLimits } from "#application/limits/RateLimits.ts"
import { AccountId } from "#domain/accounts/Account.ts"
import { KeyId } from "#domain/accounts/Key.ts"
import { admitCalls, type Subject } from "#application/limits/admitRequest.ts"

const windowMillis = 60_000
const quotas = {
  swap: { tokens: 5, windowMillis },
  accountSwap: { tokens: 8, windowMillis },
  account: { tokens: 3, windowMillis },
}

const subject = (account: number, letter: string): Subject => ({
  id: AccountId.make(account),
  keyId: KeyId.make(letter.repeat(16)),
})

const calls = (subject: Subject, purpose: "swap" | "default", count: number) =>
  Effect.flatMap(
    RateLimits,
    (limits) =>
      Effect.match(admitCalls(limits, subject, Array.replicate(purpose, count)), {
        onSuccess: () => "admitted",
        onFailure: ({ standing }) => standing.limit,
      }),
  )

layer(RateLimits.layer(quotas))("the calls of one request", (it) => {
  it.effect("count each", function* () {
    const one = subject(1, "a")
    assert.strictEqual(yield* calls(one, "swap", 3), "admitted")
    assert.strictEqual(yield* calls(one, "swap", 2), "admitted")
    assert.strictEqual(yield* calls(one, "swap", 1), "swap")
  })

  it.effect("count for nothing when they are more than may be, neither for the key nor for its account", function* () {
    const [one, other, third] = [subject(2, "b"), subject(2, "c"), subject(2, "d")]
    assert.strictEqual(yield* calls(one, "swap", 10), "swap")
    assert.strictEqual(yield* calls(one, "swap", 5), "admitted")
    assert.strictEqual(yield* calls(other, "swap", 4), "accountSwap")
    assert.strictEqual(yield* calls(other, "swap", 3), "admitted")
    assert.strictEqual(yield* calls(third, "swap", 1), "accountSwap")
  })

  it.effect("take nothing of a key whose account has no more", function* () {
    assert.strictEqual(yield* calls(subject(5, "h"), "swap", 5), "admitted")
    assert.strictEqual(yield* calls(subject(5, "i"), "swap", 3), "admitted")
    for (let call = 0; call < 6; call++) {
      assert.strictEqual(yield* calls(subject(5, "j"), "swap", 1), "accountSwap")
    }
  })

  it.effect("count against the account where a key has no limit", function* () {
    assert.strictEqual(yield* calls(subject(3, "e"), "default", 3), "admitted")
    assert.strictEqual(yield* calls(subject(3, "f"), "default", 1), "account")
    assert.strictEqual(yield* calls(subject(4, "g"), "default", 1), "admitted")
  })
})
