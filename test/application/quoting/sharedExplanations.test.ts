import { assert, describe, it } from "#test/support/it.ts"
import { Context, Effect, Layer, Option, Redacted, Scope } from "effect"
import { Persistence } from "effect/persistence"
import { TestClock } from "effect/testing"
import { AccountId } from "#domain/accounts/Account.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { noBps } from "#domain/money/Bps.ts"
import { EpochMillis } from "#domain/Time.ts"
import { trackRecord } from "#domain/operations/TrackRecord.ts"
import type { SharedStore } from "#application/limits/SharedStore.ts"
import {
  explainedFor,
  Explanations,
  mostExplained,
  sharedExplanations,
} from "#application/quoting/Explanations.ts"
import { QuoteIds } from "#application/quoting/QuoteIds.ts"
import { rank } from "#application/quoting/Ranking.ts"
import { first, quoteOf, second } from "./support.ts"

const account = AccountId.make(1)
const at = EpochMillis.make(1_790_692_455_000)
const key = Effect.succeed(Redacted.make(new Uint8Array(32).fill(7)))

/** Figures that no number holds, a part that is absent, and a record with everything. */
const quotes = [
  {
    ...quoteOf(first, 2n ** 127n),
    depositCost: { asset: "btc.btc" as const, amount: NativeAmount.make(2n ** 70n) },
    totalDuration: 1_234.5,
    afterDeposit: 1_000.5,
  },
  { ...quoteOf(second, 7n, 4), estimatedPrice: quoteOf(first, 1n).estimatedPrice },
]
const record = trackRecord({ completed: 30, refunded: 1, failed: 0, stalled: 2 }, [10.5, 20])

const answer = () => ({
  account,
  at,
  commissionBps: noBps,
  ranking: rank(quotes.map((quote) => ({ ...quote })), {
    by: "reliable",
    preference: [first, second],
    recordOf: () => record,
  }),
})

/** A store that replicas share, and that can be away. */
const store = Effect.gen(function* () {
  const backing = Context.get(
    yield* Layer.build(Persistence.layerBackingMemory),
    Persistence.BackingPersistence,
  )
  const explanations = yield* backing.make("explanation")
  let isAway = false
  const shared: SharedStore<{ readonly explanations: Persistence.BackingPersistenceStore }> = {
    ask: (question) => isAway ? Effect.succeedNone : Effect.option(question({ explanations })),
    sharing: Effect.succeed({ scope: "shared" }),
  }
  return {
    shared,
    explanations,
    away: (away: boolean) =>
      Effect.sync(() => {
        isAway = away
      }),
  }
})

type Store = Effect.Success<typeof store>

/** The ids of one replica. */
const replica = ({ shared }: Store) =>
  QuoteIds.layer(key).pipe(
    Layer.provide(Layer.effect(Explanations, sharedExplanations(shared))),
    Layer.build,
    Effect.map((services) => Context.get(services, QuoteIds)),
  )

/** Longer than it takes until others know. */
const aMoment = TestClock.adjust("200 millis")

describe("explanations that replicas share", () => {
  it.effect("are the same on every replica, to the last digit, also when the one that gave the quote has ended", function* () {
    const place = yield* store
    const scope = yield* Scope.make()
    const [one, other] = [
      yield* Effect.provideService(replica(place), Scope.Scope, scope),
      yield* replica(place),
    ]
    const [id = ""] = one.issue(answer())
    const explained = yield* one.explain(account, id, at)
    assert.isObject(Option.getOrThrow(explained))
    yield* aMoment
    yield* Scope.close(scope, yield* Effect.exit(Effect.void))
    assert.deepStrictEqual(yield* other.explain(account, id, at), explained)
    assert.deepStrictEqual(yield* other.explain(AccountId.make(2), id, at), Option.none())
    const late = EpochMillis.make(at + explainedFor + 1)
    assert.deepStrictEqual(yield* other.explain(account, id, late), Option.some("over"))
  })

  it.effect("are each process's own while the store is away, and those of that time stay so", function* () {
    const place = yield* store
    const [one, other] = [yield* replica(place), yield* replica(place)]
    yield* place.away(true)
    const [early = ""] = one.issue(answer())
    yield* aMoment
    assert.isObject(Option.getOrThrow(yield* one.explain(account, early, at)))
    assert.deepStrictEqual(yield* other.explain(account, early, at), Option.some("elsewhere"))
    yield* place.away(false)
    const [id = ""] = one.issue(answer())
    yield* aMoment
    assert.deepStrictEqual(yield* other.explain(account, early, at), Option.some("elsewhere"))
    assert.isObject(Option.getOrThrow(yield* other.explain(account, id, at)))
    yield* place.away(true)
    assert.deepStrictEqual(yield* other.explain(account, id, at), Option.some("elsewhere"))
  })

  it.effect("are given up on every replica with the one that gave the quote", function* () {
    const place = yield* store
    const [one, other] = [yield* replica(place), yield* replica(place)]
    const [id = ""] = one.issue(answer())
    yield* aMoment
    assert.isObject(Option.getOrThrow(yield* other.explain(account, id, at)))
    for (let answers = 0; answers < mostExplained; answers++) one.issue(answer())
    yield* aMoment
    assert.deepStrictEqual(yield* one.explain(account, id, at), Option.some("over"))
    assert.deepStrictEqual(yield* other.explain(account, id, at), Option.some("elsewhere"))
  })

  it.effect("are not there where the store has something that no replica wrote", function* () {
    const place = yield* store
    const [one, other] = [yield* replica(place), yield* replica(place)]
    const [id = ""] = one.issue(answer())
    yield* aMoment
    const key = id.split("~").find((part) => /^[0-9a-f]{8}\.[0-9]+$/.test(part)) ?? assert.fail(id)
    assert.isDefined(yield* place.explanations.get(key))
    yield* place.explanations.set(key, { answer: { account: 1 } }, undefined)
    assert.deepStrictEqual(yield* other.explain(account, id, at), Option.some("elsewhere"))
  })
})
