import { Duration, Effect, Layer } from "effect"
import { currentMillis } from "../platform/currentMillis.ts"
import { orWentWrong } from "../platform/orWentWrong.ts"
import { IdempotencyRepo } from "../store/IdempotencyRepo.ts"
import { OpeningsRepo } from "../store/OpeningsRepo.ts"
import { giveUpLapsed } from "./giveUp.ts"

/** Keys are kept for a day; a minute more does not matter. */
const interval = Duration.minutes(1)

/** So that no statement takes long, however many keys there are. */
const atOnce = 1_000

/** Forgets the keys that were kept long enough. */
const expireKeys = Effect.fnUntraced(function* (keys: IdempotencyRepo["Service"]) {
  const now = yield* currentMillis
  while ((yield* keys.expire(now, atOnce)) === atOnce) yield* Effect.yieldNow
})

/**
 * What nobody waits for: forgets `Idempotency-Key`s that were kept long enough, and tells the operator of
 * openings that a process left behind. Every replica does it, none in the way of another.
 */
export const upkeep: Layer.Layer<never, never, IdempotencyRepo | OpeningsRepo> = Layer.effectDiscard(
  Effect.gen(function* () {
    const keys = yield* IdempotencyRepo
    const openings = yield* OpeningsRepo
    const round = Effect.andThen(giveUpLapsed(openings), expireKeys(keys))
    yield* round.pipe(
      orWentWrong,
      Effect.catch((error) => Effect.logWarning("The upkeep of the records failed; trying again", error)),
      Effect.andThen(Effect.sleep(interval)),
      Effect.forever,
      Effect.forkScoped,
    )
  }),
)
