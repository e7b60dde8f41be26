import { assert, describe, it } from "#test/support/it.ts"
import { bytesToHex } from "@noble/hashes/utils.js"
import { BigDecimal, Effect, Result } from "effect"
import { Address, BrokerAccount } from "#domain/chains/Address.ts"
import { encodeSs58 } from "#domain/chains/address/Ss58.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { Bps } from "#domain/money/Bps.ts"
import { channelKey, encodeChannel } from "#domain/chains/payload/depositChannel.ts"
import { Price, toX128 } from "#domain/money/Price.ts"
import type { SwapRequest } from "#domain/swaps/SwapRequest.ts"
import { EpochMillis } from "#domain/Time.ts"
import type { Channels, Listing } from "#providers/Provider.ts"
import { brokerAccount } from "#sandbox/engine/figures.ts"
import { advance, at, genesis } from "#test/sandbox/support.ts"
import { present } from "#test/sandbox/engine/support.ts"
import { providerOver, result, rpcError, type Script } from "./fakeChainflip.ts"
import { providerOverSandbox } from "./overSandbox.ts"

const affiliate = encodeSs58(2112, new Uint8Array(32).fill(7))

/** A sandbox, and the provider's channels over it. */
const overSandbox = Effect.map(providerOverSandbox, ({ client, provider: { channels } }) => ({
  client,
  channels: present(channels),
  list: present(channels?.list),
}))

const bitcoin = Address.make("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4")
const taproot = Address.make("bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr")
const evm = Address.make("0x1111111111111111111111111111111111111111")
const solana = Address.make("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v")
const tron = Address.make("TQNPGpohiZLiWQvc6wTWjHCae8VoxaXnej")

const request: SwapRequest = {
  sourceAsset: "btc.btc",
  destinationAsset: "eth.eth",
  destinationAddress: evm,
  refundAddress: bitcoin,
  minimumPrice: Price.make(BigDecimal.fromStringUnsafe("12.5")),
  retryDurationBlocks: 150,
  maximumBoostFeeBps: Bps.make(0),
  commissionBps: Bps.make(25),
  affiliates: [],
}

const others = {
  "another asset": { destinationAsset: "flip.eth" },
  "another address": { destinationAddress: Address.make("0x2222222222222222222222222222222222222222") },
  "another refund address": { refundAddress: taproot },
  "another price limit": { minimumPrice: Price.make(BigDecimal.fromStringUnsafe("12.6")) },
  "another time to retry": { retryDurationBlocks: 151 },
  "another commission": { commissionBps: Bps.make(26) },
  "an affiliate": { affiliates: [{ account: BrokerAccount.make(affiliate), commissionBps: Bps.make(10) }] },
  "a boost": { maximumBoostFeeBps: Bps.make(5) },
  "a limit by the oracle": { maximumOraclePriceSlippageBps: Bps.make(100) },
  "chunks": { dca: { numberOfChunks: 2, chunkIntervalBlocks: 2 } },
  "a message": { ccm: { gasBudget: NativeAmount.make(1n), message: "0x0102" } },
} satisfies Readonly<Record<string, Partial<SwapRequest>>>

const find = (
  { findOpening }: Channels,
  unrecorded: Listing,
  asked: SwapRequest = request,
  requestedAt: number = genesis,
) => present(findOpening)(asked, EpochMillis.make(requestedAt), unrecorded)

/** The transaction's life, and what is added to it, in seconds. */
const life = (128 + 24) * 6

describe("an opening whose answer was lost", () => {
  for (
    const [name, change] of [
      ["from Bitcoin, by a taproot refund address", { refundAddress: taproot }],
      ["from Ethereum to Bitcoin", {
        sourceAsset: "usdc.eth",
        refundAddress: evm,
        destinationAsset: "btc.btc",
        destinationAddress: bitcoin,
      }],
      ["from Arbitrum to Solana", {
        sourceAsset: "eth.arb",
        refundAddress: evm,
        destinationAsset: "sol.sol",
        destinationAddress: solana,
      }],
      ["from Solana to Assethub", {
        sourceAsset: "usdc.sol",
        refundAddress: solana,
        destinationAsset: "dot.hub",
        destinationAddress: Address.make("15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5"),
      }],
      ["from Tron", { sourceAsset: "usdt.tron", refundAddress: tron }],
      ["from BNB Chain", { sourceAsset: "usdt.bsc", refundAddress: evm }],
      ...Object.entries(others),
    ] satisfies ReadonlyArray<readonly [string, Partial<SwapRequest>]>
  ) {
    it.effect(`is found with all that it was opened with: ${name}`, function* () {
      const { channels, client, list } = yield* overSandbox
      const asked = { ...request, ...change }
      const opened = yield* channels.open(asked)
      yield* advance(client, 60)
      const listing = yield* list
      assert.deepStrictEqual(listing.channels, [{
        asset: asked.sourceAsset,
        depositAddress: opened.channel.depositAddress,
      }])
      const found = yield* find(channels, listing, asked)
      assert.strictEqual(found._tag, "Found")
      if (found._tag !== "Found") return
      assert.deepStrictEqual(found.opened.channel, opened.channel)
      assert.deepStrictEqual(found.opened.status.fillOrKill, opened.status.fillOrKill)
    })
  }

  for (const [name, change] of Object.entries(others)) {
    const isElsewhere = "destinationAsset" in change || "destinationAddress" in change
    const [expected, said] = isElsewhere
      ? ["NothingOpened", "and was not made"]
      : ["NotKnown", "nor taken for none"]
    it.effect(`is not another channel with ${name}, ${said}`, function* () {
      const { channels, client, list } = yield* overSandbox
      yield* channels.open({ ...request, ...change })
      yield* advance(client, life + 60)
      assert.strictEqual((yield* find(channels, yield* list))._tag, expected)
    })
  }

  it.effect("is not told from another with the same terms", function* () {
    const { channels, client, list } = yield* overSandbox
    yield* channels.open(request)
    yield* channels.open(request)
    yield* advance(client, life + 60)
    assert.strictEqual((yield* find(channels, yield* list))._tag, "NotKnown")
  })

  it.effect("is no channel from before it", function* () {
    const { channels, client, list } = yield* overSandbox
    yield* channels.open(request)
    yield* advance(client, 3_600)
    const later = genesis + 3_600_000
    assert.strictEqual((yield* find(channels, yield* list, request, later))._tag, "NotKnown")
    yield* advance(client, life)
    assert.strictEqual((yield* find(channels, yield* list, request, later))._tag, "NothingOpened")
  })

  it.effect("opened nothing once its transaction can have no effect any more, and not before", function* () {
    const { channels, client, list } = yield* overSandbox
    for (
      const [seconds, expected] of [
        [0, "NotKnown"],
        [life - 6, "NotKnown"],
        [6, "NothingOpened"],
        [19 * 3_600, "NothingOpened"],
        [3_600, "NotKnown"],
      ] as const
    ) {
      yield* advance(client, seconds)
      assert.strictEqual((yield* find(channels, yield* list))._tag, expected, `${seconds}`)
    }
  })

  it.effect("is not known from Assethub, whose channels no node lists", function* () {
    const { channels, client, list } = yield* overSandbox
    const account = Address.make("15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5")
    const asked: SwapRequest = { ...request, sourceAsset: "dot.hub", refundAddress: account }
    yield* channels.open(asked)
    yield* advance(client, life + 60)
    const listing = yield* list
    assert.isEmpty(listing.channels)
    assert.strictEqual((yield* find(channels, listing, asked))._tag, "NotKnown")
  })
})

