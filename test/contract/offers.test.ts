import { assert } from "@effect/vitest"
import { addresses, addressFor } from "./support/addresses.ts"
import { type Answer, call, get, type Query, withOwnBroker } from "./support/call.ts"
import { at, find, integerAt, type Json, listAt, numberAt, objectAt, pick, textAt } from "./support/Json.ts"
import { assertFailure } from "./support/problem.ts"
import {
  during,
  network,
  openSwap,
  recordOf,
  statusOf,
  swapParameters,
  type SwapQuery,
  throughout,
} from "./support/swaps.ts"

// A busy machine is late.
const both = { PROVIDERS: "chainflip,near-intents", QUOTE_GRACE: "1 minute" }

const pair = { sourceAsset: "btc.btc", destinationAsset: "eth.eth" }
const endpoints = {
  "/quotes": "0.1",
  "/quotes-native": "10000000",
  "/quote": "0.1",
  "/quote-native": "10000000",
}

const quote = (query: Query, path = "/quotes") => call("GET", path, { query: { ...pair, ...query } })

const status = ({ headers }: Answer): string | null => headers.get("provider-status")

const ofPlatform = (quotes: Json, platform: string): Json =>
  pick(quotes, (quote) => textAt(quote, "platform") === platform)

/** What a client makes of the parameters of an offer: each as text in a query. */
const asQuery = (quote: Json): SwapQuery =>
  Object.fromEntries(
    Object.entries(objectAt(quote, "swapParameters")).map(([name, value]) => [
      name,
      typeof value === "string" ? value : numberAt(quote, "swapParameters", name),
    ]),
  )

withOwnBroker(both)("what each provider said (Provider-Status)", (it) => {
  it.effect("is on every answer of the quote endpoints that asked them", function* () {
    for (const [path, amount] of Object.entries(endpoints)) {
      const answer = yield* quote({ amount }, path)
      assert.strictEqual(answer.status, 200)
      assert.strictEqual(status(answer), "chainflip;ok, near-intents;ok", path)
      assert.strictEqual(
        status(yield* quote({ amount, platform: "near-intents" }, path)),
        "near-intents;ok",
      )
    }
  })

  it.effect("tells of a provider without a quote beside the quotes of another", () =>
    throughout({ provider: "chainflip", operation: "quote", code: "upstream_error" }, function* () {
      const answer = yield* quote({ amount: "0.11" })
      assert.strictEqual(answer.status, 200)
      assert.strictEqual(status(answer), 'chainflip;code="upstream_error", near-intents;ok')
      assert.deepStrictEqual(listAt(answer.body).map((one) => textAt(one, "platform")), ["near-intents"])
    }))

  it.effect("is on a problem, too", () =>
    throughout({ operation: "quote", code: "insufficient_liquidity" }, function* () {
      const answer = yield* quote({ amount: "0.12" })
      assertFailure(answer, 400, "insufficient_liquidity")
      assert.strictEqual(
        status(answer),
        'chainflip;code="insufficient_liquidity", near-intents;code="insufficient_liquidity"',
      )
    }))

  it.effect("is absent where nobody was asked", function* () {
    assert.isNull(status(yield* quote({ amount: "x" })))
    assert.isNull(status(yield* call("GET", "/quotes", { key: null })))
    assert.isNull(status(yield* call("GET", "/swaps")))
  })

  it.effect("a provider that does not deal in an asset has no say while another does", function* () {
    const query = { ...pair, sourceAsset: "dot.dot", amount: "100" }
    const answer = yield* call("GET", "/quotes", { query })
    assert.strictEqual(status(answer), 'chainflip;ok, near-intents;reason="asset_not_listed"')
    const failed = yield* during(
      { provider: "chainflip", operation: "quote", code: "upstream_error" },
      call("GET", "/quotes", { query: { ...query, amount: "101" } }),
    )
    assertFailure(failed, 500, "upstream_error")
    assert.strictEqual(
      status(failed),
      'chainflip;code="upstream_error", near-intents;reason="asset_not_listed"',
    )
    assert.notProperty(listAt(failed.body, "providers")[1], "code")
    const alone = yield* call("GET", "/quotes", { query: { ...query, platform: "near-intents" } })
    assertFailure(alone, 503, "asset_disabled")
  })
})

