import { Array, Effect, identity, Schema } from "effect"
import { SqlClient, type SqlError, Statement } from "effect/sql"
import type { StoreUnavailable } from "../../domain/StoreError.ts"
import { storeOperation } from "./storeOperation.ts"

/* What repositories are made with: the names of their operations, how rows are read, and parts of statements. */

/** What work fails with before it is an operation: the database, or a row that does not fit. */
type Failure = SqlError.SqlError | Schema.SchemaError
type Work<A> = Effect.Effect<A, Failure>
type Operation<A> = Effect.Effect<A, StoreUnavailable>
type Begun<A> = Work<A> | Effect.fn.Return<A, Failure>

/** Makes an operation of work, of a function that gives work, or of a generator of it. */
interface Named {
  <A>(name: string, work: Work<A>): Operation<A>
  <Args extends ReadonlyArray<unknown>, A>(
    name: string,
    work: (...args: Args) => Work<A>,
  ): (...args: Args) => Operation<A>
  <Args extends ReadonlyArray<unknown>, A>(
    name: string,
    work: (...args: Args) => Effect.fn.Return<A, Failure>,
  ): (...args: Args) => Operation<A>
}

const named = (around: (name: string) => <A>(work: Work<A>) => Operation<A>): Named => {
  function operation<A>(name: string, work: Work<A>): Operation<A>
  function operation<Args extends ReadonlyArray<unknown>, A>(
    name: string,
    work: (...args: Args) => Begun<A>,
  ): (...args: Args) => Operation<A>
  function operation<Args extends ReadonlyArray<unknown>, A>(
    name: string,
    work: Work<A> | ((...args: Args) => Begun<A>),
  ) {
    const wrap = around(name)
    if (Effect.isEffect(work)) return wrap(work)
    return (...args: Args) =>
      wrap(Effect.suspend(() => {
        const begun = work(...args)
        return Effect.isEffect(begun) ? begun : Effect.gen(() => begun)
      }))
  }
  return operation
}

/**
 * The client, and what names the operations of a repository: `op("page", …)` of "Keys" is `Keys.page` in failures and in
 * the log.
 */
export const operations = (repository: string) =>
  Effect.map(SqlClient.SqlClient, (sql) => ({
    sql,
    op: named((name) => storeOperation(`${repository}.${name}`)),
  }))

/** A statement, or what else gives rows. */
type Rows = Effect.Effect<ReadonlyArray<unknown>, SqlError.SqlError>

const readers = <A, E>(read: (rows: ReadonlyArray<unknown>) => Effect.Effect<ReadonlyArray<A>, E>) => {
  const all = (statement: Rows) => Effect.flatMap(statement, read)
  return {
    all,
    first: (statement: Rows) => Effect.map(all(statement), Array.head),
  }
}

/** Reads what is made of the rows of a statement. A row that does not fit fails them all. */
export const rowsAs = <A, B>(schema: Schema.ConstraintDecoder<A>, from: (row: A) => B) => {
  const decode = Schema.decodeUnknownEffect(Schema.Array(schema))
  return readers((rows) => Effect.map(decode(rows), Array.map(from)))
}

/** Reads the rows of a statement. A row that does not fit fails them all. */
export const rows = <A>(schema: Schema.ConstraintDecoder<A>) => rowsAs<A, A>(schema, identity)

const nothing = Statement.fragment([Statement.literal("")])

/** The part of a statement that a value calls for; nothing where there is no value. */
export const given = <A>(
  value: A | undefined,
  part: (value: A) => Statement.Fragment,
): Statement.Fragment => value === undefined ? nothing : part(value)
