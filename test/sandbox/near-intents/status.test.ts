import { assert, describe } from "@effect/vitest"
import { Struct } from "effect"
import { inSandbox } from "../inSandbox.ts"
import { advance, at, genesis, members, textAt } from "../support.ts"
import {
  bodyOf,
  deadlineIn,
  deposit,
  digitsAt,
  openOrder,
  recordAt,
  statusesOf,
  statusOf,
  usdcToBtc,
  whole,
} from "./support.ts"

describe("GET /v0/status", () => {
  inSandbox("shows an order that waits, with its signed quote", function* (client) {
    const order = yield* openOrder(client)
    const { headers, json, status } = yield* statusOf(client, order)
    assert.strictEqual(status, 200)
    assert.strictEqual(headers.get("date"), new Date(genesis).toUTCString())
    assert.deepStrictEqual(members(json), [
      "correlationId",
      "quoteResponse",
      "status",
      "swapDetails",
      "updatedAt",
    ])
    assert.deepInclude(json, {
      status: "PENDING_DEPOSIT",
      updatedAt: new Date(genesis).toISOString(),
      correlationId: at(order.json, "correlationId"),
    })
    assert.deepStrictEqual(at(json, "quoteResponse", "quote"), at(order.json, "quote"))
    assert.strictEqual(at(json, "quoteResponse", "signature"), at(order.json, "signature"))
    // As recorded, without these two, and with null for what was not asked for.
    const request = Struct.omit(recordAt(order.json, "quoteRequest"), ["quoteWaitingTimeMs", "insured"])
    const unasked = { referral: null, virtualChainRecipient: null, virtualChainRefundRecipient: null }
    assert.deepStrictEqual(at(json, "quoteResponse", "quoteRequest"), { ...request, ...unasked })
    assert.deepStrictEqual(at(json, "swapDetails"), {
      intentHashes: [],
      nearTxHashes: [],
      amountIn: null,
      amountInFormatted: null,
      amountInUsd: null,
      amountOut: null,
      amountOutFormatted: null,
      amountOutUsd: null,
      slippage: null,
      originChainTxHashes: [],
      destinationChainTxHashes: [],
      refundedAmount: "0",
      refundedAmountFormatted: "0",
      refundedAmountUsd: "0.000000000000",
      refundReason: null,
      depositedAmount: null,
      depositedAmountFormatted: null,
      depositedAmountUsd: null,
      refundFee: at(order.json, "quote", "refundFee"),
      withdrawFee: at(order.json, "quote", "withdrawFee"),
    })
  })

  inSandbox("goes from the deposit to a success that pays what was quoted", function* (client) {
    const order = yield* openOrder(client)
    const hash = yield* deposit(client, order, "10000000")
    const seen = yield* statusesOf(client, order, "SUCCESS")
    assert.deepStrictEqual([...seen.keys()], ["PENDING_DEPOSIT", "KNOWN_DEPOSIT_TX", "PROCESSING", "SUCCESS"])
    assert.deepStrictEqual(at(seen.get("PENDING_DEPOSIT"), "swapDetails", "originChainTxHashes"), [])
    const known = seen.get("KNOWN_DEPOSIT_TX")
    assert.strictEqual(at(known, "swapDetails", "originChainTxHashes", 0, "hash"), hash)
    assert.isNull(at(known, "swapDetails", "depositedAmount"))
    const processing = seen.get("PROCESSING")
    assert.strictEqual(at(processing, "swapDetails", "depositedAmount"), "10000000")
    const paid = textAt(processing, "swapDetails", "destinationChainTxHashes", 0, "hash")
    assert.match(paid, /^0x5a4db0[0-9a-f]{58}$/)
    assert.deepInclude(at(seen.get("SUCCESS"), "swapDetails"), {
      amountIn: "10000000",
      amountOut: at(order.json, "quote", "amountOut"),
      withdrawFee: at(order.json, "quote", "withdrawFee"),
      slippage: 0,
      refundedAmount: "0",
    })
    assert.strictEqual(at(seen.get("SUCCESS"), "swapDetails", "destinationChainTxHashes", 0, "hash"), paid)
  })

  inSandbox("is processing without a destination hash at first", function* (client) {
    const order = yield* openOrder(client, usdcToBtc)
    yield* deposit(client, order, usdcToBtc.amount)
    yield* advance(client, 5)
    const json = yield* bodyOf(client, order)
    assert.strictEqual(at(json, "status"), "PROCESSING")
    assert.deepStrictEqual(at(json, "swapDetails", "destinationChainTxHashes"), [])
    assert.isNull(at(json, "swapDetails", "amountOut"))
  })

  inSandbox("accepts more under FLEX_INPUT at the same rate", function* (client) {
    const order = yield* openOrder(client, usdcToBtc)
    yield* deposit(client, order, whole("usdc.arb", 3_000n))
    const done = (yield* statusesOf(client, order, "SUCCESS", 60)).get("SUCCESS")
    const fee = digitsAt(order.json, "quote", "withdrawFee")
    const gross = digitsAt(order.json, "quote", "amountOut") + fee
    assert.strictEqual(digitsAt(done, "swapDetails", "amountOut"), 3n * gross - fee)
    assert.strictEqual(at(done, "swapDetails", "refundReason"), null)
  })

  inSandbox("accepts the minimum of a small order under FLEX_INPUT", function* (client) {
    const order = yield* openOrder(client, { ...usdcToBtc, amount: "4000000" })
    yield* deposit(client, order, textAt(order.json, "quote", "minAmountIn"))
    yield* statusesOf(client, order, "SUCCESS", 60)
  })

  inSandbox("adds deposits up until they are complete", function* (client) {
    const order = yield* openOrder(client, usdcToBtc)
    yield* deposit(client, order, whole("usdc.arb", 400n))
    yield* advance(client, 60)
    assert.strictEqual(at(yield* bodyOf(client, order), "status"), "INCOMPLETE_DEPOSIT")
    yield* deposit(client, order, whole("usdc.arb", 600n))
    const done = (yield* statusesOf(client, order, "SUCCESS", 60)).get("SUCCESS")
    assert.deepInclude(at(done, "swapDetails"), {
      amountIn: usdcToBtc.amount,
      amountOut: at(order.json, "quote", "amountOut"),
    })
  })

  inSandbox(
    "counts a deposit that is on the chain before the deadline and confirmed after it",
    function* (client) {
      const order = yield* openOrder(client, { deadline: deadlineIn(3_650) })
      yield* deposit(client, order, "4000000")
      yield* advance(client, 3_100)
      yield* deposit(client, order, "6000000")
      yield* advance(client, 1_000)
      assert.strictEqual(at(yield* bodyOf(client, order), "status"), "INCOMPLETE_DEPOSIT")
      yield* statusesOf(client, order, "SUCCESS")
    },
  )

  inSandbox("knows no other addresses", function* (client) {
    const { json, status } = yield* statusOf(client, { address: "bc1q" })
    assert.strictEqual(status, 404)
    assert.deepStrictEqual(json, { message: "Deposit address bc1q not found" })
    const missing = yield* client.get("/near-intents/v0/status")
    assert.strictEqual(missing.status, 400)
  })
})
