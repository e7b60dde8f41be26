import { assert, describe } from "@effect/vitest"
import { brokerAccount } from "#sandbox/engine/figures.ts"
import { eachInSandbox, inSandbox } from "../inSandbox.ts"
import { at, change, type Opening, opening, textAt } from "../support.ts"

const open = "broker_request_swap_deposit_address"

describe("broker_request_swap_deposit_address", () => {
  inSandbox("answers with the channel and the refund parameters as it read them", function* (client) {
    const reply = yield* client.call("broker", open, opening({ refund_parameters: { min_price: "0x04D2" } }))
    const result = at(reply, "result")
    assert.match(textAt(result, "address"), /^bcrt1/)
    assert.deepInclude(result, {
      issued_block: 14_000_000,
      channel_id: 1,
      channel_opening_fee: "0x2386f26fc10000",
      refund_parameters: {
        retry_duration: 150,
        refund_address: opening().refund_parameters.refund_address,
        min_price: "0x4d2",
        refund_ccm_metadata: null,
        max_oracle_price_slippage: null,
      },
    })
    assert.isNumber(at(result, "source_chain_expiry_block"))
  })

  inSandbox(
    "takes positional parameters, its camelCase alias and assets by their bare names alike",
    function* (client) {
      const positional = yield* client.call("broker", "broker_requestSwapDepositAddress", [
        "BTC",
        "ETH",
        opening().destination_address,
        0,
        { message: "0x0102", gas_budget: "0x10" },
        10,
        [],
        opening().refund_parameters,
        { number_of_chunks: 4, chunk_interval: 2 },
      ])
      assert.strictEqual(at(positional, "result", "channel_id"), 1)
      const named = yield* client.call("broker", open, opening())
      assert.strictEqual(at(named, "result", "channel_id"), 2)
    },
  )

  const invalid: ReadonlyArray<readonly [string, Opening]> = [
    ["an unknown asset", { source_asset: { chain: "Bitcoin", asset: "DOGE" } }],
    ["a commission that is no u16", { broker_commission: 65_536 }],
    ["a fractional boost fee", { boost_fee: 0.5 }],
    ["a price without 0x", { refund_parameters: { min_price: "12" } }],
    ["no refund address", { refund_parameters: { refund_address: null } }],
    ["a message that is not hex", { channel_metadata: { message: "hello", gas_budget: 1 } }],
    ["a message that is too long", {
      channel_metadata: { message: `0x${"00".repeat(15_001)}`, gas_budget: 1 },
    }],
    ["too many affiliates", {
      affiliate_fees: Array.from({ length: 6 }, () => ({
        account: brokerAccount,
        bps: 1,
      })),
    }],
    ["an affiliate that is no account", { affiliate_fees: [{ account: "cFnobody", bps: 1 }] }],
  ]
  eachInSandbox(invalid)("answers -32602 to %s", function* (client, [, changes]) {
    const reply = yield* client.call("broker", open, opening(changes))
    assert.strictEqual(at(reply, "error", "code"), -32602)
    assert.match(textAt(reply, "error", "message"), /^Invalid params/)
  })

  const moduleErrors: ReadonlyArray<readonly [string, Opening]> = [
    ["BrokerCommissionBpsTooHigh", { broker_commission: 1_001 }],
    ["RetryDurationTooHigh", { refund_parameters: { retry_duration: 4_000_000 } }],
    ["ZeroNumberOfChunksNotAllowed", { dca_parameters: { number_of_chunks: 0, chunk_interval: 2 } }],
    ["ChunkIntervalTooLow", { dca_parameters: { number_of_chunks: 2, chunk_interval: 0 } }],
    ["SwapRequestDurationTooLong", { dca_parameters: { number_of_chunks: 20_000, chunk_interval: 2 } }],
    ["InvalidDestinationAddress", { destination_address: "0x11" }],
    ["InvalidRefundAddress", { refund_parameters: { refund_address: "nowhere" } }],
    ["CcmUnsupportedForRefundChain", {
      refund_parameters: { refund_ccm_metadata: { message: "0x00", gas_budget: 1 } },
    }],
  ]
  eachInSandbox(moduleErrors)(
    "refuses with %s in the form of the deployment",
    function* (client, [name, changes]) {
      const standalone = yield* client.call("broker", open, opening(changes))
      assert.strictEqual(at(standalone, "error", "code"), -32020)
      assert.match(
        textAt(standalone, "error", "message"),
        new RegExp(`^The transaction failed: Module error ‘${name}‘ from pallet ‘Swapping‘: ‘.+‘$`),
      )
      const inNode = yield* client.call("node", open, opening(changes))
      assert.strictEqual(at(inNode, "error", "code"), -32024)
      assert.match(
        textAt(inNode, "error", "message"),
        new RegExp(`^KnownModuleError \\{ pallet: "Swapping", name: "${name}", error: ".+" \\}$`),
      )
    },
  )

  inSandbox("names the source chain's pallet when channels of it cannot be opened", function* (client) {
    yield* change(client, "setAsset", { asset: "btc.btc", creationEnabled: false })
    const reply = yield* client.call("broker", open, opening())
    assert.include(
      textAt(reply, "error", "message"),
      "Module error ‘DepositChannelCreationDisabled‘ from pallet ‘BitcoinIngressEgress‘",
    )
  })
})
