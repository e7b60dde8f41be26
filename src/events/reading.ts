import { Duration } from "effect"

/** Time between reads without a ring. A ring is lost where the writer was killed or the way from it was cut. */
export const lookAnyway = Duration.seconds(5)

/** Events that are read at a time. */
export const pageSize = 100

/** How long nothing is read after the database failed. */
export const restAfterFailure = Duration.seconds(2)