withOwnBroker(both)("the parameters that open an offer", (it) => {
  it.effect("open it with the provider that made it, chunks and commission included", function* () {
    const answer = yield* quote({ amount: "3.5", commissionBps: "25" })
    const offers = listAt(answer.body)
    assert.isAbove(offers.length, 2)
    for (const offer of offers) {
      const query = asQuery(offer)
      assert.strictEqual(query.platform, textAt(offer, "platform"))
      assert.strictEqual(
        query.amountNative,
        textAt(offer, "platform") === "near-intents" ? "350000000" : undefined,
      )
      const opened = yield* get("/swap", { ...query, destinationAddress: addresses.eth })
      const record = yield* recordOf(opened)
      assert.strictEqual(textAt(record, "platform"), textAt(offer, "platform"))
      assert.strictEqual(integerAt(record, "status", "depositChannel", "brokerCommissionBps"), 25)
      const isDca = textAt(offer, "type") === "dca"
      const dca = find(record, "status", "dcaParams")
      assert.deepStrictEqual(
        dca,
        isDca
          ? {
            numberOfChunks: at(offer, "numberOfChunks"),
            chunkIntervalBlocks: at(offer, "chunkIntervalBlocks"),
          }
          : undefined,
      )
    }
  })

  it.effect("leave the commission out where the account's own is meant", function* () {
    const offers = listAt((yield* quote({ amount: "0.13" })).body)
    for (const offer of offers) assert.notProperty(at(offer, "swapParameters"), "commissionBps")
    assert.strictEqual(
      numberAt(
        ofPlatform((yield* quote({ amount: "0.13" })).body, "chainflip"),
        "boostQuote",
        "swapParameters",
        "boostFee",
      ),
      numberAt(
        ofPlatform((yield* quote({ amount: "0.13" })).body, "chainflip"),
        "boostQuote",
        "maximumBoostFeeBps",
      ),
    )
  })

  it.effect("keep an offer below one provider's minimum from being opened with that provider", function* () {
    const answer = yield* quote({ amount: "0.0003" })
    const [offer = null, ...others] = listAt(answer.body)
    assert.lengthOf(others, 0)
    assert.strictEqual(status(answer), 'chainflip;reason="deposit_below_minimum", near-intents;ok')
    const opened = yield* get("/swap", { ...asQuery(offer), destinationAddress: addresses.eth })
    assert.strictEqual(textAt(opened, "platform"), "near-intents")
    // Who leaves them away is told what would be lost.
    const careless = yield* openSwap()
    assert.strictEqual(textAt(careless, "platform"), "chainflip")
    assert.strictEqual(textAt(careless, "minimumDepositNative"), "40000")
  })
})

const limited = { minimumPrice: "20", refundAddress: addresses.btc }

withOwnBroker(both)("the answer of /swap says what would be lost", (it) => {
  const orders = { "chainflip": {}, "near-intents": { amount: "0.1", ...limited } }
  for (const [platform, changes] of Object.entries(orders)) {
    for (const method of ["GET", "POST"]) {
      it.effect(`${method} ${platform}: provider, minimum and expiry, the same when it is told again`, function* () {
        const query = swapParameters({ platform, ...changes })
        const headers = { "idempotency-key": `${method}-${platform}` }
        const answer = yield* call(method, "/swap", { query, headers })
        const opened = answer.body
        assert.strictEqual(textAt(opened, "platform"), platform)
        assert.match(textAt(opened, "minimumDepositNative"), /^[1-9][0-9]*$/)
        assert.strictEqual(
          BigInt(Math.round(Number(numberAt(opened, "minimumDeposit")) * 1e8)),
          BigInt(textAt(opened, "minimumDepositNative")),
        )
        assert.isAbove(integerAt(opened, "expiresAt"), Date.parse("2026-11-01"))
        const again = yield* call(method, "/swap", { query, headers })
        assert.strictEqual(again.headers.get("idempotent-replayed"), "true")
        assert.strictEqual(again.text, answer.text)
      })
    }
  }

  it.effect("the expiry is that of the record, and a provider that takes any amount has a minimum of 0", function* () {
    const opened = yield* openSwap({ platform: "near-intents", amount: "0.1" })
    const status = yield* statusOf(opened)
    assert.strictEqual(
      integerAt(opened, "expiresAt"),
      integerAt(status, "depositChannel", "estimatedExpiryTime"),
    )
    assert.strictEqual(numberAt(opened, "minimumDeposit"), "0")
    assert.strictEqual(textAt(opened, "minimumDepositNative"), "0")
    for (const name of ["maximumDeposit", "maximumDepositNative"]) {
      assert.notProperty(opened, name)
    }
  })

  it.effect("the figures are in units of the source asset", function* () {
    const opened = yield* openSwap({
      sourceAsset: "eth.eth",
      destinationAsset: "btc.btc",
      destinationAddress: addressFor("btc.btc"),
      platform: "chainflip",
    })
    const native = textAt(opened, "minimumDepositNative")
    assert.strictEqual(Number(numberAt(opened, "minimumDeposit")) * 1e18, Number(native))
  })
})

withOwnBroker()("the answer of /swap where the network has a limit", (it) => {
  it.effect("says the most that is swapped at once", function* () {
    yield* network("setAsset", { asset: "btc.btc", maximumSwap: "250000000" })
    const opened = yield* openSwap()
    assert.strictEqual(numberAt(opened, "maximumDeposit"), "2.5")
    assert.strictEqual(textAt(opened, "maximumDepositNative"), "250000000")
    const free = yield* openSwap({ sourceAsset: "eth.eth", destinationAsset: "usdc.arb" })
    assert.notProperty(free, "maximumDeposit")
    assert.notProperty(free, "maximumDepositNative")
  })
})
