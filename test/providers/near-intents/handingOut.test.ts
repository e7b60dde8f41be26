import { limitNotMet } from "#providers/Capabilities.ts"
import { assert, channelsOf, describe, it } from "../support.ts"
import { BigDecimal, Effect } from "effect"
import { Address, Bps, Price, type SwapRequest } from "#exports/domain.ts"
import { type Answer, type Asked, plain, providerOver, quoted, reasonOf } from "./fakeOneClick.ts"
import { depositAddress, dryFigures, order } from "./fixtures/quote.ts"
import { swapRequest } from "./requests.ts"
import { productionKey } from "#providers/near-intents/signature.ts"

const faultOf = (order: Answer, request: SwapRequest = swapRequest) =>
  Effect.flatMap(
    providerOver({ order }),
    ([provider, asked]) =>
      Effect.map(reasonOf(channelsOf(provider).open(request)), (reason) => ({
        reason: plain(reason),
        openings: asked.filter(({ body }) => body["dry"] === false).length,
      })),
  )

describe("An address is not handed out", () => {
  const malformed = (detail: string) => ({ _tag: "MalformedBody", detail, reached: true })
  const echoed = (member: string) =>
    malformed(`quoteRequest.${member}: expected what was asked, got something else`)
  const tampered = (asked: Asked) => {
    const reply = quoted(order)(asked)
    const text = JSON.stringify(reply.body).replaceAll(depositAddress, "1BoatSLRHtKNngkdXEeobR76b53LETtpyT")
    return { ...reply, body: text }
  }
  const ours = (fee: number) => ({ recipient: "operator.near", fee })
  const withFees = (appFees: ReadonlyArray<unknown>) => quoted(order, { appFees })
  const stale = malformed("timestamp: expected the present time, got another")
  const ownAddress = malformed(
    "quote.depositAddress: expected an address of the service, got one of the caller's or none at all",
  )
  const refundTo = swapRequest.refundAddress
  it.effect.each<readonly [name: string, answer: Answer, reason: unknown]>([
    [
      "whose signature does not verify",
      tampered,
      malformed("signature: does not verify with the service's key"),
    ],
    ["for another asset", quoted(order, { originAsset: "nep141:eth.omft.near" }), echoed("originAsset")],
    [
      "to another asset",
      quoted(order, { destinationAsset: "nep141:sol.omft.near" }),
      echoed("destinationAsset"),
    ],
    ["for another amount", quoted(order, { amount: "10000001" }), echoed("amount")],
    ["that pays out to another", quoted(order, { recipient: `0x${"1".repeat(40)}` }), echoed("recipient")],
    ["that refunds another", quoted(order, { refundTo: depositAddress }), echoed("refundTo")],
    [
      "that was only asked for dry",
      quoted(order, { dry: true }),
      malformed("quoteRequest.dry: expected what was asked, got something else"),
    ],
    ["of another kind of swap", quoted(order, { swapType: "EXACT_INPUT" }), echoed("swapType")],
    ["that takes deposits elsewhere", quoted(order, { depositType: "INTENTS" }), echoed("depositType")],
    ["that refunds elsewhere", quoted(order, { refundType: "INTENTS" }), echoed("refundType")],
    ["that pays out elsewhere", quoted(order, { recipientType: "INTENTS" }), echoed("recipientType")],
    ["without our commission", quoted(order, { appFees: [] }), echoed("appFees")],
    ["with less than half of our commission", withFees([ours(12)]), echoed("appFees")],
    ["with nothing of our commission", withFees([ours(0)]), echoed("appFees")],
    ["with more of our commission", withFees([ours(26)]), echoed("appFees")],
    [
      "with our commission paid to another",
      withFees([{ ...ours(25), recipient: "other.near" }]),
      echoed("appFees"),
    ],
    [
      "with a commission of somebody else",
      withFees([ours(25), { recipient: "other.near", fee: 100 }]),
      echoed("appFees"),
    ],
    ["with our commission twice", withFees([ours(25), ours(25)]), echoed("appFees")],
    ["with another slippage", quoted(order, { slippageTolerance: 9_999 }), echoed("slippageTolerance")],
    ["that was signed an hour ago", quoted(order, {}, "2026-11-21T04:00:00.000Z"), stale],
    ["that was signed for later", quoted(order, {}, "2026-11-21T05:10:00.001Z"), stale],
    [
      "that is over",
      quoted({
        ...order,
        deadline: "2026-11-18T05:00:00.000Z",
        timeWhenInactive: "2026-11-18T05:00:00.000Z",
      }),
      malformed("quote.deadline: expected time enough for a deposit, got less"),
    ],
    [
      "that ends before a deposit could count",
      // Two confirmations and a half block of ten minutes each, and five minutes to send it.
      quoted({ ...order, deadline: "2026-11-21T05:29:59.999Z", timeWhenInactive: null }),
      malformed("quote.deadline: expected time enough for a deposit, got less"),
    ],
    ["that is the caller's own refund address", quoted({ ...order, depositAddress: refundTo }), ownAddress],
    [
      "that is the caller's own in capitals",
      quoted({ ...order, depositAddress: refundTo.toUpperCase() }),
      ownAddress,
    ],
    [
      "whose least amount is above the amount",
      quoted({ ...order, minAmountIn: "10000001" }),
      { _tag: "DepositBelowMinimum", asset: "btc.btc", minimum: 10_000_001n },
    ],
    [
      "that pays out nothing",
      quoted({ ...order, amountOut: "0", minAmountOut: "0" }),
      { _tag: "InsufficientLiquidity", detail: "Nothing of this amount would be paid out" },
    ],
    [
      "of another chain",
      quoted({ ...order, depositAddress: "0xcac3C41676deF4FE375E57118f3eB83A99105577" }),
      malformed(
        "quote.depositAddress cannot be used on Bitcoin, because a Bitcoin address begins with 1, 3 or bc1 (with m, n, 2, tb1 or bcrt1 on test networks)",
      ),
    ],
    ["that is missing", quoted(dryFigures), malformed("quote.depositAddress: expected a value, got nothing")],
    [
      "whose deposits go back at once",
      quoted(order, { deadline: "2026-11-21T05:29:59.999Z" }),
      malformed("quote.deadline: expected time enough for a deposit, got less"),
    ],
    [
      "that needs a memo",
      quoted({ ...order, depositMemo: "12345" }),
      malformed(
        "quote.depositMemo: expected none, as a deposit takes an address and an amount alone, got one",
      ),
    ],
  ])("%s", function* ([, order, reason]) {
    const value = yield* faultOf(order)
    assert.deepStrictEqual(value, { reason, openings: 1 })
  })

  it.effect("with a commission where there is none", function* () {
    const request = { ...swapRequest, commissionBps: Bps.make(0) }
    const { reason } = yield* faultOf(withFees([{ recipient: "other.near", fee: 100 }]), request)
    assert.deepStrictEqual(reason, echoed("appFees"))
  })

  it.effect("that is the destination of a swap on one chain", function* () {
    const request: SwapRequest = {
      ...swapRequest,
      sourceAsset: "eth.eth",
      destinationAsset: "usdt.eth",
      refundAddress: Address.make("0x1111111111111111111111111111111111111111"),
    }
    for (
      const own of [
        request.destinationAddress,
        request.destinationAddress.toLowerCase(),
        request.refundAddress,
      ]
    ) {
      const { reason } = yield* faultOf(quoted({ ...order, depositAddress: own }), request)
      assert.deepStrictEqual(reason, ownAddress)
    }
  })

  it.effect("that is over by the time that the upstream itself has, where that is simulated", function* () {
    const end = order.timeWhenInactive
    const at = (date: string) => (asked: Asked) => ({
      ...quoted({ ...order, deadline: end }, { deadline: end }, new Date(date).toISOString())(asked),
      headers: { date },
    })
    const opened = (answer: Answer) =>
      Effect.flatMap(
        providerOver({ order: answer }, {
          simulatedTime: true,
        }),
        ([provider]) => channelsOf(provider).open(swapRequest),
      )
    const ahead = yield* opened(at("Sun, 22 Nov 2026 08:00:00 GMT"))
    assert.strictEqual(ahead.channel.depositAddress, Address.make(depositAddress))
    const late = yield* reasonOf(opened(at("Sun, 22 Nov 2026 08:59:00 GMT")))
    assert.strictEqual(late._tag, "MalformedBody")
  })

  it.effect("that another key has signed", function* () {
    const [provider] = yield* providerOver({}, { publicKey: productionKey })
    assert.strictEqual((yield* reasonOf(channelsOf(provider).open(swapRequest)))._tag, "MalformedBody")
  })

  it.effect("whose least output is below the price limit by one unit", function* () {
    const request = { ...swapRequest, minimumPrice: Price.make(BigDecimal.fromStringUnsafe("29.7")) }
    const least = 2_970_000_000_000_000_000n
    const answer = (minAmountOut: bigint) => quoted({ ...order, minAmountOut: `${minAmountOut}` })
    assert.deepStrictEqual(yield* faultOf(answer(least - 1n), request), {
      reason: { _tag: "RequestRefused", errors: limitNotMet.errors },
      openings: 1,
    })
    const [provider] = yield* providerOver({ order: answer(least) })
    const { channel } = yield* channelsOf(provider).open(request)
    assert.strictEqual(channel.depositAddress, Address.make(depositAddress))
  })

  it.effect("is still ours when the upstream spells an EVM address in another case", function* () {
    const recipient = swapRequest.destinationAddress.toLowerCase()
    const [provider] = yield* providerOver({ order: quoted(order, { recipient }) })
    const { channel } = yield* channelsOf(provider).open(swapRequest)
    assert.strictEqual(channel.depositAddress, Address.make(depositAddress))
  })
})