describe("the list of channels", () => {
  it.effect("has none of another broker's", function* () {
    const { client, list } = yield* overSandbox
    const { status } = yield* client.send("POST", "/chainflip/backend/api/openSwapDepositChannel", {
      srcAsset: { chain: "Bitcoin", asset: "BTC" },
      destAsset: { chain: "Ethereum", asset: "ETH" },
      destAddress: evm,
      amount: "25000000",
      fillOrKillParams: { retryDurationBlocks: 150, refundAddress: bitcoin, minPriceX128: "0" },
    })
    assert.strictEqual(status, 201)
    const reply = yield* client.call("broker", "broker_all_open_deposit_channels", [])
    assert.strictEqual(at(reply, "result", 0, 1), "Swap")
    assert.isEmpty((yield* list).channels)
  })

  it.effect("fails where the node is too old to have it, which says nothing of any opening", function* () {
    const { client, list } = yield* overSandbox
    yield* client.send("PUT", "/sandbox/faults", {
      provider: "chainflip",
      operation: "list",
      kind: "not_offered",
    })
    const error = yield* Effect.flip(list)
    assert.deepInclude(error, { operation: "status" })
    assert.include(JSON.stringify(error.reason), "Method not found")
  })
})

describe("a node that keeps the state of few blocks", () => {
  const head = 1_000
  const key = Result.getOrThrow(channelKey("Bitcoin", taproot))
  const value = Result.getOrThrow(encodeChannel({
    channelId: 7,
    depositAddress: taproot,
    openedAtBlock: 1,
    expiryBlock: 145,
    terms: {
      ...request,
      brokers: [{ account: brokerAccount, commissionBps: 25 }],
      minimumPriceX128: toX128(request.minimumPrice, "btc.btc", "eth.eth"),
    },
  }, "Bitcoin"))
  const listing: Listing = {
    channels: [{ asset: "btc.btc", depositAddress: taproot }],
    complete: { from: EpochMillis.make(0), until: EpochMillis.make(genesis + 3_600_000) },
  }
  /** Keeps the state from a block on, and has the channel from another one on. */
  const nodeKeeping = (kept: number, issued: number): Script => ({
    chain_getFinalizedHead: result(`0x${head}`),
    chain_getHeader: result({ number: `0x${head.toString(16)}` }),
    chain_getBlockHash: (asked) => result(`0x${asked.call?.params[0]}`)(asked),
    state_getStorage: (asked) => {
      const [wanted, hash] = asked.call?.params ?? []
      const height = Number(`${hash}`.slice(2))
      if (height < kept) return rpcError(4003, "Client error: UnknownBlock: State already discarded")(asked)
      if (wanted === key) return result(height < issued ? null : `0x${bytesToHex(value)}`)(asked)
      const time = new Uint8Array(8)
      new DataView(time.buffer).setBigUint64(0, BigInt(genesis + (height - 900) * 6_000), true)
      return result(`0x${bytesToHex(time)}`)(asked)
    },
  })

  for (
    const [name, kept, issued, expected] of [
      ["tells a channel that was issued within them", 745, 900, "Found"],
      ["tells no channel whose block it does not know any more", 901, 900, "NotKnown"],
    ] as const
  ) {
    it.effect(name, function* () {
      const [{ channels }] = yield* providerOver(nodeKeeping(kept, issued), { brokerAccount })
      const trace = yield* find(present(channels), listing)
      assert.strictEqual(trace._tag, expected)
      if (trace._tag !== "Found") return
      assert.deepStrictEqual(trace.opened.channel.id, { issuedBlock: 900, network: "Bitcoin", channelId: 7 })
      assert.strictEqual(trace.opened.channel.sourceExpiryBlock, 145)
    })
  }
})
