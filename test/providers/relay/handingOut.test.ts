import { limitNotMet } from "#providers/Capabilities.ts"
import { assert, channelsOf, describe, it } from "../support.ts"
import { BigDecimal, Effect, Option } from "effect"
import { Address, noBps, Price, type SwapRequest } from "#exports/domain.ts"
import {
  btc,
  depositAddress,
  eth,
  figures,
  now,
  opening,
  providerOver,
  quotedOutput,
  reasonOf,
  requestId,
  swapRequest,
} from "./fakeRelay.ts"

const opened = (body: unknown, request: SwapRequest = swapRequest) =>
  Effect.flatMap(providerOver({ opening: { body } }), ([provider]) => channelsOf(provider).open(request))

const faultOf = (body: unknown, request: SwapRequest = swapRequest) =>
  Effect.flatMap(
    providerOver({ opening: { body } }),
    ([provider, asked]) =>
      Effect.map(reasonOf(channelsOf(provider).open(request)), (reason) => ({
        reason,
        openings: asked.filter(({ body }) => body["useDepositAddress"] === true).length,
      })),
  )

const { details, fees, protocol, steps: [step] } = opening
const withDetails = (members: object) => ({ ...opening, details: { ...details, ...members } })
const withStep = (members: object) => ({ ...opening, steps: [{ ...step, ...members }] })
const withData = (data: object) => withStep({ items: [{ data }] })
const withOrder = (orderData: object) => ({ ...opening, protocol: { v2: { orderData } } })
const withApp = (app: unknown) => ({ ...opening, fees: { ...fees, app } })

/** Somebody else's. */
const stranger = "1BoatSLRHtKNngkdXEeobR76b53LETtpyT"
const strangerOnEthereum = `0x${"1".repeat(40)}`

/** Orders of which one part cannot be read, that would refund and pay somebody else, and where that part is. */
const unreadableOrders: ReadonlyArray<readonly [orderData: unknown, path: string]> = [
  ["0x1234", ""],
  [{ inputs: "none" }, ".inputs"],
  ...[
    [{ deadline: "x" }, ".output.deadline"],
    [{ deadline: -1 }, ".output.deadline"],
    [{ payments: [{ recipient: 7 }] }, ".output.payments[0].recipient"],
  ].map(([output, path]) =>
    [{ inputs: [{ refunds: [{ recipient: stranger }] }], output }, `${path}`] as const
  ),
]

