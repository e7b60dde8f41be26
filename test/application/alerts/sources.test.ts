import { assert, describe, it } from "#test/support/it.ts"
import { Duration, Effect, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import {
  disputedEnds,
  downProviders,
  failingWebhooks,
  slowDatabase,
  stalledSwaps,
  unknownOutcomes,
} from "#application/alerts/evaluateAlerts.ts"
import { AccountName } from "#domain/accounts/Account.ts"
import { StoreUnavailable } from "#domain/StoreError.ts"
import { Overview, type ProviderStanding } from "#providers/Registry.ts"
import { AlertMessagesRepo } from "#infrastructure/store/alerts/AlertMessagesRepo.ts"
import { AlertsRepo } from "#infrastructure/store/alerts/AlertsRepo.ts"
import { UnknownOutcomesRepo } from "#infrastructure/store/business/UnknownOutcomesRepo.ts"
import { WebhooksRepo } from "#infrastructure/store/webhooks/WebhooksRepo.ts"
import { StallDetector } from "#application/swapping/following/StallDetector.ts"
import { at, other, provider } from "./support/alerts.ts"
import { standing } from "./support/standing.ts"

const lookAt = (one: ProviderStanding) =>
  downProviders.pipe(
    Effect.flatten,
    Effect.provide(Layer.mock(Overview, { all: Effect.succeed([one]) })),
    Effect.map(([reading]) => ({ faults: reading?.faults, unknown: reading?.unknown })),
  )

describe("A provider", () => {
  it.effect("is down while a circuit is open that swaps need", function* () {
    assert.deepStrictEqual(yield* lookAt(standing({ quote: "Open", open: "Closed" })), {
      faults: [{ type: "provider_down", provider, operations: ["quote"] }],
      unknown: [],
    })
    const all = yield* lookAt(standing({ quote: "Open", open: "Open" }))
    assert.deepStrictEqual(all.faults, [{ type: "provider_down", provider, operations: ["quote", "open"] }])
  })

  it.effect("is well with all of them closed, and nothing is known while one waits for a call", function* () {
    assert.deepStrictEqual(yield* lookAt(standing({ quote: "Closed", open: "Closed" })), {
      faults: [],
      unknown: [],
    })
    assert.deepStrictEqual(yield* lookAt(standing({ quote: "Closed", open: "HalfOpen" })), {
      faults: [],
      unknown: [provider],
    })
  })

  it.effect("is not down by its circuits that the operator has switched off", function* () {
    assert.deepStrictEqual(yield* lookAt(standing({ quote: "Open", open: "HalfOpen", switches: [{}] })), {
      faults: [],
      unknown: [],
    })
  })

  it.effect("has swaps that stalled from the number on that the operator wants to know of", function* () {
    const stalls = Effect.succeed([
      { platform: provider, swaps: 2, since: at(60) },
      { platform: other, swaps: 1, since: at(30) },
    ])
    const look = (most: number) =>
      Effect.flatten(stalledSwaps(most)).pipe(Effect.provide(Layer.mock(StallDetector, { stalls })))
    const [two] = yield* look(2)
    assert.deepStrictEqual(two?.faults, [{ type: "swaps_stalled", provider, swaps: 2, stalledSince: at(60) }])
    const [one] = yield* look(1)
    assert.strictEqual(one?.faults.length, 2)
  })

  it.effect("says of swaps that they have ended as they cannot have", function* () {
    const disputes = Effect.succeed([{ platform: provider, swaps: 1, since: at(60) }])
    const [told] = yield* Effect.flatten(disputedEnds).pipe(
      Effect.provide(Layer.mock(StallDetector, { disputes })),
    )
    assert.deepStrictEqual(told?.faults, [
      { type: "end_disputed", provider, swaps: 1, disputedSince: at(60) },
    ])
  })
})

describe("Outcomes that nobody knows", () => {
  it.effect("are one fault for each provider, of its openings and withdrawals", function* () {
    const counts = () => Effect.succeed([{ platform: provider, openings: 6, withdrawals: 1, since: at(60) }])
    const [reading] = yield* Effect.flatten(unknownOutcomes).pipe(
      Effect.provide(Layer.mock(UnknownOutcomesRepo, { counts })),
    )
    assert.deepStrictEqual(reading?.faults, [
      { type: "outcome_unknown", provider, openings: 6, withdrawals: 1, unknownSince: at(60) },
    ])
  })
})

describe("Webhooks", () => {
  it.effect("that fail are one fault for each account, and one for the operator's own", function* () {
    yield* TestClock.setTime(3_600_000)
    const account = AccountName.make("wallet")
    const asked: Array<number> = []
    const failing = (since: number) =>
      Effect.sync(() => {
        asked.push(since)
        return [{ account, webhooks: 7, since: at(60) }]
      })
    const look = (own: Option.Option<ReturnType<typeof at>>) =>
      Effect.flatten(failingWebhooks(Duration.minutes(15))).pipe(
        Effect.provide(Layer.mock(WebhooksRepo, { failing })),
        Effect.provide(Layer.mock(AlertMessagesRepo, { failingSince: Effect.succeed(own) })),
        Effect.map(([reading]) => reading?.faults),
      )
    const ofAccount = { type: "webhook_failing" as const, account, webhooks: 7, failingSince: at(60) }
    assert.deepStrictEqual(yield* look(Option.none()), [ofAccount])
    assert.deepStrictEqual(yield* look(Option.some(at(3_000))), [ofAccount])
    assert.deepStrictEqual(yield* look(Option.some(at(2_000))), [
      { type: "webhook_failing", webhooks: 1, failingSince: at(2_000) },
      ofAccount,
    ])
    assert.deepStrictEqual([...new Set(asked)], [2_700_000])
  })
})

describe("The database", () => {
  /** The medians of what was found while statements took this long; `undefined`: they failed. */
  const medians = (durations: ReadonlyArray<number | undefined>) =>
    Effect.gen(function* () {
      const left = [...durations]
      const active = Effect.suspend(() => {
        const millis = left.shift()
        return millis === undefined
          ? Effect.fail(new StoreUnavailable({ operation: "test", cause: "away" }))
          : Effect.as(TestClock.adjust(Duration.millis(millis)), [])
      })
      const look = yield* slowDatabase(Duration.millis(100)).pipe(
        Effect.provide(Layer.mock(AlertsRepo, { active })),
      )
      return yield* Effect.forEach(durations, () =>
        Effect.map(look, ([reading]) =>
          reading?.faults.map((fault) =>
            fault.type === "database_slow" ? fault.medianMillis : fault
          )))
    })

  it.effect("is slow by the median of some statements, not by one", function* () {
    assert.deepStrictEqual(yield* medians([500, 1, 1, 1]), [undefined, undefined, [], []])
    assert.deepStrictEqual(yield* medians([100, 100, 100]), [undefined, undefined, [100]])
    assert.deepStrictEqual(yield* medians([99, 99, 99]), [undefined, undefined, []])
  })

  it.effect("is slow where statements fail, and no more once enough have been fast", function* () {
    const failed = [undefined, undefined, undefined]
    const found = yield* medians([...failed, 1, 1, 1, 1])
    assert.deepStrictEqual(found, [undefined, undefined, [30_000], [30_000], [30_000], [30_000], []])
  })
})
