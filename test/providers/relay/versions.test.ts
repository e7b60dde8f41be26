import { assert, channelsOf, describe, it } from "../support.ts"
import { Effect, Option, Result, Struct } from "effect"
import { TestClock } from "effect/testing"
import { Address, NativeAmount, noBps } from "#exports/domain.ts"
import { mayHaveOpened } from "#domain/ProviderError.ts"
import { readQuote, WireQuote } from "#providers/relay/answer.ts"
import { findServedChain } from "#providers/relay/chains.ts"
import type { Currency } from "#providers/relay/conditions.ts"
import type { Inquiry } from "#providers/relay/inquiry.ts"
import { assetOf } from "#providers/relay/quotes.ts"
import { decode } from "#providers/upstream/values.ts"
import { placeholderOn } from "#providers/upstream/servedChains.ts"
import { writeChain } from "#sandbox/relay/answers.ts"
import { relayChains } from "#sandbox/relay/engine/currencies.ts"
import { follow } from "#sandbox/follow.ts"
import { asVersion3 } from "#sandbox/relay/version3.ts"
import {
  btc,
  currencies,
  depositAddress,
  eth,
  opening,
  plain,
  providerOver,
  quotedOutput,
  reasonOf,
  type Reply,
  requestId,
  swapRequest,
} from "./fakeRelay.ts"
import type { Asked } from "../fakeUpstream.ts"
import { collectLogs } from "#test/support/collectLogs.ts"

const folder = new URL("../../../src/sandbox/relay/recorded/", import.meta.url)

/** Every recorded quote of v2, but for two parts that lack what went in. */
const quotes = [...Deno.readDirSync(folder)].map(({ name }) => name).filter((name) =>
  name.startsWith("quote-")
)
  .toSorted()

const bodyOf = (name: string): unknown => JSON.parse(Deno.readTextFileSync(new URL(name, folder))).body

const wireOf = (body: unknown) => Result.getOrThrow(decode(WireQuote, body))

/** The question that a recorded body answers, as far as it is of chains that we serve. */
const inquiryOf = (body: unknown): Inquiry => {
  const { details, protocol } = wireOf(body)
  const { currencyIn, currencyOut, recipient = "" } = details ?? {}
  if (currencyIn === undefined || currencyOut === undefined) throw new Error("not recorded")
  const order: unknown = protocol?.v2?.orderData
  const chainOf = (side: "inputs" | "output") =>
    new RegExp(`"${side}":.*?"chainId":"([a-z]+)"`).exec(JSON.stringify(order ?? ""))?.[1]
  const sideOf = (wire: typeof currencyIn.currency, side: "inputs" | "output"): Currency => ({
    asset: assetOf(currencies, wire) ?? "usdc.eth",
    chain: findServedChain(wire.chainId) ?? "Ethereum",
    address: wire.address,
    ingress: true,
    egress: true,
    protocolChain: chainOf(side) ?? "none",
  })
  return {
    pair: {
      source: sideOf(currencyIn.currency, "inputs"),
      destination: sideOf(currencyOut.currency, "output"),
    },
    amount: currencyIn.amount,
    appFee: Option.none(),
    recipient,
    addresses: [],
    slippageBps: 100,
  }
}

/** What a quote is read as, but for the dollars of fees, which v3 does not have in its details. */
const readingOf = (body: unknown, inquiry: Inquiry) =>
  Result.map(readQuote(wireOf(body), inquiry), ({ details }) => Struct.omit(details, ["expandedPriceImpact"]))

const allChains = { body: { chains: relayChains.map((chain) => writeChain(chain, false)) } }

