import { assert, channelsOf, describe, it, TestClock } from "../support.ts"
import { Effect, Schema, Struct } from "effect"
import { Address } from "#domain/chains/Address.ts"
import { type AssetId, chainOf } from "#domain/chains/Asset.ts"
import type { Chain } from "#domain/chains/Chain.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { Bps } from "#domain/money/Bps.ts"
import { anyPrice } from "#domain/money/Price.ts"
import { SwapStatus } from "#domain/swaps/Swap.ts"
import type { SwapRequest } from "#domain/swaps/SwapRequest.ts"
import {
  type Answer,
  type Asked,
  providerOver,
  reasonOf,
  type Reply,
  result,
  rpcError,
} from "./fakeChainflip.ts"
import { environment } from "./fixtures/environment.ts"
import { affiliate, ourAccount } from "./fixtures/swaps.ts"
import { swapRequest } from "./requests.ts"

const method = "broker_request_swap_deposit_address"

const opened = {
  address: "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0",
  issued_block: 14138313,
  channel_id: 13128,
  source_chain_expiry_block: "0xe02e9",
  channel_opening_fee: "0x0",
  refund_parameters: { retry_duration: 150 },
}

const openWith = (answer: Answer, request = swapRequest) =>
  Effect.flatMap(providerOver({ [method]: answer }), ([provider]) => channelsOf(provider).open(request))

const faultOf = (answer: Answer, request = swapRequest) =>
  Effect.flatMap(
    providerOver({ [method]: answer }),
    ([provider]) => reasonOf(channelsOf(provider).open(request)),
  )

const parametersOf = (request: SwapRequest) =>
  Effect.flatMap(
    providerOver({ [method]: result(opened) }),
    ([provider, asked]) =>
      channelsOf(provider).open(request).pipe(
        Effect.map(() => asked.find(({ call }) => call?.method === method)?.call?.params),
      ),
  )

