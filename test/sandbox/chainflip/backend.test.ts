import { assert, describe } from "@effect/vitest"
import { eachInSandbox, inSandbox } from "../inSandbox.ts"
import { at, bitcoinAddress, change, ethereumAddress, members, statusOf, textAt } from "../support.ts"

const networkInfo = "/chainflip/backend/api/networkInfo"
const openPath = "/chainflip/backend/api/openSwapDepositChannel"

const body = {
  srcAsset: { chain: "Bitcoin", asset: "BTC" },
  destAsset: { chain: "Ethereum", asset: "ETH" },
  destAddress: ethereumAddress,
  amount: "25000000",
  maxBoostFeeBps: 5,
  fillOrKillParams: { retryDurationBlocks: 100, refundAddress: bitcoinAddress, minPriceX128: "1234" },
  dcaParams: { numberOfChunks: 2, chunkIntervalBlocks: 2 },
  takeCommission: true,
}

describe("the backend", () => {
  inSandbox("is healthy, and knows no other paths or methods", function* (client) {
    assert.strictEqual((yield* client.get("/chainflip/backend/healthcheck")).text, "OK")
    for (const path of ["/chainflip/backend", "/chainflip/backend/v3/quote"]) {
      const { json, status } = yield* client.get(path)
      assert.strictEqual(status, 404)
      assert.deepStrictEqual(json, { message: "resource not found" })
    }
    assert.strictEqual((yield* client.send("POST", networkInfo, {})).status, 404)
    assert.strictEqual((yield* client.get("/elsewhere")).status, 404)
  })

  inSandbox("lists the switches of every asset", function* (client) {
    yield* change(client, "setAsset", { asset: "eth.eth", egressEnabled: false })
    const { json, status } = yield* client.get(networkInfo)
    assert.strictEqual(status, 200)
    assert.strictEqual(at(json, "cfBrokerCommissionBps"), 0)
    assert.strictEqual(at(json, "assets", "length"), 21)
    assert.deepStrictEqual(at(json, "assets", 0), {
      asset: "Btc",
      vaultSwapDepositsEnabled: true,
      depositChannelDepositsEnabled: true,
      depositChannelCreationEnabled: true,
      egressEnabled: true,
      boostDepositsEnabled: true,
      livePriceProtectionEnabled: true,
    })
    assert.deepInclude(at(json, "assets", 1), {
      asset: "Eth",
      egressEnabled: false,
      boostDepositsEnabled: false,
    })
  })

  inSandbox("closes /api in the swap service's maintenance, but not status", function* (client) {
    yield* change(client, "setMaintenance", { swapping: true })
    const message = "The swap service is currently unavailable due to maintenance"
    for (const answer of [yield* client.get(networkInfo), yield* client.send("POST", openPath, body)]) {
      assert.strictEqual(answer.status, 503)
      assert.deepStrictEqual(answer.json, { message })
    }
    assert.strictEqual((yield* statusOf(client, "1-Bitcoin-1")).status, 404)
  })

  inSandbox("opens channels of its own broker and shows them as such", function* (client) {
    const { json, status } = yield* client.send("POST", openPath, body)
    assert.strictEqual(status, 201)
    assert.deepStrictEqual(members(json), [
      "brokerCommissionBps",
      "channelOpeningFee",
      "depositAddress",
      "estimatedExpiryTime",
      "id",
      "issuedBlock",
      "maxBoostFeeBps",
      "srcChainExpiryBlock",
    ])
    assert.deepInclude(json, { id: "14000000-Bitcoin-1", maxBoostFeeBps: 5, channelOpeningFee: "0" })
    const record = (yield* statusOf(client, textAt(json, "id"))).json
    assert.deepInclude(at(record, "depositChannel"), {
      openedThroughBackend: true,
      expectedDepositAmount: "25000000",
    })
  })

  inSandbox("reads assets as older clients write them", function* (client) {
    const { json, status } = yield* client.send("POST", openPath, {
      ...body,
      srcAsset: "ETH",
      srcChain: "Arbitrum",
      destAsset: "BTC",
      destChain: "Bitcoin",
      destAddress: bitcoinAddress,
      amount: `${10n ** 18n}`,
      maxBoostFeeBps: 0,
      fillOrKillParams: { ...body.fillOrKillParams, refundAddress: ethereumAddress },
    })
    assert.strictEqual(status, 201)
    assert.strictEqual(at(json, "id"), "14000000-Arbitrum-1")
  })

  inSandbox("says where a body does not fit, as its schema library does", function* (client) {
    const { json, status } = yield* client.send("POST", openPath, {
      ...body,
      amount: 5,
      fillOrKillParams: { ...body.fillOrKillParams, minPriceX128: "0x1" },
    })
    assert.strictEqual(status, 400)
    assert.strictEqual(at(json, "name"), "ZodError")
    assert.deepStrictEqual(at(json, "issues", 0, "path"), ["amount"])
    assert.deepStrictEqual(at(json, "issues", 1, "path"), ["fillOrKillParams", "minPriceX128"])
    assert.strictEqual((yield* client.send("POST", openPath, "{")).status, 400)
  })

  const refusals: ReadonlyArray<readonly [string, object, number, RegExp]> = [
    ["too little", { amount: "39999" }, 400, /^expected amount is below minimum swap amount \(40000\)$/],
    ["a bad address", { destAddress: "0x1" }, 500, /Module error ‘InvalidDestinationAddress‘/],
  ]
  eachInSandbox(refusals)(
    "refuses to open a channel for %s",
    function* (client, [, changes, expected, message]) {
      const { json, status } = yield* client.send("POST", openPath, { ...body, ...changes })
      assert.strictEqual(status, expected)
      assert.match(textAt(json, "message"), message)
    },
  )

  inSandbox("opens no more than 25 channels for the same destination and pair", function* (client) {
    for (let count = 0; count < 25; count++) {
      assert.strictEqual((yield* client.send("POST", openPath, body)).status, 201)
    }
    const { json, status } = yield* client.send("POST", openPath, body)
    assert.strictEqual(status, 400)
    assert.deepStrictEqual(json, { message: "too many channels" })
  })
})
