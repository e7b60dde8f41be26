import { assert, channelsOf, describe, it, TestClock } from "../support.ts"
import { BigDecimal, Effect } from "effect"
import { NativeAmount, Price, ReceiveExactly, type SwapRequest } from "#exports/domain.ts"
import { limitNotMet } from "#providers/Capabilities.ts"
import { plain, providerOver, quoted, reasonOf, type Script } from "./fakeOneClick.ts"
import { dryFigures, order } from "./fixtures/quote.ts"
import { quoteRequest, swapRequest } from "./requests.ts"

const now = Date.parse("2026-11-21T05:00:00.000Z")

/** Three Ether for a tenth of a Bitcoin at the most. */
const asked = NativeAmount.make(3_000_000_000_000_000_000n)
const amount = ReceiveExactly.make({ amount: asked })
const exact = { minAmountOut: `${asked}`, refundFee: "1900" }
const dry = { ...dryFigures, ...exact }
const opening = { ...order, ...exact }

const promised = { amount: asked, sendAtMost: 10_000_000n, sendAtLeast: 9_900_000n, refundFee: 1_900n }

const quoteOver = (script: Script) =>
  Effect.map(providerOver({ dry: quoted(dry), ...script }), ([provider, asked]) => ({
    asked,
    quotes: provider.quotes({ ...quoteRequest, amount }),
  }))

const openOver = (script: Script, changes: Partial<SwapRequest> = {}) =>
  Effect.gen(function* () {
    const [provider, asked] = yield* providerOver({ order: quoted(opening), ...script })
    yield* TestClock.setTime(now)
    return { asked, opened: channelsOf(provider).open({ ...swapRequest, amount, ...changes }) }
  })

/** What an honest upstream does not say of an output that was asked for, and what is found of it. */
const lies: ReadonlyArray<readonly [what: string, figures: object, detail: RegExp]> = [
  [
    "an output as it was seen, 0.999956 of one",
    { amountOut: `${asked * 999_956n / 1_000_000n}` },
    /^quote\.amountOut: expected 3\d* at least, got 2999868/,
  ],
  ["an output that is one unit less", { amountOut: `${asked - 1n}` }, /^quote\.amountOut: /],
  ["a least output that is one unit less", { minAmountOut: `${asked - 1n}` }, /^quote\.minAmountOut: /],
  [
    "more at the least than at the most",
    { minAmountIn: "10000001" },
    /^quote\.minAmountIn: expected up to 10000000/,
  ],
  ["nothing at the least", { minAmountIn: "0" }, /^quote\.minAmountIn: /],
]

describe("an output that 1Click is asked for", () => {
  it.effect("is asked for as such, with the most and the least to send and the fee of a refund", function* () {
    const { asked: sent, quotes } = yield* quoteOver({})
    const [quote] = yield* quotes
    assert.deepStrictEqual<unknown>(quote?.exactOutput, promised)
    assert.deepStrictEqual<unknown>(quote?.ingress, { asset: "btc.btc", amount: 10_000_000n })
    assert.deepStrictEqual<unknown>(quote?.egress, { asset: "eth.eth", amount: asked })
    const { body } = sent.find(({ method }) => method === "POST") ?? assert.fail("nothing was asked")
    assert.deepInclude(body, {
      swapType: "EXACT_OUTPUT",
      amount: `${asked}`,
      dry: true,
      slippageTolerance: 100,
    })
  })

  it.effect("opens in one call, for the most that may be sent", function* () {
    const { asked: sent, opened } = yield* openOver({})
    const { depositLimits, status: { depositChannel, fillOrKill } } = yield* opened
    assert.deepStrictEqual<unknown>(depositChannel?.exactOutput, promised)
    assert.strictEqual(depositChannel?.expectedDepositAmount, 10_000_000n)
    assert.deepStrictEqual<unknown>(depositLimits, { minimum: 9_900_000n, maximum: 10_000_000n })
    // The price limit is the output for the most: 3 Ether for 0.1 Bitcoin.
    assert.strictEqual(
      BigDecimal.format(fillOrKill?.minimumPrice ?? Price.make(BigDecimal.fromBigInt(0n))),
      "30",
    )
    const posted = sent.filter(({ method }) => method === "POST").map(({ body }) => body)
    assert.lengthOf(posted, 1)
    assert.deepInclude(posted[0], { swapType: "EXACT_OUTPUT", amount: `${asked}`, dry: false })
  })

  it.effect("promises no more than was asked for, whatever the answer says", function* () {
    const more = { ...dry, amountOut: `${asked + 5n}`, minAmountOut: `${asked + 5n}` }
    const [quote] = yield* (yield* quoteOver({ dry: quoted(more) })).quotes
    assert.strictEqual(quote?.egress.amount, asked)
  })

  it.effect.each(lies)("is refused with %s", function* ([, figures, detail]) {
    const { quotes } = yield* quoteOver({ dry: quoted({ ...dry, ...figures }) })
    const { opened } = yield* openOver({ order: quoted({ ...opening, ...figures }) })
    for (const answer of [quotes, opened]) {
      const reason = yield* reasonOf<unknown>(answer)
      assert.strictEqual(reason._tag, "MalformedBody")
      assert.match("detail" in reason ? reason.detail : "", detail)
    }
  })

  it.effect("is refused where the answer is of what is sent", function* () {
    const { quotes } = yield* quoteOver({ dry: quoted(dry, { swapType: "EXACT_INPUT" }) })
    assert.deepStrictEqual<unknown>(plain(yield* reasonOf(quotes)), {
      _tag: "MalformedBody",
      detail: "quoteRequest.swapType: expected what was asked, got something else",
      reached: true,
    })
  })

  it.effect("opens nothing that asks for more than the price limit allows", function* () {
    const limited = (price: string) => ({ minimumPrice: Price.make(BigDecimal.fromStringUnsafe(price)) })
    yield* (yield* openOver({}, limited("30"))).opened
    const { opened } = yield* openOver({}, limited("30.000000000000000001"))
    assert.deepStrictEqual<unknown>(plain(yield* reasonOf(opened)), plain(limitNotMet))
  })

  it.effect("reads a limit in the words of a refusal in the units of the output", function* () {
    const least = "4000000000000000000"
    const refusal = { status: 400, body: { message: `Amount is too low for bridge, try at least ${least}` } }
    const { quotes } = yield* quoteOver({ dry: refusal })
    assert.deepStrictEqual<unknown>(plain(yield* reasonOf(quotes)), {
      _tag: "AmountBelowMinimum",
      detail: "The provider pays out 4 eth.eth at least: ask for more",
    })
  })
})
