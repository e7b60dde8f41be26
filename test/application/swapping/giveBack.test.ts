import { assert } from "#test/support/it.ts"
import { Context, Effect, Exit, Layer, Scope } from "effect"
import { TestClock } from "effect/testing"
import { ProviderName } from "#domain/ProviderName.ts"
import { LookupsRepo } from "#infrastructure/store/swaps/LookupsRepo.ts"
import { EpochMillis } from "#domain/Time.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { Lookups } from "#application/swapping/following/Lookups.ts"
import { Swaps } from "#application/swapping/Swaps.ts"
import { newAccount, onStores } from "#test/support/store.ts"
import { openingRequest } from "#test/support/swap.ts"
import { lookupOptions, scriptedProviders, swappingLayer } from "#test/support/swapping.ts"

const first = ProviderName.make("first")

/** The look-ups of a process of its own, which stops when the scope closes. */
const inScope = (scope: Scope.Scope, options = lookupOptions) =>
  Effect.map(
    Layer.buildWithScope(Layer.fresh(Lookups.layer(options)), scope),
    (context) => Context.get(context, Lookups),
  )

onStores(swappingLayer)("Look-ups of a process that stops", (it) => {
  it.effect("are free for others at once, those under way and those not begun; others' stay theirs", function* () {
    const { first: provider } = yield* scriptedProviders
    const account = yield* newAccount
    const swaps = yield* Swaps
    const open = swaps.open(account, openingRequest())
    const opened = yield* Effect.all([open, open, open])
    yield* TestClock.adjust("1 minute")
    for (const { channel } of opened) provider.says(channel.id, Effect.never)

    const scope = yield* Scope.make()
    const stopping = yield* inScope(scope)
    const others = yield* Lookups
    const [theirs] = yield* others.claimDue(first, 1)
    const claimed = yield* stopping.claimDue(first, 10)
    assert.lengthOf(claimed, 2)
    const [underWay] = claimed
    assert.isDefined(theirs)
    assert.isDefined(underWay)
    if (underWay !== undefined) {
      yield* Effect.forkChild(stopping.run(underWay), { startImmediately: true })
    }
    assert.lengthOf(yield* others.claimDue(first, 10), 0)

    yield* Scope.close(scope, Exit.void)
    const taken = yield* others.claimDue(first, 10)
    assert.sameMembers(taken.map(({ id }) => id), claimed.map(({ id }) => id))
    assert.deepStrictEqual(taken.map(({ failures }) => failures), [0, 0], "they did not fail")
    const repo = yield* LookupsRepo
    const now = yield* currentMillis
    if (theirs !== undefined) {
      assert.isTrue(yield* repo.isUnderWay(theirs.id, now))
      assert.isTrue(yield* repo.postponed(theirs, EpochMillis.make(now + 1)))
    }
    if (underWay !== undefined) {
      assert.isFalse(yield* repo.postponed(underWay, now), "nothing of it is written any more")
    }
  })

  it.effect("are free when the one process there is starts again, though it was killed", function* () {
    yield* scriptedProviders
    const swaps = yield* Swaps
    yield* swaps.open(yield* newAccount, openingRequest())
    yield* TestClock.adjust("1 minute")
    const killed = yield* Lookups
    const claimed = yield* killed.claimDue(first, 10)
    assert.isAtLeast(claimed.length, 1)
    const again = yield* inScope(yield* Effect.scope, { ...lookupOptions, soleProcess: true })
    const taken = yield* again.claimDue(first, 10)
    assert.includeMembers(taken.map(({ id }) => id), claimed.map(({ id }) => id))
  })
})
