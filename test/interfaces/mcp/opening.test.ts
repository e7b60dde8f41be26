import { assert, describe, layer } from "#test/support/it.ts"
import { Effect } from "effect"
import { brokerInProcess } from "#test/support/broker.ts"
import { addressFor, brokerAccounts } from "#test/contract/support/addresses.ts"
import { brokerOfTwo, otherKey } from "#test/contract/support/accounts.ts"
import { call, genesis } from "#test/contract/support/call.ts"
import {
  at,
  find,
  integerAt,
  type Json,
  listAt,
  numberAt,
  pick,
  textAt,
} from "#test/contract/support/Json.ts"
import { issue, newAccount, operate, setRoute } from "#test/contract/support/operator.ts"
import { during, pass } from "#test/contract/support/swaps.ts"
import { answerOf, ask, callTool, refusalOf, resultOf, toolNames } from "./support/agent.ts"
import { openChannels, opening, prepare, wish } from "./support/opening.ts"

const settings = {
  SANDBOX_GENESIS: genesis,
  PROVIDERS: "chainflip",
  CIRCUIT_MINIMUM_CALLS: "10000",
  OPEN_FAILURES: "1000",
  QUOTE_CACHE_TTL: "1 millis",
}
const live = { excludeTestServices: true } as const

/** The swaps of an account, as it lists them. */
const swapsOf = (key?: string) =>
  Effect.map(
    callTool("list_swaps", { limit: 500 }, key === undefined ? {} : { key }),
    (result) => listAt(answerOf(result), "swaps").length,
  )

const open = (prepared: Json, changes: Readonly<Record<string, unknown>> = {}, key?: string) =>
  callTool("open_swap", { ...opening(prepared), ...changes }, key === undefined ? {} : { key })

const recordOfId = (id: number) => call("GET", "/status-by-id", { query: { swapId: `${id}` } })