describe("A recorded quote of Relay's, written as v3 writes it", () => {
  it.effect.each(quotes)("is read as that of v2: %s", (name) =>
    Effect.sync(() => {
      const body = bodyOf(name)
      const inquiry = inquiryOf(body)
      assert.deepStrictEqual(readingOf(asVersion3(body), inquiry), readingOf(body, inquiry))
      assert.strictEqual(
        Result.isSuccess(readingOf(body, inquiry)),
        !name.includes("robinhood"),
        "only of a chain that is not served there is none",
      )
    }))

  it.effect.each(quotes)(
    "is the same quote, but for what the deposit costs its sender, which v3 does not tell: %s",
    function* (name) {
      const recorded = bodyOf(name)
      const inquiry = inquiryOf(recorded)
      const { amount, pair: { destination, source } } = inquiry
      if (Result.isFailure(readingOf(recorded, inquiry))) return
      const body = follow(recorded, [["details.recipient", placeholderOn(destination.chain)]])
      const request = {
        sourceAsset: source.asset,
        destinationAsset: destination.asset,
        amount,
        commissionBps: noBps,
      }
      const told = yield* Effect.forEach(["v2", "v3"] as const, (quoteVersion) =>
        Effect.flatMap(
          providerOver({
            chains: allChains,
            price: { body: quoteVersion === "v3" ? asVersion3(body) : body },
          }, { quoteVersion }),
          ([provider]) => provider.quotes(request),
        ))
      const [ofV2 = [], ofV3 = []] = told.map((quotes) =>
        quotes.map((quote) => Struct.omit(quote, ["depositCost"]))
      )
      assert.strictEqual(ofV2.length, 1)
      assert.deepStrictEqual(ofV3, ofV2)
    },
  )

  it.effect.each(quotes.filter((name) => name.includes("deposit-address")))(
    "opens the same channel: %s",
    function* (name) {
      const recorded = bodyOf(name)
      const inquiry = inquiryOf(recorded)
      const own = inquiry.recipient
      const { source, destination } = inquiry.pair
      const hasOrder = wireOf(recorded).protocol !== undefined
      const body = hasOrder
        ? follow(recorded, [["protocol.v2.orderData.output.deadline", 1_796_000_000]])
        : recorded
      const request = {
        ...swapRequest,
        sourceAsset: source.asset,
        destinationAsset: destination.asset,
        destinationAddress: Address.make(own),
        refundAddress: hasOrder ? Address.make(own) : swapRequest.refundAddress,
        commissionBps: noBps,
        amount: NativeAmount.make(typeof inquiry.amount === "bigint" ? inquiry.amount : 0n),
      }
      const opened = (quoteVersion: "v2" | "v3", body: unknown) =>
        Effect.flatMap(
          providerOver({ chains: allChains, opening: { body } }, { quoteVersion }),
          ([provider]) => channelsOf(provider).open(request),
        )
      const ofV2 = yield* opened("v2", body)
      assert.deepStrictEqual(yield* opened("v3", asVersion3(body)), ofV2)
      // One upstream may write as the other, or as both at once.
      assert.deepStrictEqual(yield* opened("v2", asVersion3(body)), ofV2)
      const { requestId: beside } = JSON.parse(JSON.stringify(asVersion3(body)))
      assert.deepStrictEqual(
        yield* opened("v3", { ...JSON.parse(JSON.stringify(body)), requestId: beside }),
        ofV2,
      )
      const open = yield* reasonOf(opened("v3", asVersion3(body, "open")))
      assert.include(JSON.stringify(open), "steps[0].depositAddress.type: expected strict, got another")
    },
  )
})

const { details, fees: { app, relayer }, protocol, steps: [step] } = opening
const [item] = step?.items ?? []

/** The answer of the tests as v3 writes it. */
const openingV3 = {
  requestId,
  steps: [{
    id: "deposit",
    kind: "transaction",
    status: "incomplete",
    depositAddress: { address: depositAddress, type: "strict", depositor: null, depositTxHash: null },
    ...Struct.pick(item ?? { data: {}, check: {} }, ["data", "check"]),
  }],
  fees: {
    quoted: {
      swap: { usd: "0", amount: "100" },
      execution: { usd: "-1", amount: "1500" },
      platform: { usd: "-0.5", amount: "500" },
      app: { usd: "-25", amount: app.amount },
    },
    actual: null,
    currency: btc,
  },
  details,
  protocol,
}
const [stepV3] = openingV3.steps
const withStep = (members: object) => ({ ...openingV3, steps: [{ ...stepV3, ...members }] })
const withAddress = (members: object) =>
  withStep({ depositAddress: { ...stepV3?.depositAddress, ...members } })
