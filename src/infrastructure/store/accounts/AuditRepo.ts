import { Effect, Schema } from "effect"
import type { Statement } from "effect/sql"
import { Actor, AuditChange, AuditEntryId, type AuditFilters } from "#domain/operations/Audit.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { idOf, Timestamp, toTimestamp } from "../database/columns.ts"
import { inTransaction } from "../database/inTransaction.ts"
import { repository, rows } from "../database/repository.ts"
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

const entries = rows(Schema.Struct({
  id: idOf(AuditEntryId),
  at: Timestamp,
  actor: Actor,
  change: AuditChange,
}))
const encodeActor = Schema.encodeEffect(Schema.fromJsonString(Actor))
const encodeChange = Schema.encodeEffect(Schema.fromJsonString(AuditChange))

/** More than any id. */
const mostId = Number.MAX_SAFE_INTEGER

/** The key of the advisory lock: any number that nothing else on the server locks. */
const changeLock = 7_281_640_132n

/** The log of the operator's changes. The database refuses to alter it. */
export class AuditRepo extends repository<AuditRepo>()("Audit", ({ op, sql }) => {
  const append = op("append", function* ({ actor, at }: Author, change: AuditChange) {
    yield* sql`
      INSERT INTO audit_log (changed_at, actor, change)
      VALUES (${toTimestamp(at)}, ${yield* encodeActor(actor)}, ${yield* encodeChange(change)})`
  })

  /** The first entry at which the log has reached a time (0040_audit_marks). */
  const reaching = (time: Statement.Fragment) =>
    sql`(SELECT entry_id FROM audit_marks WHERE mark = '||' AND latest_at >= ${time}
      ORDER BY latest_at, entry_id LIMIT 1)`

  /**
   * The conditions on the entries of a range. Entries from `before` on were written later, unless they are late. The
   * planner would take two bounds on the id for a narrow range, read all of it and sort, so the second one is on the
   * key (as in `listedRanges`).
   */
  const boundsOf = ({ before, from, offset }: AuditQuery) => [
    ...(offset === undefined ? [] : [sql`entry_id <= ${offset}`]),
    ...(before === undefined ? [] : [
      sql`entry_id < CASE WHEN is_late THEN ${mostId}::bigint ELSE coalesce(${
        reaching(sql`${toTimestamp(before)}::timestamptz + interval '1 minute'`)
      }, ${mostId}::bigint) END`,
      sql`changed_at < ${toTimestamp(before)}`,
    ]),
    ...(from === undefined ? [] : [
      sql`(mark, entry_id) >= (sought COLLATE "C", ${reaching(sql`${toTimestamp(from)}`)})`,
      sql`changed_at >= ${toTimestamp(from)}`,
    ]),
  ]

  /** The ids of a page: for each action that is wanted a range of the key, none of them longer than the page. */
  const pageOf = (query: AuditQuery) => {
    const { account = null, actions = [], actor = null, before, limit } = query
    const wanted = actions.length === 0 ? [null] : [...new Set(actions)]
    const sought = (before === undefined ? [false] : [false, true]).flatMap((isLate) =>
      wanted.map((action) =>
        sql`(
            ${
          isLate ? "late " : ""
        } || audit_mark(${action}::text, ${account}::text, ${actor}::text), ${isLate}::boolean
          )`
      )
    )
    return sql`
      SELECT DISTINCT part.entry_id AS id
      FROM (VALUES ${sql.join(", ", false)(sought)}) AS ranges (sought, is_late) CROSS JOIN LATERAL (
        SELECT entry_id FROM audit_marks
        WHERE ${sql.and([sql`mark = sought COLLATE "C"`, ...boundsOf(query)])}
        ORDER BY entry_id DESC LIMIT ${limit}
      ) AS part ORDER BY id DESC LIMIT ${limit}`
  }

  return {
    /**
     * Runs work and writes its changes into the log, in one transaction, so that neither exists without the other. All
     * such work runs one after the other, over all replicas, so that the rows it reads stay true.
     */
    recorded: <A, Step extends Effect.Effect<unknown, unknown>>(
      operation: string,
      author: Author,
      work: () => Generator<Step, Changed<A>, never>,
    ) =>
      Effect.gen(function* () {
        yield* storeOperation(operation)(sql`SELECT pg_advisory_xact_lock(${changeLock})`)
        const { value, changes } = yield* Effect.gen(work)
        yield* Effect.forEach(changes, (change) => append(author, change), { discard: true })
        return value
      }).pipe(inTransaction(sql, operation)),

    /** A page of the entries, the latest first. */
    entries: op("entries", (query: AuditQuery) =>
      entries.all(sql`
        SELECT id, changed_at AS at, actor, change FROM (${pageOf(query)}) AS page JOIN audit_log USING (id)
        ORDER BY id DESC`)),
  }
}) {}
