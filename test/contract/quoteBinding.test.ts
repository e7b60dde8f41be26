import { assert } from "@effect/vitest"
import { BigDecimal, Effect, Layer, Redacted } from "effect"
import { Buffer } from "node:buffer"
import { AccountId } from "#domain/accounts/Account.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { noBps } from "#domain/money/Bps.ts"
import { Price, toX128 } from "#domain/money/Price.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { EpochMillis } from "#domain/Time.ts"
import { emptyRecord } from "#domain/operations/TrackRecord.ts"
import { Explanations } from "#application/quoting/Explanations.ts"
import { QuoteIds } from "#application/quoting/QuoteIds.ts"
import { rank } from "#application/quoting/Ranking.ts"
import { parseRows } from "#test/interfaces/http/csv/parseCsv.ts"
import { quoteOf } from "#test/application/quoting/support.ts"
import { addresses } from "./support/addresses.ts"
import { nativeAt } from "./support/assets.ts"
import { type Answer, call, get, type Query, withOwnBroker } from "./support/call.ts"
import { at, find, integerAt, type Json, listAt, numberAt, pick, textAt } from "./support/Json.ts"
import { issue, newAccount } from "./support/operator.ts"
import { assertFailure, faultText, faultyParameters } from "./support/problem.ts"
import { deposit, during, network, passUntil, recordOf, statusOf, swapParameters } from "./support/swaps.ts"

/** OPENINGS=all: as many random openings as convince; the suite makes some. */
const openings = Deno.env.get("OPENINGS") === "all" ? 1_000 : 25

const key = "k".repeat(42) + "0="

const pair = { sourceAsset: "btc.btc", destinationAsset: "eth.eth" }
const refundAddress = addresses.btc

const quotes = (query: Query = {}) => get("/quotes", { ...pair, amount: "0.2", ...query })

const ofType = (all: Json, type: string) => pick(all, (quote) => textAt(quote, "type") === type)

/** A quote to open by: a regular one. */
const quoted = (query: Query = {}) => Effect.map(quotes(query), (all) => ofType(all, "regular"))

const openBy = (quote: Json, changes: Readonly<Record<string, string>> = {}, options: object = {}) =>
  call("GET", "/swap", {
    ...options,
    query: swapParameters({ refundAddress, quoteId: textAt(quote, "quoteId"), ...changes }),
  })

const opened = ({ body, status, text }: Answer): Json => {
  assert.strictEqual(status, 200, text)
  return body
}

const decimal = BigDecimal.fromStringUnsafe

/** estimatedPrice × (100 − tolerance) / 100, worked out apart from the product's own way. */
const limitOf = (quote: Json, tolerance: string): BigDecimal.BigDecimal =>
  BigDecimal.multiply(
    decimal(numberAt(quote, "estimatedPrice")),
    BigDecimal.divideUnsafe(BigDecimal.subtract(decimal("100"), decimal(tolerance)), decimal("100")),
  )

const x128 = (price: BigDecimal.BigDecimal) => toX128(Price.make(price), "btc.btc", "eth.eth")

/** The least price that the upstream's own record of a swap has. */
const recordedLimit = (opened: Json) =>
  Effect.map(
    recordOf(opened),
    (record) => x128(decimal(textAt(record, "status", "fillOrKillParams", "minimumPrice"))),
  )

