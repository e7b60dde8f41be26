import { assert, describe } from "@effect/vitest"
import { eachInSandbox, inSandbox } from "../inSandbox.ts"
import { advance, at, genesis } from "../support.ts"
import {
  bodyOf,
  deadlineIn,
  deposit,
  digitsAt,
  hour,
  idOf,
  movePrice,
  openOrder,
  statusesOf,
  usdcToBtc,
  whole,
} from "./support.ts"

describe("the money of an order", () => {
  inSandbox("sends the surplus back under EXACT_INPUT", function* (client) {
    const order = yield* openOrder(client, { ...usdcToBtc, swapType: "EXACT_INPUT" })
    yield* deposit(client, order, whole("usdc.arb", 1_500n))
    const done = (yield* statusesOf(client, order, "SUCCESS", 60)).get("SUCCESS")
    assert.deepInclude(at(done, "swapDetails"), {
      amountIn: usdcToBtc.amount,
      amountOut: at(order.json, "quote", "amountOut"),
      refundedAmount: `${500_000_000n - 10_000n}`,
      refundReason: "EXCESS_DEPOSIT",
    })
  })

  inSandbox("waits with too little until the deadline and then sends it back", function* (client) {
    const order = yield* openOrder(client, { ...usdcToBtc, deadline: deadlineIn(hour) })
    yield* deposit(client, order, whole("usdc.arb", 989n))
    const seen = yield* statusesOf(client, order, "REFUNDED", 100)
    assert.deepStrictEqual([...seen.keys()], ["PENDING_DEPOSIT", "INCOMPLETE_DEPOSIT", "REFUNDED"])
    const refunded = seen.get("REFUNDED")
    assert.strictEqual(at(refunded, "updatedAt"), new Date(genesis + hour * 1_000).toISOString())
    assert.deepInclude(at(refunded, "swapDetails"), {
      amountOut: null,
      refundedAmount: `${989_000_000n - 10_000n}`,
      refundedAmountFormatted: "988.99",
      refundReason: "PARTIAL_DEPOSIT",
    })
  })

  inSandbox("fails when a deposit does not cover the fee of its refund", function* (client) {
    const order = yield* openOrder(client, { ...usdcToBtc, deadline: deadlineIn(hour) })
    yield* deposit(client, order, "10000")
    const failed = (yield* statusesOf(client, order, "FAILED", 600)).get("FAILED")
    assert.strictEqual(at(failed, "swapDetails", "refundedAmount"), "0")
  })

  inSandbox("sends back a deposit whose output does not cover the withdraw fee", function* (client) {
    const order = yield* openOrder(client, { destinationAsset: idOf("usdt.tron"), slippageTolerance: 10_000 })
    yield* deposit(client, order, "2500")
    const refunded = (yield* statusesOf(client, order, "REFUNDED", 60)).get("REFUNDED")
    assert.deepInclude(at(refunded, "swapDetails"), {
      refundReason: "PARTIAL_DEPOSIT",
      refundedAmount: "600",
    })
  })

  inSandbox("waits for ever past its deadline, and sends back what comes late", function* (client) {
    const order = yield* openOrder(client, { ...usdcToBtc, deadline: deadlineIn(hour) })
    yield* advance(client, 2 * hour)
    assert.strictEqual(at(yield* bodyOf(client, order), "status"), "PENDING_DEPOSIT")
    yield* deposit(client, order, usdcToBtc.amount)
    yield* advance(client, 60)
    const json = yield* bodyOf(client, order)
    assert.strictEqual(at(json, "status"), "REFUNDED")
    assert.deepInclude(at(json, "swapDetails"), {
      refundReason: "LATE_DEPOSIT",
      refundedAmount: `${1_000_000_000n - 10_000n}`,
      depositedAmount: usdcToBtc.amount,
    })
  })

  inSandbox("sends back what comes after a success without changing it", function* (client) {
    const order = yield* openOrder(client, usdcToBtc)
    yield* deposit(client, order, usdcToBtc.amount)
    yield* statusesOf(client, order, "SUCCESS", 60)
    yield* deposit(client, order, usdcToBtc.amount)
    yield* advance(client, 60)
    const json = yield* bodyOf(client, order)
    assert.strictEqual(at(json, "status"), "SUCCESS")
    assert.deepInclude(at(json, "swapDetails"), {
      amountIn: usdcToBtc.amount,
      refundReason: "EXCESS_DEPOSIT",
      refundedAmount: `${1_000_000_000n - 10_000n}`,
    })
  })

  inSandbox("refunds a deposit that is worth more than all solvers hold", function* (client) {
    const order = yield* openOrder(client, usdcToBtc)
    yield* deposit(client, order, whole("usdc.arb", 1_000_001n))
    const refunded = (yield* statusesOf(client, order, "REFUNDED")).get("REFUNDED")
    assert.strictEqual(at(refunded, "swapDetails", "refundReason"), "NO_LIQUIDITY")
  })

  inSandbox("refunds when the price has moved beyond the slippage tolerance", function* (client) {
    const order = yield* openOrder(client, usdcToBtc)
    yield* deposit(client, order, usdcToBtc.amount)
    yield* movePrice(client, "btc.btc", 120)
    const seen = yield* statusesOf(client, order, "REFUNDED", 5)
    assert.deepStrictEqual([...seen.keys()], ["PENDING_DEPOSIT", "PROCESSING", "REFUNDED"])
    assert.deepInclude(at(seen.get("REFUNDED"), "swapDetails"), {
      refundReason: "PRICE_MOVED",
      refundedAmount: `${1_000_000_000n - 10_000n}`,
      amountOut: null,
      destinationChainTxHashes: [],
    })
  })

  const moves: ReadonlyArray<readonly [string, number, (quoted: bigint, paid: bigint) => void]> = [
    [
      "pays less when the price has become worse within the tolerance",
      60,
      (quoted, paid) => assert.isTrue(paid < quoted && paid > quoted * 99n / 100n),
    ],
    [
      "shares an improvement of the price half and half",
      -1_000,
      (quoted, paid) => assert.isTrue(paid > quoted * 105n / 100n && paid < quoted * 106n / 100n),
    ],
  ]
  eachInSandbox(moves)("%s", function* (client, [, bps, check]) {
    const order = yield* openOrder(client, usdcToBtc)
    yield* deposit(client, order, usdcToBtc.amount)
    yield* movePrice(client, "btc.btc", bps)
    const done = (yield* statusesOf(client, order, "SUCCESS", 60)).get("SUCCESS")
    check(digitsAt(order.json, "quote", "amountOut"), digitsAt(done, "swapDetails", "amountOut"))
    assert.strictEqual(at(done, "swapDetails", "slippage"), bps > 0 ? 59 : 0)
  })
})
