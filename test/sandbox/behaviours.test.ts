import { assert, describe, it } from "#test/support/it.ts"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { type Behaviour, behaviours } from "#api/SandboxFaults.ts"
import {
  bodyOf,
  deposit,
  hour,
  idOf,
  openOrder,
  ownAccount,
  quote,
  statusOf as orderStatus,
  verifies,
} from "./near-intents/support.ts"
import {
  advance,
  at,
  bitcoinAddress,
  change,
  type Client,
  ethereumAddress,
  members,
  openChannel,
  quotePath,
  startSandbox,
  statusOf,
  textAt,
} from "./support.ts"

const turn = Effect.fnUntraced(function* (client: Client, behaviour: Behaviour, on: boolean) {
  const { status, text } = yield* client.send("PUT", "/sandbox/faults", { behaviour, on })
  assert.strictEqual(status, 200, text)
})

const formerId = "nep141:btc.omft.near"

const bitcoinPayload = (client: Client) =>
  client.call("broker", "broker_request_swap_parameter_encoding", {
    source_asset: { chain: "Bitcoin", asset: "BTC" },
    destination_asset: { chain: "Ethereum", asset: "ETH" },
    destination_address: ethereumAddress,
    broker_commission: 25,
    extra_parameters: { chain: "Bitcoin", min_output_amount: "0x1", retry_duration: 150 },
  })

const relayQuote = (client: Client, changes: Readonly<Record<string, unknown>> = {}) =>
  client.send("POST", "/relay/quote/v2", {
    user: bitcoinAddress,
    recipient: ethereumAddress,
    originChainId: 8_253_038,
    destinationChainId: 1,
    originCurrency: "bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqmql8k8",
    destinationCurrency: "0x0000000000000000000000000000000000000000",
    amount: "25000001",
    tradeType: "EXACT_INPUT",
    slippageTolerance: "100",
    ...changes,
  })

const fullWallet = "34xp4vRoCGJym3xR7yCVPFHoCNxv4Twseo"

const mayaQuote = (client: Client) =>
  client.get("/maya/mayachain/quote/swap?from_asset=BTC.BTC&to_asset=ETH.ETH&amount=10000000")

/** The details of an order of 1Click that had too little paid in, and sent it back. */
const sentBack = Effect.fnUntraced(function* (client: Client) {
  const order = yield* openOrder(client)
  yield* deposit(client, order, "3000000")
  yield* advance(client, 100 * hour)
  const json = yield* bodyOf(client, order)
  assert.strictEqual(at(json, "status"), "REFUNDED")
  return { quoted: at(json, "quoteResponse", "quote", "amountOut"), details: at(json, "swapDetails") }
})

