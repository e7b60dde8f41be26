import { Clock, Effect } from "effect"
import { EpochMillis } from "#domain/Time.ts"

/** The time of the program's clock, which tests can set. */
export const currentMillis: Effect.Effect<EpochMillis> = Effect.withFiber((fiber) =>
  Effect.succeed(EpochMillis.make(fiber.getRef(Clock.Clock).currentTimeMillisUnsafe()))
)
