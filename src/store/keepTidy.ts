import { type Duration, Effect, Schedule } from "effect"
import type { SqlClient, SqlError } from "effect/sql"

const every = (interval: Duration.Input, work: Effect.Effect<unknown, SqlError.SqlError>) =>
  work.pipe(
    Effect.catch((error) => Effect.logWarning("The embedded database could not be tidied", error)),
    Effect.delay(interval),
    Effect.repeat(Schedule.forever),
  )

/**
 * What a server's background processes do and the embedded database does not: writes a checkpoint, without
 * which the write-ahead log grows until the next start and has to be replayed there, gives the space of old
 * row versions back, and refreshes the planner's figures. Each takes a fraction of a second, during which
 * other statements wait.
 */
export const keepTidy = (sql: SqlClient.SqlClient): Effect.Effect<void> =>
  Effect.all([every("20 seconds", sql`CHECKPOINT`), every("10 minutes", sql`VACUUM (ANALYZE)`)], {
    concurrency: "unbounded",
    discard: true,
  })
