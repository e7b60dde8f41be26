import { Schema } from "effect"
import { EpochMillis } from "../domain/Time.ts"

/**
 * From when on simulated time runs at which speed: simulated = `simulated` + (real now − `real`) × `speed`.
 * Speed 0 stands still.
 */
export const Anchor = Schema.Struct({
  real: EpochMillis,
  simulated: EpochMillis,
  /** Simulated seconds for each real second. */
  speed: Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0)),
})
export type Anchor = typeof Anchor.Type

/** The simulated time at a real time. A real clock that was set back stops simulated time, never turns it. */
export const simulatedAt = (anchor: Anchor, real: number): EpochMillis =>
  EpochMillis.make(anchor.simulated + Math.max(0, Math.floor((real - anchor.real) * anchor.speed)))

/** Time travel: the same speed from `millis` later on. */
export const travel = (anchor: Anchor, real: EpochMillis, millis: number): Anchor => ({
  real,
  simulated: EpochMillis.make(simulatedAt(anchor, real) + millis),
  speed: anchor.speed,
})

/** Another speed from now on; what passed until now passed at the old one. */
export const changeSpeed = (anchor: Anchor, real: EpochMillis, speed: number): Anchor => ({
  real,
  simulated: simulatedAt(anchor, real),
  speed,
})
