import { Context, Data, Duration, Effect, type Fiber, Match, Option, Predicate, Schema } from "effect"
import { SqlError, type SqlErrorReason } from "effect/sql/SqlError"
import { type StoreEffect, StoreUnavailable } from "#domain/StoreError.ts"

/** The real-time deadline of a database operation, its wait for a connection included, if any. */
export const StoreDeadline = Context.Reference<Option.Option<Duration.Duration>>(
  "swap-broker/store/StoreDeadline",
  { defaultValue: () => Option.none() },
)

/** The database did not answer in time. The operation may still take place. */
export class TookTooLong extends Data.TaggedError("TookTooLong")<{ readonly limit: Duration.Duration }> {
  override get message(): string {
    return `The operation took longer than ${Duration.format(this.limit)}`
  }
}

/** The result of a fiber, or `TookTooLong`. */
const awaitWithin = <A, E>(fiber: Fiber.Fiber<A, E>, limit: Duration.Duration) =>
  Effect.callback<A, E | TookTooLong>((resume) => {
    const timer = setTimeout(() => resume(Effect.fail(new TookTooLong({ limit }))), Duration.toMillis(limit))
    const end = fiber.addObserver((exit) => {
      clearTimeout(timer)
      resume(exit)
    })
    return Effect.sync(() => {
      clearTimeout(timer)
      end()
    })
  })

/** Lifts the deadline for the parts of an operation, as the deadline applies to the whole. */
const withoutDeadline = Effect.provideService(StoreDeadline, Option.none())

/** Releases the caller at the context's deadline. Abandoned work ends in the background, as it may not be interruptible. */
export const storeDeadline = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E | TookTooLong, R> =>
  Effect.flatMap(
    StoreDeadline,
    Option.match({
      onNone: (): Effect.Effect<A, E | TookTooLong, R> => work,
      onSome: (limit) =>
        Effect.uninterruptibleMask((restore) =>
          Effect.flatMap(
            Effect.forkDetach(restore(withoutDeadline(work)), { startImmediately: true }),
            (fiber) =>
              Effect.onError(
                restore(awaitWithin(fiber, limit)),
                () => Effect.sync(() => fiber.interruptUnsafe()),
              ),
          )
        ),
    }),
  )

/** Whether the statement itself is wrong, which only its author can fix. */
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
 * The server's refusal in its own words, for the log. Members in which the server repeats data (`detail`, `where` and
 * the like) are left out, as rows hold addresses and keys. The message of a class 22 error can itself contain data.
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

/** Whether a SQLSTATE is of class 22: the data is at fault, as the server could not read, store or convert it. */
const isOfData = (sqlState: string): boolean => sqlState.startsWith("22")

const textAt = (value: unknown, member: string): string =>
  Predicate.hasProperty(value, member) && Predicate.isString(value[member]) ? value[member] : ""

/** The server's refusal of a statement; undefined for any other failure. */
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

const failureOf = (operation: string, error: SqlError): StoreEffect<never> => {
  const refusal = refusalIn(operation, error)
  const isDefect = isOurFault(error.reason) || (refusal !== undefined && isOfData(refusal.sqlState))
  return isDefect
    ? Effect.die(refusal ?? error)
    : Effect.fail(new StoreUnavailable({ operation, cause: refusal ?? error }))
}

/** Fails with the one error of the store, or dies. */
export const toStoreFailure = (
  operation: string,
  error: SqlError | Schema.SchemaError | TookTooLong,
): StoreEffect<never> => {
  if (error instanceof SqlError) return failureOf(operation, error)
  return Schema.isSchemaError(error)
    ? Effect.die(error)
    : Effect.fail(new StoreUnavailable({ operation, cause: error }))
}

/**
 * Turns SQL errors, decoding errors of rows and operations longer than `StoreDeadline` into the one error of the store.
 * A wrong statement, data that cannot be stored and a row that does not fit its schema are defects.
 */
export const storeOperation =
  (operation: string) =>
  <A, R>(effect: Effect.Effect<A, SqlError | Schema.SchemaError, R>): Effect.Effect<A, StoreUnavailable, R> =>
    Effect.catch(storeDeadline(effect), (error) => toStoreFailure(operation, error))
