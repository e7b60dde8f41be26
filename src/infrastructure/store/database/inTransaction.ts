import { Cause, Duration, Effect, Option } from "effect"
import { type SqlClient, SqlError } from "effect/sql"
import type { StoreEffect, StoreUnavailable } from "#domain/StoreError.ts"
import { StoreDeadline, storeDeadline, toStoreFailure } from "./storeOperation.ts"

/** A failure of the work itself, kept apart from failures of the transaction around it. */
class Refused<E> {
  constructor(readonly error: E) {}
}

/** A cause without a failed rollback, which the client reports as a second defect over a cut connection. */
const withoutRollback = <E>(cause: Cause.Cause<E>): Effect.Effect<never, E | SqlError.SqlError> => {
  const defects = cause.reasons.filter(Cause.isDieReason).map(({ defect }) => defect)
  const ofSql = defects.find((defect) => defect instanceof SqlError.SqlError)
  const isKnown = defects.every((defect) => defect instanceof SqlError.SqlError || defect instanceof Refused)
  return ofSql === undefined || !isKnown || Cause.hasInterrupts(cause)
    ? Effect.failCause(cause)
    : Effect.fail(ofSql)
}

/** The part of an operation's deadline after which the server ends a silent transaction. */
const silentPart = 0.5

/** When the server ends a wait for a lock: before `silentPart`, so that no silent process gets the lock that another loses. */
const waitingPart = 0.4

/**
 * Bounds how long a transaction holds its locks: a process that is paused, or silently cut off from the server, must
 * not hold them for as long as others wait. The limits are set for the transaction alone, because not every pooler in
 * front of a server accepts settings of a session.
 */
const limitLocks = (
  sql: SqlClient.SqlClient,
  deadline: Option.Option<Duration.Duration>,
): Effect.Effect<void, SqlError.SqlError> =>
  Option.match(deadline, {
    onNone: () => Effect.void,
    onSome: (limit) => {
      const millis = (part: number) => `${Math.ceil(Duration.toMillis(limit) * part)}`
      return Effect.asVoid(sql`
        SELECT set_config('idle_in_transaction_session_timeout', ${millis(silentPart)}, true),
          set_config('lock_timeout', ${millis(waitingPart)}, true)`)
    },
  })

/** Runs work in one transaction, which is rolled back if the work fails. */
export const inTransaction =
  (sql: SqlClient.SqlClient, operation: string) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E | StoreUnavailable, R> => {
    const refusing = Effect.mapError(work, (error) => new Refused(error))
    const transaction = Effect.flatMap(StoreDeadline, (deadline) =>
      storeDeadline(Effect.catchCause(
        sql.withTransaction(Effect.andThen(limitLocks(sql, deadline), refusing)),
        withoutRollback,
      )))
    return Effect.catch(
      transaction,
      (failure): StoreEffect<never, E> =>
        failure instanceof Refused ? Effect.fail(failure.error) : toStoreFailure(operation, failure),
    )
  }
