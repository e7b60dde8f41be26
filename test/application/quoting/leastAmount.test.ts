import { assert, describe, it } from "#test/support/it.ts"
import { Effect, Schema } from "effect"
import { NativeAmount } from "#domain/money/Amount.ts"
import { type AmountProbe, leastAmount, mostCalls, type Said } from "#application/quoting/leastAmount.ts"
import { first, second, third } from "./support.ts"

const names = [first, second, third]

/** Providers that all answer alike. */
const answering = (say: (amount: bigint) => Said, count = 1) => {
  let calls = 0
  const all = names.slice(0, count).map((platform): AmountProbe => ({
    platform,
    at: (amount) =>
      Effect.sync(() => {
        calls += 1
        // A search without an end would never let the test go on.
        if (calls > 1_000) throw new Error("More than 1000 calls")
        return say(amount)
      }),
  }))
  return { all, calls: () => calls }
}

const Amount = Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 1n, maximum: 10n ** 20n }))

/** Providers that quote from these amounts on, some of which say so. */
const quotingFrom = (minimums: ReadonlyArray<bigint>, telling: boolean) => {
  let calls = 0
  const all = minimums.map((minimum, index): AmountProbe => ({
    platform: names[index] ?? first,
    at: (amount) =>
      Effect.sync(() => {
        calls += 1
        return { quotes: amount >= minimum, stated: telling && index === 0 ? minimum : undefined }
      }),
  }))
  return { all, calls: () => calls }
}

describe("the least amount", () => {
  it.effect.prop(
    "is the lowest that any provider quotes, wherever the search begins",
    [Amount, Amount, Amount, Amount, Schema.Boolean],
    ([one, two, three, wanted, telling]) =>
      Effect.gen(function* () {
        const { all } = quotingFrom([one, two, three], telling)
        const least = [one, two, three].reduce((least, next) => next < least ? next : least)
        const found = yield* leastAmount(all, wanted)
        if (found === undefined) assert.isTrue(least > wanted * 4n ** 12n)
        else {
          assert.strictEqual(found.amount, NativeAmount.make(least))
          assert.strictEqual([one, two, three][names.indexOf(found.platform)], least)
        }
      }),
  )

  it.effect("takes a few calls where the provider names it, and some dozens where none does", function* () {
    const told = quotingFrom([40_000n], true)
    assert.strictEqual((yield* leastAmount(told.all, 10n ** 18n))?.amount, 40_000n)
    assert.isAtMost(told.calls(), 5)
    const untold = quotingFrom([40_000n, 50_000n], false)
    assert.strictEqual((yield* leastAmount(untold.all, 10n ** 18n))?.amount, 40_000n)
    assert.isAtMost(untold.calls(), 65)
  })

  it.effect("is not known where nothing is quoted, or a provider stops answering", function* () {
    const never: AmountProbe = { platform: first, at: () => Effect.succeed({ quotes: false }) }
    assert.isUndefined(yield* leastAmount([never], 5n))
    assert.isUndefined(yield* leastAmount([], 5n))
    const once: AmountProbe = {
      platform: second,
      at: (amount) => Effect.succeed(amount === 1_000n ? { quotes: true } : undefined),
    }
    assert.isUndefined(yield* leastAmount([once], 1_000n))
  })

  it.effect("is found in a few dozen calls where the provider states too much", function* () {
    for (const [real, stated] of [[990_000n, 1_000_000n], [999_900_000_000_000n, 10n ** 15n]] as const) {
      const lying = answering((amount) => ({ quotes: amount >= real, stated }))
      assert.strictEqual((yield* leastAmount(lying.all, 10n ** 18n))?.amount, NativeAmount.make(real))
      assert.isAtMost(lying.calls(), 65)
    }
  })

  it.effect("is found in a few dozen calls where the provider always states one unit more", function* () {
    const climbing = answering((amount) => ({ quotes: amount >= 990_000n, stated: amount + 1n }))
    assert.strictEqual((yield* leastAmount(climbing.all, 10n ** 18n))?.amount, 990_000n)
    assert.isAtMost(climbing.calls(), 65)
  })

  it.effect("is not known, and never wrong, where it takes too many calls", function* () {
    // Each quotes again the unit below the least amount of the other: without a limit there are 10^18 turns.
    let lowest = 10n ** 18n
    const turning = answering((amount) => {
      const quotes = amount >= lowest - 1n
      if (quotes && amount < lowest) lowest = amount
      return { quotes }
    }, 2)
    assert.isUndefined(yield* leastAmount(turning.all, 10n ** 18n))
    assert.isAtMost(turning.calls(), mostCalls)
  })

  it.effect("is found where only less than the first amount is quoted", function* () {
    const small = answering((amount) => ({ quotes: amount >= 40_000n && amount < 10n ** 7n }))
    assert.strictEqual((yield* leastAmount(small.all, 10n ** 8n))?.amount, 40_000n)
  })
})
