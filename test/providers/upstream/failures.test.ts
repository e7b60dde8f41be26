import { assert, describe, it } from "#test/support/it.ts"
import { Effect } from "effect"
import {
  DepositBelowMinimum,
  DepositChannelFailed,
  MalformedBody,
  type ProviderErrorReason,
  RequestCancelled,
  TimedOut,
  Unreachable,
  UpstreamFailed,
} from "#domain/ProviderError.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { beforeOpening } from "#providers/upstream/failures.ts"

const detail = "out of order"
const tooLittle = new DepositBelowMinimum({ asset: "btc.btc", minimum: NativeAmount.make(40_000n) })

/** What failed before a channel was asked for, and what is made of it. */
const rows: ReadonlyArray<readonly [tag: string, before: ProviderErrorReason, told: ProviderErrorReason]> = [
  ["TimedOut", new TimedOut({ detail, reached: true }), new TimedOut({ detail, reached: false })],
  ["Unreachable", new Unreachable({ detail, reached: true }), new Unreachable({ detail, reached: false })],
  [
    "MalformedBody",
    new MalformedBody({ detail, reached: true }),
    new MalformedBody({ detail, reached: false }),
  ],
  ["UpstreamFailed", new UpstreamFailed({ detail }), new DepositChannelFailed({ detail })],
  ["RequestCancelled", new RequestCancelled({ detail }), new DepositChannelFailed({ detail })],
  ["DepositBelowMinimum", tooLittle, tooLittle],
]

describe("A failure before a channel is asked for", () => {
  it.effect.each(rows)("has opened none: %s", function* ([, before, told]) {
    assert.deepStrictEqual(yield* Effect.flip(beforeOpening(Effect.fail(before))), told)
  })
})

describe("A look-up before a channel is asked for", () => {
  const lookUp = (...answers: ReadonlyArray<Effect.Effect<string, ProviderErrorReason>>) => {
    let asked = 0
    const asking = beforeOpening(Effect.suspend(() => answers[asked++] ?? Effect.succeed("known")))
    return Effect.map(Effect.result(asking), ({ _tag }) => ({ _tag, asked }))
  }
  const late = Effect.fail(new TimedOut({ detail, reached: true }))
  const cut = Effect.fail(new Unreachable({ detail, reached: true }))

  it.effect("is made once more where it took too long, as an opening waits longer than quotes do", function* () {
    assert.deepStrictEqual(yield* lookUp(late), { _tag: "Success", asked: 2 })
    assert.deepStrictEqual(yield* lookUp(late, late), { _tag: "Failure", asked: 2 })
    assert.deepStrictEqual(yield* lookUp(cut), { _tag: "Failure", asked: 1 })
  })
})
