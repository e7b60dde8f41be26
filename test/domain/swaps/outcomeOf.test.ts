import { assert, describe, it } from "@effect/vitest"
import { NativeAmount } from "#domain/money/Amount.ts"
import { outcomeOf, type SwapStatus } from "#domain/swaps/Swap.ts"
import { EpochMillis } from "#domain/Time.ts"
import { anyChannel, swapRequest, waitingStatus } from "#test/support/swap.ts"

const native = NativeAmount.make
const [quoted, promised, received] = [native(1_000n), native(990n), native(995n)]

/** A swap that was opened by a quote, and brought a little less. */
const completed: SwapStatus = {
  ...waitingStatus(swapRequest, anyChannel),
  state: "completed",
  quote: { amount: native(100n), quoted, promised, expiresAt: EpochMillis.make(0) },
  deposit: { amount: native(100n) },
  swapEgress: { amount: received },
}

describe("the outcome of a swap that was opened by a quote", () => {
  it("is what was quoted, promised and received", () => {
    assert.deepStrictEqual(outcomeOf(completed), { quoted, promised, received, bps: -50 })
  })

  it("is not told where part of the deposit went back: what arrived is for the rest", () => {
    const partly = { swapEgress: { amount: native(500n) }, refundEgress: { amount: native(49n) } }
    assert.isUndefined(outcomeOf({ ...completed, ...partly }))
  })

  it("is told of an output that was asked for, whatever was deposited and went back", () => {
    const { depositChannel } = completed
    assert.isDefined(depositChannel)
    const exactOutput = { amount: quoted, sendAtMost: native(100n), sendAtLeast: native(90n) }
    const whole: SwapStatus = {
      ...completed,
      depositChannel: { ...depositChannel, exactOutput },
      quote: { amount: native(100n), quoted, promised: quoted, expiresAt: EpochMillis.make(0) },
      deposit: { amount: native(170n) },
      swapEgress: { amount: quoted },
      refundEgress: { amount: native(75n) },
    }
    assert.deepStrictEqual(outcomeOf(whole), { quoted, promised: quoted, received: quoted, bps: 0 })
  })

  it.each<[what: string, changes: Partial<SwapStatus>]>([
    ["it is under way", { state: "sent" }],
    ["another amount was deposited", { deposit: { amount: native(101n) } }],
    ["the provider does not say how much it paid", { swapEgress: { amount: received, isPromised: true } }],
  ])("is not told where %s", (_, changes) => {
    assert.isUndefined(outcomeOf({ ...completed, ...changes }))
  })
})
