import { Cause, Effect } from "effect"
import { type SqlClient, SqlError } from "effect/sql"
import type { StoreUnavailable } from "../domain/StoreError.ts"
import { storeDeadline } from "./storeDeadline.ts"
import { toStoreFailure } from "./storeOperation.ts"

/** A failure of the work itself, kept apart from those of the transaction around it. */
class Refused<E> {
  constructor(readonly error: E) {}
}

/**
 * Over a connection that is cut nothing can be rolled back, which the client takes for a defect, and then the
 * failure that led to it for another. The server rolls back by itself.
 */
const withoutRollback = <E>(cause: Cause.Cause<E>): Effect.Effect<never, E | SqlError.SqlError> => {
  const defects = cause.reasons.filter(Cause.isDieReason).map(({ defect }) => defect)
  const ofSql = defects.find((defect) => defect instanceof SqlError.SqlError)
  const isKnown = defects.every((defect) => defect instanceof SqlError.SqlError || defect instanceof Refused)
  return ofSql === undefined || !isKnown || Cause.hasInterrupts(cause)
    ? Effect.failCause(cause)
    : Effect.fail(ofSql)
}

/** Runs work in one transaction: all of it stays, or nothing where it fails. */
export const inTransaction =
  (sql: SqlClient.SqlClient, operation: string) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E | StoreUnavailable, R> => {
    const transaction = sql.withTransaction(Effect.mapError(work, (error) => new Refused(error)))
    return Effect.catch(
      storeDeadline(Effect.catchCause(transaction, withoutRollback)),
      (failure): Effect.Effect<never, E | StoreUnavailable> =>
        failure instanceof Refused ? Effect.fail(failure.error) : toStoreFailure(operation, failure),
    )
  }
