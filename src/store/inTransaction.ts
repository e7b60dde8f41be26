import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { StoreUnavailable } from "../domain/StoreError.ts"
import { storeOperation } from "./storeOperation.ts"

/** A failure of the work itself, kept apart from those of the transaction around it. */
class Refused<E> {
  constructor(readonly error: E) {}
}

/** Runs work in one transaction: all of it stays, or nothing where it fails. */
export const inTransaction = (sql: SqlClient.SqlClient, operation: string) => {
  const asStoreFailure = storeOperation(operation)
  return <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E | StoreUnavailable, R> =>
    Effect.catch(
      sql.withTransaction(Effect.mapError(work, (error) => new Refused(error))),
      (failure): Effect.Effect<never, E | StoreUnavailable> =>
        failure instanceof Refused ? Effect.fail(failure.error) : asStoreFailure(Effect.fail(failure)),
    )
}
