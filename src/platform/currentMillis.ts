import { Clock, Effect } from "effect"
import { EpochMillis } from "../domain/Time.ts"

/** The time by the clock of the program, which tests can set. */
export const currentMillis: Effect.Effect<EpochMillis> = Effect.map(
  Clock.currentTimeMillis,
  (now) => EpochMillis.make(now),
)
