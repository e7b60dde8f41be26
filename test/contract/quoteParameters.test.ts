import { assert } from "@effect/vitest"
import { Struct } from "effect"
import { chainflipAssets, human } from "./support/assets.ts"
import { call, get, type Query, withBroker } from "./support/call.ts"
import { at, find, integerAt, type Json, listAt, objectAt, textAt } from "./support/Json.ts"
import { assertFailure, faultText, faultyParameters } from "./support/problem.ts"

type Endpoint = "/quotes" | "/quotes-native" | "/quote" | "/quote-native"

const largest = 2n ** 128n - 1n

const base = {
  "/quotes": { sourceAsset: "btc.btc", destinationAsset: "eth.eth", amount: "0.1" },
  "/quotes-native": { sourceAsset: "btc.btc", destinationAsset: "eth.eth", amount: "10000000" },
  "/quote": { sourceAsset: "btc.btc", destinationAsset: "eth.eth", amount: "0.1" },
  "/quote-native": { sourceAsset: "btc.btc", destinationAsset: "eth.eth", amount: "10000000" },
}
const humanEndpoints = ["/quotes", "/quote"] as const
const nativeEndpoints = ["/quotes-native", "/quote-native"] as const
const all: ReadonlyArray<Endpoint> = [...humanEndpoints, ...nativeEndpoints]

/** Values of a parameter that do not fit, by what they are. */
const refusedValues: ReadonlyArray<
  readonly [parameter: string, endpoints: ReadonlyArray<Endpoint>, values: ReadonlyArray<string>]
> = [
  ["sourceAsset", all, ["", "btc", "xyz.btc", "btc.btc,eth.eth", " btc.btc"]],
  ["destinationAsset", all, ["", "eth", "eth.xyz", "eth.eth "]],
  ["amount", humanEndpoints, [
    "",
    " ",
    "0",
    "0.0",
    "-1",
    "+1",
    "1e3",
    "1E3",
    "0x10",
    "NaN",
    "Infinity",
    "1,5",
    ".5",
    "5.",
  ]],
  ["amount", humanEndpoints, [
    " 1",
    "1 ",
    "1 000",
    "1_000",
    "0.000000001",
    "0.100000000",
    "١",
    "1n",
    "true",
    "null",
  ]],
  ["amount", humanEndpoints, [human("btc.btc", `${largest + 1n}`), "9".repeat(300)]],
  ["amount", nativeEndpoints, [
    "",
    " ",
    "0",
    "00",
    "01",
    "-1",
    "+1",
    "1.0",
    "1e3",
    "0x10",
    "NaN",
    " 1",
    "1 ",
    "1_000",
    "١",
  ]],
  ["amount", nativeEndpoints, [`${largest + 1n}`, "9".repeat(39), "1" + "0".repeat(39)]],
  ["commissionBps", all, [
    "",
    " ",
    "996",
    "-1",
    "+1",
    "1.5",
    "1.0",
    "1e1",
    "0x1",
    "NaN",
    "abc",
    "99999999999999999999",
  ]],
  ["platform", all, ["", "nonesuch", "Chainflip", "chainflip,near-intents", "near-intents"]],
]

const acceptedValues: ReadonlyArray<
  readonly [parameter: string, endpoints: ReadonlyArray<Endpoint>, values: ReadonlyArray<string>]
> = [
  ["amount", humanEndpoints, ["0.0004", "1", "0.1", "0.10", "0.12345678"]],
  ["amount", nativeEndpoints, ["40000", "10000000"]],
  ["commissionBps", all, ["0", "1", "995"]],
  ["platform", all, ["chainflip"]],
]

/** Minimum deposits in native units (chainflip/wire.md 1.2; of the guessed assets those of their sisters). */
const minimums: Readonly<Record<string, string>> = {
  "btc.btc": "40000",
  "eth.eth": "10000000000000000",
  "flip.eth": "4000000000000000000",
  "usdc.eth": "20000000",
  "usdt.eth": "20000000",
  "wbtc.eth": "40000",
  "eth.arb": "3900000000000000",
  "usdc.arb": "10000000",
  "usdt.arb": "10000000",
  "sol.sol": "68000000",
  "usdc.sol": "10000000",
  "usdt.sol": "10000000",
  "dot.hub": "40000000000",
  "usdc.hub": "20000000",
  "usdt.hub": "20000000",
  "trx.tron": "30000000",
  "usdt.tron": "10000000",
}

