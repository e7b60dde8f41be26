import { assert } from "#test/support/it.ts"
import { Deferred, Effect, Exit, Fiber, Layer, Metric, Option, Result, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Address } from "#domain/chains/Address.ts"
import { NativeAmount, noAmount } from "#domain/money/Amount.ts"
import { JournalNote } from "#domain/swaps/Journal.ts"
import { NotCalled } from "#domain/ProviderError.ts"
import type { SwapStatus } from "#domain/swaps/Swap.ts"
import { beforeAllEvents } from "#domain/swaps/SwapEvent.ts"
import { EpochMillis } from "#domain/Time.ts"
import { metrics } from "#infrastructure/ops/Metrics.ts"
import { LookupsRepo } from "#infrastructure/store/swaps/LookupsRepo.ts"
import { JournalRepo } from "#infrastructure/store/swaps/JournalRepo.ts"
import { OutboxRepo } from "#infrastructure/store/swaps/OutboxRepo.ts"
import { StallsRepo } from "#infrastructure/store/swaps/StallsRepo.ts"
import { SwapsRepo } from "#infrastructure/store/swaps/SwapsRepo.ts"
import { Lookups } from "#application/swapping/following/Lookups.ts"
import { Swaps } from "#application/swapping/Swaps.ts"
import { Tracker } from "#application/swapping/following/Tracker.ts"
import { VaultSwaps } from "#application/swapping/payloads/VaultSwaps.ts"
import { StallDetector } from "#application/swapping/following/StallDetector.ts"
import { assertJournalsReplay } from "#test/support/assertJournalsReplay.ts"
import { collectLogs } from "#test/support/collectLogs.ts"
import { bodyOf, ScriptedVaultSwaps } from "#test/support/provider.ts"
import { newAccount, onStores } from "#test/support/store.ts"
import { expired, openingRequest, paid, statusIn, statusWithDeposit } from "#test/support/swap.ts"
import { lookupOptions, scriptedProviders, swappingLayer } from "#test/support/swapping.ts"
import { vaultSwapRequest, vaultSwapStatus } from "#test/support/vaultSwap.ts"

const known = (status: SwapStatus) => Effect.succeed(Option.some(status))
const { swapEgress: _, ...unpaid } = statusIn("completed", { swapId: "7" })

const inShort = (note: JournalNote): string =>
  JournalNote.$match(note, {
    Change: ({ kind, status }) => `${kind} ${status.state}`,
    Contradiction: ({ status }) => `contradicted ${status.state}`,
    Stall: () => "stalled",
  })

