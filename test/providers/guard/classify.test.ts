import { assert, describe, it } from "#test/support/it.ts"
import { Cause, Duration, Effect, Exit, Option, Schema } from "effect"
import type { CircuitBreaker } from "effect/persistence"
import { ProviderError, ProviderErrorReason, RateLimited, Unreachable } from "#domain/ProviderError.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { classify, outcomeOf } from "#providers/guard/classify.ts"
import { guardedUpstream, reasons } from "./support.ts"

/** What each reason says of the upstream's health; the compiler asks for every one. */
const health: Readonly<Record<ProviderErrorReason["_tag"], CircuitBreaker.Outcome["_tag"]>> = {
  AmountBelowMinimum: "Success",
  EgressBelowMinimum: "Success",
  EgressFeeNotCovered: "Success",
  InsufficientLiquidity: "Success",
  DepositBelowMinimum: "Success",
  DepositAboveMaximum: "Success",
  RequestRefused: "Success",
  QuotingMaintenance: "Success",
  SwappingMaintenance: "Success",
  AssetDisabled: "Success",
  AssetNotListed: "Success",
  NoExactOutput: "Ignored",
  OtherStart: "Ignored",
  DepositChannelFailed: "Success",
  TooManyChannels: "Success",
  RequestCancelled: "Ignored",
  NotCalled: "Ignored",
  UpstreamFailed: "Failure",
  RateLimited: "Failure",
  TimedOut: "Failure",
  Unreachable: "Failure",
  MalformedBody: "Failure",
  ProviderDefect: "Failure",
}

/** What the operator reads of a call with such an outcome. */
const counted = { Success: "refused", Failure: "failed" } as const

const failedWith = (reason: ProviderErrorReason) =>
  Exit.fail(new ProviderError({ provider: ProviderName.make("upstream"), operation: "quote", reason }))

const quick = Duration.millis(1)
const slowCall = Duration.millis(2_500)

describe("how a call ended tells of the upstream's health:", () => {
  for (const reason of Object.values(reasons)) {
    const expected = health[reason._tag]

    it(`${reason._tag} is ${expected.toLowerCase()}`, () => {
      assert.strictEqual(outcomeOf(reason)._tag, expected)
      assert.strictEqual(classify(failedWith(reason), quick, slowCall)._tag, expected)
    })

    it.effect(`${reason._tag} is counted as such`, function* () {
      const upstream = yield* guardedUpstream()
      assert.strictEqual(yield* upstream.ask("open", Effect.fail(reason)), reason._tag)
      const { calls, window, lastError } = (yield* upstream.view).open
      const outcome = expected === "Ignored"
        ? reason._tag === "NotCalled" ? "rejected" : "cancelled"
        : counted[expected]
      const none = { succeeded: 0, refused: 0, failed: 0, cancelled: 0, rejected: 0 }
      assert.deepStrictEqual(calls, { ...none, [outcome]: 1 })
      assert.deepStrictEqual(
        window,
        expected === "Ignored" ? [] : [expected === "Success" ? "succeeded" : "failed"],
      )
      assert.strictEqual(lastError?.reason, expected === "Failure" ? reason._tag : undefined)
    })
  }

  it("an answer is success", () => {
    assert.strictEqual(classify(Exit.succeed([]), quick, slowCall)._tag, "Success")
  })

  it("a defect is failure", () => {
    assert.strictEqual(classify(Exit.die(new TypeError("a bug")), quick, slowCall)._tag, "Failure")
  })

  it("an interrupted caller is ignored, however long the call took", () => {
    assert.strictEqual(classify(Exit.interrupt(1), Duration.hours(1), slowCall)._tag, "Ignored")
  })

  it("a failure with an interruption is still the failure", () => {
    const both = Exit.failCause(
      Cause.combine(
        Cause.interrupt(1),
        Cause.fail(
          new ProviderError({
            provider: ProviderName.make("upstream"),
            operation: "quote",
            reason: reasons.TimedOut,
          }),
        ),
      ),
    )
    assert.strictEqual(classify(both, quick, slowCall)._tag, "Failure")
  })

  it("slow answers and slow refusals are failures only where slowness counts", () => {
    for (const exit of [Exit.succeed([]), failedWith(reasons.InsufficientLiquidity)]) {
      assert.strictEqual(classify(exit, slowCall, slowCall)._tag, "Success")
      assert.strictEqual(classify(exit, Duration.sum(slowCall, quick), slowCall)._tag, "Failure")
      assert.strictEqual(classify(exit, Duration.hours(1), undefined)._tag, "Success")
    }
    assert.strictEqual(classify(failedWith(reasons.NotCalled), Duration.hours(1), slowCall)._tag, "Ignored")
  })

  it.effect.prop(
    "what the upstream asks to wait is passed on",
    [Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100_000 }))],
    ([retryAfterSeconds]) =>
      Effect.sync(() => {
        const detail = "busy"
        for (
          const reason of [
            new RateLimited({ detail, retryAfterSeconds }),
            new Unreachable({ detail, reached: true, retryAfterSeconds }),
          ]
        ) {
          const outcome = outcomeOf(reason)
          assert.strictEqual(outcome._tag, "Failure")
          assert.deepStrictEqual(
            Option.fromUndefinedOr("retryAfter" in outcome ? outcome.retryAfter : undefined),
            Option.some(Duration.seconds(retryAfterSeconds)),
          )
        }
      }),
    { arbitrary: { runs: 50, seed: "hints" } },
  )

  it.effect.prop(
    "every reason there is has an outcome",
    [ProviderErrorReason],
    ([reason]) =>
      Effect.sync(() => {
        const isShut = reason._tag === "RateLimited" && reason.isShut === true
        const isOfRequest = "isOfRequest" in reason && reason.isOfRequest === true
        const isOwn = reason._tag === "DepositChannelFailed" && reason.isOwnFailure === true
        const told = isOfRequest ? "Success" : isOwn ? "Failure" : health[reason._tag]
        assert.strictEqual(outcomeOf(reason)._tag, isShut ? "Ignored" : told)
      }),
    { arbitrary: { runs: 200, seed: "reasons" } },
  )
})
