import { Duration, Effect, Layer } from "effect"
import { EpochMillis } from "#domain/Time.ts"
import type { StoreEffect } from "#domain/StoreError.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { IdempotencyRepo } from "#infrastructure/store/swaps/IdempotencyRepo.ts"
import { OpeningsRepo } from "#infrastructure/store/swaps/OpeningsRepo.ts"
import { RetentionRepo } from "#infrastructure/store/swaps/RetentionRepo.ts"
import { abandonLapsedOpenings } from "./opening/OpeningRecord.ts"
import { repeating } from "#infrastructure/platform/outages.ts"

/** Keys are kept for a day, so a minute more does not matter. */
const interval = Duration.minutes(1)

/** The most rows that are removed at once, so that no statement takes long. */
const atOnce = 1_000

const since = (now: EpochMillis, age: Duration.Duration) =>
  EpochMillis.make(Math.max(0, now - Duration.toMillis(age)))

type Expire = (until: EpochMillis, limit: number) => StoreEffect<number>

const expireAll = Effect.fnUntraced(function* (expire: Expire, until: EpochMillis) {
  while ((yield* expire(until, atOnce)) === atOnce) yield* Effect.yieldNow
})

/** Removes expired `Idempotency-Key`s, prepared swaps and records, and reports abandoned openings; on every replica, undisturbed. */
export const retentionJobs = ({ recordsKeep }: { readonly recordsKeep: Duration.Duration }) =>
  Layer.effectDiscard(Effect.gen(function* () {
    const keys = yield* IdempotencyRepo
    const openings = yield* OpeningsRepo
    const retention = yield* RetentionRepo
    const round = Effect.gen(function* () {
      yield* abandonLapsedOpenings(openings)
      const now = yield* currentMillis
      yield* expireAll(keys.expire, now)
      // A late agent is told for an hour that its prepared swap has expired.
      yield* expireAll(keys.forgetPrepared, since(now, Duration.hours(1)))
      const before = since(now, recordsKeep)
      yield* expireAll(retention.forgetRefused, before)
      yield* expireAll(retention.forgetPayloads, before)
    })
    yield* round.pipe(repeating("Deleting expired records failed", interval))
  }))