const withQuoted = (members: object) => ({
  ...openingV3,
  fees: { ...openingV3.fees, quoted: { ...openingV3.fees.quoted, ...members } },
})

/** The order of the tests with what stands in for details. */
const orderOf = (payment: object = {}, payout: object = {}) => ({
  inputs: [{
    payment: { chainId: "bitcoin", currency: btc.address, amount: "10000000", ...payment },
    refunds: [{ chainId: "bitcoin", recipient: swapRequest.refundAddress }],
  }],
  output: {
    chainId: "ethereum",
    deadline: 1_796_000_000,
    payments: [{
      recipient: swapRequest.destinationAddress,
      currency: eth.address,
      expectedAmount: `${quotedOutput}`,
      minimumAmount: "2970000000000000000",
      ...payout,
    }],
  },
})
const byOrder = (orderData: object, members: object = { details: undefined }) => ({
  ...openingV3,
  ...members,
  protocol: { v2: { orderData } },
})

const stranger = "1BoatSLRHtKNngkdXEeobR76b53LETtpyT"
const strangerOnEthereum = `0x${"1".repeat(40)}`

const openedV3 = (body: unknown) =>
  Effect.flatMap(
    providerOver({ opening: { body } }, { quoteVersion: "v3" }),
    ([provider]) => channelsOf(provider).open(swapRequest),
  )

