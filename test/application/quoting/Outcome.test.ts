import { assert, describe, it } from "@effect/vitest"
import { Array, Result, Schema, Struct } from "effect"
import { NoExactOutput, type ProviderErrorReason } from "#domain/ProviderError.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import { type Answer, outcome } from "#application/quoting/Outcome.ts"
import { netOrder } from "#application/quoting/Ranking.ts"
import { depositBelow, failureOf, first, limited, quoteOf, reasons, second, third } from "./support.ts"

type Tag = ProviderErrorReason["_tag"]

/** What one provider says, as data: quotes with these outputs, or why there are none. */
const Script = Schema.Union([
  Schema.Struct({
    quotes: Schema.Array(Schema.Struct({
      egress: Schema.Literals([1, 2, 3]),
      chunks: Schema.optionalKey(Schema.Literals([2, 4])),
    })).check(Schema.isMaxLength(3)),
  }),
  Schema.Struct({ fails: Schema.Literals(Struct.keys(reasons)) }),
  Schema.Struct({ minimum: Schema.Literals([1, 2, 3]) }),
  Schema.Struct({ wait: Schema.Literals([1, 2, 3]) }),
])
type Script = typeof Script.Type

const answerOf = (name: ProviderName, script: Script): Answer => {
  if ("quotes" in script) {
    return Result.succeed(script.quotes.map(({ egress, chunks }) => quoteOf(name, BigInt(egress), chunks)))
  }
  if ("fails" in script) return Result.fail(failureOf(name, reasons[script.fails]))
  return Result.fail(
    failureOf(name, "minimum" in script ? depositBelow(BigInt(script.minimum)) : limited(script.wait)),
  )
}

const permutations = <A>([a, b, c]: readonly [A, A, A]) =>
  [[a, b, c], [a, c, b], [b, a, c], [b, c, a], [c, a, b], [c, b, a]] as const

/** All that a caller sees of an outcome: the ranked quotes, or the failure without its provider. */
const seen = (answers: Array.NonEmptyReadonlyArray<Answer>) =>
  Result.mapBoth(outcome(answers), {
    onSuccess: (quotes) => Array.sort(quotes, netOrder([first, second, third])),
    onFailure: ({ reason }) => reason,
  })

const tagOf = (answer: Answer): Tag | undefined =>
  Result.isFailure(answer) ? answer.failure.reason._tag : undefined

/** Decision 17, with what it does not name where the same status is: the most telling first. */
const decision17: ReadonlyArray<Tag> = [
  "AmountBelowMinimum",
  "EgressFeeNotCovered",
  "EgressBelowMinimum",
  "InsufficientLiquidity",
  "AssetDisabled",
  "SwappingMaintenance",
  "QuotingMaintenance",
  "UpstreamFailed",
  "TimedOut",
]

/** Every reason but that a provider is left out, which is no failure. */
const saying = Object.values(reasons).filter(({ _tag }) => _tag !== "OtherStart")

/** Of no code, in no order among themselves. */
const unclassified: ReadonlyArray<Tag> = ["TimedOut", "Unreachable", "MalformedBody", "ProviderDefect"]

/** Says nothing of a request, where another provider says anything. */
const noSay: Tag = "AssetNotListed"

/** Is not asked for an output: what those say that are counts more. */
const noOutput: Tag = "NoExactOutput"

/** Both say that a provider takes no calls now, and only their waits tell them apart. */
const takesNoCalls: ReadonlyArray<Tag> = ["RateLimited", "NotCalled"]

const ofTwo = (left: ProviderErrorReason, right: ProviderErrorReason) =>
  outcome([Result.fail(failureOf(first, left)), Result.fail(failureOf(second, right))])

