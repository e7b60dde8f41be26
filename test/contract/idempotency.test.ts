import { assert } from "@effect/vitest"
import { Array, Effect, Fiber, Option } from "effect"
import type { Server } from "#interfaces/http/server/Server.ts"
import { eventually } from "#test/durability/eventually.ts"
import { otherKey } from "./support/accounts.ts"
import { addressFor } from "./support/addresses.ts"
import { type Answer, call, get, type Options, withTwoAccounts } from "./support/call.ts"
import { find, integerAt, isList, textAt } from "./support/Json.ts"
import { assertFailure, faultText, faultyParameters } from "./support/problem.ts"
import { clearFaults, during, fault, pass, recordOf, swapParameters } from "./support/swaps.ts"

const newKey = () => crypto.randomUUID()

const openChannels = Effect.map(get("/sandbox"), (view) => integerAt(view, "openChannelCount"))

const query = swapParameters()

/** A request under a key, sent by GET unless told otherwise. */
const under = (key: string, options: Options & { readonly method?: string } = {}) => {
  const { headers, method = "GET", ...rest } = options
  const sent = method === "GET" || "body" in rest ? rest : { ...rest, body: query }
  return call(method, "/swap", {
    ...(method === "GET" ? { query } : {}),
    ...sent,
    headers: { ...headers, "idempotency-key": key },
  })
}

const isReplayed = ({ headers }: Answer): boolean => headers.get("idempotent-replayed") === "true"

const assertFirst = (answer: Answer): void => {
  assert.strictEqual(answer.status, 200, answer.text)
  assert.isFalse(answer.headers.has("idempotent-replayed"))
}

/** The same status and body, to the last character, and marked. */
const assertReplay = (answer: Answer, first: Answer): void => {
  assert.strictEqual(answer.status, first.status, answer.text)
  assert.strictEqual(answer.text, first.text)
  assert.strictEqual(answer.headers.get("content-type"), first.headers.get("content-type"))
  assert.isTrue(isReplayed(answer))
}

/** Asks again, as it is told to, until the first request is over. */
const untilOver = (key: string): ReturnType<typeof under> =>
  Effect.flatMap(
    under(key),
    (answer) => answer.status === 409 ? Effect.delay(untilOver(key), "50 millis") : Effect.succeed(answer),
  )

/**
 * A request that the upstream has carried out, but answers only seconds later: many times as long as another request
 * takes on the slowest machine.
 */
const inFlight = Effect.fnUntraced(function* (key: string) {
  const before = yield* openChannels
  yield* fault({ operation: "open", kind: "latency", latencyMs: 3_000 })
  const request = yield* Effect.forkChild(under(key))
  yield* eventually(openChannels, (count) => count > before)
  return request
})

/** Runs something that has to open this many channels. */
const opening = Effect.fnUntraced(function* <One extends Effect.Effect<unknown, unknown, Server>>(
  count: number,
  steps: () => Generator<One, void, never>,
) {
  const before = yield* openChannels
  yield* Effect.gen(steps)
  assert.strictEqual(yield* openChannels, before + count)
})

