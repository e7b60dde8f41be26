import { assert } from "#test/support/it.ts"
import { Array, Deferred, Effect, Fiber, Layer, Result } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import type { Account } from "#domain/accounts/Account.ts"
import { InsufficientLiquidity, TimedOut } from "#domain/ProviderError.ts"
import type { SwapStatus } from "#domain/swaps/Swap.ts"
import { OpeningTrace } from "#providers/Provider.ts"
import type { OpenedSwap } from "#application/swapping/opening/OpeningRecord.ts"
import { Lookups } from "#application/swapping/following/Lookups.ts"
import { Swaps } from "#application/swapping/Swaps.ts"
import { keyedRequest, openings, sendOpening, tagOf } from "#test/support/keyed.ts"
import { newAccount, onStores } from "#test/support/store.ts"
import { expired, openingRequest, statusIn } from "#test/support/swap.ts"
import {
  lookupOptions,
  scriptedProviders,
  statusMaxAge,
  swappingLayer,
  swapsOptions,
} from "#test/support/swapping.ts"

const most = 3

/** A replica of the service, in which an account may have so many channels open. */
const replica = (openChannelsMost = most) =>
  Layer.build(
    Swaps.layer({ ...swapsOptions, openChannelsMost }).pipe(Layer.provide(Lookups.layer(lookupOptions))),
  )

/** Providers, an account with nothing open, and how it opens channels. */
const fresh = Effect.gen(function* () {
  const { first, second } = yield* scriptedProviders
  const account = yield* newAccount
  const services = yield* replica()
  const open = Effect.flatMap(Swaps, (swaps) => swaps.open(account, openingRequest())).pipe(
    Effect.provideContext(services),
  )
  /** Lets the provider say of a swap what it will, and looks. */
  const becomes = Effect.fnUntraced(function* ({ channel }: OpenedSwap, status: SwapStatus) {
    first.says(channel.id, Effect.succeedSome(status))
    yield* TestClock.adjust(statusMaxAge)
    yield* (yield* Effect.provideContext(Swaps, services)).byChannel(account, channel.id)
  })
  return { first, second, account, services, open, becomes }
})

/** What the database itself has counted. */
const counted = (account: Account) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<{ open_channels: number }>`SELECT open_channels FROM accounts WHERE id = ${account.id}`,
      ([row]) => row?.open_channels,
    ))

const refused = new InsufficientLiquidity({ detail: "not enough" })
const lost = new TimedOut({ detail: "no answer", reached: true })

