import { assert, describe } from "@effect/vitest"
import { brokerAccount } from "#sandbox/engine/figures.ts"
import { brokerAccounts } from "#test/contract/support/addresses.ts"
import { eachInSandbox, inSandbox } from "../../inSandbox.ts"
import { at, textAt } from "../../support.ts"
import { type Changes, encoding, encodingOf, hex, replyTo } from "./requests.ts"

const affiliates = (...bps: ReadonlyArray<number>) =>
  bps.map((share, index) => ({ account: brokerAccounts[index] ?? brokerAccounts[0], bps: share }))

/** What the runtime says, in its own words. */
const dispatched: ReadonlyArray<readonly [string, Changes, RegExp]> = [
  ["a destination that is no address of its chain", { destination: "0x12" }, /InvalidDestinationAddress/],
  ["a refund address of another chain", { refund: { refund_address: "bc1q" } }, /InvalidRefundAddress/],
  ["more commission than the network takes", { commission: 1_001 }, /BrokerCommissionBpsTooHigh/],
  ["too long a retry duration", { refund: { retry_duration: 601 } }, /RetryDurationTooHigh/],
  ["no chunks", { dca: { number_of_chunks: 0, chunk_interval: 2 } }, /ZeroNumberOfChunksNotAllowed/],
  [
    "chunks that take too long",
    { dca: { number_of_chunks: 14_401, chunk_interval: 2 } },
    /SwapRequestDurationTooLong/,
  ],
  ["a boost fee beyond a byte", { boost: 256 }, /BoostFeeTooHigh/],
  ["an affiliate fee beyond a byte", { affiliates: affiliates(256) }, /AffiliateFeeTooHigh/],
  ["a broker fee beyond a byte on Bitcoin", { from: "btc.btc", commission: 256 }, /BrokerFeeTooHigh/],
  [
    "three affiliates on Bitcoin",
    { from: "btc.btc", affiliates: affiliates(1, 1, 1) },
    /Too many affiliates/,
  ],
  ["a message from Bitcoin", { from: "btc.btc", message: { message: "0x01", gas_budget: 1 } }, /InvalidCcm/],
  ["a message to Bitcoin", { message: { message: "0x01", gas_budget: 1 } }, /CcmUnsupportedForTargetChain/],
  [
    "a message to the refund address",
    { refund: { refund_ccm_metadata: { message: "0x01", gas_budget: 1 } } },
    /refund chain/,
  ],
  ["nothing to swap", { amount: 0n }, /zero/],
  ["more than 64 bits on Solana", { from: "sol.sol", amount: 2n ** 64n }, /64 bits/],
  ["the parameters of another chain", { extra: { chain: "Tron" } }, /Incompatible/],
]

const invalid: ReadonlyArray<readonly [string, Changes]> = [
  ["a chain without a vault", { from: "dot.hub", to: "eth.eth" }],
  ["a seed of 33 bytes", { from: "sol.sol", extra: { seed: `0x${"00".repeat(33)}` } }],
  ["a sender that is no key", { from: "sol.sol", extra: { from: "me" } }],
  ["six affiliates", { affiliates: affiliates(1, 1, 1, 1, 1, 1) }],
  ["an account that is none", { affiliates: [{ account: "cFnobody", bps: 1 }] }],
]

describe("the encoder", () => {
  eachInSandbox(dispatched)("answers -32021 to %s", function* (client, [, changes, message]) {
    const reply = yield* replyTo(client, changes)
    assert.strictEqual(at(reply, "error", "code"), -32021, JSON.stringify(reply))
    assert.match(textAt(reply, "error", "message"), /^DispatchError: /)
    assert.match(textAt(reply, "error", "message"), message)
  })

  eachInSandbox(invalid)("refuses %s", function* (client, [, changes]) {
    const code = at(yield* replyTo(client, changes), "error", "code")
    assert.include([-32602, -32021], code)
  })

  inSandbox("has its camelCase alias, on the broker and on the node that hosts one", function* (client) {
    const one = yield* encodingOf(client)
    for (const server of ["broker", "node"] as const) {
      const reply = yield* client.call(server, "broker_requestSwapParameterEncoding", encoding())
      assert.deepStrictEqual(at(reply, "result"), one)
    }
  })

  inSandbox("registers an affiliate when it is first named, and keeps its short id", function* (client) {
    const [one, other] = brokerAccounts
    const first = yield* encodingOf(client, { affiliates: [{ account: other, bps: 1 }] })
    yield* encodingOf(client, { affiliates: [{ account: one, bps: 1 }, { account: other, bps: 1 }] })
    assert.deepStrictEqual(yield* encodingOf(client, { affiliates: [{ account: other, bps: 1 }] }), first)
    const account = yield* client.call("node", "cf_account_info", [brokerAccount])
    for (const [index, affiliate] of [other, one].entries()) {
      assert.strictEqual(at(account, "result", "affiliates", index, "account_id"), affiliate)
      assert.strictEqual(at(account, "result", "affiliates", index, "short_id"), index)
    }
  })

  inSandbox("opens nothing and depends on nothing but what is asked", function* (client) {
    const one = yield* encodingOf(client, { minimum: 2n ** 100n })
    yield* client.send("POST", "/sandbox/time", { advanceSeconds: 86_400 })
    assert.deepStrictEqual(yield* encodingOf(client, { minimum: 2n ** 100n }), one)
    assert.strictEqual(at((yield* client.get("/sandbox")).json, "openChannelCount"), 0)
    assert.strictEqual(at(one, "value"), hex(10n ** 8n))
  })
})
