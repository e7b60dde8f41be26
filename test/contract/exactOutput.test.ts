import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { readLink } from "#test/domain/swaps/payment/support/parsers.ts"
import { reach } from "#test/support/reach.ts"
import { addresses } from "./support/addresses.ts"
import { call, type Query, withOwnBroker } from "./support/call.ts"
import { at, find, type Json, listAt, numberAt, textAt } from "./support/Json.ts"
import { assertFailure, faultText, faultyParameters } from "./support/problem.ts"
import { deposit, during, pass, passUntil, recordOf, statusOf, swapParameters } from "./support/swaps.ts"

const pair = { sourceAsset: "btc.btc", destinationAsset: "usdc.eth" }
const refundAddress = addresses.btc
const asked = { amountOut: "5000.25" }
const askedNative = 5_000_250_000n

const ask = (path: string, query: Query) =>
  call("GET", path, { query: { ...pair, ...Object.fromEntries(Object.entries(query)) } })
const quotes = (query: Query = asked) => ask("/quotes", query)
const swap = (query: Readonly<Record<string, string>>) =>
  call("GET", "/swap", { query: swapParameters({ ...pair, refundAddress, ...query }) })

const nativeAt = (json: Json, ...path: ReadonlyArray<string>): bigint => BigInt(textAt(json, ...path))

const ok = ({ body, status, text }: Effect.Success<ReturnType<typeof quotes>>): Json => {
  assert.strictEqual(status, 200, text)
  return body
}

const offerOf = (platform: string) =>
  Effect.map(
    quotes(),
    (answer) =>
      listAt(ok(answer)).find((quote) => textAt(quote, "platform") === platform) ?? assert.fail(answer.text),
  )

/** Opens by a quote of a provider. */
const openedBy = Effect.fnUntraced(function* (platform: string) {
  const quote = yield* offerOf(platform)
  return { quote, opened: ok(yield* swap({ quoteId: textAt(quote, "quoteId") })) }
})

/** A deposit to a channel of a provider, and the status that it leads to. */
const endOf = Effect.fnUntraced(function* (platform: string, deposited: (opened: Json) => bigint) {
  const { opened, quote } = yield* openedBy(platform)
  const sent = deposited(opened)
  yield* deposit(opened, `${sent}`)
  const { status } = yield* passUntil(opened, "completed", 600)
  return { opened, quote, sent, status }
})

const most = (opened: Json): bigint => nativeAt(opened, "exactOutput", "sendAtMostNative")
const least = (opened: Json): bigint => nativeAt(opened, "exactOutput", "sendAtLeastNative")

const feeOf = (status: Json, kind: string): bigint =>
  listAt(status, "fees").filter((fee) => (find(fee, "purpose") ?? textAt(fee, "type")) === kind)
    .reduce((sum, fee) => sum + nativeAt(fee, "amountNative"), 0n)

