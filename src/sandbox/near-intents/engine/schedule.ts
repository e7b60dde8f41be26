import type { Intents, IntentsEvent } from "./State.ts"

/** What comes first among things of the same moment: deposits count before a deadline that falls on them. */
const phases: Readonly<Record<IntentsEvent["_tag"], number>> = {
  IncludeDeposit: 0,
  ConfirmDeposit: 1,
  Detect: 2,
  PassDeadline: 3,
  Settle: 4,
  Arrive: 5,
}

/** Lets something happen at a time. */
export const scheduleAt = (intents: Intents, time: number, event: IntentsEvent): void =>
  intents.events.add(time, phases[event._tag], event)

/** Lets something happen so many milliseconds from now. */
export const scheduleAfter = (intents: Intents, millis: number, event: IntentsEvent): void =>
  scheduleAt(intents, intents.time + millis, event)