describe("An address of Relay's is not handed out", () => {
  it.effect.each(unreadableOrders)(
    "with an order that cannot be read whole, as %j",
    function* ([orderData, path]) {
      const { reason } = yield* faultOf({ ...opening, protocol: { v2: { orderData } } })
      assert.strictEqual(reason._tag, "MalformedBody")
      assert.match(
        "detail" in reason ? `${reason.detail}` : "",
        new RegExp(`^protocol\\.v2\\.orderData${RegExp.escape(path)}: `),
      )
    },
  )

  it.effect.each(["chainId", "to", "value", "data"])(
    "with a transaction whose %s cannot be read",
    function* (member) {
      const { reason } = yield* faultOf(withData({ to: stranger, [member]: [] }))
      assert.match(
        "detail" in reason ? `${reason.detail}` : "",
        new RegExp(`^steps\\[0\\]\\.items\\[0\\]\\.data\\.${member}: `),
      )
    },
  )

  const own =
    "steps[0].depositAddress: expected an address of the service, got one of the caller's or none at all"
  const transaction = "steps[0].items[0].data: expected a deposit of the amount, got something else"
  const asked = (member: string) => `details.${member}: expected what was asked, got something else`
  it.effect.each<readonly [name: string, body: unknown, detail: string]>([
    [
      "for another asset",
      withDetails({ currencyIn: { currency: eth, amount: "10000000" } }),
      asked("currencyIn.currency"),
    ],
    [
      "of another chain's coin",
      withDetails({ currencyIn: { currency: { ...btc, chainId: 1 }, amount: "10000000" } }),
      asked("currencyIn.currency"),
    ],
    [
      "for another amount",
      withDetails({ currencyIn: { currency: btc, amount: "10000001" } }),
      asked("currencyIn.amount"),
    ],
    [
      "to another asset",
      withDetails({ currencyOut: { ...details.currencyOut, currency: btc } }),
      asked("currencyOut.currency"),
    ],
    [
      "whose least output is above its output",
      withDetails({ currencyOut: { ...details.currencyOut, minimumAmount: `${quotedOutput + 1n}` } }),
      asked("currencyOut.minimumAmount"),
    ],
    ["that pays out to another", withDetails({ recipient: strangerOnEthereum }), asked("recipient")],
    ["without a step", { ...opening, steps: [] }, "steps: expected one deposit, got none"],
    [
      "with another step before it",
      { ...opening, steps: [{ ...step, id: "approve" }, step] },
      "steps: expected one deposit, got approve, deposit",
    ],
    ["of another step", withStep({ id: "swap" }), "steps: expected one deposit, got swap"],
    [
      "without a request",
      withStep({ requestId: "0x12" }),
      'steps[0].requestId: expected 0x and 64 hex digits, got "0x12"',
    ],
    [
      "that is looked up as another",
      withStep({ items: [{ check: { endpoint: `/intents/status/v3?requestId=0x${"cd".repeat(32)}` } }] }),
      "steps[0].items[0].check: expected the same request, got another",
    ],
    [
      "that is not there",
      withStep({ depositAddress: "" }),
      "steps[0].depositAddress cannot be used on Bitcoin, because it is empty",
    ],
    ["that is the caller's own", withStep({ depositAddress: swapRequest.refundAddress, items: [] }), own],
    [
      "that is the caller's own in capitals",
      withStep({ depositAddress: swapRequest.refundAddress.toUpperCase(), items: [] }),
      own,
    ],
    ["that a wallet would not pay", withData({ to: stranger, chainId: btc.chainId }), transaction],
    [
      "that a wallet would pay another amount",
      withData({ to: depositAddress, value: "10000001", chainId: btc.chainId }),
      transaction,
    ],
    ["that a wallet would pay on another chain", withData({ to: depositAddress, chainId: 1 }), transaction],
    [
      "that refunds another",
      withOrder({ inputs: [{ refunds: [{ chainId: "bitcoin", recipient: stranger }] }] }),
      "protocol.v2.orderData.inputs: expected refunds to who was asked for, got others",
    ],
    [
      "that refunds another on a chain that is not named",
      withOrder({ inputs: [{ refunds: [{ recipient: stranger }] }] }),
      "protocol.v2.orderData.inputs: expected refunds to who was asked for, got others",
    ],
    [
      "whose order pays another",
      withOrder({ output: { payments: [{ recipient: strangerOnEthereum }] } }),
      "protocol.v2.orderData.output.payments: expected the recipient that was asked for, got another",
    ],
    [
      "that ends before a deposit could count",
      withOrder({ output: { deadline: Math.floor(now / 1_000) + 30 * 60 } }),
      "protocol.v2.orderData.output.deadline: expected time enough for a deposit, got less",
    ],
  ])("%s", function* ([, body, detail]) {
    const value = yield* faultOf(body)
    assert.deepStrictEqual<unknown>({ ...value.reason }, { _tag: "MalformedBody", detail, reached: true })
    assert.strictEqual(value.openings, 1)
  })

  it.effect.each<readonly [name: string, app: unknown]>([
    ["nothing of our commission", { currency: btc, amount: "0" }],
    ["less of our commission", { currency: btc, amount: "24999" }],
    ["more than our commission", { currency: btc, amount: "25001" }],
    ["our commission in another asset", { currency: eth, amount: "25000" }],
    ["no app fee at all", null],
  ])("with %s", function* ([, app]) {
    const { openings, reason } = yield* faultOf(withApp(app))
    assert.strictEqual(openings, 1)
    assert.isTrue(reason._tag === "RequestRefused" && /app fees/.test(`${reason.errors["commissionBps"]}`))
  })

  it.effect("is not even asked for where a quote drops the commission", function* () {
    const [provider, asked] = yield* providerOver({
      price: {
        body: { ...figures(swapRequest.destinationAddress), fees: { app: { currency: btc, amount: "0" } } },
      },
    })
    const reason = yield* reasonOf(channelsOf(provider).open(swapRequest))
    assert.strictEqual(reason._tag, "RequestRefused")
    assert.isFalse(asked.some(({ body }) => body["useDepositAddress"] === true))
  })

  it.effect("whose least output is below the price limit by one unit", function* () {
    const request = { ...swapRequest, minimumPrice: Price.make(BigDecimal.fromStringUnsafe("29.7")) }
    const paying = (minimumAmount: bigint) =>
      withDetails({ currencyOut: { ...details.currencyOut, minimumAmount: `${minimumAmount}` } })
    const { reason } = yield* faultOf(paying(2_970_000_000_000_000_000n - 1n), request)
    assert.deepStrictEqual<unknown>(reason, limitNotMet)
    const { channel } = yield* opened(paying(2_970_000_000_000_000_000n), request)
    assert.strictEqual(channel.depositAddress, Address.make(depositAddress))
  })
})

