import { assert } from "#test/support/it.ts"
import { Effect, Fiber, Option } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { ProviderName } from "#domain/ProviderName.ts"
import { JournalRepo } from "#infrastructure/store/swaps/JournalRepo.ts"
import { Lookups } from "#application/swapping/following/Lookups.ts"
import { Swaps } from "#application/swapping/Swaps.ts"
import { StallDetector } from "#application/swapping/following/StallDetector.ts"
import { newAccount, onStores } from "#test/support/store.ts"
import { openingRequest, statusIn } from "#test/support/swap.ts"
import { scriptedProviders, swappingLayer } from "#test/support/swapping.ts"

const first = ProviderName.make("first")

/** In real time, which no test clock holds up. */
const later = (millis: number) => Effect.promise(() => new Promise((resolve) => setTimeout(resolve, millis)))

onStores(swappingLayer)("Look-ups", (it) => {
  it.effect("are made when they are due, though a reader began to wait for them before", function* () {
    const { first: provider } = yield* scriptedProviders
    const account = yield* newAccount
    const swaps = yield* Swaps
    const lookups = yield* Lookups
    const swap = yield* swaps.open(account, openingRequest())
    provider.says(swap.channel.id, Effect.succeed(Option.some(statusIn("receiving"))))
    yield* TestClock.adjust("1 minute")
    const due = (yield* lookups.claimDue(first, 100)).find(({ id }) => id === swap.id)
    assert(due !== undefined)
    const reader = yield* Effect.forkChild(lookups.refresh(swap), { startImmediately: true })
    const made = yield* Effect.raceFirst(Effect.as(lookups.run(due), true), Effect.as(later(60_000), false))
    assert.isTrue(made)
    assert.strictEqual(provider.lookups.length, 1)
    while (reader.pollUnsafe() === undefined) {
      yield* TestClock.adjust("100 millis")
      yield* later(5)
    }
    yield* Fiber.join(reader)
    assert.strictEqual((yield* swaps.byId(account, swap.id)).status.state, "receiving")
  })

  it.effect("and the watch over stalls are for every swap but one whose row cannot be read", function* () {
    yield* scriptedProviders
    const account = yield* newAccount
    const swaps = yield* Swaps
    const lookups = yield* Lookups
    const sql = yield* SqlClient.SqlClient
    const open = swaps.open(account, openingRequest())
    const [broken, whole] = yield* Effect.all([open, open])
    yield* sql`UPDATE swaps SET status = status - 'fees' WHERE id = ${broken.id}`
    yield* TestClock.adjust("1 minute")
    const due = yield* lookups.claimDue(first, 100)
    yield* sql`UPDATE swaps SET next_lookup_at = NULL`
    const ids = due.map(({ id }) => id)
    assert.include(ids, whole.id)
    assert.notInclude(ids, broken.id)
    yield* sql`UPDATE swaps SET stalls_at = '1970-01-01' WHERE id IN (${broken.id}, ${whole.id})`
    yield* (yield* StallDetector).flagStalled
    const [, last] = yield* (yield* JournalRepo).ofAny(whole.id)
    assert.strictEqual(last?.note._tag, "Stall")
  })
})
