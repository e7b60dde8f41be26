import { assert, channelsOf, layer, swapRequest, TestClock } from "./support.ts"
import { Duration, Effect, Result } from "effect"
import { type AccountId, EpochMillis, TimedOut } from "#exports/domain.ts"
import { OnBehalfOf } from "#infrastructure/platform/Bulkhead.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { BrokerBalance, type FundsOptions, OpeningOnRecord } from "#providers/BrokerBalance.ts"
import type { Provider } from "#providers/Provider.ts"
import { OpeningsRepo } from "#infrastructure/store/swaps/OpeningsRepo.ts"
import { openingAsked } from "#test/support/account.ts"
import { ScriptedProvider } from "#test/support/provider.ts"
import { embeddedStore, newAccount, stores } from "#test/support/store.ts"
import { fails, ScriptedTreasury } from "#test/support/treasury.ts"

const price = 10n
const window = Duration.hours(1)
const options: FundsOptions = { maxAge: Duration.seconds(5), window, accountShare: 0.5, reserve: 10 }

let providerCount = 0

/** An upstream whose account pays for so many channels, and as many replicas before it. */
const upstream = Effect.fnUntraced(function* (channels: number, replicas = 1, share = options) {
  const provider = new ScriptedProvider(`shared-${++providerCount}`)
  const treasury = new ScriptedTreasury()
  treasury.funds(BigInt(channels) * price, price)
  provider.treasury = treasury
  const funded = yield* Effect.forEach(
    Array.from({ length: replicas }),
    () =>
      Effect.map(
        Effect.provide(BrokerBalance, BrokerBalance.layer(share), { local: true }),
        ({ wrap }) => wrap(provider),
      ),
  )
  return { provider, treasury, funded }
})

/** Opens by a record, as the service does. Where a channel is opened its price stays unknown. */
const opening = Effect.fnUntraced(function* (funded: Provider, accountId: AccountId) {
  const openings = yield* OpeningsRepo
  const at = yield* currentMillis
  const id = yield* openings.request({
    accountId,
    platform: funded.name,
    request: swapRequest,
    ...openingAsked,
    at,
    leaseUntil: EpochMillis.make(at + 60_000),
    openChannelsMost: 1_000,
  })
  const outcome = yield* channelsOf(funded).open(swapRequest).pipe(
    Effect.provideService(OpeningOnRecord, id),
    Effect.provideService(OnBehalfOf, accountId),
    Effect.result,
  )
  if (Result.isFailure(outcome)) yield* openings.refused(id, outcome.failure.reason._tag)
  else yield* openings.unknown(id, "told no price")
  return Result.isFailure(outcome) ? outcome.failure.reason._tag : "opened"
})

const times = <A, E, R>(count: number, one: (number: number) => Effect.Effect<A, E, R>) =>
  Effect.forEach(Array.from({ length: count }, (_, number) => number), one, { concurrency: "unbounded" })

const opened = (outcomes: ReadonlyArray<string>): number =>
  outcomes.filter((outcome) => outcome === "opened").length

/** Why no channel would be offered, if none would. */
const offered = (funded: Provider, account: AccountId) =>
  (channelsOf(funded).mayOpen?.(swapRequest.sourceAsset) ?? Effect.void).pipe(
    Effect.provideService(OnBehalfOf, account),
    Effect.match({ onSuccess: () => "offered", onFailure: ({ reason }) => reason._tag }),
  )