describe("outcome", () => {
  it.prop(
    "is the same whatever the order in which the providers answered",
    [Script, Script, Script],
    ([a, b, c]) => {
      const answers = [answerOf(first, a), answerOf(second, b), answerOf(third, c)] as const
      const [expected, ...others] = permutations(answers).map(seen)
      for (const other of others) assert.deepStrictEqual(other, expected)
    },
    { arbitrary: { runs: 300 } },
  )

  it.prop(
    "has every quote of every provider that succeeded, whatever the others say",
    [Script, Script, Script],
    ([a, b, c]) => {
      const answers = [answerOf(first, a), answerOf(second, b), answerOf(third, c)] as const
      const successes = answers.filter(Result.isSuccess).map(({ success }) => success)
      const result = outcome(answers)
      assert.strictEqual(Result.isSuccess(result), successes.length > 0)
      if (Result.isSuccess(result)) assert.deepStrictEqual(result.success, successes.flat())
    },
  )

  it("is one provider's answer when there is only one", () => {
    for (const reason of saying) {
      const answer = Result.fail(failureOf(first, reason))
      assert.deepStrictEqual<Answer>(outcome([answer]), answer)
    }
  })

  it("prefers no quotes of one provider to any failure of another", () => {
    for (const reason of saying) {
      const answer = outcome([Result.fail(failureOf(first, reason)), Result.succeed([])])
      assert.deepStrictEqual<Answer>(answer, Result.succeed([]))
    }
  })

  for (const [index, tag] of decision17.entries()) {
    it.each(decision17.slice(index + 1))(`prefers ${tag} to %s, whichever comes first`, (later) => {
      assert.strictEqual(tagOf(ofTwo(reasons[tag], reasons[later])), tag)
      assert.strictEqual(tagOf(ofTwo(reasons[later], reasons[tag])), tag)
    })
  }

  it.each(unclassified)("prefers every failure with a meaning to %s", (tag) => {
    for (const reason of saying) {
      if ([...unclassified, ...takesNoCalls, noOutput, noSay].includes(reason._tag)) continue
      assert.strictEqual(tagOf(ofTwo(reasons[tag], reason)), reason._tag)
    }
  })

  it("says that a provider takes no more calls only when nothing else is known", () => {
    for (const reason of saying) {
      if ([...takesNoCalls, noOutput, noSay].includes(reason._tag)) continue
      assert.strictEqual(tagOf(ofTwo(limited(1), reason)), reason._tag)
      assert.strictEqual(tagOf(ofTwo(reasons.NotCalled, reason)), reason._tag)
    }
  })

  it("names each provider that promises no output where none does, and none of them beside another", () => {
    const sentence = (name: string) => `amountOut is not promised by ${name}`
    const lacking = (name: string) => new NoExactOutput({ errors: { amountOut: [sentence(name)] } })
    const told = ofTwo(lacking("first"), lacking("second"))
    assert.isTrue(Result.isFailure(told))
    const { failure: { reason } } = Result.isFailure(told) ? told : assert.fail("no failure")
    assert.deepStrictEqual(
      reason,
      new NoExactOutput({ errors: { amountOut: ["first", "second"].map(sentence) } }),
    )
    for (const reason of saying) {
      if (reason._tag === noOutput || reason._tag === noSay) continue
      assert.strictEqual(tagOf(ofTwo(lacking("first"), reason)), reason._tag)
    }
  })

  it("gives a provider that does not deal in an asset no say beside any other", () => {
    for (const reason of saying) {
      assert.strictEqual(tagOf(ofTwo(reasons[noSay], reason)), reason._tag)
      assert.strictEqual(tagOf(ofTwo(reason, reasons[noSay])), reason._tag)
    }
  })

  it("has no quotes where all are left out that deal in the pair, and what any other says before that", () => {
    const noQuotes: Answer = Result.succeed([])
    assert.deepStrictEqual<Answer>(outcome([Result.fail(failureOf(first, reasons.OtherStart))]), noQuotes)
    for (const reason of saying) {
      for (const answer of [ofTwo(reasons.OtherStart, reason), ofTwo(reason, reasons.OtherStart)]) {
        if (reason._tag === noSay) assert.deepStrictEqual<Answer>(answer, noQuotes)
        else assert.strictEqual(tagOf(answer), reason._tag)
      }
    }
  })

  it("names the lowest of several minimums (decision 15)", () => {
    const answers = [5n, 3n, 4n].map((minimum) => Result.fail(failureOf(first, depositBelow(minimum))))
    const answer = outcome([Result.fail(failureOf(second, reasons.AmountBelowMinimum)), ...answers])
    assert.deepStrictEqual<Answer>(answer, Result.fail(failureOf(first, depositBelow(3n))))
  })

  it("names the shortest of several waits, before an unknown one (decision 17)", () => {
    const answers = [limited(30), limited(), limited(7)].map((reason) =>
      Result.fail(failureOf(first, reason))
    )
    const answer = outcome([Result.fail(failureOf(second, limited(60))), ...answers])
    assert.deepStrictEqual<Answer>(answer, Result.fail(failureOf(first, limited(7))))
  })
})
