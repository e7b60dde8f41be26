import { Duration } from "effect"

/** The time between reads without a notification, which is lost when the writer is killed or cut off. */
export const lookAnyway = Duration.seconds(5)

/** The number of events that are read at a time. */
export const pageSize = 100

/** The pause in reading after the database failed. */
export const restAfterFailure = Duration.seconds(2)