withOwnBroker({ QUOTE_ID_KEY: key })("a swap by its quote", (it) => {
  it.effect("has its provider, amount, chunks and commission, and a limit within its tolerance", function* () {
    for (const type of ["regular", "dca"]) {
      const quote = ofType(yield* quotes({ commissionBps: "25" }), type)
      const channel = opened(yield* openBy(quote))
      const record = yield* recordOf(channel)
      const tolerance = numberAt(quote, "recommendedSlippageTolerancePercent")
      assert.strictEqual(yield* recordedLimit(channel), x128(limitOf(quote, tolerance)))
      assert.strictEqual(
        textAt(record, "status", "depositChannel", "expectedDepositAmountNative"),
        "20000000",
      )
      assert.strictEqual(integerAt(record, "status", "depositChannel", "brokerCommissionBps"), 25)
      assert.strictEqual(find(record, "status", "dcaParams") !== undefined, type === "dca")
    }
  })

  it.effect("may be given with what agrees with it, and a stricter price", function* () {
    const quote = yield* quoted()
    const stricter = numberAt(quote, "estimatedPrice")
    const channel = opened(
      yield* openBy(quote, {
        amount: "0.20",
        platform: "chainflip",
        numberOfChunks: "1",
        boostFee: "0",
        minimumPrice: stricter,
      }),
    )
    assert.strictEqual(yield* recordedLimit(channel), x128(decimal(stricter)))
    const next = yield* quoted()
    const exact = opened(yield* openBy(next, { slippageTolerancePercent: "0" }))
    assert.strictEqual(yield* recordedLimit(exact), x128(decimal(numberAt(next, "estimatedPrice"))))
  })

  it.effect("is boosted where the boost fee is not below the highest of its boosted offer", function* () {
    for (const boostFee of [numberAt(yield* quoted(), "boostQuote", "maximumBoostFeeBps"), "100"]) {
      const record = yield* recordOf(opened(yield* openBy(yield* quoted(), { boostFee })))
      assert.strictEqual(numberAt(record, "status", "boost", "maximumBoostFeeBps"), boostFee)
    }
  })

  it.effect("takes any boost fee where nothing is boosted", function* () {
    const quote = ofType(
      yield* quotes({ sourceAsset: "eth.eth", destinationAsset: "usdc.eth", amount: "1" }),
      "regular",
    )
    const parties = { refundAddress: addresses.eth, destinationAddress: addresses.eth }
    const pair = { sourceAsset: "eth.eth", destinationAsset: "usdc.eth" }
    opened(yield* openBy(quote, { ...pair, ...parties, boostFee: "5" }))
  })

  it.effect("is refused with all that contradicts it, each by its name", function* () {
    const quote = yield* quoted()
    const contradictions: ReadonlyArray<readonly [string, string]> = [
      ["sourceAsset", "eth.eth"],
      ["destinationAsset", "usdc.eth"],
      ["amount", "0.21"],
      ["amountNative", "20000001"],
      ["numberOfChunks", "2"],
      ["boostFee", `${integerAt(quote, "boostQuote", "maximumBoostFeeBps") - 1}`],
      ["commissionBps", "25"],
      ["minimumPrice", "1"],
    ]
    for (const [name, value] of contradictions) {
      const address = name === "sourceAsset"
        ? { refundAddress: addresses.eth, destinationAddress: addresses.eth }
        : {}
      const answer = yield* openBy(quote, { ...address, [name]: value })
      assert.include(faultyParameters(answer), name, answer.text)
    }
    const all = yield* openBy(quote, { amount: "0.3", boostFee: "1", minimumPrice: "0" })
    assert.sameMembers([...faultyParameters(all)], ["amount", "boostFee", "minimumPrice"])
  })

  it.effect("needs a refund address, and a tolerance needs a quote", function* () {
    const quoteId = textAt(yield* quoted(), "quoteId")
    const unrefunded = yield* call("GET", "/swap", { query: swapParameters({ quoteId }) })
    assert.deepStrictEqual(faultyParameters(unrefunded), ["refundAddress"])
    const alone = yield* call("GET", "/swap", {
      query: swapParameters({ refundAddress, slippageTolerancePercent: "1" }),
    })
    assert.deepStrictEqual(faultyParameters(alone), ["slippageTolerancePercent"])
    for (const slippageTolerancePercent of ["100", "-1", "1e1", "some"]) {
      const answer = yield* call("GET", "/swap", {
        query: swapParameters({ refundAddress, quoteId, slippageTolerancePercent }),
      })
      assert.deepStrictEqual(faultyParameters(answer), ["slippageTolerancePercent"])
    }
  })

  it.effect("is for the account that was given the quote, and is refused like an unknown one elsewhere", function* () {
    const quote = yield* quoted()
    const stranger = yield* issue(yield* newAccount())
    const foreign = yield* openBy(quote, {}, { key: stranger.key })
    const unknown = yield* openBy(quote, { quoteId: `${textAt(quote, "quoteId")}A` })
    assert.deepStrictEqual(faultyParameters(foreign), ["quoteId"])
    assert.strictEqual(faultText(foreign, "quoteId"), faultText(unknown, "quoteId"))
    const explanation = `/quotes/${textAt(quote, "quoteId")}/explanation`
    assertFailure(yield* call("GET", explanation, { key: stranger.key }), 404)
    assertFailure(yield* call("GET", "/quotes/none/explanation"), 404)
  })

  it.effect("opens nothing once the quote is over: a 409 has a fresh one, which opens", function* () {
    const account = AccountId.make(1)
    const over = {
      ...quoteOf(ProviderName.make("chainflip"), 6_000_000_000_000_000_000n),
      ingress: { asset: "btc.btc" as const, amount: NativeAmount.make(20_000_000n) },
    }
    const ids = yield* QuoteIds.pipe(
      Effect.provide(
        QuoteIds.layer(Effect.succeed(Redacted.make(Buffer.from(key, "base64")))).pipe(
          Layer.provide(Explanations.layer),
        ),
      ),
    )
    const issuedAt = EpochMillis.make(Date.now())
    const idOf = (expiresAt: EpochMillis): string => {
      const [id = ""] = ids.issue({
        account,
        commissionBps: noBps,
        at: issuedAt,
        ranking: rank([{ ...over, expiresAt }], {
          by: "net",
          preference: [over.platform],
          recordOf: () => emptyRecord,
        }),
      })
      return id
    }
    const query = (quoteId: string) => swapParameters({ refundAddress, quoteId })
    const late = idOf(EpochMillis.make(issuedAt - 1))
    const headers = { "idempotency-key": "over" }
    const answer = yield* call("GET", "/swap", { query: query(late), headers })
    assertFailure(answer, 409)
    assert.strictEqual(integerAt(answer.body, "expiredAt"), issuedAt - 1)
    const fresh = at(answer.body, "quote")
    assert.strictEqual(textAt(fresh, "type"), "regular")
    assert.strictEqual(textAt(fresh, "ingressAmountNative"), "20000000")
    // The key is not used up: nothing was opened under it.
    opened(yield* call("GET", "/swap", { query: query(textAt(fresh, "quoteId")), headers }))
    const inTime = idOf(EpochMillis.make(issuedAt + 60_000))
    opened(yield* call("GET", "/swap", { query: query(inTime) }))
    const payload = { ...query(late), amount: "0.2" }
    assertFailure(yield* call("GET", "/tx-payload/bitcoin", { query: payload }), 409)
  })

  it.effect("is repeated under its key, whatever the quote is by then", function* () {
    const quote = yield* quoted()
    const headers = { "idempotency-key": "repeated" }
    const first = yield* openBy(quote, {}, { headers })
    const second = yield* openBy(quote, {}, { headers })
    assert.strictEqual(second.text, first.text)
    assert.strictEqual(second.headers.get("idempotent-replayed"), "true")
  })

  it.effect("is one swap: again is a 409 with a fresh quote that opens, the same key gets its answer", function* () {
    const quote = yield* quoted({ amount: "0.21" })
    const headers = { "idempotency-key": "of-the-quote" }
    const answers = yield* Effect.all(
      [
        openBy(quote, {}, { headers }),
        openBy(quote),
        openBy(quote, {}, { headers: { "idempotency-key": "another" } }),
        openBy(quote),
      ],
      { concurrency: "unbounded" },
    )
    const [first, ...none] = answers.filter(({ status }) => status === 200)
    assert.lengthOf(none, 0)
    const refused = answers.filter((answer) => answer !== first)
    for (const answer of refused) {
      assertFailure(answer, 409)
      assert.notProperty(answer.body, "expiredAt")
      assert.notStrictEqual(textAt(answer.body, "quote", "quoteId"), textAt(quote, "quoteId"))
    }
    // The keys of those that were refused are unused: what they say next is another request.
    const [{ body = null } = {}] = refused
    const next = opened(yield* openBy(at(body, "quote"), {}, { headers: { "idempotency-key": "another" } }))
    if (first !== undefined) {
      assert.notStrictEqual(numberAt(next, "id"), numberAt(first.body, "id"))
      const isKeyed = first === answers[0]
      const again = yield* openBy(quote, {}, { headers })
      if (isKeyed) assert.strictEqual(again.text, first.text)
      else assertFailure(again, 409)
    }
    // An offer of the moment has been asked for by others, too: theirs are not used up.
    opened(yield* openBy(yield* quoted({ amount: "0.21" })))
  })

  it.effect("stays unused where provably nothing was opened", function* () {
    const quote = yield* quoted({ amount: "0.22" })
    const refused = yield* during(
      { provider: "chainflip", operation: "open", code: "too_many_channels" },
      openBy(quote),
    )
    assertFailure(refused, 503, "too_many_channels")
    opened(yield* openBy(quote))
    assertFailure(yield* openBy(quote), 409)
  })

  it.effect("can be a payload, whose amount is the quote's", function* () {
    const quote = yield* quoted()
    const query = swapParameters({ refundAddress, quoteId: textAt(quote, "quoteId") })
    const payload = yield* get("/tx-payload/bitcoin", query)
    assert.strictEqual(textAt(payload, "amountNative"), "20000000")
    const other = yield* call("GET", "/tx-payload/bitcoin", { query: { ...query, amount: "0.3" } })
    assert.deepStrictEqual(faultyParameters(other), ["amount"])
  })

  it.effect("says what became of the quote once it completed", function* () {
    const quote = yield* quoted()
    const channel = opened(yield* openBy(quote))
    assert.isUndefined(find(yield* statusOf(channel), "outcome"))
    yield* deposit(channel, "20000000")
    const { status } = yield* passUntil(channel, "completed")
    const received = nativeAt(status, "outcome", "receivedNative")
    const [promise, figure] = [
      nativeAt(status, "outcome", "promisedNative"),
      nativeAt(quote, "egressAmountNative"),
    ]
    assert.strictEqual(nativeAt(status, "outcome", "quotedNative"), figure)
    assert.strictEqual(received, nativeAt(status, "swapEgress", "amountNative"))
    assert.isTrue(received >= promise && promise < figure, `${received} of ${figure}, promised ${promise}`)
    assert.strictEqual(BigInt(integerAt(status, "outcome", "bps")), (received - figure) * 10_000n / figure)
    const [listed] = listAt(yield* get("/swaps", { limit: "1" }))
    assert.deepStrictEqual(
      listed === undefined ? undefined : at(listed, "status", "outcome"),
      at(status, "outcome"),
    )
    for (const path of ["/swaps", "/operator/swaps"]) {
      const { text } = yield* call("GET", path, { query: { limit: "1" }, headers: { accept: "text/csv" } })
      const [row = {}] = parseRows(text)
      for (const name of ["quoted", "promised", "received"] as const) {
        const column = `outcome${name.charAt(0).toUpperCase()}${name.slice(1)}`
        assert.strictEqual(row[column], numberAt(status, "outcome", name), `${path} ${column}`)
        assert.strictEqual(row[`${column}Native`], textAt(status, "outcome", `${name}Native`), path)
      }
      assert.strictEqual(row.outcomeBps, numberAt(status, "outcome", "bps"), path)
    }
  })

  it.effect("says nothing of the quote where another amount was deposited", function* () {
    const channel = opened(yield* openBy(yield* quoted()))
    yield* deposit(channel, "20000001")
    const { status } = yield* passUntil(channel, "completed")
    assert.isUndefined(find(status, "outcome"))
  })

  it.effect(
    "never gets a worse limit than the quote's, however prices move between",
    function* () {
      let random = 42
      const next = (below: number): number => {
        random = (random * 1_103_515_245 + 12_345) % 2_147_483_648
        return Math.floor(random / 2_147_483_648 * below)
      }
      for (let opening = 0; opening < openings; opening++) {
        const all = listAt(yield* quotes({ amount: `0.${1 + next(9)}${next(10)}` }))
        const quote = all[next(all.length)]
        assert.isDefined(quote)
        yield* network("movePrice", { asset: "btc.btc", bps: next(401) - 200 })
        const tolerance = `${next(5)}.${next(100)}`
        const isGiven = next(2) === 0
        const answer = yield* openBy(quote, isGiven ? { slippageTolerancePercent: tolerance } : {})
        const recommended = numberAt(quote, "recommendedSlippageTolerancePercent")
        const least = x128(limitOf(quote, isGiven ? tolerance : recommended))
        const limit = yield* recordedLimit(opened(answer))
        assert.isTrue(limit >= least, `opening ${opening}: ${limit} below ${least}`)
      }
    },
    openings * 1_000 + 20_000,
  )
})

