import { assert, it } from "#test/support/it.ts"
import { Duration, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { ProviderName } from "#domain/ProviderName.ts"
import { IdempotencyRepo } from "#infrastructure/store/swaps/IdempotencyRepo.ts"
import { OpeningsRepo } from "#infrastructure/store/swaps/OpeningsRepo.ts"
import { StallsRepo } from "#infrastructure/store/swaps/StallsRepo.ts"
import { Lookups } from "#application/swapping/following/Lookups.ts"
import { Tracker } from "#application/swapping/following/Tracker.ts"
import { RetentionRepo } from "#infrastructure/store/swaps/RetentionRepo.ts"
import { retentionJobs } from "#application/swapping/RetentionJobs.ts"
import { StallDetector } from "#application/swapping/following/StallDetector.ts"
import { collectLogs } from "#test/support/collectLogs.ts"
import { trackerOptions } from "#test/support/swapping.ts"

const first = ProviderName.make("first")

/** Goes wrong inside the first time, and counts. */
const wrongOnce = <A>(value: A) => {
  let times = 0
  return {
    work: Effect.suspend(() => ++times === 1 ? Effect.die("it went wrong") : Effect.succeed(value)),
    times: () => times,
  }
}

const goesOn = <Out>(background: Layer.Layer<Out>, { times }: { readonly times: () => number }) =>
  Effect.gen(function* () {
    yield* Layer.build(background)
    yield* TestClock.adjust("5 minutes")
    assert.isAbove(times(), 2)
  })

it.effect("the tracker goes on after a claim that went wrong inside, and says so once", function* () {
  const claims = wrongOnce([])
  const lookups = Layer.mock(Lookups, { claimDue: () => claims.work })
  const { lines } = yield* collectLogs(
    goesOn(Tracker.layerRunning([first], trackerOptions).pipe(Layer.provide(lookups)), claims),
  )
  assert.deepStrictEqual(lines.filter((line) => typeof line === "string" && line.startsWith("Swaps ")), [
    "Swaps of first are not followed: it went wrong",
    "Swaps of first are not followed: resolved after 3 s",
  ])
})

it.effect("the watchdog goes on after a look that went wrong inside", () => {
  const flags = wrongOnce([])
  const stalls = Layer.mock(StallsRepo, { flag: () => flags.work, current: Effect.succeed([]) })
  return goesOn(StallDetector.layerRunning([first]).pipe(Layer.provide(stalls)), flags)
})

it.effect("the upkeep goes on after a round that went wrong inside", () => {
  const expiries = wrongOnce(0)
  const repos = Layer.mergeAll(
    Layer.mock(IdempotencyRepo, { expire: () => expiries.work, forgetPrepared: () => Effect.succeed(0) }),
    Layer.mock(RetentionRepo, {
      forgetRefused: () => Effect.succeed(0),
      forgetPayloads: () => Effect.succeed(0),
    }),
    Layer.mock(OpeningsRepo, { giveUpLapsed: () => Effect.succeed([]) }),
  )
  return goesOn(retentionJobs({ recordsKeep: Duration.days(90) }).pipe(Layer.provide(repos)), expiries)
})
