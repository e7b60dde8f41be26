import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import {
  advance,
  at,
  bitcoinAddress,
  type Client,
  deposit,
  ethereumAddress,
  genesis,
  members,
  openChannel,
  type OpenedChannel,
  startSandbox,
  statusOf,
  textAt,
} from "../support.ts"

/** Each state that the record goes through and the record in it, looked at once a state-chain block. */
const statesOf = Effect.fnUntraced(function* (client: Client, channel: OpenedChannel) {
  const seen = new Map<string, unknown>()
  for (let block = 0; block < 1_000; block++) {
    const { json } = yield* statusOf(client, channel.id)
    const state = textAt(json, "state")
    if (!seen.has(state)) seen.set(state, json)
    if (state === "COMPLETED" || state === "FAILED") {
      seen.set(state, json)
      return seen
    }
    yield* advance(client, 6)
  }
  return seen
})

/** The record after a day, when everything is over. */
const endOf = Effect.fnUntraced(function* (client: Client, channel: OpenedChannel) {
  yield* advance(client, 86_400)
  const { json } = yield* statusOf(client, channel.id)
  return json
})

const always = [
  "brokers",
  "depositChannel",
  "destAddress",
  "destAsset",
  "destChain",
  "estimatedDurationSeconds",
  "estimatedDurationsSeconds",
  "fees",
  "fillOrKillParams",
  "lastStatechainUpdateAt",
  "srcAsset",
  "srcChain",
  "srcChainRequiredBlockConfirmations",
  "state",
]

const feeTypes = (record: unknown): ReadonlyArray<string> => {
  const fees = at(record, "fees")
  return Array.isArray(fees) ? fees.map((fee) => textAt(fee, "type")) : []
}