onStores(swappingLayer)("The cap of open channels", (it) => {
  it.effect("refuses one more, without asking any provider, and nothing of other accounts", function* () {
    const { account, first, open, second, services } = yield* fresh
    yield* Effect.replicateEffect(open, most)
    const error = yield* Effect.flip(open)
    assert.strictEqual(error._tag, "TooManyOpenChannels")
    assert.include(error.message, `${most} deposit channels`)
    assert.deepStrictEqual([first.requests.length, second.requests.length], [most, 0])
    assert.strictEqual((yield* openings(account)).length, most, "no row is left behind")
    const other = yield* newAccount
    const swaps = Effect.flatMap(Swaps, (swaps) => swaps.open(other, openingRequest()))
    yield* Effect.provideContext(swaps, services)
  })

  it.effect("holds for openings at the same time, on two replicas", function* () {
    const { account, first, open } = yield* fresh
    const elsewhere = yield* replica()
    const keyed = () => Effect.provideContext(sendOpening(account, keyedRequest(account)), elsewhere)
    const answer = yield* Deferred.make<void>()
    first.opening = Deferred.await(answer)
    const all = yield* Effect.forkChild(
      Effect.all(
        Array.makeBy(40, (index) =>
          Effect.result(Effect.gen(function* () {
            if (index % 2 === 0) yield* open
            else yield* keyed()
          }))),
        { concurrency: "unbounded" },
      ),
    )
    yield* Effect.repeat(Effect.sync(() => first.requests.length), { until: (asked) => asked >= most })
    yield* Deferred.succeed(answer, undefined)
    const results = yield* Fiber.join(all)
    const failures = results.filter(Result.isFailure).map(({ failure }) => failure._tag)
    assert.deepStrictEqual(failures, Array.replicate("TooManyOpenChannels", 40 - most))
    assert.strictEqual(first.requests.length, most)
    assert.strictEqual(yield* counted(account), most)
  })

  const room: ReadonlyArray<readonly [string, SwapStatus, open: boolean]> = [
    ["waits", statusIn("waiting"), true],
    ["receives", statusIn("receiving"), true],
    ["swaps", statusIn("swapping", { swapId: "1" }), true],
    ["sends", statusIn("sending", { swapId: "1" }), true],
    ["has sent", statusIn("sent", { swapId: "1" }), true],
    ["has completed", statusIn("completed", { swapId: "1" }), false],
    ["has failed", statusIn("failed", { swapId: "1" }), false],
    ["has expired unused", expired(statusIn("waiting")), false],
  ]
  for (const [what, status, isOpen] of room) {
    it.effect(`${isOpen ? "counts" : "has room again for"} a channel whose swap ${what}`, function* () {
      const { account, becomes, open } = yield* fresh
      yield* Effect.replicateEffect(open, most - 1)
      yield* becomes(yield* open, status)
      assert.strictEqual(yield* counted(account), isOpen ? most : most - 1)
      const next = yield* Effect.result(open)
      assert.strictEqual(Result.isSuccess(next), !isOpen)
    })
  }

  it.effect("counts a channel again that was used again", function* () {
    const { account, becomes, open } = yield* fresh
    const opened = yield* open
    for (
      const [status, count] of [
        [statusIn("completed", { swapId: "1" }), 0],
        [statusIn("swapping", { swapId: "2" }), 1],
        [expired(statusIn("completed", { swapId: "2" })), 0],
      ] as const
    ) {
      yield* becomes(opened, status)
      assert.strictEqual(yield* counted(account), count)
    }
  })

  it.effect("does not count what was refused, nor what nobody knows the outcome of", function* () {
    const { account, first, open, second } = yield* fresh
    for (const reason of [refused, lost]) {
      for (const provider of [first, second]) provider.opening = Effect.fail(provider.fails(reason))
      assert.strictEqual(yield* tagOf(open), "ProviderError")
    }
    assert.deepStrictEqual(yield* openings(account), ["refused", "unknown"])
    assert.strictEqual(yield* counted(account), 0)
  })

  it.effect("does not refuse what was answered before under its key, nor keeps that from being asked again", function* () {
    const { account, becomes, first, open, services } = yield* fresh
    const opened = yield* open
    yield* Effect.replicateEffect(open, most - 2)
    const send = (keyed: ReturnType<typeof keyedRequest>) =>
      Effect.provideContext(sendOpening(account, keyed), services)
    const keyed = keyedRequest(account)
    const answer = yield* send(keyed)
    assert.deepStrictEqual(yield* send(keyed), answer)
    const more = keyedRequest(account)
    assert.strictEqual(yield* tagOf(send(more)), "TooManyOpenChannels")
    assert.strictEqual(first.requests.length, most)
    yield* becomes(opened, expired(statusIn("waiting")))
    assert.strictEqual((yield* send(more)).status, 200)
  })

  it.effect("tells who lost the race for a key and for the last room to look at the key again", function* () {
    const { account, first, services } = yield* fresh
    const keyed = keyedRequest(account)
    const one = yield* replica(1)
    const results = yield* Effect.all(
      Array.makeBy(
        20,
        (index) =>
          Effect.result(Effect.provideContext(sendOpening(account, keyed), index % 2 === 0 ? one : services)),
      ),
      { concurrency: "unbounded" },
    )
    for (const result of results) {
      if (Result.isFailure(result)) assert.strictEqual(result.failure._tag, "KeyInUse")
    }
    assert.strictEqual(first.requests.length, 1)
  })

  it.effect("has no room either for what takes the place of an opening that came to nothing", function* () {
    const { account, first, open, services } = yield* fresh
    const keyed = keyedRequest(account)
    const send = Effect.provideContext(sendOpening(account, keyed), services)
    first.opening = Effect.fail(first.fails(lost))
    assert.strictEqual(yield* tagOf(send), "ProviderError")
    first.opening = Effect.void
    first.findOpening = () => Effect.succeed(OpeningTrace.NothingOpened())
    yield* Effect.replicateEffect(open, most)
    assert.strictEqual(yield* tagOf(send), "TooManyOpenChannels")
    assert.deepStrictEqual((yield* openings(account))[0], "unknown")
  })
})
