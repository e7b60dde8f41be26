import { assert } from "#test/support/it.ts"
import { Deferred, type Duration, Effect, Fiber, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { RateLimited, UpstreamFailed } from "#domain/ProviderError.ts"
import type { SwapStatus } from "#domain/swaps/Swap.ts"
import { SwapsRepo } from "#infrastructure/store/swaps/SwapsRepo.ts"
import { Lookups } from "#application/swapping/following/Lookups.ts"
import { Swaps } from "#application/swapping/Swaps.ts"
import { Tracker } from "#application/swapping/following/Tracker.ts"
import { Registry } from "#providers/Registry.ts"
import { observe } from "#test/interfaces/http/observe.ts"
import { ScriptedProvider } from "#test/support/provider.ts"
import { newAccount, onStores } from "#test/support/store.ts"
import { expired, openingRequest, statusIn, swapRequest } from "#test/support/swap.ts"
import { scriptedProviders, swappingLayer, trackerOptions } from "#test/support/swapping.ts"

const known = (status: SwapStatus) => Effect.succeed(Option.some(status))

/** Nothing of earlier tests is due any more, and no budget is spent. */
const begin = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE swaps SET next_lookup_at = NULL`
  yield* TestClock.adjust("1 minute")
  const { first } = yield* scriptedProviders
  const account = yield* newAccount
  const swaps = yield* Swaps
  const repo = yield* SwapsRepo
  return {
    account,
    provider: first,
    tracker: yield* Tracker,
    lookups: yield* Lookups,
    open: Effect.map(swaps.open(account, openingRequest()), ({ id, channel }) => ({
      id,
      channel: channel.id,
      /** The state that is stored, without any look-up. */
      stored: Effect.map(repo.byId(account.id, id), (found) => Option.getOrThrow(found).record.status.state),
    })),
  }
})

onStores(swappingLayer)("Tracker", (it) => {
  it.effect("follows a swap to its end at the pace of its states, and then never asks again", function* () {
    const { provider, tracker, open } = yield* begin
    const { channel, stored } = yield* open
    yield* TestClock.adjust("29 seconds")
    assert.strictEqual(yield* tracker.lookUpDue, 0)
    yield* TestClock.adjust("1 second")
    for (const state of ["receiving", "swapping", "sending", "sent"] as const) {
      provider.says(channel, known(statusIn(state)))
      assert.strictEqual(yield* tracker.lookUpDue, 1)
      assert.strictEqual(yield* stored, state)
      yield* TestClock.adjust("6 seconds")
    }
    provider.says(channel, known(statusIn("completed")))
    yield* tracker.lookUpDue
    yield* TestClock.adjust("299 seconds")
    assert.strictEqual(yield* tracker.lookUpDue, 0)
    provider.says(channel, known(expired(statusIn("completed"))))
    yield* TestClock.adjust("1 second")
    assert.strictEqual(yield* tracker.lookUpDue, 1)
    yield* TestClock.adjust("1 day")
    assert.strictEqual(yield* tracker.lookUpDue, 1)
    yield* TestClock.adjust("60 days")
    assert.strictEqual(yield* tracker.lookUpDue, 0)
    assert.strictEqual(yield* stored, "completed")
  })

  it.effect("writes one line for the opening and one for each end, with ids and nothing else", function* () {
    const { provider, tracker, open } = yield* begin
    const opening = observe()
    const { channel, id } = yield* Effect.provide(open, opening.layer)
    const following = observe()
    const say = Effect.fnUntraced(function* (status: SwapStatus, after: Duration.Input) {
      provider.says(channel, known(status))
      yield* TestClock.adjust(after)
      assert.strictEqual(yield* Effect.provide(tracker.lookUpDue, following.layer), 1)
    })
    yield* say(statusIn("receiving", { swapId: "7" }), "30 seconds")
    yield* say(statusIn("completed", { swapId: "7" }), "6 seconds")
    yield* say(expired(statusIn("completed", { swapId: "7" })), "300 seconds")
    yield* say(statusIn("failed", { swapId: "8" }), "1 day")
    const read = (lines: ReadonlyArray<string>) =>
      lines.map((line) => JSON.parse(line))
        .filter(({ level }) => level === "INFO")
        .map(({ annotations, message }) => [message, annotations.swap, annotations.platform])
    const { name } = provider
    assert.deepStrictEqual(read(opening.lines), [["A deposit channel was opened", id, name]])
    assert.deepStrictEqual(read(following.lines), [
      ["A swap has ended", id, name],
      ["A further deposit to a channel became a swap; its state is failed", id + 1, name],
    ])
    const written = [...opening.lines, ...following.lines].join("\n")
    const { destinationAddress } = swapRequest
    for (const hidden of [destinationAddress, "0xpaid"]) {
      assert.notInclude(written, hidden)
    }
  })

  it.effect("follows a channel that is used again before it expires, and its first swap keeps its place", function* () {
    const { account, provider, tracker, open } = yield* begin
    const { channel, stored } = yield* open
    provider.says(channel, known(statusIn("completed", { swapId: "7" })))
    yield* TestClock.adjust("30 seconds")
    yield* tracker.lookUpDue
    provider.says(channel, known(statusIn("swapping", { swapId: "8" })))
    yield* TestClock.adjust("300 seconds")
    yield* tracker.lookUpDue
    assert.strictEqual(yield* stored, "completed")
    const { latest } = Option.getOrThrow(yield* (yield* SwapsRepo).byChannel(account.id, channel))
    assert.strictEqual(latest.record.status.state, "swapping")
  })

  it.effect("keeps the end of a swap when the upstream contradicts it, and asks again later", function* () {
    const { provider, tracker, open } = yield* begin
    const { channel, stored } = yield* open
    provider.says(channel, known(statusIn("completed", { swapId: "7" })))
    yield* TestClock.adjust("30 seconds")
    yield* tracker.lookUpDue
    provider.says(channel, known(statusIn("swapping", { swapId: "7" })))
    yield* TestClock.adjust("300 seconds")
    assert.strictEqual(yield* tracker.lookUpDue, 1)
    assert.strictEqual(yield* stored, "completed")
    yield* TestClock.adjust("30 seconds")
    assert.strictEqual(yield* tracker.lookUpDue, 1)
  })

  it.effect("backs off from an upstream that fails and returns to its pace with the first answer", function* () {
    const { provider, tracker, open } = yield* begin
    const { channel, stored } = yield* open
    provider.says(channel, Effect.fail(provider.fails(new UpstreamFailed({ detail: "down" }))))
    yield* TestClock.adjust("30 seconds")
    for (const seconds of [6, 12, 24]) {
      assert.strictEqual(yield* tracker.lookUpDue, 1)
      yield* TestClock.adjust(`${seconds - 1} seconds`)
      assert.strictEqual(yield* tracker.lookUpDue, 0)
      yield* TestClock.adjust("1 second")
    }
    provider.says(channel, known(statusIn("swapping")))
    yield* tracker.lookUpDue
    assert.strictEqual(yield* stored, "swapping")
    yield* TestClock.adjust("6 seconds")
    assert.strictEqual(yield* tracker.lookUpDue, 1)
  })

  it.effect("waits as long as an upstream asks for", function* () {
    const { provider, tracker, open } = yield* begin
    const { channel } = yield* open
    const limited = new RateLimited({ detail: "slow down", retryAfterSeconds: 100 })
    provider.says(channel, Effect.fail(provider.fails(limited)))
    yield* TestClock.adjust("30 seconds")
    yield* tracker.lookUpDue
    yield* TestClock.adjust("99 seconds")
    assert.strictEqual(yield* tracker.lookUpDue, 0)
    yield* TestClock.adjust("1 second")
    assert.strictEqual(yield* tracker.lookUpDue, 1)
  })

  it.effect("asks for fewer unknown channels than the upstream tolerates, and for all of them in time", function* () {
    const { provider, tracker, open } = yield* begin
    const opened = yield* Effect.replicateEffect(12)(open)
    yield* TestClock.adjust("30 seconds")
    assert.strictEqual(yield* tracker.lookUpDue, 12)
    assert.isAtMost(provider.lookups.length, 7)
    yield* TestClock.adjust("59 seconds")
    yield* tracker.lookUpDue
    assert.isAtMost(provider.lookups.length, 7)
    for (const { channel } of opened) provider.says(channel, known(statusIn("waiting")))
    yield* TestClock.adjust("2 minutes")
    yield* tracker.lookUpDue
    for (const { channel } of opened) assert.isAtLeast(provider.lookupsOf(channel), 1)
  })

  it.effect("shares the due swaps among trackers: none is looked up twice", function* () {
    const { provider, tracker, open } = yield* begin
    provider.otherwise = known(statusIn("waiting"))
    const opened = yield* Effect.replicateEffect(24)(open)
    yield* TestClock.adjust("30 seconds")
    const counts = yield* Effect.all([tracker.lookUpDue, tracker.lookUpDue, tracker.lookUpDue], {
      concurrency: "unbounded",
    })
    assert.strictEqual(counts.reduce((sum, count) => sum + count), 24)
    for (const { channel } of opened) assert.strictEqual(provider.lookupsOf(channel), 1)
  })

  it.effect("takes a swap up again that a tracker was killed with", function* () {
    const { provider, tracker, lookups, open } = yield* begin
    const { channel, stored } = yield* open
    provider.says(channel, known(statusIn("receiving")))
    yield* TestClock.adjust("30 seconds")
    assert.lengthOf(yield* lookups.claimDue(provider.name, 1), 1)
    yield* TestClock.adjust("14 seconds")
    assert.strictEqual(yield* tracker.lookUpDue, 0)
    yield* TestClock.adjust("1 second")
    assert.strictEqual(yield* tracker.lookUpDue, 1)
    assert.strictEqual(yield* stored, "receiving")
  })

  it.effect("does not wait for an upstream without end", function* () {
    const { provider, tracker, open } = yield* begin
    const { channel, stored } = yield* open
    const asked = yield* Deferred.make<void>()
    provider.says(channel, Effect.andThen(Deferred.succeed(asked, undefined), Effect.never))
    yield* TestClock.adjust("30 seconds")
    const round = yield* Effect.forkChild(tracker.lookUpDue)
    yield* Deferred.await(asked)
    yield* TestClock.adjust("10 seconds")
    yield* Fiber.join(round)
    provider.says(channel, known(statusIn("receiving")))
    yield* TestClock.adjust("6 seconds")
    yield* tracker.lookUpDue
    assert.strictEqual(yield* stored, "receiving")
  })

  /** A look-up whose lease ran out, and the one that took its place. */
  const takenOver = Effect.gen(function* () {
    const { provider, lookups, open } = yield* begin
    const swap = yield* open
    yield* TestClock.adjust("30 seconds")
    const [earlier] = yield* lookups.claimDue(provider.name, 1)
    yield* TestClock.adjust("15 seconds")
    const [later] = yield* lookups.claimDue(provider.name, 1)
    assert(earlier !== undefined && later !== undefined)
    return { ...swap, provider, lookups, earlier, later }
  })

  it.effect("never lets a look-up whose lease ran out write over the next one's result", function* () {
    const { provider, lookups, earlier, later, channel, stored } = yield* takenOver
    provider.says(channel, known(statusIn("receiving")))
    yield* lookups.run(later)
    provider.says(channel, known(statusIn("waiting")))
    yield* lookups.run(earlier)
    assert.strictEqual(yield* stored, "receiving")
  })

  it.effect("never lets it write before the next one either", function* () {
    const { provider, lookups, earlier, later, channel, stored } = yield* takenOver
    provider.says(channel, known(statusIn("completed", { swapId: "7" })))
    yield* lookups.run(earlier)
    assert.strictEqual(yield* stored, "waiting")
    provider.says(channel, known(statusIn("swapping", { swapId: "7" })))
    yield* lookups.run(later)
    assert.strictEqual(yield* stored, "swapping")
  })

  it.effect("goes on with the others when one look-up dies inside the adapter", function* () {
    const { provider, tracker, open } = yield* begin
    const [dying, healthy] = [yield* open, yield* open]
    provider.says(dying.channel, Effect.die("a bug"))
    provider.says(healthy.channel, known(statusIn("receiving")))
    yield* TestClock.adjust("30 seconds")
    assert.strictEqual(yield* tracker.lookUpDue, 2)
    assert.deepStrictEqual([yield* dying.stored, yield* healthy.stored], ["waiting", "receiving"])
  })

  it.effect("leaves swaps of a provider alone that is no longer enabled", function* () {
    const { tracker, open } = yield* begin
    const sql = yield* SqlClient.SqlClient
    const { id, stored } = yield* open
    yield* sql`UPDATE swaps SET platform = 'gone' WHERE id = ${id}`
    yield* TestClock.adjust("30 seconds")
    assert.strictEqual(yield* tracker.lookUpDue, 0)
    assert.strictEqual(yield* stored, "waiting")
  })

  it.effect("is not held up by a provider that is slow, nor asks it for more than it may at once", function* () {
    const { provider: slow, open } = yield* begin
    yield* Effect.replicateEffect(open, 3)
    const registry = yield* Registry
    const quick = new ScriptedProvider("second")
    yield* registry.register(quick)
    const account = yield* newAccount
    const swaps = yield* Swaps
    const { channel, id } = yield* swaps.open(account, openingRequest(quick.name))
    const asked = yield* Deferred.make<void>()
    slow.otherwise = Effect.andThen(Deferred.succeed(asked, undefined), Effect.never)
    quick.says(channel.id, known(statusIn("receiving")))
    yield* TestClock.adjust("30 seconds")
    yield* Layer.build(Tracker.layerRunning([slow.name, quick.name], { ...trackerOptions, concurrency: 2 }))
    yield* Deferred.await(asked)
    const repo = yield* SwapsRepo
    const stored = repo.byId(account.id, id)
    yield* Effect.repeat(stored, {
      until: (found) => Option.getOrThrow(found).record.status.state === "receiving",
    })
    yield* Effect.repeat(stored, { until: () => slow.lookups.length >= 2 })
    // Time enough for one more, if that were allowed.
    yield* Effect.repeat(stored, { times: 20 })
    assert.strictEqual(slow.lookups.length, 2)
  })

  it.effect("works by itself in the background, with what an earlier process left", function* () {
    const { provider, open } = yield* begin
    const { channel, stored } = yield* open
    const asked = yield* Deferred.make<void>()
    provider.says(channel, Effect.andThen(Deferred.succeed(asked, undefined), known(statusIn("receiving"))))
    yield* TestClock.adjust("30 seconds")
    yield* Layer.build(Tracker.layerRunning([provider.name], trackerOptions))
    yield* Deferred.await(asked)
    yield* Effect.repeat(stored, { until: (state) => state === "receiving" })
  })
})