for (const store of stores) {
  layer(store.layer)(`An account's share of the funds on ${store.name}`, (it) => {
    it.effect("is kept by 200 openings at once, over two replicas, and leaves the others theirs", function* () {
      const { funded: [one, other], provider } = yield* upstream(166, 2)
      if (one === undefined || other === undefined) return assert.fail("There are two")
      const greedy = yield* newAccount
      const modest = yield* newAccount
      const outcomes = yield* times(200, (number) => opening(number % 2 === 0 ? one : other, greedy.id))
      assert.strictEqual(opened(outcomes), 83)
      assert.strictEqual(provider.requests.length, 83)
      assert.deepStrictEqual([...new Set(outcomes)].toSorted(), ["TooManyChannels", "opened"])
      assert.strictEqual(opened(yield* times(20, () => opening(other, modest.id))), 20)
    })

    it.effect("is not taken from one that is alone, nor while the funds are plenty", function* () {
      const { funded: [plenty] } = yield* upstream(5_000)
      const { funded: [few] } = yield* upstream(30, 1, { ...options, accountShare: 1, reserve: 0 })
      if (plenty === undefined || few === undefined) return assert.fail("There are two")
      const { id } = yield* newAccount
      yield* newAccount
      assert.strictEqual(opened(yield* times(150, () => opening(plenty, id))), 150)
      assert.strictEqual(opened(yield* times(40, () => opening(few, id))), 30)
    })

    it.effect("leaves the last channels to who has opened none, and comes back when the window has passed", function* () {
      const { funded: [funded], treasury } = yield* upstream(12)
      if (funded === undefined) return assert.fail("There is one")
      const [greedy, late] = [yield* newAccount, yield* newAccount]
      const first = yield* Effect.forEach([1, 2, 3, 4], () => opening(funded, greedy.id))
      assert.deepStrictEqual(first, ["opened", "opened", "TooManyChannels", "TooManyChannels"])
      treasury.funds(10n * price, price)
      yield* TestClock.adjust(options.maxAge)
      assert.strictEqual(yield* opening(funded, late.id), "opened")
      assert.strictEqual(yield* opening(funded, greedy.id), "TooManyChannels")
      treasury.funds(9n * price, price)
      yield* TestClock.adjust(window)
      yield* TestClock.adjust("1 milli")
      assert.strictEqual(yield* opening(funded, greedy.id), "opened")
    })

    it.effect("decides what is offered to whom, and who had too much is looked at again", function* () {
      const { funded: [funded], treasury } = yield* upstream(40)
      if (funded === undefined) return assert.fail("There is one")
      const [greedy, modest] = [yield* newAccount, yield* newAccount]
      assert.strictEqual(yield* offered(funded, greedy.id), "offered")
      assert.strictEqual(opened(yield* times(40, () => opening(funded, greedy.id))), 20)
      treasury.funds(20n * price, price)
      yield* TestClock.adjust(options.maxAge)
      // The refused opening looks.
      assert.strictEqual(yield* opening(funded, greedy.id), "TooManyChannels")
      assert.strictEqual(yield* offered(funded, greedy.id), "TooManyChannels")
      assert.strictEqual(yield* offered(funded, modest.id), "offered")
      const { looks } = treasury
      treasury.funds(500n * price, price)
      yield* TestClock.adjust(options.maxAge)
      assert.strictEqual(yield* offered(funded, modest.id), "offered")
      assert.strictEqual(treasury.looks, looks)
      assert.strictEqual(yield* offered(funded, greedy.id), "offered")
      assert.strictEqual(treasury.looks, looks + 1)
      treasury.funds(0n, price)
      yield* TestClock.adjust(options.maxAge)
      assert.strictEqual(yield* opening(funded, modest.id), "DepositChannelFailed")
      assert.strictEqual(yield* offered(funded, modest.id), "DepositChannelFailed")
    })

    it.effect("decides what is offered to one that took it at once, and opens no more", function* () {
      const { funded: [funded], treasury } = yield* upstream(40)
      if (funded === undefined) return assert.fail("There is one")
      const [greedy, modest] = [yield* newAccount, yield* newAccount]
      assert.strictEqual(opened(yield* times(40, () => opening(funded, greedy.id))), 20)
      treasury.funds(20n * price, price)
      yield* TestClock.adjust(options.maxAge)
      const { looks } = treasury
      assert.strictEqual(yield* offered(funded, modest.id), "offered")
      assert.strictEqual(treasury.looks, looks)
      assert.strictEqual(yield* offered(funded, greedy.id), "TooManyChannels")
      assert.strictEqual(treasury.looks, looks + 1)
    })

    it.effect("refuses nothing where the funds are not known", function* () {
      const { funded: [funded], treasury } = yield* upstream(4)
      if (funded === undefined) return assert.fail("There is one")
      treasury.looking = fails(new TimedOut({ detail: "no answer", reached: true }))
      const { id } = yield* newAccount
      assert.strictEqual(opened(yield* times(12, () => opening(funded, id))), 12)
      assert.strictEqual(yield* offered(funded, id), "offered")
    })
  })
}

layer(embeddedStore.layer)("The only account there is", (it) => {
  it.effect("has all of the funds", function* () {
    const { funded: [funded] } = yield* upstream(12)
    if (funded === undefined) return assert.fail("There is one")
    const { id } = yield* newAccount
    assert.strictEqual(opened(yield* times(20, () => opening(funded, id))), 12)
  })
})