describe("An address of Relay's", () => {
  it.effect("is asked for once, strictly, for a day and the time to fill it, with the commission", function* () {
    const [provider, asked] = yield* providerOver({})
    yield* channelsOf(provider).open(swapRequest)
    const [body, ...others] = asked.map(({ body }) => body).filter((body) =>
      body["useDepositAddress"] === true
    )
    assert.deepStrictEqual(others, [])
    assert.deepStrictEqual<unknown>(body, {
      // Whose balance is looked at; refunds go to who asked.
      user: "34xp4vRoCGJym3xR7yCVPFHoCNxv4Twseo",
      recipient: swapRequest.destinationAddress,
      originChainId: btc.chainId,
      destinationChainId: 1,
      originCurrency: btc.address,
      destinationCurrency: eth.address,
      amount: "10000000",
      tradeType: "EXACT_INPUT",
      slippageTolerance: "10000",
      appFees: [{ recipient: "0x1111111111111111111111111111111111111111", fee: "25" }],
      useDepositAddress: true,
      strict: true,
      refundTo: swapRequest.refundAddress,
      // Two and a half blocks of ten minutes until it counts, and a quarter of an hour to fill it.
      ttl: 86_400 + 1_500 + 900,
    })
  })

  it.effect("is handed out with its request, what it promises, and the one amount that it takes", function* () {
    const { channel, depositLimits, isAddressUnique, status } = yield* opened(opening)
    assert.strictEqual(channel.reference, requestId)
    assert.strictEqual(status.depositChannel?.reference, requestId)
    assert.strictEqual<bigint | undefined>(status.depositChannel?.expectedOutputAmount, quotedOutput)
    assert.deepStrictEqual(depositLimits, { minimum: swapRequest.amount, maximum: swapRequest.amount })
    assert.isTrue(isAddressUnique)
    // The day, the time to fill less the estimate of half a second more than ten minutes.
    assert.strictEqual<number | undefined>(
      status.depositChannel?.estimatedExpiryTime,
      now + (86_400 + 900) * 1_000 - 620_500,
    )
  })

  it.effect("is asked for at once where any price and no commission will do", function* () {
    const [provider, asked] = yield* providerOver({
      opening: { body: withApp({ currency: btc, amount: "0" }) },
    }, { feeRecipient: Option.none() })
    yield* channelsOf(provider).open({ ...swapRequest, commissionBps: noBps })
    assert.deepStrictEqual(asked.map(({ url }) => url.pathname), ["/chains", "/quote/v2"])
  })

  it.effect("is taken without an order, and with addresses in it that are none of the chain", function* () {
    for (const orderData of [null, undefined, { output: { payments: [{ recipient: "0x00" }] } }]) {
      const { channel } = yield* opened({ ...opening, protocol: { ...protocol, v2: { orderData } } })
      assert.strictEqual(channel.depositAddress, Address.make(depositAddress))
    }
  })
})