const pair = { sourceAsset: "btc.btc", destinationAsset: "eth.eth" }

withBroker()("the quote endpoints", (it) => {
  for (const [parameter, endpoints, values] of refusedValues) {
    it.effect(`refuse a wrong ${parameter} of ${endpoints.join(" ")}: ${values.join(" | ").slice(0, 60)}`, function* () {
      for (const endpoint of endpoints) {
        for (const value of values) {
          const answer = yield* call("GET", endpoint, { query: { ...base[endpoint], [parameter]: value } })
          assert.strictEqual(answer.status, 400, `${endpoint} ${parameter}="${value}": ${answer.text}`)
          assert.deepStrictEqual(faultyParameters(answer), [parameter], `${parameter}="${value}"`)
          assertFailure(answer, 400)
        }
      }
    })
  }

  for (const [parameter, endpoints, values] of acceptedValues) {
    it.effect(`take a right ${parameter} of ${endpoints.join(" ")}: ${values.join(" | ")}`, function* () {
      for (const endpoint of endpoints) {
        for (const value of values) {
          const body = yield* get(endpoint, { ...base[endpoint], [parameter]: value })
          assert.isNotEmpty(listAt(body), `${endpoint} ${parameter}="${value}"`)
        }
      }
    })
  }

  it.effect("require all parameters but commissionBps and platform", function* () {
    for (const endpoint of all) {
      for (const missing of ["sourceAsset", "destinationAsset", "amount"]) {
        const query = Object.entries(base[endpoint]).filter(([name]) => name !== missing)
        assert.deepStrictEqual(faultyParameters(yield* call("GET", endpoint, { query })), [missing])
      }
      assert.deepStrictEqual(faultyParameters(yield* call("GET", endpoint)), [
        "amount",
        "destinationAsset",
        "sourceAsset",
      ])
    }
  })

  it.effect("refuse a repeated parameter, even with the same value (decision 3)", function* () {
    const optional = { commissionBps: "10", platform: "chainflip" }
    for (const endpoint of all) {
      const once = Object.entries({ ...base[endpoint], ...optional })
      for (const [name, value] of once) {
        const query: Query = [...once, [name, value]]
        assert.deepStrictEqual(faultyParameters(yield* call("GET", endpoint, { query })), [name], name)
      }
    }
  })

  it.effect("ignore unknown parameters, repeated or not", function* () {
    const query: Query = [...Object.entries(base["/quotes"]), ["foo", "1"], ["foo", "2"], ["status", "x"]]
    assert.isNotEmpty(listAt(yield* get("/quotes", query)))
  })

  it.effect("name all faults at once", function* () {
    const query = {
      sourceAsset: "x",
      destinationAsset: "y",
      amount: "-1",
      commissionBps: "996",
      platform: "z",
    }
    const answer = yield* call("GET", "/quotes", { query })
    assert.deepStrictEqual(faultyParameters(answer), Object.keys(query).sort())
  })

  it.effect("say of other names what they are called here, in a request that is refused anyway", function* () {
    for (const endpoint of all) {
      const query = { from: "btc.btc", to_asset: "eth.eth", amout: "1", commissionBps: "x", utm: "1" }
      const answer = yield* call("GET", endpoint, { query })
      const names = [...Object.keys(query), "sourceAsset", "destinationAsset", "amount"]
      assert.sameMembers([...faultyParameters(answer)], names, answer.text)
      for (
        const [name, words] of [
          ["from", "use sourceAsset"],
          ["to_asset", "use destinationAsset"],
          ["amout", "use amount"],
          ["utm", "is not a parameter here"],
        ] as const
      ) {
        assert.include(textAt(answer.body, "errors", name, 0), words)
      }
    }
  })

  it.effect("refuse the same asset on both sides (decision 10)", function* () {
    for (const endpoint of all) {
      const query = { ...base[endpoint], destinationAsset: "btc.btc" }
      const answer = yield* call("GET", endpoint, { query })
      assert.deepStrictEqual(faultyParameters(answer), ["destinationAsset"])
    }
  })

  it.effect("take as many decimals of a human amount as the asset has, and no more", function* () {
    for (const [sourceAsset, { amount, decimals }] of Object.entries(chainflipAssets)) {
      const destinationAsset = sourceAsset === "usdc.eth" ? "usdt.eth" : "usdc.eth"
      const [whole = "", fraction = ""] = human(sourceAsset, amount).split(".")
      const text = `${whole}.${fraction.padEnd(decimals, "0")}`
      const pair = { sourceAsset, destinationAsset }
      const quote = at(yield* get("/quotes", { ...pair, amount: text }), 0)
      assert.strictEqual(textAt(quote, "ingressAmountNative"), amount)
      const beyond = yield* call("GET", "/quotes", { query: { ...pair, amount: `${text}0` } })
      assert.include(faultText(beyond, "amount"), `${decimals}`)
    }
  })

  it.effect("take an amount as large as the network can count, which no pool can swap", function* () {
    const query = { ...base["/quotes-native"], amount: `${largest}` }
    assertFailure(yield* call("GET", "/quotes-native", { query }), 400, "insufficient_liquidity")
    const asHuman = { ...base["/quotes"], amount: human("btc.btc", `${largest}`) }
    assertFailure(yield* call("GET", "/quotes", { query: asHuman }), 400, "insufficient_liquidity")
  })

  it.effect("an amount below the minimum: says it in the form that clients read", function* () {
    for (const [sourceAsset, minimum] of Object.entries(minimums)) {
      const destinationAsset = sourceAsset === "usdc.arb" ? "usdt.arb" : "usdc.arb"
      const query = { sourceAsset, destinationAsset, amount: `${BigInt(minimum) - 1n}` }
      const answer = yield* call("GET", "/quotes-native", { query })
      assertFailure(answer, 400)
      assert.strictEqual(
        textAt(answer.body, "detail"),
        `Amount below minimum. Min: ${human(sourceAsset, minimum)}`,
      )
      assert.deepStrictEqual(objectAt(answer.body, "errors"), {
        minimalAmount: [human(sourceAsset, minimum)],
        minimalAmountNative: [minimum],
      })
    }
  })

  it.effect("an amount at the minimum: there is a quote, or a refusal that is about something else", function* () {
    for (const [sourceAsset, amount] of Object.entries(minimums)) {
      const destinationAsset = sourceAsset === "usdc.arb" ? "usdt.arb" : "usdc.arb"
      const answer = yield* call("GET", "/quotes-native", {
        query: { sourceAsset, destinationAsset, amount },
      })
      assert.isUndefined(find(answer.body, "errors"), answer.text)
    }
  })

  it.effect("an amount above the maximum: a 400 without a code that names the most", function* () {
    const query = { sourceAsset: "dot.dot", destinationAsset: "usdc.eth", amount: "1000000000000001" }
    const answer = yield* call("GET", "/quotes-native", { query })
    assert.deepStrictEqual(faultyParameters(answer), ["amount"])
    assert.include(faultText(answer, "amount"), "100000")
    assert.isNotEmpty(listAt(yield* get("/quotes-native", { ...query, amount: "1000000000000000" })))
  })

  it.effect("deprecated: answer the regular quote of their successors, and say who those are", function* () {
    for (
      const [path, successor, amount] of [
        ["/quote", "/quotes", "1"],
        ["/quote-native", "/quotes-native", "100000000"],
      ] as const
    ) {
      const answer = yield* call("GET", path, { query: { ...pair, amount } })
      const current = yield* call("GET", successor, { query: { ...pair, amount } })
      assert.deepStrictEqual(listAt(current.body).map((quote) => textAt(quote, "type")), ["dca", "regular"])
      const offer = (quote: Json) => Struct.omit(objectAt(quote), ["quoteId", "rank", "expiresAt"])
      assert.deepStrictEqual(listAt(answer.body).map(offer), [offer(at(current.body, 1))])
      assert.strictEqual(integerAt(answer.body, 0, "rank", "position"), 1)
      assert.match(answer.headers.get("deprecation") ?? "", /^@[0-9]+$/)
      assert.strictEqual(answer.headers.get("link"), `<${successor}>; rel="successor-version"`)
      assert.isNull(current.headers.get("deprecation"))
      assert.isNull(current.headers.get("link"))
    }
  })

  it.effect("deprecated: answer an empty list where there is only a DCA quote", function* () {
    const current = yield* get("/quotes", { ...pair, amount: "1000" })
    assert.deepStrictEqual(listAt(current).map((quote) => textAt(quote, "type")), ["dca"])
    assert.deepStrictEqual(yield* get("/quote", { ...pair, amount: "1000" }), [])
    assert.deepStrictEqual(yield* get("/quote-native", { ...pair, amount: "100000000000" }), [])
  })
})
