import { assert, describe } from "@effect/vitest"
import { eachInSandbox, inSandbox } from "../inSandbox.ts"
import {
  advance,
  at,
  bitcoinAddress,
  deposit,
  ethereumAddress,
  feeTypes,
  genesis,
  members,
  openChannel,
  statesOf,
  statusOf,
  textAt,
} from "../support.ts"

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

describe("GET /v2/swaps/:id", () => {
  inSandbox("shows a channel that waits", function* (client) {
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
      srcChainRequiredBlockConfirmations: 3,
      estimatedDurationSeconds: 1614,
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
  })

  inSandbox("keeps an expired channel waiting", function* (client) {
    const channel = yield* openChannel(client)
    yield* advance(client, 3 * 86_400)
    const { json } = yield* statusOf(client, channel.id)
    assert.strictEqual(at(json, "state"), "WAITING")
    assert.isTrue(at(json, "depositChannel", "isExpired"))
  })

  inSandbox("goes through every state of a swap with the members that each has", function* (client) {
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
  })

  inSandbox("finds a swap by channel in any case, by swap request and by transaction", function* (client) {
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
  })

  const unknown: ReadonlyArray<readonly [string, number, string]> = [
    ["1-Bitcoin-1", 404, "resource not found"],
    ["987654321", 404, "resource not found"],
    ["0xdeadbeef", 404, "resource not found"],
    ["1-Litecoin-1", 400, "Invalid chain: Litecoin"],
    ["%zz", 400, "invalid request"],
  ]
  eachInSandbox(unknown)("answers the id %s with %i", function* (client, [id, expected, message]) {
    const { json, status } = yield* statusOf(client, id)
    assert.strictEqual(status, expected)
    assert.deepStrictEqual(json, { message })
  })
})
