import { Data, Effect, Match, Predicate, Schema } from "effect"
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

/**
 * What the server refused, in its words; without those in which it repeats the data (its `detail`, `where` and the
 * like): there are addresses and keys in rows, and this goes into the log. The data of a class 22 error can be in the
 * message itself.
 */
export class ServerRefusal extends Data.TaggedError("ServerRefusal")<{
  readonly operation: string
  /** SQLSTATE, five characters. */
  readonly sqlState: string
  readonly said: string
  readonly constraint: string
}> {
  override get message(): string {
    const constraint = this.constraint === "" ? "" : ` (${this.constraint})`
    return `The database refused ${this.operation} with ${this.sqlState}: ${this.said}${constraint}`
  }
}

const isSqlState = (code: unknown): code is string => Predicate.isString(code) && /^[0-9A-Z]{5}$/.test(code)

/** The class of what the server could not make out, store or convert: the data is at fault, not the database. */
const isOfData = (sqlState: string): boolean => sqlState.startsWith("22")

const textAt = (value: unknown, member: string): string =>
  Predicate.hasProperty(value, member) && Predicate.isString(value[member]) ? value[member] : ""

/** What the server said where it refused a statement; nothing where it was not the server. */
const refusalIn = (operation: string, { reason }: SqlError): ServerRefusal | undefined => {
  const { cause } = reason
  const sqlState = textAt(cause, "code")
  if (!isSqlState(sqlState)) return undefined
  return new ServerRefusal({
    operation,
    sqlState,
    said: isOfData(sqlState) ? "this data cannot be stored" : textAt(cause, "message"),
    constraint: textAt(cause, "constraint"),
  })
}

const failureOf = (operation: string, error: SqlError): Effect.Effect<never, StoreUnavailable> => {
  const refusal = refusalIn(operation, error)
  const isDefect = isOurFault(error.reason) || (refusal !== undefined && isOfData(refusal.sqlState))
  return isDefect
    ? Effect.die(refusal ?? error)
    : Effect.fail(new StoreUnavailable({ operation, cause: refusal ?? error }))
}

/** The one error of the store, or a defect. */
export const toStoreFailure = (
  operation: string,
  error: SqlError | Schema.SchemaError | TookTooLong,
): Effect.Effect<never, StoreUnavailable> => {
  if (error instanceof SqlError) return failureOf(operation, error)
  return Schema.isSchemaError(error)
    ? Effect.die(error)
    : Effect.fail(new StoreUnavailable({ operation, cause: error }))
}

/**
 * Makes the one error of the store out of what SQL and row decoding raise, and of an operation that takes longer
 * than `StoreDeadline`. A wrong statement, data that cannot be stored, or a row that does not fit its schema, is a
 * defect.
 */
export const storeOperation = (operation: string) =>
<A, R>(
  effect: Effect.Effect<A, SqlError | Schema.SchemaError, R>,
): Effect.Effect<A, StoreUnavailable, R> =>
  Effect.catch(storeDeadline(effect), (error) => toStoreFailure(operation, error))
