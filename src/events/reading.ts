import { Duration } from "effect"

/** A ring can be missed: the process that wrote was killed before it rang, or the way to us was cut. */
export const lookAnyway = Duration.seconds(5)

/** Events that are read at a time. */
export const pageSize = 100

/** How long nothing is read after the database failed. */
export const restAfterFailure = Duration.seconds(2)
