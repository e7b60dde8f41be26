import { assert } from "#test/support/it.ts"
import { Array as Arrays, Deferred, Effect, Fiber, Option } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { UpstreamFailed } from "#domain/ProviderError.ts"
import { type HistoryQuery, SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import type { SwapStatus } from "#domain/swaps/Swap.ts"
import { Swaps } from "#application/swapping/Swaps.ts"
import { newAccount, onStores } from "#test/support/store.ts"
import { expired, openingRequest, statusIn, statusWithDeposit } from "#test/support/swap.ts"
import { refreshTimeout, scriptedProviders, statusMaxAge, swappingLayer } from "#test/support/swapping.ts"

const becomeOld = TestClock.adjust(statusMaxAge)
const known = (status: SwapStatus) => Effect.succeed(Option.some(status))

/** An account with a swap that was just opened. */
const openSwap = Effect.gen(function* () {
  const { first, second } = yield* scriptedProviders
  const account = yield* newAccount
  const swaps = yield* Swaps
  const { id, channel } = yield* swaps.open(account, openingRequest())
  return { account, swaps, id, channel: channel.id, provider: first, second }
})

onStores(swappingLayer)("Swaps", (it) => {
  it.effect("shows a fresh status as it is stored, and looks an old one up first", function* () {
    const { account, swaps, id, channel, provider } = yield* openSwap
    provider.says(channel, known(statusIn("receiving")))
    assert.strictEqual((yield* swaps.byId(account, id)).status.state, "waiting")
    assert.strictEqual(provider.lookupsOf(channel), 0)
    yield* becomeOld
    assert.strictEqual((yield* swaps.byId(account, id)).status.state, "receiving")
    assert.strictEqual((yield* swaps.byChannel(account, channel)).status.state, "receiving")
    assert.strictEqual(provider.lookupsOf(channel), 1)
  })

  it.effect("says the minimum that the provider lists where the channel's own answer has none", function* () {
    const { first } = yield* scriptedProviders
    const opened = yield* (yield* Swaps).open(yield* newAccount, openingRequest())
    const listed = (yield* first.assets).find(({ asset }) => asset === opened.sourceAsset)
    assert.isDefined(listed?.minimumDeposit)
    assert.strictEqual(opened.depositLimits.minimum, listed.minimumDeposit)
    assert.strictEqual(opened.payable.minimumDeposit, listed.minimumDeposit)
  })

  it.effect("lets concurrent readers share one look-up", function* () {
    const { account, swaps, id, channel, provider } = yield* openSwap
    const answer = yield* Deferred.make<void>()
    provider.says(channel, Effect.andThen(Deferred.await(answer), known(statusIn("receiving"))))
    yield* becomeOld
    const readers = yield* Effect.forkChild(
      Effect.all(Array.from({ length: 20 }, () => swaps.byId(account, id)), { concurrency: "unbounded" }),
    )
    yield* Effect.repeat(Effect.sync(() => provider.lookupsOf(channel)), { until: (count) => count > 0 })
    yield* Deferred.succeed(answer, undefined)
    for (const record of yield* Fiber.join(readers)) {
      assert.strictEqual(record.status.state, "receiving")
    }
    assert.strictEqual(provider.lookupsOf(channel), 1)
  })

  it.effect("answers what is stored when the upstream fails, and asks again after a minute at the soonest", function* () {
    const { account, swaps, id, channel, provider } = yield* openSwap
    provider.says(channel, Effect.fail(provider.fails(new UpstreamFailed({ detail: "down" }))))
    yield* becomeOld
    for (let reader = 0; reader < 3; reader++) {
      assert.strictEqual((yield* swaps.byId(account, id)).status.state, "waiting")
    }
    assert.strictEqual(provider.lookupsOf(channel), 1)
    yield* TestClock.adjust("1 minute")
    provider.says(channel, known(statusIn("receiving")))
    assert.strictEqual((yield* swaps.byId(account, id)).status.state, "receiving")
  })

  it.effect("answers what is stored when the upstream takes too long, and keeps the answer that comes", function* () {
    const { account, swaps, id, channel, provider } = yield* openSwap
    const asked = yield* Deferred.make<void>()
    const answer = yield* Deferred.make<void>()
    provider.says(
      channel,
      Deferred.succeed(asked, undefined).pipe(
        Effect.andThen(Deferred.await(answer)),
        Effect.andThen(known(statusIn("receiving"))),
      ),
    )
    yield* becomeOld
    const reader = yield* Effect.forkChild(swaps.byId(account, id))
    yield* Deferred.await(asked)
    yield* TestClock.adjust(refreshTimeout)
    assert.strictEqual((yield* Fiber.join(reader)).status.state, "waiting")
    yield* Deferred.succeed(answer, undefined)
    yield* Effect.repeat(swaps.byId(account, id), { until: ({ status }) => status.state === "receiving" })
  })

  it.effect("does not ask about a swap that can no longer change", function* () {
    const { account, swaps, id, channel, provider } = yield* openSwap
    provider.says(channel, known(expired(statusIn("completed", { swapId: "7" }))))
    yield* becomeOld
    yield* swaps.byId(account, id)
    yield* TestClock.adjust("1 day")
    yield* swaps.byId(account, id)
    yield* becomeOld
    assert.strictEqual((yield* swaps.byId(account, id)).status.state, "completed")
    assert.strictEqual(provider.lookupsOf(channel), 2)
  })

  it.effect("shows a swap that has ended without the database, to its own account alone", function* () {
    const { account, swaps, id, channel, provider } = yield* openSwap
    const other = yield* newAccount
    provider.says(channel, known(expired(statusIn("completed", { swapId: "7" }))))
    yield* becomeOld
    yield* swaps.byId(account, id)
    yield* TestClock.adjust("1 day")
    const first = yield* swaps.byId(account, id)
    const sql = yield* SqlClient.SqlClient
    yield* sql`UPDATE swaps SET account_id = ${other.id} WHERE id = ${id}`
    assert.strictEqual(yield* swaps.byId(account, id), first)
    yield* sql`UPDATE swaps SET account_id = ${account.id} WHERE id = ${id}`
    assert.strictEqual((yield* Effect.flip(swaps.byId(other, id)))._tag, "SwapNotFound")
  })

  it.effect("finds a swap by its deposit transaction, however the hash is written", function* () {
    const { account, swaps, id, channel, provider } = yield* openSwap
    const hash = "ab".repeat(32)
    provider.says(channel, known(statusWithDeposit("receiving", `0x${hash.toUpperCase()}`)))
    yield* becomeOld
    yield* swaps.byId(account, id)
    for (const written of [hash, `0x${hash}`, hash.toUpperCase(), `0X${hash}`]) {
      assert.strictEqual((yield* swaps.byTransaction(account, written)).id, id)
    }
  })

  it.effect("finds a deposit as soon as the upstream has it, of a provider that knows no transactions", function* () {
    const { account, swaps, id, channel, provider } = yield* openSwap
    const hash = "ba".repeat(32)
    provider.says(channel, known(statusIn("waiting")))
    yield* becomeOld
    assert.strictEqual((yield* Effect.flip(swaps.byTransaction(account, hash)))._tag, "SwapNotFound")
    provider.says(channel, known(statusWithDeposit("receiving", hash)))
    yield* becomeOld
    const found = yield* swaps.byTransaction(account, hash)
    assert.deepStrictEqual([found.id, found.status.state], [id, "receiving"])
  })

  it.effect("asks after some of the waiting channels once a second, whatever transactions it is asked for", function* () {
    const { account, swaps, provider, channel } = yield* openSwap
    yield* Effect.replicateEffect(39)(swaps.open(account, openingRequest()))
    provider.otherwise = known(statusIn("waiting"))
    yield* becomeOld
    const before = provider.lookups.length
    const ask = (number: number) => Effect.flip(swaps.byTransaction(account, `${number}`.padStart(64, "0")))
    yield* Effect.forEach(Arrays.range(1, 180), ask, { concurrency: "unbounded" })
    assert.strictEqual(provider.lookups.length - before, 16)
    yield* TestClock.adjust("1 second")
    yield* ask(181)
    yield* TestClock.adjust("1 second")
    yield* ask(182)
    assert.strictEqual(provider.lookups.length - before, 40)
    assert.strictEqual(provider.lookupsOf(channel), 1)
    const other = yield* newAccount
    yield* Effect.flip(swaps.byTransaction(other, "1".padStart(64, "0")))
    yield* Effect.flip(swaps.byTransaction(account, "5VERv8NMvz"))
    assert.strictEqual(provider.lookups.length - before, 40)
  })

  it.effect("finds a swap by each of several deposit transactions", function* () {
    const { account, swaps, id, channel, provider } = yield* openSwap
    const { deposit, ...status } = statusWithDeposit("receiving", "a".repeat(64))
    assert(deposit !== undefined)
    const others = ["b".repeat(64), `0x${"C".repeat(64)}`, "d".repeat(10_000)]
    provider.says(channel, known({ ...status, deposit: { ...deposit, otherTransactionReferences: others } }))
    yield* becomeOld
    yield* swaps.byId(account, id)
    for (const reference of ["a", "b", "c"]) {
      assert.strictEqual((yield* swaps.byTransaction(account, reference.repeat(64))).id, id)
    }
  })

  it.effect("tells base58 transactions apart by case", function* () {
    const { account, swaps, id, channel, provider } = yield* openSwap
    const signature =
      "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW"
    provider.says(channel, known(statusWithDeposit("receiving", signature)))
    yield* becomeOld
    yield* swaps.byId(account, id)
    assert.strictEqual((yield* swaps.byTransaction(account, signature)).id, id)
    const error = yield* Effect.flip(swaps.byTransaction(account, signature.toLowerCase()))
    assert.strictEqual(error._tag, "SwapNotFound")
  })

  it.effect("finds a channel that was used twice by both deposits, and the latest of several swaps", function* () {
    const { account, swaps, id, channel, provider } = yield* openSwap
    const [earlier, later] = ["11".repeat(32), "22".repeat(32)] as const
    provider.says(channel, known(statusWithDeposit("completed", earlier, { swapId: "7" })))
    yield* becomeOld
    yield* swaps.byId(account, id)
    provider.says(channel, known(statusWithDeposit("swapping", later, { swapId: "8" })))
    yield* becomeOld
    yield* swaps.byId(account, id)
    const [first, second] = [
      yield* swaps.byTransaction(account, earlier),
      yield* swaps.byTransaction(account, later),
    ]
    assert.deepStrictEqual([first.status.swapId, first.id], ["7", id])
    assert.strictEqual(second.status.swapId, "8")
    assert.notStrictEqual(second.id, id)

    const newer = yield* swaps.open(account, openingRequest())
    provider.says(newer.channel.id, known(statusWithDeposit("receiving", later)))
    yield* becomeOld
    yield* swaps.byId(account, newer.id)
    assert.strictEqual((yield* swaps.byTransaction(account, later)).id, newer.id)
  })

  it.effect("shows nothing of another account, nor of ids that were never given", function* () {
    const { account, swaps, id, channel, provider } = yield* openSwap
    const hash = "cd".repeat(32)
    provider.says(channel, known(statusWithDeposit("receiving", hash)))
    yield* becomeOld
    yield* swaps.byId(account, id)
    const other = yield* newAccount
    const unseen = [
      swaps.byId(other, id),
      swaps.byChannel(other, channel),
      swaps.byTransaction(other, hash),
      swaps.byId(account, SwapRecordId.make(2 ** 40)),
      swaps.byChannel(account, { ...channel, network: "Ethereum" }),
      swaps.byTransaction(account, ""),
    ]
    for (const look of unseen) assert.strictEqual((yield* Effect.flip(look))._tag, "SwapNotFound")
    const query: HistoryQuery = { limit: 10, states: ["receiving"], sort: "descending" }
    assert.deepStrictEqual(yield* swaps.history(other, query), { records: [] })
  })

  it.effect("lists the history in both directions from an offset that is included, part by part", function* () {
    const { account, swaps, id } = yield* openSwap
    const more = yield* Effect.replicateEffect(4)(swaps.open(account, openingRequest()))
    const ids = [id, ...more.map((swap) => swap.id)]
    const list = (query: Partial<HistoryQuery>) =>
      swaps.history(account, { limit: 50, states: ["waiting"], sort: "ascending", ...query }).pipe(
        Effect.map(({ records, next }) => [records.map((record) => record.id), next] as const),
      )
    assert.deepStrictEqual(yield* list({}), [ids, undefined])
    assert.deepStrictEqual(yield* list({ sort: "descending" }), [ids.toReversed(), undefined])
    const [, second, third, fourth] = ids
    if (second === undefined || third === undefined) return assert.fail("five swaps were opened")
    assert.deepStrictEqual(yield* list({ offset: second, limit: 2 }), [[second, third], fourth])
    assert.deepStrictEqual(
      yield* list({ offset: third, limit: 2, sort: "descending" }),
      [[third, second], id],
    )
    assert.deepStrictEqual(yield* list({ limit: 5 }), [ids, undefined])
  })

  it.effect("lists only the wanted states and provider, merged in one order", function* () {
    const { account, swaps, id, channel, provider, second } = yield* openSwap
    provider.says(channel, known(statusIn("completed", { swapId: "1" })))
    yield* becomeOld
    yield* swaps.byId(account, id)
    const waiting = yield* swaps.open(account, openingRequest(second.name))
    const list = (query: Pick<HistoryQuery, "states" | "platform">) =>
      swaps.history(account, { limit: 50, sort: "descending", ...query }).pipe(
        Effect.map(({ records }) => records.map((record) => record.id)),
      )
    assert.deepStrictEqual(yield* list({ states: ["completed"] }), [id])
    assert.deepStrictEqual(yield* list({ states: ["completed", "waiting"] }), [waiting.id, id])
    assert.deepStrictEqual(yield* list({ states: ["waiting", "completed", "waiting"] }), [waiting.id, id])
    assert.deepStrictEqual(yield* list({ states: ["completed", "waiting"], platform: provider.name }), [id])
    assert.deepStrictEqual(yield* list({ states: ["failed"] }), [])
  })
})
