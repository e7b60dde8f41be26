import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { addresses, addressFor, brokerAccounts } from "./support/addresses.ts"
import { call, get, type Query, withBroker } from "./support/call.ts"
import { find, integerAt, type Json, parseJson, textAt } from "./support/Json.ts"
import { faultText, faultyParameters } from "./support/problem.ts"
import { openSwap, statusOf, swapParameters } from "./support/swaps.ts"
import { acceptedSwaps, refusedSwaps } from "./support/swapRules.ts"

/** Where the parameters of `/swap` can stand; all ways mean the same (decision 4). */
const ways = {
  "GET /swap": (query: Query) => call("GET", "/swap", { query }),
  "POST /swap with a query": (query: Query) => call("POST", "/swap", { query }),
  "POST /swap with a body": (query: Query) =>
    call("POST", "/swap", { body: Object.fromEntries(Object.entries(query)) }),
}

const openChannels = Effect.map(get("/sandbox"), (view) => integerAt(view, "openChannelCount"))

/** What JSON says of a value of the test. */
const asJson = (value: unknown): Json | undefined =>
  value === undefined ? undefined : parseJson(JSON.stringify(value))

withBroker()("the parameters of /swap (decisions 2 to 11)", (it) => {
  for (const [way, send] of Object.entries(ways)) {
    it.effect(
      `${way}: refuses what breaks a rule, names every fault and opens nothing`,
      function* () {
        const before = yield* openChannels
        for (const [changes, faulty] of refusedSwaps) {
          const query = { ...swapParameters(), ...changes }
          const answer = yield* send(query)
          const described = `${way} ${JSON.stringify(changes)}: ${answer.text}`
          assert.strictEqual(answer.status, 400, described)
          assert.notProperty(answer.body, "code", described)
          assert.deepStrictEqual(faultyParameters(answer), faulty, described)
        }
        assert.strictEqual(yield* openChannels, before)
      },
      20_000,
    )
  }

  it.effect("are taken up to their bounds, and have their defaults", function* () {
    for (const [changes, path, expected] of acceptedSwaps) {
      const status = yield* statusOf(yield* openSwap(changes))
      assert.deepStrictEqual(find(status, ...path), asJson(expected), JSON.stringify(changes))
    }
  })

  it.effect("may not be missing where they are required", function* () {
    for (const [way, send] of Object.entries(ways)) {
      for (const missing of ["sourceAsset", "destinationAsset", "destinationAddress"]) {
        const rest = Object.fromEntries(Object.entries(swapParameters()).filter(([name]) => name !== missing))
        assert.deepStrictEqual(faultyParameters(yield* send(rest)), [missing], way)
      }
      const none = yield* send({})
      assert.deepStrictEqual(faultyParameters(none), [
        "destinationAddress",
        "destinationAsset",
        "sourceAsset",
      ], way)
    }
  })

  it.effect("may not be repeated (decision 3)", function* () {
    const once = Object.entries(swapParameters({
      boostFee: "5",
      minimumPrice: "1",
      refundAddress: addresses.btc,
      retryDurationInBlocks: "10",
      numberOfChunks: "2",
      chunkIntervalBlocks: "2",
      commissionBps: "10",
      affiliate1: "x",
      affiliate1CommissionBps: "1",
      amountNative: "100000",
      platform: "chainflip",
    })).filter(([name]) => !name.startsWith("affiliate"))
    for (const method of ["GET", "POST"]) {
      for (const [name, value] of once) {
        const answer = yield* call(method, "/swap", { query: [...once, [name, value]] })
        assert.include(faultyParameters(answer), name)
        assert.match(faultText(answer, name), /once/)
      }
    }
  })

  it.effect("boostFee: any limit is taken with every source, and means something from Bitcoin alone", function* () {
    for (const sourceAsset of ["wbtc.eth", "eth.eth", "sol.sol"]) {
      for (const boostFee of ["0", "6", "100"]) {
        const opened = yield* openSwap({ sourceAsset, destinationAsset: "usdc.arb", boostFee })
        assert.notProperty(yield* statusOf(opened), "boost")
      }
      const query = swapParameters({ sourceAsset, destinationAsset: "usdc.arb", boostFee: "101" })
      assert.deepStrictEqual(faultyParameters(yield* call("GET", "/swap", { query })), ["boostFee"])
    }
  })

  it.effect("a fault is told once, and hides no other", function* () {
    for (const [way, send] of Object.entries(ways)) {
      const wrongCommission = yield* send(swapParameters({
        affiliate1: brokerAccounts[0],
        affiliate1CommissionBps: "1.5",
      }))
      assert.deepStrictEqual(find(wrongCommission.body, "errors"), {
        affiliate1CommissionBps: [
          "affiliate1CommissionBps must be a whole number of basis points from 0 to 1000",
        ],
      }, way)
      const faultyAccount = yield* send(swapParameters({ affiliate1: addresses.dot }))
      assert.deepStrictEqual(faultyParameters(faultyAccount), ["affiliate1", "affiliate1CommissionBps"], way)
      assert.match(textAt(faultyAccount.body, "detail"), /^affiliate1 .* \(and 1 more\)$/)
    }
  })

  it.effect("retryDurationInBlocks: a refusal names the network's own limit (decision 6)", function* () {
    const beyond = yield* call("GET", "/swap", { query: swapParameters({ retryDurationInBlocks: "601" }) })
    assert.include(faultText(beyond, "retryDurationInBlocks"), "600")
    const contract = yield* call("GET", "/swap", {
      query: swapParameters({ retryDurationInBlocks: "14401" }),
    })
    assert.include(faultText(contract, "retryDurationInBlocks"), "14400")
  })

  it.effect("amount: below the minimum has the form that clients read (decision 15)", function* () {
    const answer = yield* call("GET", "/swap", { query: swapParameters({ amount: "0.0001" }) })
    assert.strictEqual(textAt(answer.body, "detail"), "Amount below minimum. Min: 0.0004")
    assert.deepStrictEqual(find(answer.body, "errors"), {
      minimalAmount: ["0.0004"],
      minimalAmountNative: ["40000"],
    })
  })

  it.effect("refundAddress: an operator's own address of the chain is the default (decision 5)", function* () {
    const patterns = find(yield* get("/sandbox"), "addressPatterns") ?? null
    for (
      const sourceAsset of [
        "btc.btc",
        "eth.eth",
        "eth.arb",
        "sol.sol",
        "dot.hub",
        "trx.tron",
        "dot.dot",
        "bnb.bsc",
      ]
    ) {
      const opened = yield* openSwap({
        sourceAsset,
        destinationAsset: "usdc.eth",
        destinationAddress: addressFor("usdc.eth"),
      })
      const refund = textAt(yield* statusOf(opened), "fillOrKillParams", "refundAddress")
      assert.match(refund, new RegExp(textAt(patterns, textAt(opened, "network"))))
      assert.notStrictEqual(refund, textAt(opened, "address"))
    }
  })
})
