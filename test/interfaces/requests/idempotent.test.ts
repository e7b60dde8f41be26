import { assert, layer } from "#test/support/it.ts"
import { Effect, Layer, Schema } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpServer from "effect/http/HttpServer"
import { IdempotencyHeaders } from "#api/Idempotency.ts"
import { CurrentAccount } from "#api/Authorization.ts"
import { AssetDisabled, ProviderError, UpstreamFailed } from "#domain/ProviderError.ts"
import { StoreUnavailable } from "#domain/StoreError.ts"
import { EpochMillis } from "#domain/Time.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { problemResponse } from "#interfaces/requests/failedRequests.ts"
import { makeIdempotent } from "#interfaces/requests/idempotent.ts"
import { givenInQuery } from "#interfaces/requests/nearNames.ts"
import type { IdempotencyRepo } from "#infrastructure/store/swaps/IdempotencyRepo.ts"
import type { OpeningsRepo } from "#infrastructure/store/swaps/OpeningsRepo.ts"
import { Idempotency } from "#application/swapping/opening/Idempotency.ts"
import { embeddedStore, newAccount } from "#test/support/store.ts"
import { openingOptions } from "#test/support/swapping.ts"
import { answering } from "#test/interfaces/http/answering.ts"

/** An endpoint that opens nothing: what it makes of its parameter is different each time. */
class PayloadApi extends HttpApi.make("payload").add(
  HttpApiGroup.make("payload").add(
    HttpApiEndpoint.get("encode", "/encode", { headers: IdempotencyHeaders, success: Schema.Unknown }),
  ),
) {}

const storeAway = new StoreUnavailable({ operation: "test", cause: "away" })

const failed = (reason: AssetDisabled | UpstreamFailed) =>
  new ProviderError({ provider: ProviderName.make("chainflip"), operation: "quote", reason })

/** What the encoder does with a parameter. */
const encode = (
  amount: unknown,
  turn: number,
): Effect.Effect<{ readonly amount: unknown; readonly turn: number }, ProviderError | StoreUnavailable> => {
  if (amount === "away" && turn === 1) return Effect.fail(storeAway)
  if (amount === "off") return Effect.fail(failed(new AssetDisabled({ detail: `${turn}` })))
  if (amount === "broken") return Effect.fail(failed(new UpstreamFailed({ detail: `${turn}` })))
  return Effect.succeed({ amount, turn })
}

/** Sends requests to such an endpoint, all from one account of its own. */
const asking = Effect.gen(function* () {
  const account = yield* newAccount
  const repositories = yield* Effect.context<IdempotencyRepo | OpeningsRepo>()
  let turns = 0
  const handlers = HttpApiBuilder.group(
    PayloadApi,
    "payload",
    Effect.fnUntraced(function* (handlers) {
      const idempotent = yield* makeIdempotent
      return handlers.handle("encode", ({ endpoint, headers }) =>
        idempotent.repeatable({
          parameters: ["amount"],
          headers,
          given: givenInQuery(endpoint),
          read: ({ raw }) => Effect.succeed(raw),
          perform: ({ amount }) => Effect.suspend(() => encode(amount, ++turns)),
          write: (payload) => JSON.stringify(payload),
          staleAt: ({ amount }) => EpochMillis.make(amount === "stale" ? 0 : yearsAhead),
        }).pipe(Effect.catch(problemResponse), Effect.provideService(CurrentAccount, account)))
    }),
  ).pipe(Layer.provide(Idempotency.layer(openingOptions)), Layer.provide(Layer.succeedContext(repositories)))
  const routes = HttpApiBuilder.layer(PayloadApi).pipe(Layer.provide([handlers, HttpServer.layerServices]))
  const ask = answering(routes, {
    paths: new Map([["/encode", { methods: ["GET"] }]]),
    headers: {},
  })
  return Effect.fnUntraced(function* (query: string, key?: string) {
    const headers = key === undefined ? {} : { "idempotency-key": key }
    const response = yield* ask(`/encode?${query}`, { headers })
    const text = yield* Effect.promise(() => response.text())
    return { status: response.status, text, replayed: response.headers.get("idempotent-replayed") }
  })
})

/** Later than any clock. */
const yearsAhead = 4_000_000_000_000

layer(embeddedStore.layer)("An endpoint that opens nothing", (it) => {
  it.effect("is made idempotent by one line", function* () {
    const ask = yield* asking
    const first = yield* ask("amount=5", "a key")
    assert.deepStrictEqual(first, { status: 200, text: '{"amount":"5","turn":1}', replayed: null })
    assert.deepStrictEqual(yield* ask("amount=5&other=1", "a key"), { ...first, replayed: "true" })
    assert.strictEqual((yield* ask("amount=6", "a key")).status, 422)
    assert.strictEqual((yield* ask("amount=5", "another")).text, '{"amount":"5","turn":2}')
    assert.strictEqual((yield* ask("amount=5")).text, '{"amount":"5","turn":3}')
    assert.strictEqual((yield* ask("amount=5")).text, '{"amount":"5","turn":4}')
  })

  it.effect("does not tell an answer again that has gone stale since, and makes none in its place", function* () {
    const ask = yield* asking
    assert.strictEqual((yield* ask("amount=stale", "a key")).text, '{"amount":"stale","turn":1}')
    for (let turn = 0; turn < 2; turn++) {
      const again = yield* ask("amount=stale", "a key")
      assert.strictEqual(again.status, 410)
      assert.include(again.text, '"type":"https://tools.ietf.org/html/rfc9110#section-15.5.11"')
      assert.notInclude(again.text, "turn")
    }
    assert.strictEqual((yield* ask("amount=6", "a key")).status, 422)
    assert.strictEqual((yield* ask("amount=stale", "another")).text, '{"amount":"stale","turn":2}')
  })

  it.effect("tells a failure again as it was", function* () {
    const ask = yield* asking
    for (const [amount, status] of [["off", 503], ["broken", 500]] as const) {
      const first = yield* ask(`amount=${amount}`, amount)
      assert.strictEqual(first.status, status)
      assert.deepStrictEqual(yield* ask(`amount=${amount}`, amount), { ...first, replayed: "true" })
    }
  })

  it.effect("does not keep that the database was away: the next request is carried out", function* () {
    const ask = yield* asking
    assert.strictEqual((yield* ask("amount=away", "a key")).status, 503)
    const second = yield* ask("amount=away", "a key")
    assert.deepStrictEqual(second, { status: 200, text: '{"amount":"away","turn":2}', replayed: null })
    assert.deepStrictEqual(yield* ask("amount=away", "a key"), { ...second, replayed: "true" })
  })

  it.effect("keeps the keys of accounts apart", function* () {
    const mine = yield* asking
    const theirs = yield* asking
    yield* mine("amount=5", "a key")
    assert.isNull((yield* theirs("amount=6", "a key")).replayed)
  })
})
