import { assert, describe, it } from "#test/support/it.ts"
import { Effect } from "effect"
import { inSandbox } from "../inSandbox.ts"
import {
  advance,
  at,
  bitcoinAddress,
  type Client,
  ethereumAddress,
  startSandbox,
  textAt,
} from "../support.ts"

const wanted = {
  user: "34xp4vRoCGJym3xR7yCVPFHoCNxv4Twseo",
  recipient: ethereumAddress,
  originChainId: 8_253_038,
  destinationChainId: 1,
  originCurrency: "bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqmql8k8",
  destinationCurrency: "0x0000000000000000000000000000000000000000",
  amount: "25000001",
  tradeType: "EXACT_INPUT",
  slippageTolerance: "100",
  appFees: [{ recipient: "0x1111111111111111111111111111111111111111", fee: "25" }],
}

const opening = { ...wanted, useDepositAddress: true, strict: true, refundTo: bitcoinAddress }

const quote = (client: Client, body: object = wanted) => client.send("POST", "/relay/quote/v2", body)

/** The share of 25 bps, rounded down. */
const appFee = "62500"

const plan = (client: Client, change: object) => client.send("PATCH", "/sandbox/network", change)

const open = (client: Client, outcome?: string, body: object = opening) =>
  Effect.gen(function* () {
    if (outcome !== undefined) yield* plan(client, { change: "nextRequest", outcome })
    const { json, status, text } = yield* quote(client, body)
    assert.strictEqual(status, 200, text)
    return {
      id: textAt(json, "steps", 0, "requestId"),
      address: textAt(json, "steps", 0, "depositAddress"),
      json,
    }
  })

const pay = (client: Client, address: string, amountNative: string = wanted.amount) =>
  client.send("POST", "/sandbox/deposits", { address, amountNative })

const statusOf = (client: Client, id: string) =>
  Effect.map(client.get(`/relay/intents/status/v3?requestId=${id}`), ({ json }) => json)

const requestsOf = (client: Client, id: string, key?: string) =>
  Effect.promise(async () => {
    const url = new URL(`/relay/requests/v3?id=${id}&includeChildRequests=true`, client.url)
    const answer = await fetch(url, { headers: key === undefined ? {} : { "x-api-key": key } })
    return { status: answer.status, json: await answer.json() }
  })

/** A request after its deposit, an hour later. */
const settled = (outcome?: string, amountNative?: string, body?: object) =>
  Effect.gen(function* () {
    const client = yield* startSandbox()
    const { address, id } = yield* open(client, outcome, body)
    yield* pay(client, address, amountNative)
    yield* advance(client, 3_600)
    const { json } = yield* requestsOf(client, id, "a-key")
    return { client, address, id, json, status: yield* statusOf(client, id) }
  })