/** An opened swap of an account of its own, nothing else being due. */
const begin = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE swaps SET next_lookup_at = NULL, stalls_at = NULL`
  yield* TestClock.adjust("1 minute")
  const { first } = yield* scriptedProviders
  const account = yield* newAccount
  const journal = yield* JournalRepo
  const outbox = yield* OutboxRepo
  const tracker = yield* Tracker
  const { channel, id } = yield* (yield* Swaps).open(account, openingRequest())
  const story = Effect.map(journal.of(account.id, id), (entries) => entries.map(({ note }) => inShort(note)))
  const events = Effect.map(
    outbox.after({ account: account.id, id: beforeAllEvents, limit: 100 }),
    (events) => events.map(({ type }) => type),
  )
  /** Lets the upstream say something, and the tracker hear of it. */
  const hear = Effect.fnUntraced(function* (status: SwapStatus) {
    first.says(channel.id, known(status))
    yield* TestClock.adjust("5 minutes")
    assert.strictEqual(yield* tracker.lookUpDue, 1)
  })
  return { provider: first, account, id, channel: channel.id, journal, story, events, hear, tracker }
})

onStores(swappingLayer)("The journal", (it) => {
  it.effect("has every change of a swap, with what the upstream said, and the account is told", function* () {
    const { account, id, journal, story, events, hear } = yield* begin
    yield* hear(statusIn("waiting"))
    yield* hear(statusIn("receiving"))
    yield* hear(statusIn("swapping", { swapId: "7" }))
    yield* hear(statusIn("swapping", { swapId: "7", lastStateChainUpdateAt: EpochMillis.make(5) }))
    yield* hear(statusIn("completed", { swapId: "7" }))
    yield* hear(expired(statusIn("completed", { swapId: "7" })))
    assert.deepStrictEqual(yield* story, [
      "opened waiting",
      "changed receiving",
      "changed swapping",
      "changed completed",
      "expired completed",
    ])
    assert.deepStrictEqual(yield* events, [
      "swap.waiting",
      "swap.receiving",
      "swap.swapping",
      "swap.completed",
      "channel.expired",
    ])
    const [, , swapping] = yield* journal.of(account.id, id)
    assert(swapping !== undefined && JournalNote.$is("Change")(swapping.note))
    const body = bodyOf(statusIn("swapping", { swapId: "7" }))
    assert.deepStrictEqual(swapping.note.body, { text: body, length: body.length })
  })

  it.effect("is written with the status and the event, or none of them is", function* () {
    const { id, channel, provider, story, events, tracker } = yield* begin
    const sql = yield* SqlClient.SqlClient
    const state = Effect.map(
      sql`SELECT state FROM swaps WHERE id = ${id}`,
      (rows) => rows.map(({ state }) => state),
    )
    yield* Effect.acquireUseRelease(
      sql`ALTER TABLE outbox ADD CONSTRAINT refused CHECK (type <> 'swap.receiving') NOT VALID`,
      () =>
        Effect.gen(function* () {
          provider.says(channel, known(statusIn("receiving")))
          yield* TestClock.adjust("5 minutes")
          yield* Effect.exit(tracker.lookUpDue)
          assert.deepStrictEqual(yield* state, ["waiting"])
          assert.deepStrictEqual(yield* story, ["opened waiting"])
          assert.deepStrictEqual(yield* events, ["swap.waiting"])
        }),
      () => Effect.orDie(sql`ALTER TABLE outbox DROP CONSTRAINT refused`),
    )
    yield* TestClock.adjust("5 minutes")
    yield* tracker.lookUpDue
    assert.deepStrictEqual(yield* state, ["receiving"])
    assert.deepStrictEqual(yield* story, ["opened waiting", "changed receiving"])
    assert.deepStrictEqual(yield* events, ["swap.waiting", "swap.receiving"])
  })

  it.effect("shows no journal to another account", function* () {
    const { id, journal } = yield* begin
    const other = yield* newAccount
    assert.deepStrictEqual(yield* journal.of(other.id, id), [])
    assert.lengthOf(yield* journal.ofAny(id), 1)
  })

  it.effect("has what cannot be once, and the account is told only of an end that is disputed", function* () {
    const { story, events, hear } = yield* begin
    yield* hear(statusIn("sending", { swapId: "7" }))
    yield* hear(statusIn("receiving"))
    yield* hear(statusIn("receiving"))
    yield* hear(unpaid)
    yield* hear({ ...unpaid, swapEgress: { ...paid, amount: noAmount } })
    yield* hear(statusIn("completed", { swapId: "7" }))
    assert.deepStrictEqual(yield* story, [
      "opened waiting",
      "changed sending",
      "contradicted receiving",
      // An end without a payment only waits for it; one with a payment of nothing cannot be.
      "contradicted completed",
      "changed completed",
    ])
    const told = ["swap.waiting", "swap.sending", "swap.disputed", "swap.completed"]
    assert.deepStrictEqual(yield* events, told)
  })

  it.effect("has a payment below the price limit as what cannot be, until an answer explains it", function* () {
    const { account, id, story, events, hear } = yield* begin
    const swaps = yield* Swaps
    const end = statusWithDeposit("completed", "0xdeposit", { swapId: "7" })
    yield* hear(statusWithDeposit("sending", "0xdeposit", { swapId: "7" }))
    const { disputes } = yield* StallsRepo
    const ofFirst = Effect.map(disputes, (all) => all.map(({ platform, swaps }) => [platform, swaps]))
    assert.deepStrictEqual(yield* ofFirst, [])
    for (const amount of [5n, 6n]) {
      yield* hear({ ...end, swapEgress: { ...paid, amount: NativeAmount.make(amount) } })
      assert.deepStrictEqual(yield* ofFirst, [["first", 1]])
    }
    // What is not whole yet disputes nothing.
    yield* hear({ ...end, swapEgress: { amount: paid.amount } })
    assert.deepStrictEqual(yield* ofFirst, [])
    assert.strictEqual((yield* swaps.byId(account, id)).status.state, "sending")
    yield* hear(end)
    assert.deepStrictEqual(yield* ofFirst, [])
    // What is said of an end that was told already disputes nothing that anybody waits for.
    yield* hear({ ...end, swapEgress: { ...paid, amount: NativeAmount.make(5n) } })
    assert.deepStrictEqual(yield* ofFirst, [])
    assert.deepStrictEqual(yield* story, [
      "opened waiting",
      "changed sending",
      "contradicted completed",
      "contradicted completed",
      "changed completed",
      "contradicted completed",
    ])
    assert.deepStrictEqual(yield* events, ["swap.waiting", "swap.sending", "swap.disputed", "swap.completed"])
  })

  it.effect("has another deposit address as what cannot be, and nobody is shown it", function* () {
    const { account, id, journal, story, events, hear } = yield* begin
    const swaps = yield* Swaps
    const opened = (yield* swaps.byId(account, id)).status
    const { depositChannel } = opened
    assert(depositChannel !== undefined)
    const counted = Metric.value(metrics.contradictions({ provider: "first" }))
    const before = yield* counted
    const thief = Address.make("thief")
    const { lines } = yield* collectLogs(
      hear({ ...opened, state: "receiving", depositChannel: { ...depositChannel, depositAddress: thief } }),
    )
    const detail = "The upstream now reports a different deposit address than our record"
    assert.include(lines, `${detail}; keeping what was known before`)
    assert.strictEqual((yield* counted).count, before.count + 1)
    assert.deepStrictEqual(yield* story, ["opened waiting", "contradicted receiving"])
    assert.deepStrictEqual(yield* events, ["swap.waiting"])
    assert.deepStrictEqual((yield* swaps.byId(account, id)).status, opened)
    const [, said] = yield* journal.of(account.id, id)
    assert(said !== undefined && JournalNote.$is("Contradiction")(said.note))
    assert.strictEqual(said.note.detail, detail)
    assert.strictEqual(said.note.status.depositChannel?.depositAddress, depositChannel.depositAddress)
  })

  it.effect("keeps what was asked for where the upstream leaves it out", function* () {
    const { account, id, hear } = yield* begin
    const swaps = yield* Swaps
    const { depositChannel, fillOrKill } = (yield* swaps.byId(account, id)).status
    const { depositChannel: _, fillOrKill: __, ...bare } = statusIn("receiving")
    yield* hear(bare)
    const { status } = yield* swaps.byId(account, id)
    assert.strictEqual(status.state, "receiving")
    assert.deepStrictEqual([status.depositChannel, status.fillOrKill], [depositChannel, fillOrKill])
  })

  it.effect("cannot be altered", function* () {
    const { story } = yield* begin
    const sql = yield* SqlClient.SqlClient
    const refused = [
      sql`UPDATE swap_journal SET detail = NULL`,
      sql`DELETE FROM swap_journal`,
      sql`TRUNCATE swap_journal`,
    ]
    for (const statement of refused) {
      const result = yield* Effect.result(sql.withTransaction(statement))
      assert.isTrue(Result.isFailure(result))
    }
    assert.deepStrictEqual(yield* story, ["opened waiting"])
  })

  it.effect("begins with how a vault swap was found, once", function* () {
    const { provider, journal } = yield* begin
    const vaults = new ScriptedVaultSwaps("Ethereum")
    provider.vaultSwaps = vaults
    const service = yield* VaultSwaps
    const account = yield* newAccount
    yield* service.encode(account, { request: vaultSwapRequest, platform: provider.name })
    const hash = `0x${"aa".repeat(32)}`
    vaults.says(hash, known(vaultSwapStatus(vaultSwapRequest, "receiving", hash)))
    const finding = service.byTransaction(account, hash)
    const [one, other] = yield* Effect.all([finding, finding], { concurrency: 2 })
    assert.strictEqual(one.id, other.id)
    const entries = yield* journal.of(account.id, one.id)
    assert.deepStrictEqual(entries.map(({ note }) => inShort(note)), ["found receiving"])
  })

  it.effect("has a stall once, and again when the next state stalls", function* () {
    const { story, events, hear, provider } = yield* begin
    const watchdog = yield* StallDetector
    const stalled = Effect.map(
      watchdog.stalls,
      (stalls) => stalls.find(({ platform }) => platform === provider.name)?.swaps,
    )
    yield* hear(statusIn("receiving"))
    yield* TestClock.adjust("149 minutes")
    assert.strictEqual(yield* watchdog.flagStalled, 0)
    assert.isUndefined(yield* stalled)
    yield* TestClock.adjust("1 minute")
    const repo = yield* StallsRepo
    const both = yield* Effect.all([watchdog.flagStalled, watchdog.flagStalled], { concurrency: 2 })
    assert.deepStrictEqual(both.toSorted(), [0, 1])
    assert.strictEqual(yield* watchdog.flagStalled, 0)
    assert.strictEqual(yield* stalled, 1)
    yield* hear(statusIn("receiving"))
    assert.strictEqual(yield* stalled, 1)
    yield* hear(statusIn("sending", { swapId: "7" }))
    assert.isUndefined(yield* stalled)
    yield* TestClock.adjust("62 minutes")
    assert.strictEqual(yield* watchdog.flagStalled, 1)
    yield* hear(statusIn("completed", { swapId: "7" }))
    assert.deepStrictEqual(yield* repo.current, [])
    assert.deepStrictEqual(yield* story, [
      "opened waiting",
      "changed receiving",
      "stalled",
      "changed sending",
      "stalled",
      "changed completed",
    ])
    assert.deepStrictEqual(yield* events, [
      "swap.waiting",
      "swap.receiving",
      "swap.stalled",
      "swap.sending",
      "swap.stalled",
      "swap.completed",
    ])
  })

  it.effect("comes, for every swap of this suite, to what is stored", () => assertJournalsReplay)
})

onStores(swappingLayer)("Look-ups", (it) => {
  it.effect("are shared between readers and the tracker, also of two processes", function* () {
    const { provider, channel, account, id, tracker } = yield* begin
    const swaps = yield* SwapsRepo
    const begun = yield* Deferred.make<void>()
    const noticed = Layer.effect(
      LookupsRepo,
      Effect.map(LookupsRepo, (repo) => ({
        ...repo,
        begin: (...all) => Effect.tap(repo.begin(...all), () => Deferred.succeed(begun, undefined)),
      })),
    )
    const elsewhere = yield* Layer.build(
      Layer.fresh(Lookups.layer(lookupOptions)).pipe(Layer.provide(noticed)),
    )
    const answer = yield* Deferred.make<void>()
    const asked = yield* Deferred.make<void>()
    provider.says(
      channel,
      Deferred.succeed(asked, undefined).pipe(
        Effect.andThen(Deferred.await(answer)),
        Effect.andThen(known(statusIn("receiving"))),
      ),
    )
    yield* TestClock.adjust("30 seconds")
    const tracking = yield* Effect.forkChild(tracker.lookUpDue)
    yield* Deferred.await(asked)
    const swap = { id, platform: provider.name }
    const here = yield* Effect.forkChild((yield* Lookups).refresh(swap), { startImmediately: true })
    const there = yield* Effect.forkChild(
      Effect.flatMap(Lookups, (lookups) => lookups.refresh(swap)).pipe(Effect.provide(elsewhere)),
    )
    yield* Deferred.await(begun)
    yield* Deferred.succeed(answer, undefined)
    yield* Fiber.join(tracking)
    yield* Fiber.join(here)
    while (there.pollUnsafe() === undefined) {
      yield* TestClock.adjust("100 millis")
      yield* swaps.byId(account.id, id)
    }
    assert.strictEqual(provider.lookupsOf(channel), 1)
    const stored = Option.getOrThrow(yield* swaps.byId(account.id, id))
    assert.strictEqual(stored.record.status.state, "receiving")
  })

  it.effect("of a process that ends are free for others at once", function* () {
    const { provider, channel, tracker } = yield* begin
    const asked = yield* Deferred.make<void>()
    provider.says(channel, Effect.andThen(Deferred.succeed(asked, undefined), Effect.never))
    yield* TestClock.adjust("30 seconds")
    const scope = yield* Scope.make()
    const ending = yield* Layer.buildWithScope(Layer.fresh(Lookups.layer(lookupOptions)), scope)
    const lookups = yield* Effect.provide(Lookups, ending)
    const [lookup] = yield* lookups.claimDue(provider.name, 1)
    assert(lookup !== undefined)
    yield* Effect.forkChild(lookups.run(lookup))
    yield* Deferred.await(asked)
    assert.strictEqual(yield* tracker.lookUpDue, 0)
    yield* Scope.close(scope, Exit.void)
    provider.says(channel, known(statusIn("receiving")))
    assert.strictEqual(yield* tracker.lookUpDue, 1)
  })

  it.effect("that were not made count as no failure", function* () {
    const { provider, channel, account, id, tracker } = yield* begin
    const notCalled = new NotCalled({ detail: "rests", retryAfterSeconds: 20 })
    provider.says(channel, Effect.fail(provider.fails(notCalled)))
    yield* TestClock.adjust("30 seconds")
    assert.strictEqual(yield* tracker.lookUpDue, 1)
    const stored = Option.getOrThrow(yield* (yield* SwapsRepo).byId(account.id, id))
    assert.strictEqual(stored.lookupFailures, 0)
    yield* TestClock.adjust("19 seconds")
    assert.strictEqual(yield* tracker.lookUpDue, 0)
    yield* TestClock.adjust("1 second")
    assert.strictEqual(yield* tracker.lookUpDue, 1)
  })

  it.effect("keep to the budget of their provider, whoever wants them", function* () {
    const { provider, account, id } = yield* begin
    const swaps = yield* Swaps
    yield* Effect.replicateEffect(swaps.open(account, openingRequest()), 5)
    provider.otherwise = known(statusIn("waiting"))
    const frugal = yield* Layer.build(Layer.fresh(Lookups.layer({ ...lookupOptions, lookupsPerSecond: 4 })))
    const lookups = yield* Effect.provide(Lookups, frugal)
    yield* TestClock.adjust("30 seconds")
    assert.lengthOf(yield* lookups.claimDue(provider.name, 10), 3)
    assert.lengthOf(yield* lookups.claimDue(provider.name, 10), 0)
    yield* lookups.refresh({ id, platform: provider.name })
    assert.lengthOf(provider.lookups, 0)
    yield* TestClock.adjust("500 millis")
    assert.lengthOf(yield* lookups.claimDue(provider.name, 10), 2)
  })

  it.effect("leave journals that come to what is stored", () => assertJournalsReplay)
})