describe("An answer of v3", () => {
  it.effect("is asked for in v3 alone, and read with its commission and the network's fee of three shares", function* () {
    const [provider, asked] = yield* providerOver({
      price: ({ body }) => ({
        body: { ...openingV3, details: { ...details, recipient: body["recipient"] } },
      }),
      opening: { body: openingV3 },
    }, { quoteVersion: "v3" })
    const [quote] = yield* provider.quotes(swapRequest)
    assert.deepStrictEqual<unknown>(quote?.fees, [
      { type: "network", asset: "btc.btc", amount: BigInt(relayer.amount) },
      { type: "broker", asset: "btc.btc", amount: BigInt(app.amount) },
    ])
    const { channel } = yield* channelsOf(provider).open(swapRequest)
    assert.strictEqual(channel.depositAddress, Address.make(depositAddress))
    assert.strictEqual(channel.reference, requestId)
    assert.deepStrictEqual(asked.map(({ url }) => url.pathname).filter((path) => path !== "/chains"), [
      "/quote/v3",
      "/quote/v3",
      "/quote/v3",
    ])
  })

  it.effect.each<readonly [name: string, body: unknown]>([
    ["by its order alone", byOrder(orderOf())],
    [
      "by its order, without a recipient in the details",
      byOrder(orderOf(), {
        details: { ...details, recipient: undefined },
      }),
    ],
    ["with a commission in dollars", {
      ...withQuoted({ app: { usd: "-2.5" } }),
      details: { ...details, currencyIn: { ...details.currencyIn, amountUsd: "1000" } },
    }],
    ["with fees at the root", { ...openingV3, fees: { ...openingV3.fees.quoted, currency: btc } }],
    ["with a request in its step alone", { ...withStep({ requestId }), requestId: undefined }],
    ["with an address as text", withStep({ depositAddress })],
    ["with an address of no type", withAddress({ type: null })],
    ["with actions in its step", withStep({ items: step?.items, data: undefined, check: undefined })],
    ["without an order", { ...openingV3, protocol: null }],
  ])("is taken %s", function* ([, body]) {
    const { channel, status } = yield* openedV3(body)
    assert.strictEqual(channel.depositAddress, Address.make(depositAddress))
    assert.strictEqual<bigint | undefined>(status.depositChannel?.expectedOutputAmount, quotedOutput)
  })

  it.effect.each<readonly [name: string, body: unknown, fault: string]>([
    ["of an open address", withAddress({ type: "open" }), "steps[0].depositAddress.type: expected strict"],
    [
      "of an address of another type",
      withAddress({ type: "shared" }),
      "depositAddress.type: expected strict",
    ],
    [
      "of the caller's own address",
      withAddress({ address: swapRequest.refundAddress }),
      "one of the caller's",
    ],
    ["without a request", { ...openingV3, requestId: null }, "requestId: expected a value"],
    [
      "of two requests",
      withStep({ requestId: `0x${"cd".repeat(32)}` }),
      "steps[0].requestId: expected the same",
    ],
    [
      "that is looked up as another",
      withStep({ check: { endpoint: `/intents/status/v3?requestId=0x${"cd".repeat(32)}` } }),
      "steps[0].check: expected the same request",
    ],
    [
      "that a wallet would not pay",
      withStep({ data: { to: stranger, value: "10000000" } }),
      "steps[0].data: expected",
    ],
    [
      "that a wallet would pay more",
      withStep({ data: { to: depositAddress, value: "10000001" } }),
      "steps[0].data",
    ],
    ["of another step", withStep({ id: "approve" }), "steps: expected one deposit"],
    ["with less of our commission", withQuoted({ app: { usd: "-25", amount: "24999" } }), "app fees"],
    ["with no commission", withQuoted({ app: null }), "app fees"],
    [
      "with our commission in another coin",
      { ...openingV3, fees: { ...openingV3.fees, currency: eth } },
      "app fees",
    ],
    [
      "of another recipient",
      { ...openingV3, details: { ...details, recipient: strangerOnEthereum } },
      "recipient",
    ],
    [
      "without details and order",
      { ...openingV3, details: null, protocol: null },
      "details: expected the amounts",
    ],
    ["with an order of no form", byOrder({ output: {} }), "protocol.v2.orderData.inputs: expected"],
    ["by an order of another amount", byOrder(orderOf({ amount: "10000001" })), "currencyIn.amount"],
    ["by an order of another coin", byOrder(orderOf({ currency: eth.address })), "currencyIn.currency"],
    ["by an order on another chain", byOrder(orderOf({ chainId: "ethereum" })), "currencyIn.currency"],
    [
      "by an order into another coin",
      byOrder(orderOf({}, { currency: strangerOnEthereum })),
      "currencyOut.currency",
    ],
    ["by an order to another", byOrder(orderOf({}, { recipient: strangerOnEthereum })), "recipient"],
    [
      "by an order that may pay more than it expects",
      byOrder(orderOf({}, { minimumAmount: `${quotedOutput + 1n}` })),
      "currencyOut.minimumAmount",
    ],
    [
      "by an order with two payments",
      byOrder({ ...orderOf(), inputs: [...orderOf().inputs, ...orderOf().inputs] }),
      "protocol.v2.orderData.inputs",
    ],
  ])("is refused %s", function* ([, body, fault]) {
    assert.include(JSON.stringify(yield* reasonOf(openedV3(body))), fault)
  })
})

const gone = { status: 410, body: { message: "Gone" } }
const missing = { status: 404, body: { message: "Route POST:/quote/v2 not found" } }
const sunset = { date: "Tue, 23 Feb 2027 00:00:01 GMT" }

/** An upstream that answers so in v2, and in v3 as it should. */
const retiring = (ofV2: Reply, opened: Reply = { body: openingV3 }) => {
  const inVersion = (ofV3: (asked: Asked) => Reply) => (asked: Asked): Reply =>
    asked.url.pathname === "/quote/v2" ? ofV2 : ofV3(asked)
  return {
    price: inVersion(({ body }) => ({
      body: { ...openingV3, details: { ...details, recipient: body["recipient"] } },
    })),
    opening: inVersion(() => opened),
  }
}

const pathsOf = (asked: ReadonlyArray<Asked>) =>
  asked.map(({ url }) => url.pathname).filter((path) => path.startsWith("/quote/"))