withOwnBroker({ QUOTE_CACHE_TTL: "1 minute" })("the id of a quote that is answered from memory", (it) => {
  it.effect("is never given again once a swap was opened by it", function* () {
    const used = new Set<string>()
    for (let turn = 0; turn < 20; turn += 1) {
      const quote = yield* quoted({ amount: "0.23" })
      assert.isFalse(used.has(textAt(quote, "quoteId")), "it was used")
      opened(yield* openBy(quote))
      used.add(textAt(quote, "quoteId"))
    }
  })
})

withOwnBroker({ PROVIDERS: "chainflip,near-intents,relay,thorchain" })("a comparison of quotes", (it) => {
  const compare = (query: Query) => get("/quotes/compare", { ...pair, ...query })

  it.effect("has the quotes in their order, and why the other providers gave none", function* () {
    const body = yield* compare({ amount: "0.2" })
    const has = new Set(listAt(body, "quotes").map((quote) => textAt(quote, "platform")))
    const without = listAt(body, "notRanked").map((row) => textAt(row, "platform"))
    assert.sameMembers([...has, ...without], ["chainflip", "near-intents", "relay", "thorchain"])
    for (const row of listAt(body, "notRanked")) assert.isNotEmpty(textAt(row, "reason"))
    assert.strictEqual(textAt(body, "policy"), "net-output@1")
  })

  it.effect("was given once its providers had answered", function* () {
    const body = yield* compare({ amount: "0.2345678", platform: "chainflip" })
    const [quote] = listAt(body, "quotes")
    assert.isDefined(quote)
    const explanation = yield* get(`/quotes/${textAt(quote, "quoteId")}/explanation`)
    // The provider says nothing of how long it stands by its quotes: a minute from its answer.
    const answeredAt = Number(numberAt(quote, "expiresAt")) - 60_000
    assert.isAtLeast(Number(numberAt(explanation, "at")), answeredAt)
  })

  it.effect("says why where nobody quotes, and from which amount on somebody does", function* () {
    const body = yield* compare({ amount: "0.00000001" })
    assert.deepStrictEqual(listAt(body, "quotes"), [])
    assert.strictEqual(listAt(body, "notRanked").length, 4)
    const least = nativeAt(body, "effectiveMinimum", "amountNative")
    yield* get("/quotes-native", { ...pair, amount: `${least}` })
    const below = yield* call("GET", "/quotes-native", { query: { ...pair, amount: `${least - 1n}` } })
    assert.notStrictEqual(below.status, 200, below.text)
  })

  it.effect("explains each of its quotes", function* () {
    for (const rank of ["net", "fastest", "guaranteed", "reliable"]) {
      const body = yield* compare({ amount: "0.2", rank })
      for (const quote of listAt(body, "quotes")) {
        const explanation = yield* get(`/quotes/${textAt(quote, "quoteId")}/explanation`)
        assert.strictEqual(textAt(explanation, "policy"), textAt(body, "policy"))
        const own = pick(
          at(explanation, "quotes"),
          (row) => textAt(row, "quoteId") === textAt(quote, "quoteId"),
        )
        assert.strictEqual(numberAt(own, "position"), numberAt(quote, "rank", "position"))
      }
    }
    assertFailure(yield* call("GET", "/quotes", { query: { ...pair, amount: "1", rank: "best" } }), 400)
  })
})
