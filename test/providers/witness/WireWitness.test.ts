import { assert, describe, it } from "#test/support/it.ts"
import { Duration, Effect, Fiber, Layer, Logger } from "effect"
import { TestClock } from "effect/testing"
import { Bps, unitsOf, UpstreamFailed } from "#exports/domain.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { Guard } from "#providers/guard/Guard.ts"
import { Registry } from "#providers/Registry.ts"
import { WireRoundsRepo } from "#infrastructure/store/ops/WireRoundsRepo.ts"
import { WireWitness } from "#providers/witness/WireWitness.ts"
import { guardLayer } from "../guard/support.ts"
import { quoteOf } from "#test/application/quoting/support.ts"
import { startSandbox } from "#test/sandbox/support.ts"
import { ScriptedProvider } from "#test/support/provider.ts"
import { insertSwap } from "#test/infrastructure/store/business/support.ts"
import { embeddedStore, newAccount } from "#test/support/store.ts"
import { statusIn } from "#test/support/swap.ts"
import { isOnlyShown, some, sweep } from "./support/sweep.ts"
import { nextRounds, witnessing } from "./support/witnessing.ts"

const interval = Duration.minutes(10)
const questions = 30

/** A witness of its own, over a provider in memory. */
const over = (provider: ScriptedProvider) =>
  WireWitness.layer({ interval, questions, commissionBps: Bps.make(0), parties: {} }).pipe(
    Layer.provideMerge(
      Layer.effectDiscard(Effect.flatMap(Registry, (registry) => registry.register(provider))),
    ),
    Layer.provideMerge(Registry.layer([provider.name])),
    Layer.provideMerge(guardLayer()),
  )

/** When the provider is asked for quotes, which it gives. */
const askedAt = (provider: ScriptedProvider) => {
  const times: Array<number> = []
  provider.quoting = (request) =>
    Effect.map(currentMillis, (now) => {
      times.push(now)
      return [{
        ...quoteOf(provider.name, 100n),
        ingress: { asset: request.sourceAsset, amount: unitsOf(request.amount) },
      }]
    })
  return times
}

/** Looks at all wires while time passes. */
const looking = Effect.gen(function* () {
  const { lookAtAll } = yield* WireWitness
  const fiber = yield* Effect.forkChild(lookAtAll, { startImmediately: true })
  for (let second = 0; second < 600; second++) yield* TestClock.adjust("1 second")
  yield* Fiber.join(fiber)
})

describe("The witness of the wires", () => {
  it.live("finds nothing where all is as it is read", function* () {
    const { url } = yield* startSandbox()
    yield* Effect.gen(function* () {
      for (let round = 0; round < 3; round++) {
        for (const { drift, exchanges, pairsAsked, provider } of yield* nextRounds) {
          assert.deepStrictEqual(drift, [], provider)
          assert.isAbove(pairsAsked, 0, provider)
          assert.isAtLeast(exchanges, pairsAsked, provider)
        }
      }
    }).pipe(Effect.provide(witnessing({ SANDBOX_URL: url.origin }, 60)))
  })

  it.live("names members that are gone or of another kind in one round, and nothing once they are back", function* () {
    const { made, missed } = yield* sweep("near-intents", some(7))
    assert.isAbove(made, 5)
    assert.deepStrictEqual(missed.filter((change) => !isOnlyShown(change)), [])
  })

  it.effect("asks no more than it may, spread over the interval, in one replica of several", () =>
    Effect.gen(function* () {
      const provider = new ScriptedProvider("upstream")
      const times = askedAt(provider)
      yield* Effect.all(
        [
          Effect.provide(looking, over(provider)),
          Effect.provide(Effect.flatMap(WireWitness, (w) => w.lookAtAll), over(provider)),
        ],
        { concurrency: "unbounded" },
      )
      assert.isAtLeast(times.length, questions / 2)
      assert.isAtMost(times.length, questions)
      const [first = 0, last = 0] = [times[0], times.at(-1)]
      assert.isAtLeast(last - first, 0.4 * Duration.toMillis(interval))
      const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0))
      assert.isAtLeast(Math.min(...gaps), 0.8 * Duration.toMillis(interval) / questions)
    }).pipe(Effect.provide(embeddedStore.layer)))

  it.effect("asks for every pair in time", () =>
    Effect.gen(function* () {
      const provider = new ScriptedProvider("upstream")
      const pairs = new Set<string>()
      provider.quoting = (request) => {
        pairs.add(`${request.sourceAsset} ${request.destinationAsset}`)
        return Effect.succeed([])
      }
      const assets = (yield* provider.supported).slice(0, 8)
      provider.supported = Effect.succeed(assets)
      yield* Effect.repeat(looking, { times: 9 }).pipe(Effect.provide(over(provider)))
      assert.strictEqual(pairs.size, assets.length * (assets.length - 1))
    }).pipe(Effect.provide(embeddedStore.layer)))

  it.effect("looks the last swap up that was completed, which its upstream may have forgotten", () =>
    Effect.gen(function* () {
      const provider = new ScriptedProvider("upstream")
      const { id: account } = yield* newAccount
      const completed = statusIn("completed")
      yield* insertSwap({ account, platform: provider.name, status: completed })
      yield* insertSwap({ account, platform: provider.name, status: statusIn("waiting") })
      yield* looking.pipe(Effect.provide(over(provider)))
      assert.deepInclude(provider.lookups, completed.depositChannel?.id)
      const [kept] = yield* Effect.flatMap(WireRoundsRepo, ({ all }) => all)
      assert.deepStrictEqual(kept?.round.drift, [])
    }).pipe(Effect.provide(embeddedStore.layer)))

  it.effect("leaves circuits alone, and an operation that fails", () =>
    Effect.gen(function* () {
      const provider = new ScriptedProvider("upstream")
      let asked = 0
      provider.quoting = () =>
        Effect.suspend(() => {
          asked += 1
          return Effect.fail(provider.fails(new UpstreamFailed({ detail: "out of order" })))
        })
      yield* Effect.gen(function* () {
        yield* Effect.repeat(looking, { times: 9 })
        const { quote } = yield* (yield* Guard).view(provider.name)
        assert.strictEqual(quote.circuit._tag, "Closed")
        assert.strictEqual(quote.calls.failed, 30)
        assert.strictEqual(asked, 30)
        const [round] = yield* (yield* WireWitness).rounds
        assert.deepStrictEqual(round?.drift, [], "an upstream that fails has no other wire")
      }).pipe(Effect.provide(over(provider)))
    }).pipe(Effect.provide([embeddedStore.layer, Logger.layer([])])))
})