describe("Where Relay has retired v2", () => {
  it.effect.each<readonly [name: string, ofV2: Reply]>([
    ["a 410", gone],
    ["a 404 after its end", { ...missing, headers: sunset }],
  ])(
    "%s moves quotes and openings to v3 at once, each of which is asked for once there",
    function* ([, ofV2]) {
      const { lines, value: [provider, asked] } = yield* collectLogs(Effect.gen(function* () {
        const provided = yield* providerOver(retiring(ofV2))
        assert.lengthOf(yield* provided[0].quotes(swapRequest), 1)
        return provided
      }))
      assert.deepStrictEqual(lines, [
        "Relay has retired v2 of its quotes. v3 is used from now on. Set RELAY_QUOTE_VERSION=v3",
      ])
      const { channel } = yield* channelsOf(provider).open(swapRequest)
      assert.strictEqual(channel.depositAddress, Address.make(depositAddress))
      assert.deepStrictEqual(pathsOf(asked), ["/quote/v2", "/quote/v3", "/quote/v3", "/quote/v3"])
      // It may only have tried its end.
      yield* TestClock.adjust("10 minutes")
      yield* provider.quotes(swapRequest)
      assert.deepStrictEqual(pathsOf(asked).slice(4), ["/quote/v2", "/quote/v3"])
    },
  )

  it.effect("an opening whose answer in v3 cannot be read is of unknown outcome, and not made again", function* () {
    const [provider, asked] = yield* providerOver(retiring(gone, { body: "<html>" }))
    const reason = yield* reasonOf(channelsOf(provider).open({ ...swapRequest, commissionBps: noBps }))
    assert.isTrue(mayHaveOpened(reason), reason._tag)
    const openings = asked.filter(({ body }) => body["useDepositAddress"] === true)
    assert.deepStrictEqual(pathsOf(openings), ["/quote/v2", "/quote/v3"])
  })

  it.effect.each<readonly [name: string, ofV2: Reply]>([
    ["a 404 before its end", missing],
    ["a word about the request after its end", {
      status: 404,
      headers: sunset,
      body: { message: "no", errorCode: "NO_SWAP_ROUTES_FOUND" },
    }],
    ["a refusal", { status: 400, headers: sunset, body: { message: "no", errorCode: "AMOUNT_TOO_LOW" } }],
  ])("%s is no retirement", function* ([, ofV2]) {
    const [provider, asked] = yield* providerOver(retiring(ofV2))
    yield* reasonOf(provider.quotes(swapRequest))
    assert.deepStrictEqual(pathsOf(asked), ["/quote/v2"])
  })

  it.effect.each<readonly [name: string, reply: Reply]>([
    ["UNAUTHORIZED_QUOTE", {
      status: 401,
      body: { message: "Please provide an api key", errorCode: "UNAUTHORIZED_QUOTE" },
    }],
    ["a 401 that is no JSON", { status: 401, body: "no" }],
    ["the framework's own refusal", {
      status: 400,
      body: {
        statusCode: 400,
        code: "FST_ERR_VALIDATION",
        message: "headers must have required property 'x-api-key'",
      },
    }],
  ])("%s is told as what it is: about the key, and not about the request", function* ([, reply]) {
    const [provider] = yield* providerOver(
      { price: reply, opening: reply },
      { key: Option.none(), quoteVersion: "v3", feeRecipient: Option.none() },
    )
    const detail = "The Relay service rejects the API key of this service, or requires one"
    const request = { ...swapRequest, commissionBps: noBps }
    assert.deepStrictEqual<unknown>(plain(yield* reasonOf(provider.quotes(request))), {
      _tag: "UpstreamFailed",
      detail,
      because: "key",
    })
    assert.deepStrictEqual<unknown>(plain(yield* reasonOf(channelsOf(provider).open(request))), {
      _tag: "DepositChannelFailed",
      detail,
      because: "key",
      isOwnFailure: true,
    })
  })
})