describe("the simulated Relay", () => {
  inSandbox(
    "quotes with a fractional estimate, fees that add up, and opens nothing by it",
    function* (client) {
      const { json } = yield* quote(client)
      assert.strictEqual(at(json, "fees", "app", "amount"), appFee)
      const fee = (name: string) => BigInt(textAt(json, "fees", name, "amount"))
      assert.strictEqual(fee("relayer"), fee("relayerGas") + fee("relayerService"))
      assert.isFalse(Number.isInteger(at(json, "details", "timeEstimate")))
      assert.strictEqual(at(json, "steps", 0, "depositAddress"), "")
      assert.strictEqual(at((yield* client.get("/sandbox")).json, "relay", "openRequestCount"), 0)
    },
  )

  it.effect("fills what comes in, with the promised amount", function* () {
    const { json, status } = yield* settled()
    assert.strictEqual(at(status, "status"), "success")
    assert.strictEqual(at(json, "requests", 0, "data", "appFees", "actual", 0, "amount"), appFee)
    const output = (when: string) =>
      textAt(json, "requests", 0, "data", "route", when, "destination", "outputCurrency", "amount")
    assert.strictEqual(output("actual"), output("quoted"))
  })

  const refunds: ReadonlyArray<readonly [outcome: string, reason: string, transactions: number]> = [
    ["ttlExpired", "TTL_EXPIRED", 1],
    ["fillFails", "EXECUTION_REVERTED", 2],
    ["refundFails", "EXECUTION_REVERTED", 0],
  ]

  it.effect.each(refunds)(
    "sends back where planned: %s",
    function* ([outcome, reason, transactions]) {
      const { json, status } = yield* settled(outcome)
      assert.strictEqual(at(status, "status"), "refund")
      assert.strictEqual(at(status, "failReason"), reason)
      const hashes = at(status, "txHashes")
      assert.strictEqual(Array.isArray(hashes) ? hashes.length : -1, transactions)
      assert.strictEqual(
        at(json, "requests", 0, "data", "refundFailReason"),
        outcome === "refundFails" ? "AMOUNT_TOO_LOW_TO_REFUND" : null,
      )
    },
  )

  it.effect("sends back too little, and what is too much beside the fill", function* () {
    const less = yield* settled(undefined, "25000000")
    assert.strictEqual(at(less.status, "failReason"), "DEPOSITED_AMOUNT_TOO_LOW_TO_FILL")
    const more = yield* settled(undefined, "26000001")
    assert.strictEqual(at(more.status, "status"), "success")
    // Less the gas of the refund.
    assert.strictEqual(at(more.json, "requests", 0, "data", "refundCurrencyData", "amount"), "998600")
  })

  it.effect("sends back what comes after the TTL", function* () {
    const { status } = yield* settled(undefined, undefined, { ...opening, ttl: 60 })
    assert.strictEqual(at(status, "failReason"), "TTL_EXPIRED")
  })

  it.effect("sends a second deposit back as a request of its own", function* () {
    const { address, client, id } = yield* settled()
    yield* pay(client, address)
    yield* advance(client, 3_600)
    const { json } = yield* requestsOf(client, id, "a-key")
    assert.strictEqual(at(json, "requests", 0, "status"), "success")
    assert.strictEqual(at(json, "requests", 1, "status"), "refund")
    assert.strictEqual(at(json, "requests", 1, "data", "failReason"), "DOUBLE_SPEND")
  })

  it.effect("goes on under another request, which only a key sees", function* () {
    const { json, status } = yield* settled("superseded")
    assert.strictEqual(at(status, "status"), "pending")
    assert.strictEqual(at(json, "requests", 0, "supersededByRequestId"), at(json, "requests", 1, "id"))
    assert.strictEqual(at(json, "requests", 1, "status"), "success")
  })

  it.effect("holds the deposit of a wallet that is blocked", function* () {
    const { status } = yield* settled("blockedWallet")
    assert.deepInclude(status, { status: "failure", failReason: "BLOCKED_WALLET", txHashes: [] })
  })

  inSandbox("drops app fees where planned, in quotes before the opening too", function* (client) {
    yield* plan(client, { change: "nextRequest", outcome: "droppedFees" })
    assert.strictEqual(at((yield* quote(client)).json, "fees", "app", "amount"), "0")
    assert.strictEqual(at((yield* open(client)).json, "fees", "app", "amount"), "0")
    assert.strictEqual(at((yield* quote(client)).json, "fees", "app", "amount"), appFee)
  })

  it.effect("sees an overlooked deposit when it is told to look, and not twice at once", function* () {
    const { address, client, id, status } = yield* settled("undetected")
    assert.strictEqual(at(status, "status"), "waiting")
    const body = { chainId: wanted.originChainId, depositAddress: address }
    const look = client.send("POST", "/relay/transactions/deposit-address/reindex", body)
    assert.strictEqual(at((yield* look).json, "triggeredCurrencies", 0, "balance"), wanted.amount)
    assert.strictEqual((yield* look).status, 429)
    yield* advance(client, 3_600)
    assert.strictEqual(at(yield* statusOf(client, id), "status"), "success")
  })

  inSandbox("refuses by its codes", function* (client) {
    const codeOf = (body: object) =>
      Effect.map(quote(client, { ...wanted, ...body }), ({ json }) => at(json, "errorCode"))
    assert.strictEqual(yield* codeOf({ amount: "999" }), "AMOUNT_TOO_LOW")
    assert.strictEqual(yield* codeOf({ amount: "9".repeat(15) }), "INSUFFICIENT_LIQUIDITY")
    assert.strictEqual(yield* codeOf({ recipient: bitcoinAddress }), "INVALID_ADDRESS")
    assert.strictEqual(yield* codeOf({ originChainId: 7_777_777 }), "UNSUPPORTED_CHAIN")
    assert.strictEqual(yield* codeOf({ destinationCurrency: bitcoinAddress }), "INVALID_OUTPUT_CURRENCY")
    yield* plan(client, { change: "setChain", chain: "Bitcoin", disabled: true })
    assert.strictEqual(yield* codeOf({}), "CHAIN_DISABLED")
    yield* plan(client, { change: "setChain", chain: "Bitcoin", disabled: false })
    yield* client.send("PUT", "/sandbox/faults", { provider: "relay", code: "quoting_maintenance" })
    assert.deepInclude(yield* quote(client), { status: 503 })
  })

  inSandbox("tells amounts to keys only", function* (client) {
    const { id } = yield* open(client)
    assert.strictEqual((yield* requestsOf(client, id)).status, 400)
    assert.strictEqual((yield* requestsOf(client, id, "wrong")).status, 401)
    assert.strictEqual((yield* requestsOf(client, id, "a-key")).status, 200)
  })
})

describe("the app fees of a wallet", () => {
  const wallet = "0x1111111111111111111111111111111111111111"
  const balancesOf = (client: Client, of = wallet) => client.get(`/relay/app-fees/${of}/balances`)

  inSandbox("are nothing before a swap is filled, and then its share in USDC", function* (client) {
    const nothing = {
      balances: [],
      totalBalanceUsd: 0,
      outstandingFastFillBalanceUsd: 0,
      availableBalanceUsd: 0,
    }
    const { address } = yield* open(client)
    assert.deepStrictEqual((yield* balancesOf(client)).json, nothing)
    yield* pay(client, address)
    yield* advance(client, 7_200)
    const { json } = yield* balancesOf(client)
    assert.deepInclude(at(json, "balances", 0), {
      // 62500 sat at 64550 USDC.
      amount: "40343750",
      amountFormatted: "40.34375",
      amountUsd: "40.343750",
    })
    assert.deepInclude(at(json, "balances", 0, "currency"), {
      chainId: 1,
      symbol: "USDC",
      address: "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
    })
    assert.strictEqual(at(json, "totalBalanceUsd"), 40.34375)
    assert.deepStrictEqual((yield* balancesOf(client, ethereumAddress.replace("1", "2"))).json, nothing)
    assert.strictEqual((yield* balancesOf(client, "nobody")).status, 400)
  })
})