withTwoAccounts()("Idempotency-Key on /swap (decisions, Idempotency)", (it) => {
  for (const method of ["GET", "POST"]) {
    it.effect(`${method}: the answer stands for every later request, and one channel is opened`, () =>
      opening(1, function* () {
        const key = newKey()
        const first = yield* under(key, { method })
        assertFirst(first)
        for (let turn = 0; turn < 3; turn++) assertReplay(yield* under(key, { method }), first)
        assert.strictEqual(textAt(yield* recordOf(first.body), "status", "state"), "waiting")
      }))
  }

  for (const method of ["GET", "POST"]) {
    it.effect(`${method}: the link of a channel that has expired is not repeated (decision 36)`, function* () {
      const key = newKey()
      const request = { ...query, amount: "0.25" }
      const options = method === "GET" ? { method, query: request } : { method, body: request }
      const first = yield* under(key, options)
      assertFirst(first)
      assert.isDefined(find(first.body, "payment", "uri"))
      yield* pass(2 * 24 * 3_600)
      const again = yield* under(key, options)
      assert.isTrue(isReplayed(again))
      assert.strictEqual(textAt(again.body, "address"), textAt(first.body, "address"))
      assert.isUndefined(find(again.body, "payment", "uri"))
      assert.strictEqual(textAt(again.body, "payment", "scheme"), "address")
      assert.strictEqual(textAt(again.body, "payment", "amountNative"), "25000000")
      assert.strictEqual(
        integerAt(again.body, "payment", "expiresAt"),
        integerAt(first.body, "payment", "expiresAt"),
      )
      assert.match(textAt(again.body, "payment", "warnings", 0), /no more deposits/)
    })
  }

  it.effect("each key is a request of its own, and so is a request without one", () =>
    opening(4, function* () {
      for (const key of [newKey(), newKey()]) assertFirst(yield* under(key))
      for (let turn = 0; turn < 2; turn++) assertFirst(yield* call("GET", "/swap", { query }))
    }))

  it.effect("a key belongs to its account: that of another means nothing (must show)", () =>
    opening(2, function* () {
      const key = newKey()
      const mine = yield* under(key)
      const theirs = yield* under(key, { key: otherKey })
      assertFirst(mine)
      assertFirst(theirs)
      assert.notStrictEqual(theirs.text, mine.text)
      assertReplay(yield* under(key, { key: otherKey }), theirs)
      assertReplay(yield* under(key), mine)
    }))

  it.effect("the same request is the same however it is written", () =>
    opening(2, function* () {
      const asGet = newKey()
      const first = yield* under(asGet, { query: { ...query, boostFee: "5" } })
      const reversed = Object.entries({ ...query, boostFee: "5" }).toReversed()
      assertReplay(yield* under(asGet, { query: reversed }), first)
      const unknown = yield* under(asGet, { query: { ...query, boostFee: "5", _: "1753797864" } })
      assertReplay(unknown, first)
      const apiKey = { apiKey: "test-key-of-the-default-account-0123456789" }
      const inQuery = yield* under(asGet, { query: { ...apiKey, ...query, boostFee: "5" }, key: null })
      assertReplay(inQuery, first)

      const asPost = newKey()
      const posted = yield* under(asPost, { method: "POST", body: { ...query, boostFee: 5 } })
      assertFirst(posted)
      const asText = {
        ...Object.fromEntries(Object.entries(query).toReversed()),
        boostFee: "5",
        amount: null,
      }
      assertReplay(yield* under(asPost, { method: "POST", body: asText }), posted)
      const inBoth = yield* under(asPost, { method: "POST", query, body: { boostFee: 5 } })
      assertReplay(inBoth, posted)
    }))

  it.effect("a key that was used for another request is 422, and nothing is opened", function* () {
    const key = newKey()
    const first = yield* under(key)
    const other = { ...query, destinationAddress: addressFor("btc.btc"), destinationAsset: "btc.btc" }
    yield* opening(0, function* () {
      const answers = [
        yield* under(key, { query: { ...query, boostFee: "5" } }),
        yield* under(key, { query: { ...other, sourceAsset: "eth.eth" } }),
        yield* under(key, { method: "POST" }),
      ]
      for (const answer of answers) {
        assertFailure(answer, 422)
        assert.isFalse(isReplayed(answer))
      }
    })
    assertReplay(yield* under(key), first)
  })

  it.effect("a key may stand bare or in quotes", () =>
    opening(2, function* () {
      const key = newKey()
      const first = yield* under(`"${key}"`)
      assertFirst(first)
      assertReplay(yield* under(key), first)
      const odd = `${key} with "quotes" and \\`
      const second = yield* under(odd)
      assertReplay(yield* under(`"${key} with \\"quotes\\" and \\\\"`), second)
    }))

  it.effect("a key has 1 to 255 printable ASCII characters, else 400 with every other fault", function* () {
    const long = "k".repeat(255)
    assertFirst(yield* under(long))
    assertReplay(yield* under(`"${long}"`), yield* under(long))
    yield* opening(0, function* () {
      for (const wrong of ["", '""', `${long}k`, '"unfinished', '"a"b', '"a\\b"', "schlüssel", "a\tb"]) {
        for (const method of ["GET", "POST"]) {
          const answer = yield* under(wrong, { method })
          assert.deepStrictEqual(faultyParameters(answer), ["Idempotency-Key"], wrong)
          assert.match(faultText(answer, "Idempotency-Key"), /1 to 255 printable ASCII characters/)
        }
      }
      const several = yield* under("", { query: { ...query, boostFee: "many" } })
      assert.deepStrictEqual(faultyParameters(several), ["Idempotency-Key", "boostFee"])
      const posted = yield* under("", { method: "POST", body: { ...query, boostFee: "many" } })
      assert.deepStrictEqual(faultyParameters(posted), ["Idempotency-Key", "boostFee"])
    })
  })

  it.effect("what is not kept leaves the key unused: 400, 401, and refusals that are 400", () =>
    opening(1, function* () {
      const key = newKey()
      const wrong = { ...query, boostFee: "101" }
      assertFailure(yield* under(key, { query: wrong }), 400)
      assertFailure(yield* under(key, { method: "POST", body: wrong }), 400)
      assertFailure(yield* under(key, { key: "wrong-key-of-nobody-0123456789" }), 401)
      assertFailure(yield* under(key, { headers: { "sec-purpose": "prefetch" } }), 400)
      const tooLittle = yield* under(key, { query: { ...query, amountNative: "1" } })
      assert.deepStrictEqual(faultyParameters(tooLittle), ["minimalAmount", "minimalAmountNative"])
      assertFirst(yield* under(key))
    }))

  it.effect("a refusal that is kept is told again, code and trace id and all, though it would do now", () =>
    opening(0, function* () {
      const key = newKey()
      const first = yield* during({ operation: "open", code: "too_many_channels" }, under(key))
      assertFailure(first, 503, "too_many_channels")
      assert.isNotNull(first.headers.get("retry-after"))
      const again = yield* under(key)
      assertReplay(again, first)
      assert.strictEqual(again.headers.get("x-request-id"), textAt(first.body, "traceId"))
      assert.isNull(again.headers.get("retry-after"), "waiting does not help")
    }))

  it.effect("a pair that nobody serves is kept as well, though no opening was begun", function* () {
    const key = newKey()
    const off = { asset: "sol.sol", enabled: false, reason: "test" }
    const switching = (enabled: boolean) =>
      call("POST", "/providers/chainflip/switch", { body: { ...off, enabled } })
    const solana = { query: { ...query, sourceAsset: "sol.sol" } }
    yield* switching(false)
    const first = yield* Effect.ensuring(under(key, solana), switching(true))
    assertFailure(first, 503, "asset_disabled")
    yield* opening(0, function* () {
      assertReplay(yield* under(key, solana), first)
    })
  })

  const hidden = { operation: "list", kind: "not_offered" }

  for (const rule of [{ kind: "reset" }, { kind: "malformed" }, { kind: "http_500" }]) {
    it.effect(`after ${rule.kind} the outcome stays unknown where the provider cannot tell: none is opened again`, () =>
      opening(rule.kind === "http_500" ? 0 : 1, function* () {
        const key = newKey()
        const first = yield* during({ operation: "open", ...rule }, under(key))
        assert.strictEqual(first.status, 500, first.text)
        for (let turn = 0; turn < 2; turn++) {
          const again = yield* during(hidden, under(key))
          assertFailure(again, 500)
          assert.match(textAt(again.body, "detail"), /outcome .* is unknown/i)
          assert.isFalse(isReplayed(again))
        }
        assertFailure(yield* under(key, { query: { ...query, boostFee: "5" } }), 422)
      }))
  }

  it.effect("a repeat is answered with the channel whose answer was lost, where the provider can tell", () =>
    opening(1, function* () {
      const key = newKey()
      // No other opening of this account is of these terms.
      const own = { query: { ...query, destinationAddress: "0x00000000000000000000000000000000000f1d35" } }
      assert.strictEqual((yield* during({ operation: "open", kind: "reset" }, under(key, own))).status, 500)
      const again = yield* under(key, own)
      assertFirst(again)
      assertReplay(yield* under(key, own), again)
    }))

  it.effect("while the first is in progress the second is 409, and says when to ask again", () =>
    opening(1, function* () {
      const key = newKey()
      const first = yield* inFlight(key)
      const second = yield* Effect.ensuring(under(key), clearFaults)
      assertFailure(second, 409)
      const wait = Number(second.headers.get("retry-after"))
      assert.isTrue(Number.isInteger(wait) && wait >= 1 && wait <= 5, `${wait}`)
      assertFailure(yield* under(key, { method: "POST" }), 422)
      const opened = yield* Fiber.join(first)
      assertFirst(opened)
      assertReplay(yield* under(key), opened)
    }))

  it.effect("an opening goes on to its end when its client hangs up, and its answer is kept", () =>
    opening(1, function* () {
      const key = newKey()
      yield* Fiber.interrupt(yield* inFlight(key))
      yield* clearFaults
      const answer = yield* untilOver(key)
      assert.strictEqual(answer.status, 200, answer.text)
      assert.isTrue(isReplayed(answer))
    }))

  it.effect(
    "200 at once: one channel, one row, and replays or 409s for the rest (must show)",
    () =>
      opening(1, function* () {
        const key = newKey()
        yield* fault({ operation: "open", kind: "latency", latencyMs: 300 })
        const answers = yield* Effect.all(Array.makeBy(200, () => under(key)), { concurrency: "unbounded" })
          .pipe(Effect.ensuring(clearFaults))
        const first = yield* Effect.fromOption(
          Array.findFirst(answers, (answer) => answer.status === 200 && !isReplayed(answer)),
        ).pipe(Effect.orDie)
        const rest = answers.filter((answer) => answer !== first)
        for (const answer of rest) {
          if (answer.status === 409) assertFailure(answer, 409)
          else assertReplay(answer, first)
        }
        assertReplay(yield* under(key), first)
        const history = yield* get("/swaps", { limit: "500", status: "waiting" })
        const id = integerAt(first.body, "id")
        const address = textAt(first.body, "address")
        const rows = isList(history)
          ? history.filter((row) => find(row, "status", "depositChannel", "depositAddress") === address)
          : []
        assert.deepStrictEqual(rows.map((row) => integerAt(row, "id")), [id])
        assert.isTrue(Option.isSome(Option.fromUndefinedOr(rows[0])))
      }),
  )

  it.effect("other endpoints take no notice of the header", function* () {
    const key = newKey()
    const headers = { "idempotency-key": key }
    const pair = { sourceAsset: "btc.btc", destinationAsset: "eth.eth", amount: "0.25" }
    const answer = yield* call("GET", "/quotes", { query: pair, headers })
    assert.strictEqual(answer.status, 200, answer.text)
    assert.isFalse(isReplayed(answer))
    assertFirst(yield* under(key))
  })
})
