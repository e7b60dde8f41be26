import { assert, describe, it } from "#test/support/it.ts"
import { Array, Effect, Exit, Option } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { NativeAmount } from "#domain/money/Amount.ts"
import { UpstreamFailed } from "#domain/ProviderError.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import type { Sought } from "#providers/Provider.ts"
import { byFit } from "#application/swapping/following/findByTransaction.ts"
import { makePayloadSearch } from "#application/swapping/payloads/PayloadSearch.ts"
import { Swaps } from "#application/swapping/Swaps.ts"
import { newAccount, onStores } from "#test/support/store.ts"
import { ScriptedVaultSwaps } from "#test/support/provider.ts"
import { swappingLayer } from "#test/support/swapping.ts"
import { vaultSwapStatus } from "#test/support/vaultSwap.ts"
import { begin, known, newRequest, newTransaction } from "../scriptedVaultSwaps.ts"

describe("the provider that is asked first", () => {
  const place = (platform: string, isOpen: boolean, tolerated: number) => ({
    platform: ProviderName.make(platform),
    chain: "Ethereum" as const,
    isOpen,
    tolerated,
  })
  it("is one whose payload is looked for, and of several the one that minds a miss the least", () => {
    const places = [
      place("old", false, 60),
      place("strict", true, 5),
      place("generous", true, 30),
      place("older", false, 5),
    ]
    assert.deepStrictEqual(
      Array.sort(places, byFit).map(({ platform }) => `${platform}`),
      ["generous", "strict", "old", "older"],
    )
  })
})

/** Scripted providers, of which the second lists what it knows, and a search that is made when a test says so. */
const searched = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`DELETE FROM payload_searches`
  yield* sql`UPDATE vault_swap_payloads SET expires_at = '1960-01-01'`
  yield* sql`DELETE FROM not_found_lookups`
  const begun = yield* begin
  const listed: Array<string> = []
  const asked: Array<Sought> = []
  begun.upstream.list = (sought) =>
    Effect.sync(() => {
      asked.push(sought)
      return [...listed]
    })
  const makeSearch = makePayloadSearch({ timeScale: 1, soleProcess: false })
  const search = yield* makeSearch
  /** The search after the next ten seconds. */
  const next = Effect.andThen(TestClock.adjust("10 seconds"), search)
  const swaps = yield* Swaps
  const listedOf = (account: typeof begun.account) =>
    Effect.map(
      swaps.history(account, { limit: 500, states: ["receiving"], sort: "ascending" }),
      ({ records }) => records.map(({ status }) => status.deposit?.transactionReference),
    )
  return { ...begun, sql, listed, asked, makeSearch, next, listedOf }
})

