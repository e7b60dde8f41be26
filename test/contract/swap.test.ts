import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { addresses } from "./support/addresses.ts"
import { chainflipAssets } from "./support/assets.ts"
import { call, get, withBroker } from "./support/call.ts"
import { find, integerAt, type Json, numberAt, textAt } from "./support/Json.ts"
import { amount, assertMembers, integer, text } from "./support/members.ts"
import { assertFailure, faultyParameters } from "./support/problem.ts"
import { openSwap, statusOf, swapParameters } from "./support/swaps.ts"

const chains: Readonly<Record<string, string>> = {
  btc: "Bitcoin",
  eth: "Ethereum",
  arb: "Arbitrum",
  sol: "Solana",
  hub: "Assethub",
  tron: "Tron",
  dot: "Polkadot",
  bsc: "Bsc",
}

const openChannels = Effect.map(get("/sandbox"), (view) => integerAt(view, "openChannelCount"))
const post = (body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  call("POST", "/swap", { body, headers })
const posted = (body: unknown) =>
  Effect.map(post(body), (answer) => {
    assert.strictEqual(answer.status, 200, answer.text)
    return answer.body
  })

const message = (gasBudget: unknown, hex: unknown) => ({
  ...swapParameters(),
  ccmPayload: { gasBudget, message: hex },
})

withBroker()("starting a swap (decision 29)", (it) => {
  it.effect("answers the deposit channel with every member, for every source asset", function* () {
    const patterns = find(yield* get("/sandbox"), "addressPatterns") ?? null
    for (const sourceAsset of Object.keys(chainflipAssets)) {
      const destinationAsset = sourceAsset === "usdc.arb" ? "usdt.arb" : "usdc.arb"
      const opened = yield* openSwap({ sourceAsset, destinationAsset })
      assertMembers(opened, {
        id: integer,
        address: text,
        issuedBlock: integer,
        network: text,
        channelId: integer,
        sourceExpiryBlock: integer,
        explorerUrl: text,
        ...amount("channelOpeningFee"),
      })
      const network = textAt(opened, "network")
      assert.strictEqual(network, chains[sourceAsset.split(".")[1] ?? ""])
      assert.match(textAt(opened, "address"), new RegExp(textAt(patterns, network)))
      const channel = `${numberAt(opened, "issuedBlock")}-${network}-${numberAt(opened, "channelId")}`
      assert.strictEqual(textAt(opened, "explorerUrl"), `https://scan.chainflip.io/channels/${channel}`)
      assert.strictEqual(numberAt(opened, "channelOpeningFee"), "0.01")
      const status = yield* statusOf(opened)
      assert.strictEqual(textAt(status, "depositChannel", "id"), channel)
      assert.include(textAt(opened, "payment", "warnings", 0), "simulation")
      for (const member of ["scheme", "uri"]) {
        const shown = find(status, "depositChannel", "payment", member)
        assert.deepStrictEqual(shown, find(opened, "payment", member))
      }
      assert.strictEqual(textAt(status, "sourceAsset"), sourceAsset)
    }
  })

  it.effect("says when it expires by the clock that its status goes by", function* () {
    const now = Number(numberAt(yield* get("/sandbox"), "timeMillis"))
    const opened = yield* openSwap()
    const expiresAt = Number(numberAt(opened, "expiresAt"))
    assert.isAbove(expiresAt, now)
    assert.isAtMost(expiresAt, now + 86_400_000)
    const estimated = Number(numberAt(yield* statusOf(opened), "depositChannel", "estimatedExpiryTime"))
    assert.isAtMost(Math.abs(expiresAt - estimated), 3_600_000)
  })

  it.effect("opens a channel of its own each time", function* () {
    const one = yield* openSwap()
    const other = yield* openSwap()
    assert.isAbove(integerAt(other, "id"), integerAt(one, "id"))
    assert.notStrictEqual(textAt(other, "address"), textAt(one, "address"))
  })

  it.effect("is not done by HEAD, by other methods or ahead of time (decision 12)", function* () {
    const before = yield* openChannels
    const query = swapParameters()
    for (const method of ["HEAD", "PUT", "DELETE", "PATCH"]) {
      const answer = yield* call(method, "/swap", { query })
      assert.strictEqual(answer.status, 405, method)
      assert.strictEqual(answer.headers.get("allow"), "GET, POST")
    }
    for (
      const headers of [
        { "sec-purpose": "prefetch" },
        { "sec-purpose": "prefetch;prerender" },
        { purpose: "prefetch" },
        { purpose: "Prefetch" },
        { "sec-purpose": "prerender" },
        { "x-purpose": "preview" },
        { "x-moz": "prefetch" },
      ]
    ) {
      assertFailure(yield* call("GET", "/swap", { query, headers }), 400)
    }
    assert.strictEqual(yield* openChannels, before)
  })

  it.effect("POST: takes parameters from the query, the body, or both, as text or numbers (decision 4)", function* () {
    const rest = { refundAddress: addresses.btc, numberOfChunks: 3, chunkIntervalBlocks: "4", boostFee: 10 }
    const inBody = yield* posted({
      ...swapParameters(),
      ...rest,
      commissionBps: 25,
      retryDurationInBlocks: 10,
    })
    const inBoth = yield* call("POST", "/swap", {
      query: { ...swapParameters(), boostFee: "10", commissionBps: "25" },
      body: { ...rest, sourceAsset: "btc.btc", retryDurationInBlocks: "10" },
    })
    assert.strictEqual(inBoth.status, 200, inBoth.text)
    for (const opened of [inBody, inBoth.body]) {
      const status = yield* statusOf(opened)
      assert.strictEqual(numberAt(status, "dcaParams", "chunkIntervalBlocks"), "4")
      assert.strictEqual(numberAt(status, "boost", "maximumBoostFeeBps"), "10")
      assert.strictEqual(numberAt(status, "depositChannel", "brokerCommissionBps"), "25")
      assert.strictEqual(numberAt(status, "fillOrKillParams", "retryDurationBlocks"), "10")
      assert.strictEqual(textAt(status, "fillOrKillParams", "refundAddress"), addresses.btc)
    }
  })

  it.effect("POST: reads numbers of the body digit by digit", function* () {
    const members = JSON.stringify({ ...swapParameters(), refundAddress: addresses.btc }).slice(1)
    const opened = yield* posted(`{"minimumPrice":33.848391411619325911640,"amount":0.12345678,${members}`)
    const price = textAt(yield* statusOf(opened), "fillOrKillParams", "minimumPrice")
    assert.strictEqual(price, "33.84839141161932591164")
    for (
      const [name, number] of [
        ["minimumPrice", "1e999"],
        ["minimumPrice", "-1"],
        ["amount", "0.123456789"],
        ["amountNative", "1e-8"],
        ["boostFee", "10.5"],
        ["numberOfChunks", "2.0"],
      ]
    ) {
      assert.deepStrictEqual(faultyParameters(yield* post(`{"${name}":${number},${members}`)), [`${name}`])
    }
  })

  it.effect("POST: a member that is null is absent, one of another type is refused", function* () {
    const names = [
      "boostFee",
      "minimumPrice",
      "numberOfChunks",
      "affiliate1",
      "amount",
      "ccmPayload",
      "platform",
    ]
    yield* posted({ ...swapParameters(), ...Object.fromEntries(names.map((name) => [name, null])) })
    for (const name of names) {
      for (const value of [true, [1], { a: 1 }]) {
        const answer = yield* post({ ...swapParameters(), [name]: value })
        assert.include(faultyParameters(answer), name, JSON.stringify(value))
      }
    }
  })

  it.effect("POST: the query and the body may say the same thing, but not contradict each other", function* () {
    const agreeing = yield* call("POST", "/swap", {
      query: swapParameters({ boostFee: "5" }),
      body: { boostFee: 5 },
    })
    assert.strictEqual(agreeing.status, 200, agreeing.text)
    for (
      const [name, value] of [["boostFee", 6], ["boostFee", "6"], ["sourceAsset", "wbtc.eth"]] as const
    ) {
      const query = swapParameters({ boostFee: "5" })
      const answer = yield* call("POST", "/swap", { query, body: { [name]: value } })
      assert.deepStrictEqual(faultyParameters(answer), [name])
    }
  })

  it.effect("POST: an empty body is fine, one that is no JSON object is not", function* () {
    for (const body of ["", " \n", "{}"]) {
      const answer = yield* call("POST", "/swap", { query: swapParameters(), body })
      assert.strictEqual(answer.status, 200, answer.text)
    }
    for (const body of ["{", "[]", "1", '"text"', "null", "{'a':1}", '{"boostFee":01}']) {
      const answer = yield* call("POST", "/swap", { query: swapParameters(), body })
      assert.deepStrictEqual(faultyParameters(answer), ["body"], body)
    }
  })

  it.effect("POST: the body has to be JSON by its content type", function* () {
    for (const type of ["application/json; charset=utf-8", "APPLICATION/JSON"]) {
      const answer = yield* post(swapParameters(), { "content-type": type })
      assert.strictEqual(answer.status, 200, answer.text)
    }
    for (
      const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]
    ) {
      assertFailure(yield* post(swapParameters(), { "content-type": type }), 415)
    }
  })

  it.effect("ccmPayload: goes with the swap, and its record shows it", function* () {
    const opened = yield* posted(message("500000", "0xdeadBEEF"))
    const expected: Json = { gasBudget: "500000", message: "0xdeadBEEF" }
    assert.deepStrictEqual(find(yield* statusOf(opened), "ccmParams"), expected)
    const without = yield* posted({ ...swapParameters(), ccmPayload: null })
    assert.isUndefined(find(yield* statusOf(without), "ccmParams"))
  })

  it.effect("ccmPayload: is refused where it is not of the form", function* () {
    for (
      const body of [
        message("-1", "0x00"),
        message("1.5", "0x00"),
        message("", "0x00"),
        message("1", "00"),
        message("1", "0x0"),
        message("1", "0xzz"),
        message("1", 5),
        message(undefined, "0x00"),
        message("1", undefined),
        { ...swapParameters(), ccmPayload: "0x00" },
        { ...swapParameters(), ccmPayload: [] },
      ]
    ) {
      assert.deepStrictEqual(faultyParameters(yield* post(body)), ["ccmPayload"], JSON.stringify(body))
    }
  })

  it.effect("ccmPayload: is refused where the chain or the network cannot carry it", function* () {
    const toBitcoin = swapParameters({ sourceAsset: "eth.eth", destinationAsset: "btc.btc" })
    const ccmPayload = { gasBudget: "1", message: "0x00" }
    assert.deepStrictEqual(faultyParameters(yield* post({ ...toBitcoin, ccmPayload })), ["ccmPayload"])
    const long = yield* post(message("1", `0x${"00".repeat(15_001)}`))
    assert.deepStrictEqual(faultyParameters(long), ["ccmPayload"])
  })
})
