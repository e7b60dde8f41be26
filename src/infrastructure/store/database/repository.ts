import { Array, Effect, identity, type Layer, Option, Schema } from "effect"
import { SqlClient, type SqlConnection, type SqlError, Statement } from "effect/sql"
import type { StoreEffect } from "#domain/StoreError.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { type Service, service } from "../../platform/service.ts"
import { readableRows, toTimestamp } from "./columns.ts"
import { inTransaction } from "./inTransaction.ts"
import { storeOperation } from "./storeOperation.ts"

/* What repositories are made with: the names of their operations, how rows are read, and parts of statements. */

/** What work fails with before it is an operation: the database, or a row that does not fit. */
type Failure = SqlError.SqlError | Schema.SchemaError
type Work<A> = Effect.Effect<A, Failure>
type Begun<A> = Work<A> | Effect.fn.Return<A, Failure>

/** Makes an operation of work, of a function that gives work, or of a generator of it. */
interface Named {
  <A>(name: string, work: Work<A>): StoreEffect<A>
  <Args extends ReadonlyArray<unknown>, A>(
    name: string,
    work: (...args: Args) => Work<A>,
  ): (...args: Args) => StoreEffect<A>
  <Args extends ReadonlyArray<unknown>, A>(
    name: string,
    work: (...args: Args) => Effect.fn.Return<A, Failure>,
  ): (...args: Args) => StoreEffect<A>
}

const named = (around: (name: string) => <A>(work: Work<A>) => StoreEffect<A>): Named => {
  function operation<A>(name: string, work: Work<A>): StoreEffect<A>
  function operation<Args extends ReadonlyArray<unknown>, A>(
    name: string,
    work: (...args: Args) => Begun<A>,
  ): (...args: Args) => StoreEffect<A>
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

/** The client, and what names operations. */
export interface Tools {
  readonly sql: SqlClient.SqlClient
  /** `op("page", …)` of "Keys" is `Keys.page` in failures and in the log. */
  readonly op: Named
  /** Such an operation in a transaction of its own, or as a part of the one that it is called in. */
  readonly transaction: Named
}

export const operations = (repository: string) =>
  Effect.map(SqlClient.SqlClient, (sql): Tools => ({
    sql,
    op: named((name) => storeOperation(`${repository}.${name}`)),
    transaction: named((name) => (work) =>
      work.pipe(storeOperation(`${repository}.${name}`), inTransaction(sql, `${repository}.${name}`))
    ),
  }))

/**
 * A repository as a service, with the shape of the object that `make` gives: `class KeysRepo extends
 * repository<KeysRepo>()("Keys", ({ op, sql }) => ({ … })) {}`. What needs other services gives an effect of it.
 */
export const repository = <Self>() => {
  function repo<Shape, R>(
    name: string,
    make: (tools: Tools) => Effect.Effect<Shape, never, R>,
  ): Repository<Self, Shape, R>
  function repo<Shape extends object>(
    name: string,
    make: (tools: Tools) => Shape,
  ): Repository<Self, Shape, never>
  function repo<Shape extends object, R>(
    name: string,
    make: (tools: Tools) => Shape | Effect.Effect<Shape, never, R>,
  ) {
    const made = Effect.flatMap(operations(name), (tools) => {
      const given = make(tools)
      return Effect.isEffect(given) ? given : Effect.succeed(given)
    })
    return service<Self>()(`swap-broker/store/${name}Repo`, made)
  }
  return repo
}

type Repository<Self, Shape, R> = Service<Self, Shape, Layer.Layer<Self, never, R | SqlClient.SqlClient>>

/** A statement, or what else gives rows. */
export type Rows = Effect.Effect<ReadonlyArray<SqlConnection.Row>, SqlError.SqlError>

const readers = <A, E>(
  read: (rows: ReadonlyArray<SqlConnection.Row>) => Effect.Effect<ReadonlyArray<A>, E>,
) => {
  const all = (statement: Rows) => Effect.flatMap(statement, read)
  const first = (statement: Rows) => Effect.map(all(statement), Array.head)
  return {
    all,
    first,
    /** The row of a statement that always has one. */
    only: (statement: Rows) =>
      Effect.flatMap(
        first(statement),
        Option.match({ onNone: () => Effect.die("A statement gave no row"), onSome: Effect.succeed }),
      ),
  }
}

/** Reads what is made of the rows of a statement. A row that does not fit fails them all. */
export const rowsAs = <A, B>(schema: Schema.ConstraintDecoder<A>, from: (row: A) => B) => {
  const decode = Schema.decodeUnknownEffect(Schema.Array(schema))
  return readers((rows) => Effect.map(decode(rows), Array.map(from)))
}

/** Reads the rows of a statement. A row that does not fit fails them all. */
export const rows = <A>(schema: Schema.ConstraintDecoder<A>) => rowsAs<A, A>(schema, identity)

/** Reads the only column of a statement. */
export const column = <A>(schema: Schema.ConstraintDecoder<A>) => {
  const decode = Schema.decodeUnknownEffect(Schema.Array(schema))
  return readers((rows) => decode(rows.flatMap(Object.values)))
}

/** Reads what is made of the rows that fit, and logs the others with the work that they miss (`readableRows`). */
export const readableAs = <A, B>(
  schema: Schema.ConstraintDecoder<A>,
  otherwise: string,
  from: (row: A) => B,
) => {
  const read = readableRows(schema, otherwise)
  return readers((rows) => Effect.map(read(rows), Array.map(from)))
}

/** Reads the rows that fit, and logs the others. */
export const readable = <A>(schema: Schema.ConstraintDecoder<A>, otherwise: string) =>
  readableAs<A, A>(schema, otherwise, identity)

/** How many rows a statement gives. */
export const count = (statement: Rows) => Effect.map(statement, (rows) => rows.length)

export const any = (statement: Rows) => Effect.map(statement, (rows) => rows.length > 0)

const nothing = Statement.fragment([Statement.literal("")])

/** The part of a statement that a value calls for; nothing where there is no value. */
export const given = <A>(
  value: A | undefined,
  part: (value: A) => Statement.Fragment,
): Statement.Fragment => value === undefined ? nothing : part(value)

/** Deletes the oldest rows of a table from before a time, at most `limit`, but for those that others have locked. */
export const deleteBefore =
  (sql: SqlClient.SqlClient, table: string, time: string, key = "id") =>
  (before: EpochMillis, limit: number): Work<number> => {
    const [from, by, id] = [sql.literal(table), sql.literal(time), sql.literal(key)]
    return count(sql`
      DELETE FROM ${from} WHERE ${id} IN (
        SELECT ${id} FROM ${from} WHERE ${by} < ${toTimestamp(before)} ORDER BY ${by} LIMIT ${limit}
        FOR UPDATE SKIP LOCKED
      ) RETURNING 1`)
  }
