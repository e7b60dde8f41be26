import { assert, channelsOf, describe, it } from "../support.ts"
import { BigDecimal, Effect } from "effect"
import { NativeAmount, Price, ReceiveExactly, type SwapRequest } from "#exports/domain.ts"
import { limitNotMet } from "#providers/Capabilities.ts"
import {
  figures,
  opening,
  plain,
  providerOver,
  quotedOutput,
  reasonOf,
  type Script,
  swapRequest,
} from "./fakeRelay.ts"

const asked = NativeAmount.make(quotedOutput)
const amount = ReceiveExactly.make({ amount: asked })
const request = { ...swapRequest, amount }
const quoteRequest = {
  sourceAsset: request.sourceAsset,
  destinationAsset: request.destinationAsset,
  commissionBps: request.commissionBps,
  amount,
}

const promised = { amount: asked, sendAtMost: 10_000_000n, sendAtLeast: 10_000_000n }

/** An answer whose output is as asked, but for what the changes say. */
const answering = <A extends { readonly details: ReturnType<typeof figures>["details"] }>(
  answer: A,
  out: object = {},
) => ({
  ...answer,
  details: {
    ...answer.details,
    currencyOut: { ...answer.details.currencyOut, minimumAmount: `${asked}`, ...out },
  },
})

const ordinary: Script = {
  price: ({ body }) => ({ body: answering(figures(body["recipient"])) }),
  opening: { body: answering(opening) },
}

const over = (script: Script) => providerOver({ ...ordinary, ...script })
const openOver = (script: Script, changes: Partial<SwapRequest> = {}) =>
  Effect.map(over(script), ([provider, asked]) => ({
    asked,
    opened: channelsOf(provider).open({ ...request, ...changes }),
  }))

const withPayments = (minimumAmount: string) => {
  const answer = answering(opening)
  const { inputs, output } = answer.protocol.v2.orderData
  const payments = output.payments.map((payment) => ({ ...payment, minimumAmount }))
  return { ...answer, protocol: { v2: { orderData: { inputs, output: { ...output, payments } } } } }
}

describe("an output that Relay is asked for", () => {
  it.effect("is asked for as such, and takes one amount", function* () {
    const [provider, sent] = yield* over({})
    const [quote] = yield* provider.quotes(quoteRequest)
    assert.deepStrictEqual<unknown>(quote?.exactOutput, promised)
    assert.deepStrictEqual<unknown>(quote?.egress, { asset: "eth.eth", amount: asked })
    const { body } = sent.find(({ method }) => method === "POST") ?? assert.fail("nothing was asked")
    assert.deepInclude(body, { tradeType: "EXACT_OUTPUT", amount: `${asked}` })
  })

  it.effect("opens at a strict address with a refund address, after a look at the commission", function* () {
    const { asked: sent, opened } = yield* openOver({})
    const { depositLimits, status: { depositChannel, fillOrKill } } = yield* opened
    assert.deepStrictEqual<unknown>(depositChannel?.exactOutput, promised)
    assert.strictEqual(depositChannel?.expectedDepositAmount, 10_000_000n)
    assert.deepStrictEqual<unknown>(depositLimits, { minimum: 10_000_000n, maximum: 10_000_000n })
    assert.strictEqual(
      BigDecimal.format(fillOrKill?.minimumPrice ?? Price.make(BigDecimal.fromBigInt(0n))),
      "29.98",
    )
    const posted = sent.filter(({ method }) => method === "POST").map(({ body }) => body)
    assert.deepStrictEqual<unknown>(posted.map(({ tradeType }) => tradeType), [
      "EXACT_OUTPUT",
      "EXACT_OUTPUT",
    ])
    assert.deepInclude(posted.at(-1), {
      useDepositAddress: true,
      strict: true,
      refundTo: request.refundAddress,
      amount: `${asked}`,
    })
  })

  it.effect.each<readonly [what: string, out: object, member: string]>([
    [
      "an output that is one unit less",
      { amount: `${asked - 1n}`, minimumAmount: `${asked - 1n}` },
      "currencyOut.amount",
    ],
    ["a least output that is one unit less", { minimumAmount: `${asked - 1n}` }, "currencyOut.minimumAmount"],
  ])("is refused with %s", function* ([, out, member]) {
    const detail = `details.${member}: expected what was asked, got something else`
    const [provider] = yield* over({
      price: ({ body }) => ({ body: answering(figures(body["recipient"]), out) }),
    })
    const { opened } = yield* openOver({ opening: { body: answering(opening, out) } })
    for (const answer of [provider.quotes(quoteRequest), opened]) {
      assert.deepStrictEqual<unknown>(plain(yield* reasonOf<unknown>(answer)), {
        _tag: "MalformedBody",
        detail,
        reached: true,
      })
    }
  })

  it.effect("is refused with an order that may pay less", function* () {
    yield* (yield* openOver({ opening: { body: withPayments(`${asked}`) } })).opened
    const { opened } = yield* openOver({ opening: { body: withPayments(`${asked - 1n}`) } })
    assert.deepStrictEqual<unknown>(plain(yield* reasonOf(opened)), {
      _tag: "MalformedBody",
      detail: `protocol.v2.orderData.output.payments: expected ${asked} at least, got less`,
      reached: true,
    })
  })

  it.effect("opens nothing that asks for more than the price limit allows", function* () {
    const limited = (price: string) => ({ minimumPrice: Price.make(BigDecimal.fromStringUnsafe(price)) })
    yield* (yield* openOver({}, limited("29.98"))).opened
    const { opened } = yield* openOver({}, limited("29.980000000000000001"))
    assert.deepStrictEqual<unknown>(plain(yield* reasonOf(opened)), plain(limitNotMet))
  })
})
