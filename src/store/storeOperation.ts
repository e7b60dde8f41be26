import { Effect, Match, Schema } from "effect"
import { SqlError, type SqlErrorReason } from "effect/sql/SqlError"
import { StoreUnavailable } from "../domain/StoreError.ts"
import { storeDeadline, type TookTooLong } from "./storeDeadline.ts"

/** Whether the statement itself is wrong, which nobody can act on but us. */
const isOurFault: (reason: SqlErrorReason) => boolean = Match.type<SqlErrorReason>().pipe(
  Match.tagsExhaustive({
    SqlSyntaxError: () => true,
    UniqueViolation: () => true,
    ConstraintError: () => true,
    ConnectionError: () => false,
    AuthenticationError: () => false,
    AuthorizationError: () => false,
    DeadlockError: () => false,
    SerializationError: () => false,
    LockTimeoutError: () => false,
    StatementTimeoutError: () => false,
    UnknownError: () => false,
  }),
)

/** The one error of the store, or a defect. */
export const toStoreFailure = (
  operation: string,
  error: SqlError | Schema.SchemaError | TookTooLong,
): Effect.Effect<never, StoreUnavailable> => {
  const isDefect = error instanceof SqlError ? isOurFault(error.reason) : Schema.isSchemaError(error)
  return isDefect ? Effect.die(error) : Effect.fail(new StoreUnavailable({ operation, cause: error }))
}

/**
 * Makes the one error of the store out of what SQL and row decoding raise, and of an operation that takes longer
 * than `StoreDeadline`. A wrong statement, or a row that does not fit its schema, is a defect.
 */
export const storeOperation = (operation: string) =>
<A, R>(
  effect: Effect.Effect<A, SqlError | Schema.SchemaError, R>,
): Effect.Effect<A, StoreUnavailable, R> =>
  Effect.catch(storeDeadline(effect), (error) => toStoreFailure(operation, error))