withOwnBroker({ PROVIDERS: "chainflip,near-intents,relay,thorchain,maya", QUOTE_GRACE: "1 minute" })(
  "an output that is asked for",
  (it) => {
    it.effect("is asked for once, in the destination asset, by a number above 0", function* () {
      const faults: ReadonlyArray<readonly [Query, parameter: string, text: RegExp]> = [
        [{}, "amount", /or amountOut is required/],
        [{ amount: "1", amountOut: "1" }, "amount", /^amount and amountOut cannot be used together$/],
        [{ amountOut: "0" }, "amountOut", /must be a plain decimal number above zero/],
        [{ amountOut: "much" }, "amountOut", /must be a plain decimal number above zero/],
        [{ amountOut: "0.0000001" }, "amountOut", /too many decimals; usdc.eth has 6/],
      ]
      for (const [query, parameter, text] of faults) {
        for (const path of ["/quotes", "/quote", "/quotes/compare", "/quotes/stream"]) {
          const answer = yield* ask(path, query)
          assert.deepStrictEqual(faultyParameters(answer), [parameter], path)
          assert.match(faultText(answer, parameter), text)
        }
        if (Object.keys(query).length === 0) continue
        const limited = { ...Object.fromEntries(Object.entries(query)), minimumPrice: "1" }
        assert.deepStrictEqual(faultyParameters(yield* swap(limited)), [parameter])
      }
      const both = yield* ask("/quotes-native", { amount: "1", amountOutNative: "1" })
      assert.deepStrictEqual(faultyParameters(both), ["amountNative"])
      const unsafe = yield* call("GET", "/swap", { query: swapParameters({ ...pair, ...asked }) })
      assert.deepStrictEqual(faultyParameters(unsafe), ["minimumPrice", "refundAddress"])
    })

    it.effect("is offered by who promises it, the least to send first; the others are named with the reason", function* () {
      const answer = yield* quotes()
      assert.strictEqual(
        answer.headers.get("provider-status"),
        'chainflip;reason="amount_out", near-intents;ok, relay;ok, thorchain;reason="amount_out", ' +
          'maya;reason="amount_out"',
      )
      const offers = listAt(ok(answer))
      assert.sameMembers(offers.map((offer) => textAt(offer, "platform")), ["near-intents", "relay"])
      const toSend = offers.map((offer) => nativeAt(offer, "ingressAmountNative"))
      assert.deepStrictEqual(toSend, toSend.toSorted((one, other) => one < other ? -1 : 1))
      assert.include(listAt(offers[1] ?? null, "rank", "reasons"), "more_input")
      for (const offer of offers) {
        assert.strictEqual(nativeAt(offer, "egressAmountNative"), askedNative)
        assert.strictEqual(nativeAt(offer, "exactOutput", "egressAmountNative"), askedNative)
        assert.isTrue(least(offer) <= nativeAt(offer, "ingressAmountNative"))
        assert.isTrue(nativeAt(offer, "ingressAmountNative") < most(offer))
        assert.strictEqual(textAt(offer, "swapParameters", "amountOutNative"), `${askedNative}`)
        assert.isUndefined(find(offer, "swapParameters", "amountNative"))
      }
      const fee = find(yield* offerOf("near-intents"), "exactOutput", "refundFeeNative")
      assert.strictEqual(fee, "1900")
      const native = listAt(ok(yield* ask("/quotes-native", { amountOutNative: `${askedNative}` })))
      assert.deepStrictEqual(native.map((offer) => nativeAt(offer, "ingressAmountNative")), toSend)
    })

    it.effect("needs a limit where it is opened: a minimumPrice above 0 or a quoteId (decision 52)", function* () {
      const native = { amountOutNative: `${askedNative}` }
      for (const given of [asked, native, { ...asked, minimumPrice: "0" }]) {
        for (const platform of ["relay", "near-intents"]) {
          const query = { ...pair, refundAddress, ...given, platform }
          const answers = [
            yield* swap({ ...given, platform }),
            yield* call("POST", "/swap", { body: swapParameters(query) }),
          ]
          for (const answer of answers) {
            assert.deepStrictEqual(faultyParameters(answer), ["minimumPrice"])
            assert.match(faultText(answer, "minimumPrice"), /amountOut(?:Native)?, or a quoteId/)
          }
        }
      }
      ok(yield* swap({ ...asked, platform: "relay", minimumPrice: "1" }))
    })

    it.effect("is a 400 that says what to do where nobody promises it", function* () {
      for (
        const answer of [
          yield* quotes({ ...asked, platform: "chainflip" }),
          yield* swap({ ...asked, platform: "chainflip", minimumPrice: "1" }),
        ]
      ) {
        assertFailure(answer, 400)
        assert.strictEqual(
          faultText(answer, "amountOut"),
          "amountOut is not promised by chainflip, where what is sent decides what arrives: give amount in its place",
        )
      }
      const little = yield* quotes({ amountOut: "0.5", platform: "near-intents" })
      assertFailure(little, 400, "amount_below_minimum")
      assert.match(textAt(little.body, "detail"), /^The provider pays out [0-9.]+ usdc\.eth at least/)
    })

    it.effect.each(["near-intents", "relay"])(
      "%s: the payment asks for the most within the quote's word, and just that arrives",
      function* (platform) {
        const { opened, quote, status } = yield* endOf(platform, most)
        assert.isTrue(most(opened) <= most(quote))
        assert.strictEqual(nativeAt(opened, "payment", "amountNative"), most(opened))
        assert.strictEqual(nativeAt(opened, "minimumDepositNative"), least(opened))
        assert.deepInclude(readLink(textAt(opened, "payment", "uri")), { amount: most(opened) })
        assert.isTrue(
          listAt(opened, "payment", "warnings").some((warning) =>
            /part that the swap does not need/.test(`${warning}`)
          ),
        )
        assert.strictEqual(nativeAt(status, "swapEgress", "amountNative"), askedNative)
        assert.deepStrictEqual(
          [
            nativeAt(status, "outcome", "quotedNative"),
            nativeAt(status, "outcome", "promisedNative"),
            nativeAt(status, "outcome", "receivedNative"),
          ],
          [askedNative, askedNative, askedNative],
        )
        assert.deepStrictEqual(at(status, "depositChannel", "exactOutput"), at(opened, "exactOutput"))
        assert.strictEqual(nativeAt(status, "depositChannel", "expectedDepositAmountNative"), most(opened))
        const used = nativeAt(status, "swap", "swappedInputAmountNative")
        const back = find(status, "refundEgress") === undefined
          ? 0n
          : nativeAt(status, "refundEgress", "amountNative")
        assert.strictEqual(used + back + feeOf(status, "refund"), most(opened))
      },
    )

    it.effect("opens by its parameters alone, and in a body", function* () {
      for (const platform of ["near-intents", "relay"]) {
        const opened = ok(yield* swap({ ...asked, platform, minimumPrice: "1" }))
        assert.strictEqual(nativeAt(opened, "exactOutput", "egressAmountNative"), askedNative)
      }
      const body = {
        ...swapParameters(pair),
        refundAddress,
        minimumPrice: 1,
        amountOutNative: `${askedNative}`,
      }
      const posted = ok(yield* call("POST", "/swap", { body }))
      assert.strictEqual(textAt(posted, "platform"), "near-intents")
    })

    it.effect("opens nothing above the price limit, and by a quote nothing that contradicts it", function* () {
      const dear = yield* swap({ ...asked, minimumPrice: "1000000" })
      assert.deepStrictEqual(faultyParameters(dear), ["minimumPrice"])
      const quoteId = textAt(yield* offerOf("relay"), "quoteId")
      const contradictions = [{ amountOut: "5000.26" }, { amount: "0.1" }, { amountNative: "5000250000" }]
      for (const given of contradictions) {
        assert.deepStrictEqual(faultyParameters(yield* swap({ quoteId, ...given })), Object.keys(given))
      }
      ok(yield* swap({ quoteId, amountOut: "5000.25" }))
    })

    it.effect("is refused to a transaction, which moves what is sent, by whichever name asks for it", function* () {
      const quoteId = textAt(yield* offerOf("relay"), "quoteId")
      for (const given of [asked, { amountOutNative: "1" }, { quoteId }]) {
        const answer = yield* call("GET", "/tx-payload/bitcoin", {
          query: swapParameters({ ...pair, refundAddress, ...given }),
        })
        assert.strictEqual(answer.status, 400)
        assert.deepStrictEqual(faultyParameters(answer), Object.keys(given))
      }
    })

    it.effect("keeps a surplus that its refund would cost, as the quote says, and sends a larger one back", function* () {
      const fee = 1_900n
      const kept = yield* endOf("near-intents", (opened) => least(opened) + fee)
      assert.isUndefined(find(kept.status, "refundEgress"))
      assert.strictEqual(feeOf(kept.status, "refund"), fee)
      const returned = yield* endOf("near-intents", (opened) => most(opened) + 1_000_000n)
      const used = nativeAt(returned.status, "swap", "swappedInputAmountNative")
      assert.strictEqual(
        nativeAt(returned.status, "refundEgress", "amountNative"),
        returned.sent - used - fee,
      )
      assert.strictEqual(nativeAt(returned.status, "swapEgress", "amountNative"), askedNative)
      const record = yield* recordOf(returned.opened)
      assert.strictEqual(textAt(record, "guidance", "phase"), "completed_rest_refunded")
    })

    it.effect("sends back what is too little", function* () {
      const relay = yield* endOf("relay", (opened) => least(opened) - 1n)
      assert.isUndefined(find(relay.status, "swapEgress"))
      assert.isTrue(nativeAt(relay.status, "refundEgress", "amountNative") > 0n)
      const { opened } = yield* openedBy("near-intents")
      const sent = least(opened) - 1n
      yield* deposit(opened, `${sent}`)
      yield* pass(3 * 3_600)
      assert.strictEqual(textAt(yield* statusOf(opened), "state"), "receiving")
      yield* pass(48 * 3_600)
      const status = yield* statusOf(opened)
      assert.strictEqual(textAt(status, "state"), "completed")
      assert.strictEqual(nativeAt(status, "refundEgress", "amountNative"), sent - 1_900n)
    })

    it.effect.each(["near-intents", "relay"])(
      "%s: less than was asked for is never offered nor opened",
      function* (platform) {
        const { opened, refused } = yield* during(
          { behaviour: "lessOutput", on: true },
          Effect.all({
            refused: quotes({ ...asked, platform }),
            opened: swap({ ...asked, platform, minimumPrice: "1" }),
          }),
        )
        assert.strictEqual(refused.status, 503, refused.text)
        assert.strictEqual(opened.status, 500, opened.text)
        assert.strictEqual(refused.headers.get("provider-status"), `${platform};reason="malformed_body"`)
      },
    )

    it.effect("is on the page of who pays", function* () {
      const { opened } = yield* openedBy("near-intents")
      const link = yield* call("POST", `/swap/${numberAt(opened, "id")}/pay-link`, {})
      const page = yield* Effect.promise(async () => (await reach(textAt(link.body, "url"))).text())
      assert.include(page, numberAt(opened, "exactOutput", "sendAtMost"))
      assert.match(page.replaceAll(/<[^>]*>/g, ""), /does not need, less 0\.000019\sBTC/)
    })
  },
)