describe("opening by agents", () => {
  layer(brokerOfTwo(settings), live)("of a broker", (it) => {
    it.effect("goes from the question to the completed swap in eight calls", function* () {
      let calls = 0
      const does = (name: string, args: Readonly<Record<string, unknown>>) => {
        calls += 1
        return Effect.map(callTool(name, args), answerOf)
      }
      yield* does("list_assets", {})
      const quotes = yield* does("get_quotes", {
        sourceAsset: "btc.btc",
        destinationAsset: "eth.eth",
        amount: "0.25",
      })
      assert.isAbove(listAt(quotes, "quotes").length, 0)
      const prepared = yield* does("prepare_swap", wish)
      assert.include(textAt(prepared, "summary"), textAt(prepared, "destinationAddress"))
      const opened = yield* does("open_swap", opening(prepared))
      const swapId = integerAt(opened, "id")
      const payment = yield* does("get_payment", { swapId })
      assert.strictEqual(textAt(payment, "payment", "amountNative"), "25000000")
      yield* does("sandbox_advance", { swapId, depositAmount: "0.25", advanceSeconds: 7_200 })
      const swap = yield* does("get_swap", { swapId })
      assert.strictEqual(textAt(swap, "swap", "state"), "completed")
      assert.isAtMost(calls, 8)
      const after = answerOf(yield* callTool("get_payment", { swapId }))
      assert.strictEqual(find(after, "isAwaited"), false)
      assert.isUndefined(find(after, "address"))
    })

    it.effect("shows no address while nobody should pay", function* () {
      const opened = answerOf(yield* open(yield* prepare()))
      const turn = (enabled: boolean) =>
        call("POST", "/providers/chainflip/switch", {
          body: { operation: "open", asset: "btc.btc", enabled, reason: "for the test" },
        })
      const payment = yield* Effect.acquireUseRelease(
        turn(false),
        () => callTool("get_payment", { swapId: integerAt(opened, "id") }),
        () => turn(true),
      )
      assert.strictEqual(find(answerOf(payment), "isAwaited"), true)
      assert.notInclude(JSON.stringify(payment), textAt(opened, "address"))
      assert.match(textAt(answerOf(payment), "payment", "warnings", 0), /^Do not pay for now/)
    })

    it.effect("does not say that a deposit is awaited while the provider cannot be asked", function* () {
      const opened = answerOf(yield* open(yield* prepare()))
      const turn = (enabled: boolean) =>
        call("POST", "/providers/chainflip/switch", {
          body: { operation: "status", enabled, reason: "for the test" },
        })
      const payment = yield* Effect.acquireUseRelease(
        turn(false),
        () => callTool("get_payment", { swapId: integerAt(opened, "id") }),
        () => turn(true),
      )
      assert.strictEqual(find(answerOf(payment), "isAwaited"), false)
      assert.notInclude(JSON.stringify(payment), textAt(opened, "address"))
      assert.match(textAt(answerOf(payment), "payment", "warnings", 0), /^Do not pay for now/)
    })

    it.effect("shows where to pay with a code that is a picture", function* () {
      const opened = answerOf(yield* open(yield* prepare()))
      const result = yield* callTool("get_payment", { swapId: integerAt(opened, "id") })
      assert.strictEqual(textAt(result, "content", 1, "resource", "mimeType"), "image/svg+xml")
      assert.match(textAt(result, "content", 1, "resource", "text"), /^<svg /)
      assert.strictEqual(textAt(result, "content", 1, "annotations", "audience", 0), "user")
      for (const answer of [opened, answerOf(result)]) {
        assert.strictEqual(textAt(answer, "sourceAsset"), "btc.btc")
        assert.strictEqual(textAt(answer, "network"), "Bitcoin")
      }
      assert.strictEqual(textAt(answerOf(result), "address"), textAt(opened, "address"))
    })

    it.effect("opens one channel for a confirmation, however often and at once it is used", function* () {
      const prepared = yield* prepare()
      const before = yield* openChannels
      const swaps = yield* swapsOf()
      const first = answerOf(yield* open(prepared))
      const again = yield* Effect.all(Array.from({ length: 5 }, () => open(prepared)), { concurrency: 5 })
      for (const result of again) assert.deepStrictEqual(answerOf(result), first)
      const other = yield* prepare()
      const together = yield* Effect.all(Array.from({ length: 6 }, () => open(other)), { concurrency: 6 })
      const ids = together.filter((result) => find(result, "isError") === false)
        .map((result) => integerAt(answerOf(result), "id"))
      assert.strictEqual(new Set(ids).size, 1)
      for (const result of together.filter((result) => find(result, "isError") === true)) {
        assert.strictEqual(integerAt(refusalOf(result), "status"), 409)
      }
      assert.strictEqual(yield* openChannels, before + 2)
      assert.strictEqual(yield* swapsOf(), swaps + 2)
    })

    it.effect("asks for a refund address and a least price above 0, and checks as an opening does", function* () {
      const before = yield* openChannels
      for (
        const [changes, name] of [
          [{ refundAddress: null }, "refundAddress"],
          [{ minimumPrice: null }, "minimumPrice"],
          [{ minimumPrice: "0" }, "minimumPrice"],
          [{ amount: null }, "amount"],
          [{ amountNative: "1" }, "amount"],
          [{ destinationAddress: "0x1" }, "destinationAddress"],
          [{ refundAddress: wish.destinationAddress }, "refundAddress"],
          [{ destinationAsset: "btc.btc" }, "destinationAsset"],
          [{ platform: "nobody" }, "platform"],
          [{ quoteId: "q1~made~up" }, "quoteId"],
          [{ slippageTolerance: "1" }, "slippageTolerance"],
          [{ affiliate1: "nobody", affiliate1CommissionBps: 5 }, "affiliate1"],
        ] as const
      ) {
        const refusal = refusalOf(yield* callTool("prepare_swap", { ...wish, ...changes }))
        assert.strictEqual(integerAt(refusal, "status"), 400, JSON.stringify(refusal))
        assert.isDefined(find(refusal, "errors", name), JSON.stringify(refusal))
      }
      assert.strictEqual(yield* openChannels, before)
    })

    it.effect("prepares the very offer of a quote, until it is over", function* () {
      const quotes = answerOf(
        yield* callTool("get_quotes", {
          sourceAsset: "btc.btc",
          destinationAsset: "eth.eth",
          amount: "0.25",
        }),
      )
      const quoteId = textAt(quotes, "quotes", 0, "quoteId")
      const prepared = yield* prepare({}, { quoteId })
      assert.strictEqual(textAt(prepared, "quotedAmount"), textAt(quotes, "quotes", 0, "egressAmount"))
      assert.strictEqual(textAt(prepared, "platform"), textAt(quotes, "quotes", 0, "platform"))
      const other = refusalOf(yield* callTool("prepare_swap", { ...wish, quoteId, amount: "0.3" }))
      assert.isDefined(find(other, "errors", "amount"))
      const foreign = refusalOf(yield* callTool("prepare_swap", { ...wish, quoteId }, { key: otherKey }))
      assert.isDefined(find(foreign, "errors", "quoteId"))
    })

    it.effect("opens by the quote that was prepared, once, and tells of a fresh one in its place", function* () {
      const asked = { sourceAsset: "btc.btc", destinationAsset: "eth.eth", amount: "0.25" }
      const first = at(answerOf(yield* callTool("get_quotes", asked)), "quotes", 0)
      const { amount: _, ...withoutAmount } = wish
      const byQuote = { ...withoutAmount, quoteId: textAt(first, "quoteId") }
      const prepared = answerOf(yield* callTool("prepare_swap", byQuote))
      // The human's own least price is far below that of the quote's tolerance.
      const lower = answerOf(yield* callTool("prepare_swap", { ...byQuote, minimumPrice: "20" }))
      assert.strictEqual(textAt(lower, "minimumPrice"), "20")
      const id = integerAt(answerOf(yield* open(prepared)), "id")
      yield* callTool("sandbox_advance", { swapId: id, depositAmount: "0.25", advanceSeconds: 7_200 })
      const { body } = yield* recordOfId(id)
      assert.strictEqual(numberAt(body, "status", "outcome", "quoted"), textAt(first, "egressAmount"))
      const used = refusalOf(yield* open(lower))
      assert.strictEqual(integerAt(used, "status"), 409)
      assert.match(textAt(used, "detail"), /quote has already opened a swap/)
      assert.strictEqual(find(used, "retryable"), false)
      assert.match(textAt(used, "nextStep"), /^Nothing was opened.*quoteId of `quote`/)
      const again = answerOf(
        yield* callTool("prepare_swap", { ...byQuote, quoteId: textAt(used, "quote", "quoteId") }),
      )
      assert.isAtMost(integerAt(again, "expiresAt"), integerAt(used, "quote", "expiresAt"))
      answerOf(yield* open(again))
    })

    it.effect("makes a least price of what the human wants to receive, and promises no more than it can", function* () {
      const { minimumPrice: _, ...open } = wish
      const least = (minimumReceived: unknown, changes: object = {}) =>
        callTool("prepare_swap", { ...open, minimumReceived, ...changes })
      const whole = Number(textAt(yield* prepare(), "quotedAmount"))
      const wanted = (whole * 0.98).toFixed(6)
      const quotes = answerOf(
        yield* callTool("get_quotes", {
          sourceAsset: "btc.btc",
          destinationAsset: "eth.eth",
          amount: "0.25",
        }),
      )
      const regular = pick(at(quotes, "quotes"), (quote) => textAt(quote, "type") === "regular")
      for (const by of [{}, { quoteId: textAt(regular, "quoteId") }]) {
        const prepared = answerOf(yield* least(wanted, by))
        assert.include(textAt(prepared, "summary"), `You get no less than ${Number(wanted)} ETH`)
        assert.isAtLeast(Number(textAt(prepared, "minimumAmount")), Number(wanted))
        answerOf(yield* callTool("open_swap", opening(prepared)))
      }
      for (
        const [given, changes, name, words] of [
          [wanted, { minimumPrice: "30" }, "minimumPrice", /cannot be used together/],
          [wanted, { numberOfChunks: 2 }, "minimumReceived", /in chunks/],
          [
            `${whole}`,
            {},
            "minimumReceived",
            /more than can be promised at the present price, which is [0-9.]+/,
          ],
          ["0.0000000000000000001", {}, "minimumReceived", /too many decimals/],
          ["0", {}, "minimumReceived", /./],
        ] as const
      ) {
        const refusal = refusalOf(yield* least(given, changes))
        assert.strictEqual(integerAt(refusal, "status"), 400)
        assert.match(textAt(refusal, "errors", name, 0), words)
      }
    })

    it.effect("makes a least price of a tolerance, with a quote and without, and takes one way to say it", function* () {
      const { minimumPrice: _, ...wanted } = wish
      const within = (slippageTolerancePercent: unknown, changes: object = {}) =>
        callTool("prepare_swap", { ...wanted, slippageTolerancePercent, ...changes })
      const asked = { sourceAsset: "btc.btc", destinationAsset: "eth.eth", amount: "0.25" }
      const quotes = at(answerOf(yield* callTool("get_quotes", asked)), "quotes")
      const byQuote = { quoteId: textAt(quotes, 0, "quoteId"), amount: undefined }
      for (
        const [percent, share, changes] of [["1.5", 0.985, {}], [0, 1, {}], [
          "0.25",
          0.9975,
          byQuote,
        ]] as const
      ) {
        const prepared = answerOf(yield* within(percent, changes))
        const price = Number(textAt(prepared, "estimatedPrice"))
        assert.approximately(Number(textAt(prepared, "minimumPrice")), price * share, price * 1e-12)
        answerOf(yield* open(prepared))
      }
      const exact = answerOf(
        yield* within("30", { sourceAsset: "btc.btc", numberOfChunks: 2, chunkIntervalBlocks: 2 }),
      )
      assert.match(textAt(exact, "warnings", 0), /^The minimum price is 30 % below the current price/)
      for (
        const [percent, changes, name, words] of [
          [
            "1",
            { minimumPrice: "30" },
            "minimumPrice",
            /and slippageTolerancePercent cannot be used together/,
          ],
          [
            "1",
            { minimumReceived: "1" },
            "minimumReceived",
            /and slippageTolerancePercent cannot be used together/,
          ],
          ["100", {}, "slippageTolerancePercent", /below 100/],
          ["99.99999", {}, "slippageTolerancePercent", /more than 4 decimals/],
          [null, {}, "minimumPrice", /or minimumReceived or slippageTolerancePercent is required/],
          [null, { slippage: "1" }, "slippage", /use slippageTolerancePercent/],
        ] as const
      ) {
        const refusal = refusalOf(yield* within(percent, changes))
        assert.match(textAt(refusal, "errors", name, 0), words)
      }
    })

    it.effect("lists a deposit that went back as refunded, with the dates of each swap", function* () {
      const account = yield* newAccount()
      const { key } = yield* issue(account)
      const prepared = yield* prepare({ key }, { minimumPrice: "1000", retryDurationInBlocks: 0 })
      assert.match(
        textAt(prepared, "summary"),
        /At the current price about .* would arrive.*nothing is swapped/,
      )
      assert.notMatch(textAt(prepared, "summary"), /You get about/)
      const back = integerAt(answerOf(yield* open(prepared, {}, key)), "id")
      const paid = integerAt(answerOf(yield* open(yield* prepare({ key }), {}, key)), "id")
      for (const swapId of [back, paid]) {
        yield* callTool("sandbox_advance", { swapId, depositAmount: "0.25", advanceSeconds: 7_200 }, { key })
        yield* callTool("get_swap", { swapId }, { key })
      }
      const swaps = at(answerOf(yield* callTool("list_swaps", { status: ["completed"] }, { key })), "swaps")
      const of = (id: number) => pick(swaps, (swap) => integerAt(swap, "id") === id)
      assert.strictEqual(textAt(of(back), "result"), "refunded")
      assert.strictEqual(textAt(of(paid), "result"), "completed")
      for (const swap of [of(back), of(paid)]) {
        assert.match(textAt(swap, "openedAt"), /^[0-9]{4}-[0-9]{2}-[0-9]{2}T/)
        assert.isAtLeast(Date.parse(textAt(swap, "changedAt")), Date.parse(textAt(swap, "openedAt")))
      }
    })

    it.effect("prepares the chunks and the boost of a quote, and refuses what contradicts them", function* () {
      const asked = { sourceAsset: "btc.btc", destinationAsset: "eth.eth", amount: "0.25", detail: "full" }
      const quotes = at(answerOf(yield* callTool("get_quotes", asked)), "full")
      const ofType = (type: string) => pick(quotes, (quote) => textAt(quote, "type") === type)
      const regular = ofType("regular")
      const dca = ofType("dca")
      const chunks = {
        numberOfChunks: integerAt(dca, "numberOfChunks"),
        chunkIntervalBlocks: integerAt(dca, "chunkIntervalBlocks"),
      }
      for (const given of [{}, chunks]) {
        const prepared = yield* prepare({}, { quoteId: textAt(dca, "quoteId"), ...given })
        assert.strictEqual(textAt(prepared, "quotedAmount"), textAt(dca, "egressAmount"))
        assert.strictEqual(integerAt(prepared, "numberOfChunks"), chunks.numberOfChunks)
        assert.include(
          textAt(prepared, "summary"),
          `in ${chunks.numberOfChunks} chunks, ${chunks.chunkIntervalBlocks} blocks (12s) from one to the next`,
        )
        assert.deepStrictEqual(listAt(prepared, "warnings").slice(1), [])
      }
      const { body } = yield* recordOfId(
        integerAt(answerOf(yield* open(yield* prepare({}, { quoteId: textAt(dca, "quoteId") }))), "id"),
      )
      assert.strictEqual(integerAt(body, "status", "dcaParams", "numberOfChunks"), chunks.numberOfChunks)
      const boosted = yield* prepare({}, {
        quoteId: textAt(regular, "quoteId"),
        numberOfChunks: 1,
        boostFee: integerAt(regular, "boostQuote", "maximumBoostFeeBps"),
      })
      assert.isUndefined(find(boosted, "numberOfChunks"))
      assert.strictEqual(textAt(boosted, "boosted", "amount"), textAt(regular, "boostQuote", "egressAmount"))
      for (const amount of [textAt(regular, "egressAmount"), textAt(boosted, "boosted", "amount")]) {
        assert.include(textAt(boosted, "summary"), `et about ${amount} ETH`)
      }
      const refused: ReadonlyArray<readonly [Json, string, number]> = [
        [dca, "numberOfChunks", chunks.numberOfChunks + 1],
        [dca, "chunkIntervalBlocks", chunks.chunkIntervalBlocks + 1],
        [dca, "boostFee", 1],
        [regular, "numberOfChunks", 2],
        [regular, "chunkIntervalBlocks", 2],
        [regular, "boostFee", integerAt(regular, "boostQuote", "maximumBoostFeeBps") - 1],
      ]
      for (const [quote, name, value] of refused) {
        const quoteId = textAt(quote, "quoteId")
        const refusal = refusalOf(
          yield* callTool("prepare_swap", { ...wish, quoteId, [name]: value }),
        )
        assert.match(textAt(refusal, "errors", name, 0), /in the quote$/, name)
      }
    })

    it.effect("opens nothing else than what was confirmed where the account's terms have changed since", function* () {
      const account = yield* newAccount()
      const { key } = yield* issue(account)
      const prepared = yield* prepare({ key })
      const before = yield* openChannels
      yield* operate("PATCH", `/accounts/${account}`, { commissionBps: 50 })
      const refusal = refusalOf(yield* open(prepared, {}, key))
      assert.strictEqual(integerAt(refusal, "status"), 409)
      assert.match(textAt(refusal, "detail"), /terms have changed/)
      assert.strictEqual(yield* openChannels, before)
      const again = yield* prepare({ key })
      assert.include(textAt(again, "summary"), "Total commission: 50 bps (0.5 %)")
      answerOf(yield* open(again, {}, key))
    })

    it.effect("tells the human who takes which commission, and prices the quote with all of it", function* () {
      const [affiliate1, affiliate2] = brokerAccounts
      const shares = { affiliate1, affiliate1CommissionBps: 400, affiliate2, affiliate2CommissionBps: 5 }
      const plain = yield* prepare()
      assert.notMatch(textAt(plain, "summary"), /[Cc]ommission|boost/)
      assert.include(textAt(plain, "summary"), "150 blocks (15m)")
      const prepared = yield* prepare({}, {
        ...shares,
        commissionBps: 45,
        boostFee: 30,
        retryDurationInBlocks: 600,
      })
      const summary = textAt(prepared, "summary")
      assert.include(summary, "Total commission: 450 bps (4.5 %)")
      assert.include(summary, `400 bps (4 %) goes to the affiliate ${affiliate1}.`)
      assert.include(summary, `5 bps (0.05 %) goes to the affiliate ${affiliate2}.`)
      assert.include(summary, "up to 30 bps (0.3 %)")
      assert.include(summary, "600 blocks (1h)")
      const whole = Number(textAt(plain, "quotedAmount"))
      assert.approximately(Number(textAt(prepared, "quotedAmount")) / whole, 0.955, 0.005)
      const opened = answerOf(yield* open(prepared))
      const { body } = yield* recordOfId(integerAt(opened, "id"))
      assert.strictEqual(
        textAt(body, "status", "depositChannel", "affiliateBrokers", 0, "account"),
        affiliate1,
      )
    })

    it.effect("takes a quote only with the commission that it was given for", function* () {
      const asked = { sourceAsset: "btc.btc", destinationAsset: "eth.eth", amount: "0.25" }
      const quoteId = (commission: object) =>
        Effect.map(
          callTool("get_quotes", { ...asked, ...commission }),
          (result) => textAt(answerOf(result), "quotes", 0, "quoteId"),
        )
      const affiliate = { affiliate1: brokerAccounts[0], affiliate1CommissionBps: 400 }
      const without = yield* quoteId({})
      for (const changes of [affiliate, { commissionBps: 30 }]) {
        const refusal = refusalOf(yield* callTool("prepare_swap", { ...wish, quoteId: without, ...changes }))
        assert.isDefined(find(refusal, "errors", "commissionBps"), JSON.stringify(refusal))
      }
      const all = yield* quoteId({ commissionBps: 400 })
      for (const changes of [affiliate, {}]) {
        const prepared = yield* prepare({}, { quoteId: all, ...changes })
        assert.include(textAt(prepared, "summary"), "Total commission: 400 bps (4 %)")
      }
      const opened = answerOf(yield* open(yield* prepare({}, { quoteId: all })))
      const { body } = yield* recordOfId(integerAt(opened, "id"))
      assert.strictEqual(numberAt(body, "status", "depositChannel", "brokerCommissionBps"), "400")
    })

    it.effect("repeats no link of a channel that has expired", function* () {
      const prepared = yield* prepare()
      const first = answerOf(yield* open(prepared))
      assert.isDefined(find(first, "payment", "uri"))
      yield* pass(2 * 24 * 3_600)
      const again = answerOf(yield* open(prepared))
      assert.strictEqual(integerAt(again, "id"), integerAt(first, "id"))
      assert.isUndefined(find(again, "payment", "uri"))
      assert.match(textAt(again, "payment", "warnings", 0), /no more deposits/)
      assert.match(textAt(again, "nextStep"), /has expired.*get_swap/)
      assert.notMatch(textAt(again, "nextStep"), /Show the human the address/)
    })

    it.effect("holds the account's routes and suspension at the preparation and at the opening", function* () {
      const account = yield* newAccount()
      const { key } = yield* issue(account)
      const prepared = yield* prepare({ key })
      const before = yield* openChannels
      yield* setRoute(account, "btc.btc", "eth.eth", false)
      assert.strictEqual(integerAt(refusalOf(yield* callTool("prepare_swap", wish, { key })), "status"), 403)
      assert.strictEqual(integerAt(refusalOf(yield* open(prepared, {}, key)), "status"), 403)
      yield* setRoute(account, "btc.btc", "eth.eth", true)
      const another = yield* prepare({ key })
      yield* operate("PATCH", `/accounts/${account}`, { suspended: true })
      assert.strictEqual(integerAt(refusalOf(yield* open(another, {}, key)), "status"), 403)
      assert.strictEqual(yield* openChannels, before)
      // A suspended account still looks at what it has.
      assert.deepStrictEqual(listAt(answerOf(yield* callTool("list_swaps", {}, { key })), "swaps"), [])
    })

    it.effect("prepares nothing that the operator has switched off, and says for how long", function* () {
      const quoteId = textAt(
        answerOf(
          yield* callTool("get_quotes", {
            sourceAsset: "btc.btc",
            destinationAsset: "eth.eth",
            amount: "0.25",
          }),
        ),
        "quotes",
        0,
        "quoteId",
      )
      const turn = (enabled: boolean) =>
        call("POST", "/providers/chainflip/switch", {
          body: { operation: "open", enabled, reason: "a test" },
        })
      yield* Effect.acquireUseRelease(turn(false), () =>
        Effect.gen(function* () {
          for (const args of [wish, { ...wish, quoteId }]) {
            const refusal = refusalOf(yield* callTool("prepare_swap", args))
            assert.strictEqual(integerAt(refusal, "status"), 503)
            assert.strictEqual(textAt(refusal, "providers", 0, "platform"), "chainflip")
            assert.isAbove(integerAt(refusal, "retryAfterSeconds"), 0)
          }
        }), () => turn(true))
      yield* prepare()
    })

    it.effect("gives a confirmation that a model can copy", function* () {
      assert.match(textAt(yield* prepare(), "confirmation"), /^[a-z2-7]{40}$/)
    })

    it.effect("is not there for keys without the scope", function* () {
      const { key } = yield* issue(yield* newAccount(), { scopes: ["quote", "status", "history"] })
      const names = yield* toolNames({ key })
      for (const name of ["prepare_swap", "open_swap", "sandbox_advance"]) assert.notInclude(names, name)
      const { body } = yield* ask("tools/call", { name: "open_swap", arguments: {} }, { key })
      assert.match(textAt(body, "error", "message"), /not found/)
    })

    it.effect("refuses in words of ours where the upstream opens nothing, and never tries the confirmation again", function* () {
      const prepared = yield* prepare()
      const before = yield* openChannels
      const refused = refusalOf(
        yield* during({ operation: "open", code: "deposit_channel_failed" }, open(prepared)),
      )
      assert.match(textAt(refused, "detail"), /could not open a deposit channel/)
      assert.strictEqual(find(refused, "retryable"), false)
      assert.match(textAt(refused, "nextStep"), /Nothing was opened/)
      const again = refusalOf(yield* open(prepared))
      assert.deepStrictEqual(again, refused)
      assert.strictEqual(yield* openChannels, before)
    })

    it.effect("never opens a second channel where the outcome of the first is unknown", function* () {
      const prepared = yield* prepare()
      const before = yield* openChannels
      const unknown = refusalOf(yield* during({ operation: "open", kind: "malformed" }, open(prepared)))
      assert.strictEqual(integerAt(unknown, "status"), 500)
      assert.match(textAt(unknown, "nextStep"), /Do not prepare the swap again/)
      yield* open(prepared)
      assert.isAtMost(yield* openChannels, before + 1)
    })

    it.effect("lists its hints as they are: money moves, and only once", function* () {
      const tools = listAt(yield* resultOf("tools/list"), "tools")
      const hints = new Map(tools.map((tool) => [textAt(tool, "name"), find(tool, "annotations")]))
      const opens = hints.get("open_swap") ?? null
      assert.strictEqual(find(opens, "readOnlyHint"), false)
      assert.strictEqual(find(opens, "destructiveHint"), true)
      assert.strictEqual(find(opens, "idempotentHint"), true)
      for (
        const name of [
          "list_assets",
          "get_limits",
          "get_quotes",
          "get_payment",
          "get_swap",
          "list_swaps",
          "explain_swap",
        ]
      ) {
        const reads = hints.get(name) ?? null
        assert.strictEqual(find(reads, "readOnlyHint"), true)
        assert.strictEqual(find(reads, "idempotentHint"), true)
        assert.strictEqual(find(reads, "openWorldHint"), true)
      }
    })
  })

  layer(brokerInProcess({ ...settings, OPEN_CHANNELS_MOST: "1" }), live)(
    "with a cap of open channels",
    (it) => {
      it.effect("prepares nothing that an opening must refuse, and an opening checks again", function* () {
        const first = yield* prepare()
        const second = yield* prepare()
        const swapId = integerAt(answerOf(yield* open(first)), "id")
        for (const result of [yield* callTool("prepare_swap", wish), yield* open(second)]) {
          const refusal = refusalOf(result)
          assert.strictEqual(integerAt(refusal, "status"), 503)
          assert.match(textAt(refusal, "detail"), /^This account has 1 deposit channels open/)
        }
        assert.strictEqual(yield* openChannels, 1)
        yield* pass(2 * 24 * 3_600)
        answerOf(yield* callTool("get_swap", { swapId }))
        assert.isString(textAt(yield* prepare(), "confirmation"))
      })
    },
  )

  layer(brokerInProcess({ ...settings, PROVIDERS: "thorchain,chainflip" }), live)(
    "with a provider that has no channels",
    (it) => {
      it.effect("says which quotes it prepares, and prepares only those", function* () {
        const asked = { sourceAsset: "btc.btc", destinationAsset: "eth.eth", amount: "0.25", start: "any" }
        const quotes = at(answerOf(yield* callTool("get_quotes", asked)), "quotes")
        const of = (platform: string) => pick(quotes, (quote) => textAt(quote, "platform") === platform)
        assert.strictEqual(find(of("thorchain"), "canPrepare"), false)
        assert.strictEqual(find(of("chainflip"), "canPrepare"), true)
        const refusal = refusalOf(
          yield* callTool("prepare_swap", { ...wish, quoteId: textAt(of("thorchain"), "quoteId") }),
        )
        assert.match(textAt(refusal, "errors", "platform", 0), /opens no deposit channels/)
        assert.strictEqual(textAt(yield* prepare(), "platform"), "chainflip")
      })

      it.effect("tells why those that could open it have no quote, and not to wait where that helps nobody", function* () {
        const refusal = refusalOf(
          yield* during(
            { provider: "chainflip", operation: "quote", code: "insufficient_liquidity" },
            callTool("prepare_swap", wish),
          ),
        )
        assert.strictEqual(integerAt(refusal, "status"), 400)
        assert.match(textAt(refusal, "detail"), /enough liquidity/)
        assert.strictEqual(listAt(refusal, "providers").length, 1)
        assert.strictEqual(find(refusal, "retryable"), false)
      })
    },
  )

  layer(brokerInProcess({ ...settings, PROVIDERS: "relay" }), live)(
    "with a provider that waits for no price",
    (it) => {
      it.effect("says so, whatever duration was asked for", function* () {
        const prepared = yield* prepare({}, {
          sourceAsset: "eth.eth",
          destinationAsset: "usdc.arb",
          destinationAddress: addressFor("usdc.arb"),
          refundAddress: addressFor("eth.eth"),
          minimumPrice: "1000",
          retryDurationInBlocks: 600,
        })
        assert.include(textAt(prepared, "summary"), "The minimum price is tried once, without waiting.")
      })
    },
  )

  layer(brokerInProcess({ ...settings, RATE_LIMIT_SWAP: "2", RATE_LIMIT: "1000" }), live)(
    "with a limit of openings",
    (it) => {
      it.effect("counts preparations and openings as openings, and nothing else", function* () {
        const prepared = yield* prepare()
        answerOf(yield* open(prepared))
        const third = yield* ask("tools/call", { name: "prepare_swap", arguments: wish })
        assert.strictEqual(third.status, 429)
        assert.isNotNull(third.headers.get("retry-after"))
        answerOf(yield* callTool("list_assets"))
      })
    },
  )
})
