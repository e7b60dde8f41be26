import { assert, describe } from "@effect/vitest"
import { eachInSandbox, inSandbox } from "../inSandbox.ts"
import { at, change, members, quotePath, textAt } from "../support.ts"

const btc = { chain: "Bitcoin", asset: "BTC" }
const eth = { chain: "Ethereum", asset: "ETH" }
const usdc = { chain: "Ethereum", asset: "USDC" }

describe("the node", () => {
  inSandbox(
    "answers cf_environment with every chain, asset and member that any client asks for",
    function* (client) {
      const environment = at(yield* client.call("node", "cf_environment", []), "result")
      assert.deepStrictEqual(members(environment), ["funding", "ingress_egress", "pools", "swapping"])
      assert.deepStrictEqual(members(at(environment, "ingress_egress")), [
        "boost_delays",
        "boost_minimum_add_funds_amounts",
        "channel_opening_fees",
        "egress_dust_limits",
        "egress_fees",
        "ingress_delays",
        "ingress_fees",
        "minimum_deposit_amounts",
        "witness_safety_margins",
      ])
      assert.deepStrictEqual(members(at(environment, "swapping")), [
        "default_oracle_price_protection",
        "max_swap_request_duration_blocks",
        "max_swap_retry_duration_blocks",
        "maximum_swap_amounts",
        "minimum_chunk_size",
        "network_fee_hundredth_pips",
        "network_fees",
        "swap_retry_delay_blocks",
      ])
      const minimums = at(environment, "ingress_egress", "minimum_deposit_amounts")
      assert.deepStrictEqual(members(minimums), [
        "Arbitrum",
        "Assethub",
        "Bitcoin",
        "Bsc",
        "Ethereum",
        "Polkadot",
        "Solana",
        "Tron",
      ])
      assert.deepStrictEqual(members(at(minimums, "Ethereum")), [
        "CBBTC",
        "ETH",
        "FLIP",
        "USDC",
        "USDT",
        "WBTC",
      ])
      assert.strictEqual(at(minimums, "Bitcoin", "BTC"), 40_000)
      assert.strictEqual(at(minimums, "Ethereum", "ETH"), "0x2386f26fc10000", "10^16 is no safe integer")
      assert.strictEqual(at(environment, "ingress_egress", "witness_safety_margins", "Bitcoin"), 2)
      assert.notInclude(members(at(environment, "pools", "fees", "Ethereum")), "USDC")
      assert.strictEqual(
        at(environment, "pools", "fees", "Bitcoin", "BTC", "limit_order_fee_hundredth_pips"),
        0,
      )
    },
  )

  const parts = [
    ["cf_ingress_egress_environment", "ingress_egress"],
    ["cf_swapping_environment", "swapping"],
    ["cf_funding_environment", "funding"],
    ["cf_pools_environment", "pools"],
  ] as const
  eachInSandbox(parts)("answers %s with that part of cf_environment", function* (client, [name, part]) {
    const whole = yield* client.call("node", "cf_environment", [null])
    const alone = yield* client.call("node", name, [])
    assert.deepStrictEqual(at(alone, "result"), at(whole, "result", part))
  })

  inSandbox("simulates in cf_swap_rate_v3 what the backend quotes", function* (client) {
    const quote = at((yield* client.get(quotePath("10000000"))).json, 0)
    const rate = at(
      yield* client.call("node", "cf_swap_rate_v3", [btc, eth, "0x989680", 25, null, null, null, null]),
      "result",
    )
    assert.deepStrictEqual(members(rate), [
      "broker_commission",
      "egress_fee",
      "ingress_fee",
      "intermediary",
      "network_fee",
      "output",
    ])
    assert.strictEqual(BigInt(textAt(rate, "output")), BigInt(textAt(quote, "egressAmount")))
    assert.strictEqual(BigInt(textAt(rate, "intermediary")), BigInt(textAt(quote, "intermediateAmount")))
    assert.deepInclude(at(rate, "ingress_fee"), btc)
    assert.deepInclude(at(rate, "egress_fee"), eth)
    assert.deepInclude(at(rate, "network_fee"), usdc)
    assert.deepInclude(at(rate, "broker_commission"), usdc)
  })

  inSandbox("answers the older rates in their forms", function* (client) {
    const v2 = at(yield* client.call("node", "cf_swap_rate_v2", [eth, usdc, "0xde0b6b3a7640000"]), "result")
    assert.isNull(at(v2, "intermediary"))
    assert.strictEqual(at(v2, "broker_commission", "amount"), "0x0")
    const v1 = at(yield* client.call("node", "cf_swap_rate", [eth, usdc, "0xde0b6b3a7640000"]), "result")
    assert.deepStrictEqual(v1, { intermediary: null, output: Number(textAt(v2, "output")) })
  })

  const large = `0x${(2n ** 128n).toString(16)}`
  const refused: ReadonlyArray<readonly [string, ReadonlyArray<unknown>, number, RegExp]> = [
    ["an amount of zero", [btc, eth, "0x0", 0], -32602, /^Swap input amount cannot be zero\.$/],
    ["an amount of 2^128", [btc, eth, large, 0], -32602, /^Swap input amount too large\.$/],
    ["an amount that is not hex", [btc, eth, "10", 0], -32602, /^Invalid params/],
    [
      "a message that is too long",
      [btc, eth, "0x989680", 0, null, { gas_budget: 0, message_length: 15_001 }],
      -32602,
      /^CCM message size too large\.$/,
    ],
    [
      "a swap that the pools cannot take",
      [btc, eth, `0x${(2n ** 127n).toString(16)}`, 0],
      -32603,
      /^Internal error while processing request\.$/,
    ],
    [
      "a block of the past",
      [btc, eth, "0x989680", 0, null, null, null, null, null, "0xabc"],
      -32022,
      /^Unknown block: 0xabc: State already discarded/,
    ],
    [
      "orders that a quoter adds",
      [btc, eth, "0x989680", 0, null, null, null, [{}]],
      -32020,
      /additional orders/,
    ],
    ["an internal swap", [btc, eth, "0x989680", 0, null, null, null, null, true], -32020, /internal swaps/],
  ]
  eachInSandbox(refused)("refuses a rate for %s", function* (client, [, params, code, message]) {
    const reply = yield* client.call("node", "cf_swap_rate_v3", params)
    assert.strictEqual(at(reply, "error", "code"), code)
    assert.match(textAt(reply, "error", "message"), message)
  })

  inSandbox("lists pools, assets and boost pools", function* (client) {
    const pools = at(yield* client.call("node", "cf_available_pools", []), "result")
    assert.deepStrictEqual(at(pools, 0), { base: btc, quote: usdc })
    assert.strictEqual(at(pools, "length"), 20)
    const assets = at(yield* client.call("node", "cf_supported_assets", []), "result")
    assert.strictEqual(at(assets, "length"), 21)
    const boost = at(yield* client.call("node", "cf_boost_pools_depth", []), "result", 0)
    assert.deepStrictEqual(members(boost), ["asset", "available_amount", "chain", "tier"])
    assert.match(textAt(boost, "available_amount"), /^0x[0-9a-f]+$/)
  })

  inSandbox("describes a pool that exists and knows no other", function* (client) {
    const pool = at(yield* client.call("node", "cf_pool_info", [btc, usdc]), "result")
    assert.deepInclude(pool, { limit_order_fee_hundredth_pips: 0, quote_asset: usdc })
    const none = yield* client.call("node", "cf_pool_info", { base_asset: btc, quote_asset: eth })
    assert.strictEqual(at(none, "error", "code"), -32021)
    assert.match(textAt(none, "error", "message"), /^DispatchError: /)
  })

  inSandbox("says in its safe mode what is switched off", function* (client) {
    yield* change(client, "setSwaps", { enabled: false })
    yield* change(client, "setAsset", { asset: "btc.btc", creationEnabled: false })
    const statuses = at(yield* client.call("node", "cf_safe_mode_statuses", []), "result")
    assert.deepInclude(at(statuses, "swapping"), { swaps_enabled: false, deposit_enabled: true })
    assert.deepStrictEqual(at(statuses, "ingress_egress_bitcoin"), {
      boost_deposits_enabled: true,
      deposit_channel_creation_enabled: false,
      deposit_channel_witnessing_enabled: true,
      vault_deposit_witnessing_enabled: true,
    })
    assert.isTrue(at(statuses, "ingress_egress_ethereum", "deposit_channel_creation_enabled"))
    assert.deepStrictEqual(at(statuses, "broadcast_solana"), {
      retry_enabled: true,
      egress_witnessing_enabled: true,
    })
  })

  inSandbox("prices in millionths of a dollar for each smallest unit, as Q128", function* (client) {
    const prices = at(yield* client.call("node", "cf_oracle_prices", []), "result")
    const usdcPrice = at(prices, 3)
    assert.deepInclude(usdcPrice, { base_asset: "Usdc", quote_asset: "Usd", price: `0x1${"0".repeat(32)}` })
    assert.strictEqual(at(usdcPrice, "updated_at_statechain_block"), 14_000_000)
  })

  inSandbox("is of the version that has every asset", function* (client) {
    const version = yield* client.call("node", "state_getRuntimeVersion", [])
    assert.strictEqual(at(version, "result", "specVersion"), 20_300)
  })
})
