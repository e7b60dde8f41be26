import { assert, describe, it } from "#test/support/it.ts"
import { Effect } from "effect"
import { addressPatterns } from "#sandbox/engine/identifiers.ts"
import { eachInSandbox, inSandbox } from "../inSandbox.ts"
import { advance, at, type Client, genesis, members, openChannel, startSandbox, textAt } from "../support.ts"
import {
  deadlineIn,
  digitsAt,
  hour,
  idOf,
  openOrder,
  ownAccount,
  quote,
  requestOf,
  verifies,
  whole,
} from "./support.ts"

const figures = [
  "amountIn",
  "amountInFormatted",
  "amountInUsd",
  "amountOut",
  "amountOutFormatted",
  "amountOutUsd",
  "minAmountIn",
  "minAmountOut",
  "refundFee",
  "timeEstimate",
  "withdrawFee",
]

const orderCount = (client: Client) =>
  Effect.map(client.get("/sandbox"), ({ json }) => at(json, "nearIntents", "openOrderCount"))

describe("POST /v0/quote, dry", () => {
  inSandbox(
    "gives signed figures, reserves nothing and repeats the request with its defaults",
    function* (client) {
      const { json, status } = yield* quote(client)
      assert.strictEqual(status, 201)
      assert.deepStrictEqual(members(json), [
        "correlationId",
        "quote",
        "quoteRequest",
        "signature",
        "timestamp",
      ])
      assert.deepStrictEqual(members(at(json, "quote")), figures)
      assert.deepStrictEqual(at(json, "quoteRequest"), {
        ...requestOf(),
        depositMode: "SIMPLE",
        confidentiality: "public",
        quoteWaitingTimeMs: 0,
        insured: false,
        appFees: [{ recipient: ownAccount, fee: 20 }],
      })
      assert.strictEqual(at(json, "timestamp"), new Date(genesis).toISOString())
      assert.match(textAt(json, "correlationId"), /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
      assert.isTrue(verifies(json))
      assert.strictEqual(yield* orderCount(client), 0)
    },
  )

  inSandbox("takes the spread, the fee of paying out and the slippage off the value", function* (client) {
    const { json } = yield* quote(client)
    assert.deepInclude(at(json, "quote"), {
      amountIn: "10000000",
      amountInFormatted: "0.1",
      amountInUsd: "6455.000000000000",
      minAmountIn: "9900000",
      refundFee: "1900",
      withdrawFee: "40000000000000",
    })
    const out = digitsAt(json, "quote", "amountOut")
    // Less what 1Click takes for itself.
    const value = 6_455n * 10n ** 18n / 1_904n * 9_980n / 10_000n
    assert.isTrue(out < value * 9_998n / 10_000n && out > value * 9_970n / 10_000n, `${out} of ${value}`)
    assert.strictEqual(digitsAt(json, "quote", "minAmountOut"), out * 9_900n / 10_000n)
  })

  it.effect("says the same whenever the seed, the time and the request are the same", function* () {
    const [one, same, other] = yield* Effect.forEach(
      ["one", "one", "other"],
      (seed) => Effect.flatMap(startSandbox({ seed }), (client) => quote(client)),
    )
    assert.strictEqual(one?.text, same?.text)
    assert.notStrictEqual(at(one?.json, "quote", "amountOut"), at(other?.json, "quote", "amountOut"))
  })

  inSandbox("takes application fees and the protocol's pip from the input", function* (client) {
    const amountOut = (appFees: unknown) =>
      Effect.map(quote(client, { appFees }), ({ json }) => digitsAt(json, "quote", "amountOut"))
    const without = yield* amountOut([])
    const both = yield* amountOut([{ recipient: "a.near", fee: 60 }, { recipient: "b.near", fee: 40 }])
    // Half of each, and the other half for 1Click, which takes 20 where nothing is asked.
    const part = (without - both) * 10_000n / without
    assert.isTrue(part === 79n || part === 80n, `${part} bps`)
  })

  inSandbox(
    "answers with the fees that it takes: half of what was asked, its own on top, and 20 at least",
    function* (client) {
      for (const [asked, own, kept] of [[0, 0, 20], [20, 10, 20], [25, 13, 20], [30, 15, 20], [50, 25, 25]]) {
        const appFees = asked === 0 ? [] : [{ recipient: "a.near", fee: asked }]
        const { json } = yield* quote(client, { appFees })
        assert.deepStrictEqual(at(json, "quoteRequest", "appFees"), [
          ...(own === 0 ? [] : [{ recipient: "a.near", fee: own }]),
          { recipient: ownAccount, fee: kept },
        ])
      }
    },
  )

  inSandbox("answers with the newest id, whichever was asked with", function* (client) {
    const { json } = yield* quote(client, { originAsset: "nep141:btc.omft.near" })
    assert.strictEqual(at(json, "quoteRequest", "originAsset"), "1cs_v1:btc:native:coin")
    assert.isTrue(verifies(json))
  })

  inSandbox("asks for all of the amount under EXACT_INPUT", function* (client) {
    const { json } = yield* quote(client, { swapType: "EXACT_INPUT" })
    assert.strictEqual(at(json, "quote", "minAmountIn"), "10000000")
  })

  const refusals: ReadonlyArray<readonly [string, object, RegExp]> = [
    ["too little", { amount: "1500" }, /^Amount is too low for bridge, try at least \d+$/],
    ["too much", { amount: whole("btc.btc", 16n) }, /^No liquidity available$/],
    ["more than there can be", { amount: "9".repeat(39) }, /^No liquidity available$/],
    ["a token that is not traded", { originAsset: "nep141:flip.omft.near" }, /^tokenIn is not valid$/],
    ["a destination that is not traded", { destinationAsset: "x" }, /^tokenOut is not valid$/],
    ["the same token twice", { destinationAsset: idOf("btc.btc") }, /^tokenOut is not valid$/],
    ["a recipient of another chain", { recipient: "bc1q" }, /^recipient is not valid$/],
    ["a refund address of another chain", { refundTo: "0x1" }, /^refundTo is not valid$/],
    [
      "too high application fees",
      { appFees: [{ recipient: "a.near", fee: 300 }, { recipient: "b.near", fee: 201 }] },
      /^appFees must not exceed 500 bps in total$/,
    ],
    ["a deadline that has passed", { deadline: deadlineIn(0) }, /^deadline must be in the future$/],
    ["a day that does not exist", { deadline: "2026-13-41T00:00:00Z" }, /^deadline must be in the future$/],
    ["a deadline that is no time", { deadline: "tomorrow" }, /^deadline: Expected an ISO 8601 time/],
    ["memos", { depositMode: "MEMO" }, /^depositMode: Expected "SIMPLE"/],
    ["an amount that is no text", { amount: 5, slippageTolerance: "1" }, /^slippageTolerance: .*; amount: /],
    ["another swap type", { swapType: "ANY_INPUT" }, /^swapType: Expected/],
  ]
  eachInSandbox(refusals)("refuses %s", function* (client, [, changes, message]) {
    for (const dry of [true, false]) {
      const { json, status } = yield* quote(client, { dry, ...changes })
      assert.strictEqual(status, 400)
      assert.deepStrictEqual(members(json), ["message"])
      assert.match(textAt(json, "message"), message)
    }
    assert.strictEqual(yield* orderCount(client), 0)
  })

  inSandbox("quotes the minimum that it names", function* (client) {
    const refused = yield* quote(client, { amount: "1", appFees: [{ recipient: "a.near", fee: 500 }] })
    const [minimum = ""] = /\d+$/.exec(textAt(refused.json, "message")) ?? []
    assert.strictEqual((yield* quote(client, { amount: minimum })).status, 201)
    assert.strictEqual((yield* quote(client, { amount: `${BigInt(minimum) - 1n}` })).status, 400)
  })

  inSandbox("refuses a body that is no JSON", function* (client) {
    const { json, status } = yield* client.send("POST", "/near-intents/v0/quote", "{")
    assert.strictEqual(status, 400)
    assert.deepStrictEqual(json, { message: "the body is not JSON" })
  })
})

describe("POST /v0/quote, not dry", () => {
  inSandbox("adds a signed deposit address and its deadline in simulated time", function* (client) {
    yield* advance(client, 90 * 24 * hour)
    const { address, json } = yield* openOrder(client, { deadline: deadlineIn(3 * hour) })
    assert.deepStrictEqual(members(at(json, "quote")), [
      ...figures.slice(0, 6),
      "deadline",
      "depositAddress",
      ...figures.slice(6, 10),
      "timeWhenInactive",
      "withdrawFee",
    ])
    const end = genesis + 90 * 24 * hour * 1_000 + 3 * hour * 1_000
    const deadline = new Date(end + 72 * hour * 1_000).toISOString()
    assert.deepInclude(at(json, "quote"), { deadline, timeWhenInactive: deadline })
    assert.strictEqual(at(json, "quoteRequest", "deadline"), new Date(end).toISOString())
    assert.match(address, new RegExp(addressPatterns().Bitcoin ?? "none"))
    assert.isTrue(verifies(json))
  })

  inSandbox("keeps an order open for 30 days at most", function* (client) {
    const { json } = yield* openOrder(client, { deadline: "9999-12-31T23:59:59Z" })
    const deadline = new Date(genesis + 30 * 24 * hour * 1_000).toISOString()
    assert.strictEqual(at(json, "quoteRequest", "deadline"), deadline)
  })

  inSandbox("gives every order an address of its own, which no channel has", function* (client) {
    const orders = yield* Effect.forEach(Array.from({ length: 5 }), () => openOrder(client))
    const channels = yield* Effect.forEach(Array.from({ length: 5 }), () => openChannel(client))
    assert.strictEqual(new Set([...orders, ...channels].map(({ address }) => address)).size, 10)
  })
})