/** What shows whether a network behaves in a way. */
const shows: Readonly<Record<Behaviour, (client: Client) => Effect.Effect<boolean>>> = {
  ownFees: Effect.fnUntraced(function* (client) {
    const appFees = [{ recipient: "operator.near", fee: 50 }]
    const dry = yield* quote(client, { appFees })
    const { json } = yield* openOrder(client, { appFees })
    for (const answer of [dry.json, json]) {
      const [row, own] = [0, 1].map((index) => at(answer, "quoteRequest", "appFees", index))
      const takesHalf = at(row, "fee") === 25 && at(own, "recipient") === ownAccount
      const isAsAsked = at(row, "fee") === 50 && own === undefined
      assert.isTrue(takesHalf || isAsAsked)
    }
    return at(json, "quoteRequest", "appFees", 1) !== undefined
  }),
  newestIds: Effect.fnUntraced(function* (client) {
    const { json } = yield* quote(client, { originAsset: formerId })
    return at(json, "quoteRequest", "originAsset") !== formerId
  }),
  formerIds: Effect.fnUntraced(function* (client) {
    const { text } = yield* client.get("/near-intents/v0/tokens")
    const { json } = yield* quote(client, { originAsset: formerId })
    assert.notStrictEqual(at(json, "quoteRequest", "originAsset"), formerId)
    assert.include(text, "nep141:ltc.omft.near")
    assert.include(text, "nep245:v2_1.omni.hot.tg:137_11111111111111111111")
    return !text.includes("nep141:pol.omdep.near") && !text.includes("1cs_v1:btc:native:coin")
  }),
  bareAddresses: Effect.fnUntraced(function* (client) {
    const order = yield* openOrder(client, { originAsset: idOf("bch.bch") })
    const bare = order.address.replace("bchreg:", "")
    const [inFull, inShort] = yield* Effect.forEach(
      [`bchreg:${bare}`, bare],
      (address) => Effect.map(orderStatus(client, { address }), ({ status }) => status),
    )
    assert.deepStrictEqual([inFull, inShort], order.address === bare ? [404, 200] : [200, 404])
    return order.address === bare
  }),
  unaskedMemo: Effect.fnUntraced(function* (client) {
    const { json } = yield* openOrder(client)
    assert.isTrue(verifies(json))
    const memos = [json, (yield* quote(client)).json].map((answer) => at(answer, "quote", "depositMemo"))
    assert.strictEqual(memos[0], memos[1])
    return memos[0] !== undefined
  }),
  coldAddress: Effect.fnUntraced(function* (client) {
    const { json } = yield* openOrder(client)
    const end = Date.parse(textAt(json, "quote", "timeWhenInactive"))
    return end === Date.parse(textAt(json, "quoteRequest", "deadline")) + 72 * hour * 1_000
  }),
  emptyHashes: Effect.fnUntraced(function* (client) {
    const order = yield* openOrder(client)
    yield* deposit(client, order, "10000000")
    yield* advance(client, 6 * hour)
    const json = yield* bodyOf(client, order)
    assert.strictEqual(at(json, "status"), "SUCCESS")
    const explorer = at(json, "swapDetails", "destinationChainTxHashes", 0, "explorerUrl")
    const isEmpty = at(json, "swapDetails", "originChainTxHashes", 0) === undefined
    assert.strictEqual(explorer === "", isEmpty)
    return isEmpty
  }),
  nullDataVersion1: Effect.fnUntraced(function* (client) {
    const payload = textAt(yield* bitcoinPayload(client), "result", "nulldata_payload")
    // The newer form has the byte of the oracle's limit besides.
    assert.strictEqual(payload.length, payload.startsWith("0x01") ? 98 : 96)
    return payload.startsWith("0x01")
  }),
  privateChannel: Effect.fnUntraced(function* (client) {
    const reply = yield* bitcoinPayload(client)
    const message = at(reply, "error", "message")
    assert.isTrue(message === undefined || message === "DispatchError: NoPrivateChannelExistsForBroker")
    return message === undefined
  }),
  sparseRecords: Effect.fnUntraced(function* (client) {
    const channel = yield* openChannel(client)
    const { json } = yield* statusOf(client, channel.id)
    const told = members(json)
    assert.strictEqual(told.includes("destAddress"), told.includes("destAsset") && told.includes("destChain"))
    return !told.includes("destAddress")
  }),
  rateLimits: Effect.fnUntraced(function* (client) {
    const statuses = yield* Effect.forEach(
      Array.from({ length: 101 }),
      () => Effect.map(client.get(quotePath("10000000")), ({ status }) => status),
    )
    assert.isTrue(statuses.slice(0, -1).every((status) => status === 200))
    const isLimited = statuses.at(-1) === 429
    yield* TestClock.adjust("4 minutes")
    assert.strictEqual((yield* client.get(quotePath("10000000"))).status, isLimited ? 429 : 200)
    yield* TestClock.adjust("1 minute")
    assert.strictEqual((yield* client.get(quotePath("10000000"))).status, 200)
    const others = [
      [50, Effect.map(relayQuote(client, { user: fullWallet }), ({ status }) => status)],
      [60, Effect.map(client.get("/maya/mayachain/pools"), ({ status }) => status)],
    ] as const
    for (const [most, ask] of others) {
      const statuses = yield* Effect.forEach(Array.from({ length: most + 3 }), () => ask)
      assert.strictEqual(statuses.filter((status) => status === 200).length, isLimited ? most : most + 3)
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(yield* ask, 200)
    }
    return isLimited
  }),
  balanceRule: Effect.fnUntraced(function* (client) {
    const { json, status } = yield* relayQuote(client)
    assert.strictEqual((yield* relayQuote(client, { user: fullWallet })).status, 200)
    assert.isTrue(status === 200 || at(json, "errorCode") === "INSUFFICIENT_FUNDS")
    return status === 400
  }),
  bareWaiting: Effect.fnUntraced(function* (client) {
    const { json } = yield* relayQuote(client, {
      user: fullWallet,
      useDepositAddress: true,
      strict: true,
      refundTo: bitcoinAddress,
    })
    const id = textAt(json, "steps", 0, "requestId")
    const said = yield* client.get(`/relay/intents/status/v3?requestId=${id}`)
    assert.strictEqual(at(said.json, "status"), "waiting")
    return members(said.json).join() === "quoteCreatedAt,status"
  }),
  noExpiry: Effect.fnUntraced(function* (client) {
    return at((yield* mayaQuote(client)).json, "expiry") === undefined
  }),
  batches: Effect.fnUntraced(function* (client) {
    const channels = [yield* openChannel(client), yield* openChannel(client)]
    for (const channel of channels) yield* deposit(client, channel, "10000000")
    yield* advance(client, 2 * hour)
    const records = yield* Effect.forEach(channels, ({ id }) => statusOf(client, id))
    const [one, other] = records.map(({ json }) => {
      assert.strictEqual(at(json, "state"), "COMPLETED")
      return textAt(json, "swapEgress", "txRef")
    })
    assert.match(one ?? "", /^0x[0-9a-f]{64}$/)
    return one === other
  }),
  quotedRefunds: Effect.fnUntraced(function* (client) {
    const { details, quoted } = yield* sentBack(client)
    assert.isTrue(at(details, "amountOut") === quoted || at(details, "amountOut") === null)
    return at(details, "amountOut") === quoted
  }),
  refundFees: Effect.fnUntraced(function* (client) {
    const { details } = yield* sentBack(client)
    const fee = BigInt(textAt(details, "refundFee"))
    // The network's own fee for sending is taken in any case, and was quoted.
    const quoted = 1_900n
    assert.strictEqual(BigInt(textAt(details, "refundedAmount")), 3_000_000n - fee)
    return fee > quoted
  }),
  otherRefunds: Effect.fnUntraced(function* (client) {
    yield* change(client, "nextRequest", { outcome: "ttlExpired" })
    const { json } = yield* relayQuote(client, {
      user: fullWallet,
      useDepositAddress: true,
      strict: true,
      refundTo: bitcoinAddress,
    })
    const [id, address] = ["requestId", "depositAddress"].map((name) => textAt(json, "steps", 0, name))
    yield* client.send("POST", "/sandbox/deposits", { address, amountNative: "25000001" })
    yield* advance(client, hour)
    const answer = yield* Effect.promise(() =>
      fetch(new URL(`/relay/requests/v3?id=${id}`, client.url), { headers: { "x-api-key": "any" } })
    )
    const requests: unknown = yield* Effect.promise(() => answer.json())
    const back = at(requests, "requests", 0, "data", "refundCurrencyData", "currency", "symbol")
    assert.include(["BTC", "ETH"], back)
    return back === "ETH"
  }),
  lessOutput: Effect.fnUntraced(function* (client) {
    const asked = "1000000000000000000"
    const intents = yield* quote(client, { swapType: "EXACT_OUTPUT", amount: asked })
    const relay = yield* relayQuote(client, { user: fullWallet, tradeType: "EXACT_OUTPUT", amount: asked })
    const told = [
      textAt(intents.json, "quote", "amountOut"),
      textAt(relay.json, "details", "currencyOut", "amount"),
    ]
    assert.isTrue([asked, "999956000000000000"].some((amount) => told.every((one) => one === amount)))
    return !told.includes(asked)
  }),
  retryAfter: Effect.fnUntraced(function* (client) {
    yield* client.send("PUT", "/sandbox/faults", { provider: "relay", code: "provider_unavailable" })
    const { headers, status } = yield* relayQuote(client, { user: fullWallet })
    assert.strictEqual(status, 429)
    return headers.has("retry-after")
  }),
}

const isBehaviour = (name: string): name is Behaviour => Object.hasOwn(behaviours, name)

describe("what real upstreams do that is awkward", () => {
  it.effect.each(Object.keys(behaviours).filter(isBehaviour))(
    "%s: the simulated ones do it, or not, as the table says, and the other way where told so",
    function* (behaviour) {
      const client = yield* startSandbox()
      const { on } = behaviours[behaviour]
      assert.strictEqual(yield* shows[behaviour](client), on, "usually")
      yield* turn(client, behaviour, !on)
      assert.strictEqual(yield* shows[behaviour](client), !on, "turned")
      yield* client.send("DELETE", "/sandbox/faults", undefined)
      assert.strictEqual(yield* shows[behaviour](client), on, "cleared")
    },
  )

  it.effect.each([
    { behaviour: "ownFees" },
    { on: true },
    { behaviour: "ownFees", on: false, count: 1 },
    { behaviour: "ownFees", on: false, code: "upstream_error" },
    { behaviour: "kindness", on: true },
  ])("are named with on, and nothing else: %j", function* (rule) {
    const client = yield* startSandbox()
    assert.strictEqual((yield* client.send("PUT", "/sandbox/faults", rule)).status, 400)
  })
})