onStores(swappingLayer)("The search for transactions of payloads", (it) => {
  it.effect("records what nobody asked for, with its event, and asks for it once", function* () {
    const { account, listed, listedOf, next, send, sql, upstream } = yield* searched
    const transaction = yield* send(newRequest())
    listed.push(transaction)
    yield* next
    assert.deepStrictEqual(yield* listedOf(account), [transaction])
    const events = yield* sql`
            SELECT type FROM outbox WHERE account_id = ${account.id}`
    assert.deepStrictEqual(events.map(({ type }) => type), ["swap.receiving"])
    yield* next
    assert.deepStrictEqual(upstream.lookups, [transaction])
  })

  it.effect("looks for payloads until they have expired and a day more, and then not at all", function* () {
    const { account, asked, encode, next } = yield* searched
    yield* next
    assert.lengthOf(asked, 0, "nothing was handed out")
    yield* encode(newRequest())
    yield* encode(newRequest({ sourceAsset: "usdc.arb", destinationAsset: "eth.eth" }))
    yield* next
    assert.sameMembers([...(asked[0]?.chains ?? [])], ["Ethereum", "Arbitrum"])
    yield* TestClock.adjust("24 hours")
    yield* next
    assert.lengthOf(asked, 2)
    yield* TestClock.adjust("1 hour")
    yield* next
    assert.lengthOf(asked, 2, `payloads of ${account.id} are over`)
  })

  it.effect("goes back to what was not dealt with, also by another replica and after a restart", function* () {
    const { account, asked, encode, listed, listedOf, makeSearch, next, second, upstream } = yield* searched
    const request = newRequest()
    yield* encode(request)
    yield* next
    const transaction = newTransaction()
    listed.push(transaction)
    upstream.says(transaction, Effect.fail(second.fails(new UpstreamFailed({ detail: "down" }))))
    yield* next
    upstream.says(transaction, known(vaultSwapStatus(request, "receiving", transaction)))
    yield* TestClock.adjust("10 seconds")
    yield* yield* makeSearch
    assert.deepStrictEqual(yield* listedOf(account), [transaction])
    yield* next
    const [, , again, done] = asked
    assert.strictEqual(again?.since, asked[1]?.since)
    assert.isAbove(done?.since ?? 0, again?.since ?? 0)
  })

  it.effect("is made by one replica at a time", function* () {
    const { asked, encode, makeSearch } = yield* searched
    yield* encode(newRequest())
    const replicas = yield* Effect.all([makeSearch, makeSearch, makeSearch])
    yield* Effect.all(replicas, { concurrency: "unbounded" })
    assert.lengthOf(asked, 1)
  })

  it.effect("gives a swap to the earliest that can have made it, and none to who copies it", function* () {
    const { account, encode, listed, listedOf, next, upstream } = yield* searched
    const copier = yield* newAccount
    const request = newRequest()
    yield* encode(request)
    yield* TestClock.adjust("1 second")
    yield* encode(request, copier)
    const [own, strangers] = [newTransaction(), newTransaction()]
    upstream.says(own, known(vaultSwapStatus(request, "receiving", own)))
    const other = newRequest()
    upstream.says(strangers, known(vaultSwapStatus(other, "receiving", strangers)))
    listed.push(strangers, own)
    yield* next
    // A payload after the transaction owns nothing.
    yield* encode(other, copier)
    yield* next
    assert.deepStrictEqual(yield* listedOf(account), [own])
    assert.deepStrictEqual(yield* listedOf(copier), [])
    assert.sameMembers(upstream.lookups, [strangers, own], "nobody's is asked for once")
  })

  it.effect("asks ever more seldom for what its upstream lists and does not know", function* () {
    const { encode, listed, next, upstream } = yield* searched
    yield* encode(newRequest())
    listed.push(newTransaction())
    for (let round = 0; round < 60; round++) yield* next
    assert.isAtMost(upstream.lookups.length, 7)
    assert.isAtLeast(upstream.lookups.length, 4)
  })

  it.effect("finds many at once, however little a second an upstream is asked", function* () {
    const { account, listed, listedOf, next, send } = yield* searched
    for (let number = 0; number < 60; number++) listed.push(yield* send(newRequest()))
    yield* next
    assert.sameMembers(yield* listedOf(account), listed)
  })
})

onStores(swappingLayer)("A look-up by hash at several providers", (it) => {
  it.effect("gives back what was spent at one for what another knows", function* () {
    const { account, first, upstream, vaultSwaps } = yield* begin
    const sql = yield* SqlClient.SqlClient
    yield* sql`DELETE FROM not_found_lookups`
    const others = new ScriptedVaultSwaps("Ethereum")
    first.vaultSwaps = others
    const ask = (transaction: string) => Effect.exit(vaultSwaps.byTransaction(account, transaction))
    const encodeAt = (platform: string) => {
      const request = newRequest({ amount: NativeAmount.make(5n) })
      return Effect.as(
        vaultSwaps.encode(account, { request, platform: ProviderName.make(platform) }),
        request,
      )
    }
    yield* encodeAt("first")
    const misses = Effect.map(
      sql`SELECT count(*)::int AS count FROM not_found_lookups WHERE account_id = ${account.id}`,
      ([row]) => row?.["count"],
    )
    for (let found = 0; found < 2; found++) {
      const request = yield* encodeAt("second")
      const transaction = newTransaction()
      upstream.says(transaction, known(vaultSwapStatus(request, "receiving", transaction)))
      assert.isTrue(Exit.isSuccess(yield* ask(transaction)))
      assert.strictEqual(yield* misses, 0)
    }
    assert.isAtMost(others.lookups.length, 2)
    yield* ask(newTransaction())
    assert.strictEqual(yield* misses, 2, "nobody knew this one")
  })

  it.effect("says that it was not made, never that there is no such swap", function* () {
    const { account, encode, send, upstream, vaultSwaps } = yield* begin
    const sql = yield* SqlClient.SqlClient
    yield* sql`DELETE FROM not_found_lookups`
    const failureOf = (transaction: string) => Effect.flip(vaultSwaps.byTransaction(account, transaction))
    const transaction = yield* send(newRequest())
    for (let ask = 0; ask < 4; ask++) {
      assert.strictEqual((yield* failureOf(newTransaction()))._tag, "SwapNotFound")
    }
    const failure = yield* failureOf(transaction)
    assert.strictEqual(failure._tag, "LookupNotMade")
    assert.strictEqual(failure._tag === "LookupNotMade" ? failure.retryAfterSeconds : 0, 10)
    assert.notInclude(upstream.lookups, transaction)
    yield* encode(newRequest())
    yield* TestClock.adjust("1 minute")
    const { status } = yield* vaultSwaps.byTransaction(account, transaction)
    assert.strictEqual(Option.fromUndefinedOr(status.deposit).pipe(Option.isSome), true)
  })
})
