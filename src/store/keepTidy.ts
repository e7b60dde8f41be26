import { Effect, Schedule } from "effect"
import type { SqlClient } from "effect/sql"

/**
 * What a server's background processes do and the embedded database does not: gives the space of old row
 * versions back, refreshes the planner's figures, and writes a checkpoint, without which the write-ahead log
 * grows until the next start and has to be replayed there. Each takes a fraction of a second, during which
 * other statements wait.
 */
export const keepTidy = (sql: SqlClient.SqlClient): Effect.Effect<void> =>
  Effect.andThen(sql`VACUUM (ANALYZE)`, sql`CHECKPOINT`).pipe(
    Effect.catch((error) => Effect.logWarning("The embedded database could not be tidied", error)),
    Effect.delay("10 minutes"),
    Effect.repeat(Schedule.forever),
    Effect.asVoid,
  )