describe("GET /v2/swaps/:id", () => {
  it.effect("shows a channel that waits", () =>
    Effect.gen(function* () {
      const client = yield* startSandbox()
      const channel = yield* openChannel(client)
      const { headers, json, status } = yield* statusOf(client, channel.id)
      assert.strictEqual(status, 200)
      assert.isNotNull(headers.get("x-chainflip-last-statechain-update"))
      assert.deepStrictEqual(members(json), always)
      assert.deepInclude(json, {
        state: "WAITING",
        srcAsset: "BTC",
        srcChain: "Bitcoin",
        destAsset: "ETH",
        destChain: "Ethereum",
        destAddress: ethereumAddress,
        srcChainRequiredBlockConfirmations: 2,
        estimatedDurationSeconds: 1014,
        fees: [],
        fillOrKillParams: { refundAddress: bitcoinAddress, minPrice: "0", retryDurationBlocks: 150 },
      })
      assert.deepStrictEqual(members(at(json, "depositChannel")), [
        "createdAt",
        "depositAddress",
        "estimatedExpiryTime",
        "id",
        "isExpired",
        "openedThroughBackend",
        "srcChainExpiryBlock",
      ])
      assert.deepInclude(at(json, "depositChannel"), {
        id: channel.id,
        createdAt: genesis,
        depositAddress: channel.address,
        isExpired: false,
        openedThroughBackend: false,
      })
      assert.match(textAt(json, "depositChannel", "srcChainExpiryBlock"), /^[0-9]+$/)
    }))

  it.effect("keeps an expired channel waiting", () =>
    Effect.gen(function* () {
      const client = yield* startSandbox()
      const channel = yield* openChannel(client)
      yield* advance(client, 3 * 86_400)
      const { json } = yield* statusOf(client, channel.id)
      assert.strictEqual(at(json, "state"), "WAITING")
      assert.isTrue(at(json, "depositChannel", "isExpired"))
    }))

  it.effect("goes through every state of a swap with the members that each has", () =>
    Effect.gen(function* () {
      const client = yield* startSandbox()
      const channel = yield* openChannel(client)
      assert.strictEqual(at((yield* statusOf(client, channel.id)).json, "state"), "WAITING")
      assert.strictEqual((yield* deposit(client, channel, "25000000")).status, 202)
      const seen = yield* statesOf(client, channel)
      assert.deepStrictEqual([...seen.keys()], [
        "RECEIVING",
        "SWAPPING",
        "SENDING",
        "SENT",
        "COMPLETED",
      ])
      const added = (state: string) => members(seen.get(state)).filter((member) => !always.includes(member))
      assert.deepStrictEqual(added("RECEIVING"), ["deposit"])
      assert.deepStrictEqual(added("SWAPPING"), ["deposit", "swap", "swapId"])
      assert.deepStrictEqual(added("SENDING"), ["deposit", "swap", "swapEgress", "swapId"])
      assert.notInclude(members(at(seen.get("RECEIVING"), "deposit")), "witnessedAt")
      assert.notInclude(members(at(seen.get("SWAPPING"), "swap", "regular")), "executedAt")
      assert.deepStrictEqual(members(at(seen.get("SENDING"), "swapEgress")), [
        "amount",
        "scheduledAt",
        "scheduledBlockIndex",
      ])
      assert.include(members(at(seen.get("SENT"), "swapEgress")), "txRef")
      assert.notInclude(members(at(seen.get("SENT"), "swapEgress")), "witnessedAt")

      const done = seen.get("COMPLETED")
      assert.match(textAt(done, "swapId"), /^[0-9]+$/)
      assert.deepStrictEqual(members(at(done, "swap")), [
        "originalInputAmount",
        "regular",
        "remainingInputAmount",
        "swappedInputAmount",
        "swappedIntermediateAmount",
        "swappedOutputAmount",
      ])
      assert.deepStrictEqual(members(at(done, "swap", "regular")), [
        "executedAt",
        "executedBlockIndex",
        "inputAmount",
        "intermediateAmount",
        "outputAmount",
        "retryCount",
        "scheduledAt",
        "scheduledBlockIndex",
      ])
      assert.deepStrictEqual(members(at(done, "swapEgress")), [
        "amount",
        "scheduledAt",
        "scheduledBlockIndex",
        "txRef",
        "witnessedAt",
        "witnessedBlockIndex",
      ])
      assert.strictEqual(at(done, "deposit", "amount"), "25000000")
      assert.match(textAt(done, "deposit", "witnessedBlockIndex"), /^[0-9]+-[0-9]+$/)
      assert.sameMembers([...feeTypes(done)], ["INGRESS", "NETWORK", "BROKER", "EGRESS"])
      assert.deepInclude(at(done, "brokers", 0), { commissionBps: 25 })
    }))

  it.effect("finds a swap by channel in any case, by swap request and by transaction", () =>
    Effect.gen(function* () {
      const client = yield* startSandbox()
      const channel = yield* openChannel(client)
      const sent = yield* deposit(client, channel, "25000000")
      yield* advance(client, 86_400)
      const byChannel = yield* statusOf(client, channel.id)
      const ids = [
        channel.id.toLowerCase(),
        textAt(byChannel.json, "swapId"),
        textAt(sent.json, "transactionHash"),
      ]
      for (const id of ids) assert.deepStrictEqual((yield* statusOf(client, id)).json, byChannel.json)
    }))

  const unknown: ReadonlyArray<readonly [string, number, string]> = [
    ["1-Bitcoin-1", 404, "resource not found"],
    ["987654321", 404, "resource not found"],
    ["0xdeadbeef", 404, "resource not found"],
    ["1-Litecoin-1", 400, "Invalid chain: Litecoin"],
    ["%zz", 400, "invalid request"],
  ]
  it.effect.each(unknown)("answers the id %s with %i", ([id, expected, message]) =>
    Effect.gen(function* () {
      const client = yield* startSandbox()
      const { json, status } = yield* statusOf(client, id)
      assert.strictEqual(status, expected)
      assert.deepStrictEqual(json, { message })
    }))

  it.effect("shows chunks, the last and the current one", () =>
    Effect.gen(function* () {
      const client = yield* startSandbox()
      const channel = yield* openChannel(client, {
        dca_parameters: { number_of_chunks: 3, chunk_interval: 10 },
      })
      const dcaParams = { numberOfChunks: 3, chunkIntervalBlocks: 10 }
      yield* deposit(client, channel, "25000000")
      const waiting = (yield* statusOf(client, channel.id)).json
      assert.deepStrictEqual(at(waiting, "dcaParams"), dcaParams)
      assert.deepStrictEqual(at(waiting, "depositChannel", "dcaParams"), dcaParams)
      const seen = yield* statesOf(client, channel)
      const first = at(seen.get("SWAPPING"), "swap", "dca")
      assert.deepInclude(first, { lastExecutedChunk: null, executedChunks: 0, remainingChunks: 3 })
      assert.isNotNull(at(first, "currentChunk"))
      const last = at(seen.get("COMPLETED"), "swap", "dca")
      assert.deepInclude(last, { currentChunk: null, executedChunks: 3, remainingChunks: 0 })
      assert.notProperty(at(seen.get("COMPLETED"), "swap"), "regular")
    }))

  it.effect("shows what became of a boost", () =>
    Effect.gen(function* () {
      const client = yield* startSandbox()
      const boosted = yield* openChannel(client, { boost_fee: 10 })
      yield* deposit(client, boosted, "10000000")
      const done = yield* endOf(client, boosted)
      assert.deepStrictEqual(members(at(done, "boost")), [
        "boostedAt",
        "boostedBlockIndex",
        "effectiveBoostFeeBps",
        "maxBoostFeeBps",
      ])
      assert.include(feeTypes(done), "BOOST")

      yield* client.send("PATCH", "/sandbox/network", {
        change: "setAsset",
        asset: "btc.btc",
        boostEnabled: false,
      })
      const skipped = yield* openChannel(client, { boost_fee: 10 })
      yield* deposit(client, skipped, "10000000")
      const boost = at(yield* endOf(client, skipped), "boost")
      assert.deepInclude(boost, { maxBoostFeeBps: 10, effectiveBoostFeeBps: 0 })
      assert.includeMembers([...members(boost)], ["skippedAt", "skippedBlockIndex"])
    }))

  it.effect("refunds a deposit whose price is never met", () =>
    Effect.gen(function* () {
      const client = yield* startSandbox()
      const channel = yield* openChannel(client, {
        refund_parameters: { min_price: `0x${(2n ** 200n).toString(16)}`, retry_duration: 10 },
      })
      yield* deposit(client, channel, "25000000")
      const done = yield* endOf(client, channel)
      assert.strictEqual(at(done, "state"), "COMPLETED")
      assert.notProperty(done, "swapEgress")
      assert.include(members(at(done, "refundEgress")), "witnessedAt")
      const chunk = at(done, "swap", "regular")
      assert.include(members(chunk), "latestSwapRescheduledReason")
      assert.strictEqual(at(chunk, "abortedReason"), "MinPriceViolation")
      assert.notProperty(chunk, "executedAt")
      assert.includeMembers([...feeTypes(done)], ["REFUND"])
    }))

  it.effect("shows why a deposit was not credited", () =>
    Effect.gen(function* () {
      const client = yield* startSandbox()
      const channel = yield* openChannel(client)
      yield* deposit(client, channel, "1000")
      const failed = yield* endOf(client, channel)
      assert.strictEqual(at(failed, "state"), "FAILED")
      assert.deepStrictEqual(members(at(failed, "deposit", "failure")), [
        "failedAt",
        "failedBlockIndex",
        "mode",
        "reason",
      ])
      assert.deepInclude(at(failed, "deposit", "failure"), {
        mode: "DEPOSIT_IGNORED",
        reason: {
          name: "BelowMinimumDeposit",
          message: "The deposited amount was below the minimum required",
        },
      })
      assert.deepStrictEqual(at(failed, "fees"), [])
      assert.notProperty(failed, "swapId")
      assert.deepStrictEqual(at(failed, "swap"), {
        originalInputAmount: "1000",
        remainingInputAmount: "1000",
        swappedInputAmount: "0",
        swappedIntermediateAmount: "0",
        swappedOutputAmount: "0",
      })
    }))

  it.effect("sends a rejected deposit back", () =>
    Effect.gen(function* () {
      const client = yield* startSandbox()
      const channel = yield* openChannel(client)
      yield* client.send("PATCH", "/sandbox/network", {
        change: "rejectNextDeposit",
        address: channel.address,
      })
      yield* deposit(client, channel, "25000000")
      const failed = yield* endOf(client, channel)
      assert.strictEqual(at(failed, "state"), "FAILED")
      assert.strictEqual(at(failed, "deposit", "failure", "mode"), "DEPOSIT_REJECTED")
      assert.property(failed, "refundEgress")
    }))

  it.effect("shows an aborted payment with the call that it would have made", () =>
    Effect.gen(function* () {
      const client = yield* startSandbox()
      const channel = yield* openChannel(client)
      yield* client.send("PATCH", "/sandbox/network", {
        change: "nextEgress",
        asset: "eth.eth",
        outcome: "abort",
      })
      yield* deposit(client, channel, "25000000")
      const failed = yield* endOf(client, channel)
      assert.strictEqual(at(failed, "state"), "FAILED")
      assert.strictEqual(at(failed, "swapEgress", "failure", "mode"), "SENDING_FAILED")
      assert.deepStrictEqual(members(at(failed, "swapEgress", "transactionPayload")), [
        "chainId",
        "contract",
        "data",
        "value",
      ])
    }))
})
