import { assert, describe } from "@effect/vitest"
import { eachInSandbox, inSandbox } from "../inSandbox.ts"
import { at, members, quotePath, textAt } from "../support.ts"

const figureMembers = [
  "depositAmount",
  "destAsset",
  "egressAmount",
  "estimatedDurationSeconds",
  "estimatedDurationsSeconds",
  "estimatedPrice",
  "includedFees",
  "intermediateAmount",
  "lowLiquidityWarning",
  "poolInfo",
  "recommendedLivePriceSlippageTolerancePercent",
  "recommendedRetryDurationMinutes",
  "recommendedSlippageTolerancePercent",
  "srcAsset",
  "type",
]

const feesOf = (quote: unknown): ReadonlyArray<string> => {
  const fees = at(quote, "includedFees")
  return Array.isArray(fees) ? fees.map((fee) => textAt(fee, "type")) : []
}

describe("GET /v2/quote", () => {
  inSandbox("answers a regular quote with every member of its form and none besides", function* (client) {
    const { json, status } = yield* client.get(quotePath("10000000"))
    assert.strictEqual(status, 200)
    assert.deepStrictEqual(members(at(json, 0)), [...figureMembers, "boostQuote"].sort())
    assert.deepInclude(at(json, 0), {
      type: "REGULAR",
      srcAsset: { chain: "Bitcoin", asset: "BTC" },
      destAsset: { chain: "Ethereum", asset: "ETH" },
      depositAmount: "10000000",
      estimatedDurationSeconds: 1614,
      estimatedDurationsSeconds: { deposit: 1506, swap: 12, egress: 96 },
      recommendedRetryDurationMinutes: 30,
    })
    assert.deepStrictEqual(feesOf(at(json, 0)), ["INGRESS", "NETWORK", "BROKER", "EGRESS"])
    assert.match(textAt(json, 0, "egressAmount"), /^[0-9]+$/)
    assert.match(textAt(json, 0, "estimatedPrice"), /^[0-9]+\.[0-9]+$/)
    assert.deepStrictEqual(at(json, 0, "poolInfo"), [
      {
        baseAsset: { chain: "Bitcoin", asset: "BTC" },
        quoteAsset: { chain: "Ethereum", asset: "USDC" },
        fee: { chain: "Bitcoin", asset: "BTC", amount: "0" },
      },
      {
        baseAsset: { chain: "Ethereum", asset: "ETH" },
        quoteAsset: { chain: "Ethereum", asset: "USDC" },
        fee: { chain: "Ethereum", asset: "USDC", amount: "0" },
      },
    ])
  })

  inSandbox("nests a boost quote that pays its fee first and keeps its type", function* (client) {
    const { json } = yield* client.get(quotePath("10000000"))
    const boost = at(json, 0, "boostQuote")
    assert.deepStrictEqual(
      members(boost),
      [...figureMembers, "estimatedBoostFeeBps", "maxBoostFeeBps"].sort(),
    )
    assert.deepStrictEqual(feesOf(boost), ["BOOST", "INGRESS", "NETWORK", "BROKER", "EGRESS"])
    assert.strictEqual(at(boost, "type"), "REGULAR")
    assert.isBelow(Number(at(boost, "estimatedDurationSeconds")), 1614)
  })

  inSandbox("offers chunks behind the regular quote when the amount is worth it", function* (client) {
    const { json } = yield* client.get(quotePath("100000000"))
    assert.strictEqual(at(json, "length"), 2)
    assert.strictEqual(at(json, 0, "type"), "REGULAR")
    assert.strictEqual(at(json, 1, "type"), "DCA")
    assert.strictEqual(at(json, 1, "dcaParams", "chunkIntervalBlocks"), 2)
    assert.deepStrictEqual(at(json, 1, "boostQuote", "dcaParams"), at(json, 1, "dcaParams"))
    const without = yield* client.get(quotePath("100000000", { dcaV2Enabled: "false" }))
    assert.strictEqual(at(without.json, "length"), 1)
  })

  inSandbox("leaves out what a route of one leg without commission does not have", function* (client) {
    const { json } = yield* client.get(quotePath("1000000000000000000", {
      srcChain: "Ethereum",
      srcAsset: "ETH",
      destAsset: "USDC",
      brokerCommissionBps: "",
    }))
    const quote = at(json, 0)
    assert.notIncludeMembers([...members(quote)], ["intermediateAmount", "boostQuote", "dcaParams"])
    assert.deepStrictEqual(feesOf(quote), ["INGRESS", "NETWORK", "EGRESS"])
    assert.strictEqual(at(quote, "poolInfo", "length"), 1)
  })

  inSandbox("gives the message back with the quote, its gas paid by the egress fee", function* (client) {
    const plain = yield* client.get(quotePath("10000000"))
    const withMessage = yield* client.get(
      quotePath("10000000", { ccmGasBudget: "1000000000000000", ccmMessageLengthBytes: "4" }),
    )
    assert.deepStrictEqual(at(withMessage.json, 0, "ccmParams"), {
      gasBudget: "1000000000000000",
      messageLengthBytes: 4,
    })
    assert.strictEqual(
      BigInt(textAt(plain.json, 0, "egressAmount")) - BigInt(textAt(withMessage.json, 0, "egressAmount")),
      1_000_000_000_000_000n,
    )
  })

  inSandbox("quotes a vault swap like any other, and says that it is for one", function* (client) {
    const plain = yield* client.get(quotePath("10000000"))
    const vault = yield* client.get(quotePath("10000000", { isVaultSwap: "true" }))
    assert.strictEqual(vault.status, 200)
    assert.notProperty(at(plain.json, 0), "isVaultSwap")
    assert.strictEqual(at(vault.json, 0, "isVaultSwap"), true)
    assert.strictEqual(at(vault.json, 0, "boostQuote", "isVaultSwap"), true)
    assert.strictEqual(textAt(vault.json, 0, "egressAmount"), textAt(plain.json, 0, "egressAmount"))
  })

  inSandbox("quotes a vault swap also while no channels are opened", function* (client) {
    const body = { change: "setAsset", asset: "btc.btc", creationEnabled: false }
    yield* client.send("PATCH", "/sandbox/network", body)
    assert.strictEqual((yield* client.get(quotePath("10000000"))).status, 503)
    assert.strictEqual((yield* client.get(quotePath("10000000", { isVaultSwap: "true" }))).status, 200)
  })

  const invalid: ReadonlyArray<readonly [string, Readonly<Record<string, string>>]> = [
    ["an unknown asset", { srcAsset: "DOGE" }],
    ["the same asset on both sides", { destChain: "Bitcoin", destAsset: "BTC" }],
    ["an amount of zero", { amount: "0" }],
    ["an amount with a sign", { amount: "-1" }],
    ["an amount of 2^128", { amount: `${2n ** 128n}` }],
    ["a commission that is not a number", { brokerCommissionBps: "many" }],
    ["a commission above 100 %", { brokerCommissionBps: "10001" }],
    ["a switch that is neither true nor false", { isVaultSwap: "yes" }],
    ["half a message", { ccmGasBudget: "1" }],
    ["a vault swap that is also on chain", { isVaultSwap: "true", isOnChain: "true" }],
    ["a swap within the network", { isOnChain: "true" }],
    ["a vault swap of a chain without a vault", {
      srcChain: "Assethub",
      srcAsset: "DOT",
      isVaultSwap: "true",
    }],
  ]
  eachInSandbox(invalid)("answers 400 'invalid request' to %s", function* (client, [, changes]) {
    const { json, status } = yield* client.get(quotePath("10000000", changes))
    assert.strictEqual(status, 400)
    assert.deepStrictEqual(json, { message: "invalid request" })
  })

  inSandbox("answers 400 'invalid request' to a parameter that is given twice", function* (client) {
    const { json, status } = yield* client.get(`${quotePath("10000000")}&amount=5`)
    assert.strictEqual(status, 400)
    assert.deepStrictEqual(json, { message: "invalid request" })
  })

  interface Refusal {
    readonly amount: string
    readonly change?: Readonly<Record<string, unknown>>
    readonly status: number
    readonly message: RegExp
  }
  const eth = { change: "setAsset", asset: "eth.eth" }
  const btc = { change: "setAsset", asset: "btc.btc" }
  const refusals: ReadonlyArray<readonly [string, Refusal]> = [
    ["an amount below the minimum deposit", {
      amount: "39999",
      status: 400,
      message: /^expected amount is below minimum swap amount \(40000\)$/,
    }],
    ["an amount above the maximum swap", {
      amount: "100001",
      change: { ...btc, maximumSwap: "100000" },
      status: 400,
      message: /^expected amount is above maximum swap amount \(100000\)$/,
    }],
    ["an amount below the ingress fee", {
      amount: "40000",
      change: { ...btc, ingressFee: "50000" },
      status: 400,
      message: /^amount is lower than estimated ingress fee \(50000\)$/,
    }],
    ["an output that does not cover the egress fee", {
      amount: "40000",
      change: { ...eth, egressFee: `${10n ** 19n}` },
      status: 400,
      message: /^swap output amount is lower than the egress fee \(10000000000000000000\)$/,
    }],
    ["an output below the minimum egress amount", {
      amount: "40000",
      change: { ...eth, egressDustLimit: `${10n ** 19n}` },
      status: 400,
      message: /^egress amount \([0-9]+\) is lower than minimum egress amount \(10000000000000000000\)$/,
    }],
    ["an amount that the pools cannot take", {
      amount: "100000000",
      change: { change: "setDepth", asset: "eth.eth", usdc: "1000000" },
      status: 400,
      message: /^insufficient liquidity for requested amount$/,
    }],
    ["an asset that is switched off", {
      amount: "10000000",
      change: { ...eth, egressEnabled: false },
      status: 503,
      message: /^Asset Eth is disabled$/,
    }],
    ["any request while quoting is in maintenance", {
      amount: "10000000",
      change: { change: "setMaintenance", quoting: true },
      status: 503,
      message: /^Quoting is currently unavailable due to maintenance$/,
    }],
  ]
  eachInSandbox(refusals)("refuses %s in the backend's words", function* (client, [, refusal]) {
    if (refusal.change !== undefined) {
      assert.strictEqual((yield* client.send("PATCH", "/sandbox/network", refusal.change)).status, 200)
    }
    const { json, status } = yield* client.get(quotePath(refusal.amount))
    assert.strictEqual(status, refusal.status)
    assert.match(textAt(json, "message"), refusal.message)
    assert.deepStrictEqual(members(json), ["message"])
  })
})
