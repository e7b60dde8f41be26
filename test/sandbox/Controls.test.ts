import { assert, describe } from "@effect/vitest"
import { eachInSandbox, inSandbox } from "./inSandbox.ts"
import {
  advance,
  at,
  bitcoinAddress,
  ethereumAddress,
  genesis,
  members,
  openChannel,
  statusOf,
  textAt,
} from "./support.ts"

describe("the controls", () => {
  inSandbox(
    "show the sandbox: time, heights, pools, channels, faults and address patterns",
    function* (client) {
      const channel = yield* openChannel(client)
      const { json, status } = yield* client.get("/sandbox")
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(members(json), [
        "addressPatterns",
        "boostPools",
        "broker",
        "commission",
        "faults",
        "heights",
        "nearIntents",
        "openChannelCount",
        "openChannels",
        "pools",
        "relay",
        "seed",
        "speed",
        "stateChainBlock",
        "switches",
        "time",
        "timeMillis",
      ])
      assert.deepInclude(json, {
        time: "2026-07-29T14:04:24+00:00",
        timeMillis: genesis,
        speed: 0,
        seed: "test",
        openChannelCount: 1,
        faults: [],
      })
      assert.deepInclude(at(json, "openChannels", 0), {
        id: channel.id,
        depositAddress: channel.address,
        sourceAsset: "btc.btc",
        destinationAsset: "eth.eth",
      })
      const pattern = new RegExp(textAt(json, "addressPatterns", "Bitcoin"))
      assert.match(channel.address, pattern)
    },
  )

  inSandbox("send a deposit of human or native units and give the transaction", function* (client) {
    const { address, id } = yield* openChannel(client)
    const amounts = [{ amount: "0.25" }, { amount: 0.25 }, { amountNative: "25000000" }, {
      amountNative: 25_000_000,
    }]
    for (const amount of amounts) {
      const { json, status } = yield* client.send("POST", "/sandbox/deposits", { address, ...amount })
      assert.strictEqual(status, 202)
      assert.deepStrictEqual(members(json), ["transactionHash"])
      const record = yield* statusOf(client, textAt(json, "transactionHash"))
      assert.strictEqual(at(record.json, "deposit", "amount"), "25000000")
      assert.strictEqual(at(record.json, "depositChannel", "id"), id)
    }
  })

  const deposits: ReadonlyArray<readonly [string, unknown, string, RegExp]> = [
    ["no amount", {}, "amount", /exactly one of amount and amountNative/],
    ["two amounts", { amount: "1", amountNative: "1" }, "amount", /exactly one/],
    ["an exponent", { amount: "1e3" }, "amount", /decimal amount without sign or exponent/],
    ["too many digits for a number", { amount: 0.12345678901234567 }, "amount", /as a string/],
    [
      "too many decimals",
      { amount: "0.000000001" },
      "amount",
      /^amount has more decimals than the 8 of btc\.btc/,
    ],
    ["too large an amount", { amount: "9".repeat(60) }, "amount", /^amount is more than/],
    ["nothing", { amountNative: "0" }, "amount", /^amount must be above zero/],
    ["native units that are no digits", { amountNative: "1.5" }, "amountNative", /decimal digits/],
  ]
  eachInSandbox(deposits)(
    "refuse a deposit of %s and say where",
    function* (client, [, amount, parameter, sentence]) {
      const { address } = yield* openChannel(client)
      const { json, status } = yield* client.send("POST", "/sandbox/deposits", { address, ...Object(amount) })
      assert.strictEqual(status, 400)
      assert.strictEqual(at(json, "message"), "The control cannot be done as asked")
      assert.match(textAt(json, "errors", parameter, 0), sentence)
    },
  )

  inSandbox(
    "send another asset of the chain, which never becomes a deposit, and none of another chain",
    function* (client) {
      const channel = yield* openChannel(client, {
        source_asset: { chain: "Ethereum", asset: "ETH" },
        destination_asset: { chain: "Bitcoin", asset: "BTC" },
        destination_address: bitcoinAddress,
        refund_parameters: { refund_address: ethereumAddress },
      })
      const send = (asset: string, amount: string) =>
        client.send("POST", "/sandbox/deposits", { address: channel.address, amount, asset })
      const sent = yield* send("usdc.eth", "12.000001")
      assert.strictEqual(sent.status, 202, sent.text)
      assert.notStrictEqual(textAt(sent.json, "transactionHash"), "")
      yield* advance(client, 7_200)
      assert.notProperty((yield* statusOf(client, channel.id)).json, "deposit")
      assert.strictEqual((yield* send("usdc.eth", "0.0000001")).status, 400, "USDC has six decimals")
      for (const other of ["btc.btc", "usdc.sol"]) {
        const { json, status } = yield* send(other, "1")
        assert.strictEqual(status, 400, other)
        assert.match(textAt(json, "errors", "asset", 0), /on Ethereum/)
      }
      assert.strictEqual((yield* send("eth.eth", "1")).status, 202)
      yield* advance(client, 7_200)
      assert.property((yield* statusOf(client, channel.id)).json, "deposit")
    },
  )

  inSandbox("refuse a deposit to an address that is none of the sandbox's", function* (client) {
    const { json, status } = yield* client.send("POST", "/sandbox/deposits", { address: "bc1q", amount: "1" })
    assert.strictEqual(status, 400)
    assert.match(textAt(json, "errors", "address", 0), /^address belongs to no deposit channel/)
  })

  inSandbox("move time by whole milliseconds, and blocks with it", function* (client) {
    const { json, status } = yield* advance(client, 60.0005)
    assert.strictEqual(status, 200)
    assert.deepStrictEqual(json, { time: "2026-07-29T14:05:24+00:00", timeMillis: genesis + 60_000 })
    const view = (yield* client.get("/sandbox")).json
    assert.strictEqual(at(view, "stateChainBlock"), 14_000_010)
    assert.strictEqual(at(view, "heights", "Ethereum"), 24_500_005)
    for (const advanceSeconds of [-1, "1", 1e12]) {
      const refused = yield* client.send("POST", "/sandbox/time", { advanceSeconds })
      assert.strictEqual(refused.status, 400)
      assert.deepStrictEqual(members(at(refused.json, "errors")), ["advanceSeconds"])
    }
  })

  inSandbox("put faults in force by provider and operation, and clear them", function* (client) {
    const put = (rule: unknown) => client.send("PUT", "/sandbox/faults", rule)
    yield* put({ operation: "quote", kind: "reset", count: 3 })
    yield* put({ operation: "open", code: "too_many_channels" })
    const { json, status } = yield* put({ operation: "quote", kind: "malformed" })
    assert.strictEqual(status, 200)
    const rules = [{ operation: "quote", kind: "malformed" }, {
      operation: "open",
      code: "too_many_channels",
    }]
    assert.deepStrictEqual(json, { faults: rules })
    assert.deepStrictEqual(at((yield* client.get("/sandbox")).json, "faults"), rules)
    assert.deepStrictEqual((yield* client.send("DELETE", "/sandbox/faults", undefined)).json, { faults: [] })
  })

  const rules: ReadonlyArray<readonly [string, unknown, ReadonlyArray<string>]> = [
    ["neither code nor kind", {}, ["code"]],
    ["both code and kind", { code: "upstream_error", kind: "reset" }, ["code"]],
    ["an unknown code and a rate above 1", { code: "oops", rate: 2 }, ["code", "rate"]],
    ["a count of zero", { kind: "reset", count: 0 }, ["count"]],
    ["an unknown operation", { kind: "reset", operation: "pay" }, ["operation"]],
    ["a body that is no object", 5, ["body"]],
    ["a body that is no JSON", "{", ["body"]],
  ]
  eachInSandbox(rules)("refuse a fault with %s", function* (client, [, rule, faulty]) {
    const { json, status } = yield* client.send("PUT", "/sandbox/faults", rule)
    assert.strictEqual(status, 400)
    assert.deepStrictEqual(members(at(json, "errors")), faulty)
  })

  inSandbox("change the network and answer with what it has become", function* (client) {
    const before = (yield* client.get("/sandbox")).json
    const changes = [
      { change: "movePrice", asset: "eth.eth", bps: -5_000 },
      { change: "setDepth", asset: "btc.btc", usdc: "1000000000" },
      { change: "setSwaps", enabled: false },
      { change: "setMaintenance", quoting: true },
      { change: "nextEgress", asset: "eth.eth", outcome: "fallback" },
      { change: "setBoostPool", tierBps: 30, available: "123" },
    ]
    for (const change of changes) {
      assert.strictEqual((yield* client.send("PATCH", "/sandbox/network", change)).status, 200)
    }
    const after = (yield* client.get("/sandbox")).json
    assert.strictEqual(
      2n * BigInt(textAt(after, "pools", 1, "price")),
      BigInt(textAt(before, "pools", 1, "price")),
    )
    assert.strictEqual(at(after, "pools", 0, "quoteReserve"), "1000000000")
    assert.deepStrictEqual(at(after, "switches"), {
      swapsEnabled: false,
      quotingMaintenance: true,
      swappingMaintenance: false,
      withdrawalsEnabled: true,
    })
    const boostPools = at(after, "boostPools")
    assert.deepInclude(Array.isArray(boostPools) ? boostPools : [], {
      asset: "btc.btc",
      tierBps: 30,
      available: "123",
      lent: "0",
    })
  })

  const impossible: ReadonlyArray<readonly [string, unknown, string]> = [
    ["an unknown change", { change: "setFire" }, "body"],
    ["an unknown asset", { change: "movePrice", asset: "btc", bps: 1 }, "asset"],
    ["a price of nothing", { change: "movePrice", asset: "btc.btc", bps: -10_000 }, "body"],
    ["the depth of an asset without a pool", { change: "setDepth", asset: "usdc.eth", usdc: "1" }, "asset"],
    ["an address of no channel", { change: "rejectNextDeposit", address: "bc1q" }, "address"],
  ]
  eachInSandbox(impossible)("refuse %s", function* (client, [, change, parameter]) {
    const { json, status } = yield* client.send("PATCH", "/sandbox/network", change)
    assert.strictEqual(status, 400)
    assert.deepStrictEqual(members(at(json, "errors")), [parameter])
  })

  inSandbox("say which paths and methods there are", function* (client) {
    assert.deepStrictEqual((yield* client.get("/sandbox/nothing")).json, {
      message: "There is no control at /sandbox/nothing",
    })
    const { headers, json, status } = yield* client.get("/sandbox/faults")
    assert.strictEqual(status, 405)
    assert.strictEqual(headers.get("allow"), "PUT, DELETE")
    assert.deepStrictEqual(json, { message: "/sandbox/faults takes PUT, DELETE" })
  })
})