describe("Opening a Chainflip channel", () => {
  it.effect("sends the price limit as Q128 and leaves out what the user did not ask for", function* () {
    assert.deepStrictEqual(yield* parametersOf(swapRequest), [
      { chain: "Bitcoin", asset: "BTC" },
      { chain: "Ethereum", asset: "ETH" },
      "0x1111111111111111111111111111111111111111",
      25,
      null,
      null,
      [{ account: affiliate, bps: 10 }],
      {
        retry_duration: 150,
        refund_address: "bc1qrefund",
        min_price: `0x${(325n * 10n ** 9n * 2n ** 128n).toString(16)}`,
        refund_ccm_metadata: null,
        max_oracle_price_slippage: null,
      },
      null,
    ])
  })

  it.effect("sends message, boost and chunks, and any price as 0x0", function* () {
    const parameters = yield* parametersOf({
      ...swapRequest,
      minimumPrice: anyPrice,
      affiliates: [],
      maximumBoostFeeBps: Bps.make(30),
      dca: { numberOfChunks: 4, chunkIntervalBlocks: 2 },
      ccm: { gasBudget: NativeAmount.make(125_000n), message: "0xdeadbeef" },
    })
    assert.deepStrictEqual(parameters?.slice(4), [
      { message: "0xdeadbeef", gas_budget: "0x1e848", ccm_additional_data: "0x" },
      30,
      null,
      {
        retry_duration: 150,
        refund_address: "bc1qrefund",
        min_price: "0x0",
        refund_ccm_metadata: null,
        max_oracle_price_slippage: null,
      },
      { number_of_chunks: 4, chunk_interval: 2 },
    ])
  })

  it.effect("gives the channel and the record that it starts with", function* () {
    yield* TestClock.setTime(1_785_333_864_000)
    const { channel, status } = yield* openWith(result(opened))
    const id = { issuedBlock: 14138313, network: "Bitcoin", channelId: 13128 }
    assert.deepStrictEqual<unknown>(channel, {
      id,
      depositAddress: "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0",
      sourceExpiryBlock: 918249,
      openingFee: 0n,
      explorerUrl: "https://scan.test/channels/14138313-Bitcoin-13128",
    })
    assert.deepStrictEqual<unknown>(Schema.encodeSync(Schema.toCodecJson(SwapStatus))(status), {
      state: "waiting",
      sourceAsset: "btc.btc",
      destinationAsset: "eth.eth",
      destinationAddress: "0x1111111111111111111111111111111111111111",
      depositChannel: {
        id,
        createdAt: 1_785_333_864_000,
        brokerCommissionBps: 25,
        affiliateBrokers: [{ account: affiliate, commissionBps: 10 }],
        depositAddress: "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0",
        sourceChainExpiryBlock: 918249,
        estimatedExpiryTime: 1_785_420_264_000,
        isExpired: false,
        openedThroughBackend: false,
      },
      estimatedDuration: 1_014_000,
      sourceChainRequiredBlockConfirmations: 2,
      fees: [],
      brokers: [
        { account: ourAccount, commissionBps: 25 },
        { account: affiliate, commissionBps: 10 },
      ],
      fillOrKill: { retryDurationBlocks: 150, refundAddress: "bc1qrefund", minimumPrice: "32.5" },
    })
  })

  it.effect.each(
    [
      ["that the node tells", { channel_opening_fees: { Bitcoin: "0x7", Ethereum: "0x8" } }, 7n],
      ["of 0, where nobody tells one", {}, 0n],
    ] as const,
  )("has the price %s, of a broker that tells none", function* ([, told, price]) {
    const [provider] = yield* providerOver({
      cf_environment: result({
        ...environment,
        ingress_egress: { ...Struct.omit(environment.ingress_egress, ["channel_opening_fees"]), ...told },
      }),
      [method]: result(Struct.omit(opened, ["channel_opening_fee"])),
    })
    const { channel } = yield* channelsOf(provider).open(swapRequest)
    assert.strictEqual<bigint>(channel.openingFee, price)
  })

  /** The broker's result with a deposit address of the asset's chain. */
  const openedOn = (asset: AssetId) => ({ ...opened, address: addresses[chainOf(asset)] ?? opened.address })

  const addresses: { readonly [Key in Chain]?: string } = {
    Ethereum: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
    Solana: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
  }

  it.effect("never hands out an address that is none of the source chain", function* () {
    const reason = yield* faultOf(
      result({ ...opened, address: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed" }),
    )
    assert.strictEqual(reason._tag, "MalformedBody")
    assert.deepInclude(reason, { reached: true })
  })

  it.effect.each<readonly [name: string, request: Partial<SwapRequest>, millis: number]>([
    // 300 + 1 × 600 + 6 · 12 · 90 + 6 seconds.
    ["without boost", {}, 1_014_000],
    // The same: nobody knows yet whether it will be boosted.
    ["that may be boosted", { maximumBoostFeeBps: Bps.make(5) }, 1_014_000],
    // 3 intervals of 2 blocks on top.
    ["in four chunks", { dca: { numberOfChunks: 4, chunkIntervalBlocks: 2 } }, 1_050_000],
    // 6 + 4 × 12 + 2 × 6 + 6 · 12 · 90 + 0.13 seconds.
    ["from Ethereum to Arbitrum", { sourceAsset: "eth.eth", destinationAsset: "eth.arb" }, 174_130],
    // A margin that is null counts as 1: 0.4 + 0.8 + 6 · 12 · 90 + 6 seconds.
    ["from a chain without margin", { sourceAsset: "sol.sol", destinationAsset: "eth.eth" }, 115_200],
  ])("estimates a swap %s", function* ([, change, millis]) {
    const request = { ...swapRequest, ...change }
    const { status } = yield* openWith(result(openedOn(request.sourceAsset)), request)
    assert.strictEqual(status.estimatedDuration, millis)
  })

  it.effect("says no confirmations where the upstream states no margin", function* () {
    const request: SwapRequest = { ...swapRequest, sourceAsset: "sol.sol" }
    const { status } = yield* openWith(result(openedOn("sol.sol")), request)
    assert.notProperty(status, "sourceChainRequiredBlockConfirmations")
  })

  it.effect("keeps boost, chunks and message in the record", function* () {
    const { status } = yield* openWith(result(opened), {
      ...swapRequest,
      maximumBoostFeeBps: Bps.make(30),
      dca: { numberOfChunks: 4, chunkIntervalBlocks: 2 },
      ccm: { gasBudget: NativeAmount.make(1n), message: "0x00" },
    })
    assert.deepStrictEqual(status.boost, { maximumBoostFeeBps: Bps.make(30) })
    assert.deepStrictEqual(status.dca, { numberOfChunks: 4, chunkIntervalBlocks: 2 })
    assert.deepStrictEqual(status.ccm, { gasBudget: NativeAmount.make(1n), message: "0x00" })
  })

  it.effect("writes an Asset Hub address that comes as hex in ss58", function* () {
    const { channel, status } = yield* openWith(
      result({ ...opened, address: `0x${"00".repeat(32)}` }),
      { ...swapRequest, sourceAsset: "dot.hub" },
    )
    const expected = Address.make("111111111111111111111111111111111HC1")
    assert.strictEqual(channel.depositAddress, expected)
    assert.strictEqual(status.depositChannel?.depositAddress, expected)
  })

  it.effect("finds its reply in a batch by its id", function* () {
    const batch = ({ call }: Asked): Reply => ({
      body: [
        { jsonrpc: "2.0", id: "another", result: { ...opened, channel_id: 1 } },
        { jsonrpc: "2.0", id: call?.id, result: opened },
      ],
    })
    const { channel } = yield* openWith(batch)
    assert.strictEqual(channel.id.channelId, 13128)
  })

  it.effect.each<readonly [name: string, answer: Reply, detail: string]>([
    ["is not JSON", { body: "<html>" }, "body: expected JSON, got 6 characters of something else (broker)"],
    [
      "replies to another call",
      { body: { id: "x", result: opened } },
      "The broker did not reply to the call",
    ],
    ["is an empty batch", { body: [] }, "The broker did not reply to the call"],
    ["is a bare 500", { status: 500, body: "" }, "The broker answered 500"],
    ["is a 502", { status: 502, body: "<html>" }, "The broker answered 502"],
    [
      "is a 503 of unknown meaning",
      { status: 503, body: { message: "busy" } },
      "The broker answered 503: busy",
    ],
    ["is a 504", { status: 504, body: "" }, "The broker answered 504"],
  ])(
    "leaves the outcome unknown when the answer %s",
    function* ([, answer, detail]) {
      assert.deepInclude(yield* faultOf(answer), { detail, reached: true })
    },
  )

  it.effect("leaves the outcome unknown when the result does not fit, and names the path", function* () {
    const reason = yield* faultOf(result({ ...opened, issued_block: null }))
    assert.strictEqual(reason._tag, "MalformedBody")
    assert.deepInclude(reason, {
      detail: "result.issued_block: expected a count (safe integer, 0x hex or digits), got null",
      reached: true,
    })
    const missing = yield* faultOf(({ call }) => ({ body: { id: call?.id } }))
    assert.deepInclude(missing, { detail: "result: expected a value, got nothing", reached: true })
  })

  it.effect("has not reached the broker when the limits cannot be asked for", function* () {
    const [provider, asked] = yield* providerOver({ cf_environment: { status: 502, body: "" } })
    const reason = yield* reasonOf(channelsOf(provider).open(swapRequest))
    assert.strictEqual(reason._tag, "Unreachable")
    assert.deepInclude(reason, { detail: "The node answered 502", reached: false })
    assert.isFalse(asked.some(({ url }) => url.host === "broker.test"))
  })

  it.effect("calls the broker once, whatever it answers", function* () {
    const [provider, asked] = yield* providerOver({ [method]: rpcError(-32603, "Internal error") })
    yield* reasonOf(channelsOf(provider).open(swapRequest))
    assert.strictEqual(asked.filter(({ url }) => url.host === "broker.test").length, 1)
  })

  it.effect("never shows the broker's URL", function* () {
    const reason = yield* faultOf(
      rpcError(-32020, "cannot reach ws://user:pw@10.0.0.1:9944/?apiKey=top-secret\nnow"),
    )
    assert.deepInclude(reason, { detail: "The broker answered error -32020: cannot reach <url> now" })
  })
})
