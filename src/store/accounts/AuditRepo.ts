import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Actor, AuditChange, type AuditEntry, AuditEntryId, type AuditFilters } from "../../domain/Audit.ts"
import type { StoreUnavailable } from "../../domain/StoreError.ts"
import type { EpochMillis } from "../../domain/Time.ts"
import { Timestamp, toTimestamp, WholeNumber } from "../database/columns.ts"
import { inTransaction } from "../database/inTransaction.ts"
import { storeOperation } from "../database/storeOperation.ts"

/** The actor of a change, and its time. */
export interface Author {
  readonly actor: Actor
  readonly at: EpochMillis
}

/** The result of a piece of work, with the changes that it made. */
export interface Changed<A> {
  readonly value: A
  readonly changes: ReadonlyArray<AuditChange>
}

/** The page of the log to list. */
export interface AuditQuery extends AuditFilters {
  /** The latest entry to list, included; absent: the latest of all. */
  readonly offset?: AuditEntryId
  readonly limit: number
}

const EntryRow = Schema.Struct({
  id: WholeNumber.pipe(Schema.decodeTo(AuditEntryId)),
  at: Timestamp,
  actor: Actor,
  change: AuditChange,
})
const decodeRows = Schema.decodeUnknownEffect(Schema.Array(EntryRow))
const encodeActor = Schema.encodeEffect(Schema.fromJsonString(Actor))
const encodeChange = Schema.encodeEffect(Schema.fromJsonString(AuditChange))

/** The key of the advisory lock: any number that nothing else on the server locks. */
const changeLock = 7_281_640_132n

/** The log of the operator's changes. The database refuses to alter it. */
export class AuditRepo extends Context.Service<AuditRepo, {
  /**
   * Runs work and writes its changes into the log, in one transaction, so that neither exists without the other. All
   * such work runs one after the other, over all replicas, so that the rows it reads stay true.
   */
  readonly recorded: <A, E>(
    operation: string,
    author: Author,
    work: Effect.Effect<Changed<A>, E>,
  ) => Effect.Effect<A, E | StoreUnavailable>
  /** A page of the entries, the latest first. */
  readonly entries: (query: AuditQuery) => Effect.Effect<ReadonlyArray<AuditEntry>, StoreUnavailable>
}>()("swap-broker/store/AuditRepo") {
  static readonly layer = Layer.effect(
    AuditRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const lock = (operation: string) =>
        sql`SELECT pg_advisory_xact_lock(${changeLock})`.pipe(storeOperation(operation))

      const append = Effect.fnUntraced(function* ({ actor, at }: Author, change: AuditChange) {
        yield* sql`
          INSERT INTO audit_log (changed_at, actor, change)
          VALUES (${toTimestamp(at)}, ${yield* encodeActor(actor)}, ${yield* encodeChange(change)})`
      }, storeOperation("Audit.append"))

      const recorded = <A, E>(operation: string, author: Author, work: Effect.Effect<Changed<A>, E>) =>
        Effect.gen(function* () {
          yield* lock(operation)
          const { value, changes } = yield* work
          yield* Effect.forEach(changes, (change) => append(author, change), { discard: true })
          return value
        }).pipe(inTransaction(sql, operation))

      const about = (account: string) =>
        sql`(change ->> 'account' = ${account} OR change ->> 'action' = 'swap.moved'
          AND ${account} IN (change #>> '{before,account}', change #>> '{after,account}'))`

      const by = (actor: string) =>
        sql`
          CASE actor ->> 'type'
            WHEN 'key' THEN actor ->> 'account' = ${actor}
            WHEN 'cli' THEN ${actor} IN ('cli', 'cli:' || (actor ->> 'user'))
            ELSE actor ->> 'type' = ${actor}
          END`

      const conditions = ({ account, actions = [], actor, before, from, offset }: AuditQuery) => [
        sql`true`,
        ...(offset === undefined ? [] : [sql`id <= ${offset}`]),
        ...(account === undefined ? [] : [about(account)]),
        ...(actions.length === 0 ? [] : [sql`change ->> 'action' IN ${sql.in(actions)}`]),
        ...(actor === undefined ? [] : [by(actor)]),
        ...(from === undefined ? [] : [sql`changed_at >= ${toTimestamp(from)}`]),
        ...(before === undefined ? [] : [sql`changed_at < ${toTimestamp(before)}`]),
      ]

      const entries = Effect.fnUntraced(function* (query: AuditQuery) {
        const rows = yield* sql`
          SELECT id, changed_at AS at, actor, change FROM audit_log WHERE ${sql.and(conditions(query))}
          ORDER BY id DESC LIMIT ${query.limit}`
        return yield* decodeRows(rows)
      }, storeOperation("Audit.entries"))

      return AuditRepo.of({ recorded, entries })
    }),
  )
}
