import { Duration } from "effect"

/**
 * The time between reads while no notification arrives. One is lost when the writer is killed or the connection to it
 * is cut.
 */
export const lookAnyway = Duration.seconds(5)

/** The number of events that are read at a time. */
export const pageSize = 100

/** The pause in reading after the database failed. */
export const restAfterFailure = Duration.seconds(2)
