import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { addressPatterns } from "#sandbox/engine/identifiers.ts"
import { inSandbox } from "../inSandbox.ts"
import { advance, at, type Client, members, textAt } from "../support.ts"
import {
  bodyOf,
  deposit,
  digitsAt,
  type OpenedOrder,
  openOrder,
  plan,
  statusesOf,
  statusOf,
  verifies,
} from "./support.ts"

const amount = "10000000"
const submit = (client: Client, { address }: OpenedOrder, txHash: string) =>
  client.send("POST", "/near-intents/v0/deposit/submit", { txHash, depositAddress: address })

/** 40 minutes: a deposit of bitcoins is confirmed and settled by then, and its payout confirmed. */
const settled = 2_400

describe("the traps of the next order", () => {
  inSandbox("successThatIsRefund says SUCCESS of a full refund", function* (client) {
    yield* plan(client, "successThatIsRefund")
    const order = yield* openOrder(client)
    yield* deposit(client, order, amount)
    const done = (yield* statusesOf(client, order, "SUCCESS", 60)).get("SUCCESS")
    assert.deepInclude(at(done, "swapDetails"), {
      amountOut: null,
      destinationChainTxHashes: [],
      refundedAmount: `${10_000_000n - 1_900n}`,
      refundReason: "SOLVER_FAILED",
    })
  })

  inSandbox("incompleteThatIsRefund stays INCOMPLETE_DEPOSIT with the deposit sent back", function* (client) {
    yield* plan(client, "incompleteThatIsRefund")
    const order = yield* openOrder(client)
    yield* deposit(client, order, amount)
    const done = (yield* statusesOf(client, order, "INCOMPLETE_DEPOSIT", 60)).get("INCOMPLETE_DEPOSIT")
    assert.deepInclude(at(done, "swapDetails"), { refundedAmount: `${10_000_000n - 1_900n}` })
  })

  inSandbox("failedInPart says FAILED with half of the deposit sent back", function* (client) {
    yield* plan(client, "failedInPart")
    const order = yield* openOrder(client)
    yield* deposit(client, order, amount)
    const done = (yield* statusesOf(client, order, "FAILED", 60)).get("FAILED")
    assert.deepInclude(at(done, "swapDetails"), { amountOut: null, refundedAmount: `${5_000_000n - 1_900n}` })
  })

  inSandbox(
    "stuckPending stays PENDING_DEPOSIT past its estimate with the deposit in sight",
    function* (client) {
      yield* plan(client, "stuckPending")
      const order = yield* openOrder(client)
      const hash = yield* deposit(client, order, amount)
      const estimate = Number(digitsAt(order.json, "quote", "timeEstimate"))
      yield* advance(client, 1_800 + 2 * estimate - 1)
      const stuck = yield* bodyOf(client, order)
      assert.strictEqual(at(stuck, "status"), "PENDING_DEPOSIT")
      assert.strictEqual(at(stuck, "swapDetails", "originChainTxHashes", 0, "hash"), hash)
      yield* advance(client, 1)
      assert.strictEqual(at(yield* bodyOf(client, order), "status"), "PROCESSING")
      yield* statusesOf(client, order, "SUCCESS")
    },
  )

  inSandbox("stuckPending goes on at once when the deposit is submitted", function* (client) {
    yield* plan(client, "stuckPending")
    const order = yield* openOrder(client)
    const hash = yield* deposit(client, order, amount)
    yield* advance(client, 1_801)
    assert.strictEqual(at((yield* submit(client, order, "another")).json, "status"), "PENDING_DEPOSIT")
    const { json, status } = yield* submit(client, order, hash)
    assert.strictEqual(status, 201)
    assert.strictEqual(at(json, "status"), "PROCESSING")
  })

  inSandbox("stuckPending keeps a timely deposit when a late one goes back", function* (client) {
    yield* plan(client, "stuckPending")
    const order = yield* openOrder(client, {
      deadline: new Date(700_000).toISOString(),
      destinationAsset: "nep141:sol.omft.near",
      recipient: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
    })
    yield* deposit(client, order, amount)
    yield* advance(client, 601)
    const late = yield* deposit(client, order, "3000000")
    yield* advance(client, settled)
    yield* submit(client, order, late)
    const done = (yield* statusesOf(client, order, "SUCCESS")).get("SUCCESS")
    assert.deepInclude(at(done, "swapDetails"), {
      amountIn: amount,
      amountOut: at(order.json, "quote", "amountOut"),
      refundedAmount: `${3_000_000n - 1_900n}`,
    })
  })

  inSandbox("notIndexedYet cannot be looked up at first", function* (client) {
    yield* plan(client, "notIndexedYet")
    const order = yield* openOrder(client)
    assert.strictEqual((yield* statusOf(client, order)).status, 404)
    yield* advance(client, 119)
    assert.strictEqual((yield* statusOf(client, order)).status, 404)
    yield* deposit(client, order, amount)
    yield* advance(client, 1)
    assert.strictEqual(at(yield* bodyOf(client, order), "status"), "PENDING_DEPOSIT")
    yield* advance(client, settled)
    assert.strictEqual(at(yield* bodyOf(client, order), "status"), "SUCCESS")
  })

  inSandbox("badSignature is signed with another key", function* (client) {
    yield* plan(client, "badSignature")
    const verified = yield* Effect.forEach(
      [1, 2],
      () => Effect.map(openOrder(client), ({ json }) => verifies(json)),
    )
    assert.deepStrictEqual(verified, [false, true])
  })

  inSandbox("changedAddress is looked up with another address of the sandbox", function* (client) {
    yield* plan(client, "changedAddress")
    const order = yield* openOrder(client)
    const shown = textAt(yield* bodyOf(client, order), "quoteResponse", "quote", "depositAddress")
    assert.notStrictEqual(shown, order.address)
    assert.match(shown, new RegExp(addressPatterns().Bitcoin ?? "none"))
    assert.strictEqual((yield* statusOf(client, { address: shown })).status, 404)
  })

  inSandbox("come one after the other, and not for what is refused", function* (client) {
    yield* plan(client, "notIndexedYet")
    yield* plan(client, "changedAddress")
    yield* client.send("POST", "/near-intents/v0/quote", {})
    const first = yield* openOrder(client)
    const second = yield* openOrder(client)
    const third = yield* openOrder(client)
    assert.strictEqual((yield* statusOf(client, first)).status, 404)
    const shown = yield* Effect.forEach(
      [second, third],
      (order) =>
        Effect.map(
          bodyOf(client, order),
          (json) => at(json, "quoteResponse", "quote", "depositAddress") === order.address,
        ),
    )
    assert.deepStrictEqual(shown, [false, true])
  })

  inSandbox("are refused when there is none of the name", function* (client) {
    const { json, status } = yield* client.send("PATCH", "/sandbox/network", {
      change: "nextOrder",
      outcome: "lost",
    })
    assert.strictEqual(status, 400)
    assert.deepStrictEqual(members(at(json, "errors")), ["outcome"])
  })
})

describe("POST /v0/deposit/submit", () => {
  inSandbox("makes a deposit known before it is on the chain", function* (client) {
    const order = yield* openOrder(client)
    const hash = yield* deposit(client, order, amount)
    assert.strictEqual(at((yield* submit(client, order, hash)).json, "status"), "KNOWN_DEPOSIT_TX")
    yield* statusesOf(client, order, "SUCCESS", 60)
  })

  inSandbox("knows no other addresses and wants both members", function* (client) {
    const unknown = yield* submit(client, { address: "bc1q" }, "hash")
    assert.strictEqual(unknown.status, 404)
    assert.deepStrictEqual(unknown.json, { message: "Deposit address bc1q not found" })
    const { status } = yield* client.send("POST", "/near-intents/v0/deposit/submit", { txHash: "hash" })
    assert.strictEqual(status, 400)
  })
})
