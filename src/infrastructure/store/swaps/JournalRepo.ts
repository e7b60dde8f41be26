import { Array, Effect, Order, Schema } from "effect"
import type { Statement } from "effect/sql"
import type { AccountId } from "#domain/accounts/Account.ts"
import {
  ChangeKind,
  type JournalEntry,
  JournalEntryId,
  JournalNote,
  type KeptBody,
} from "#domain/swaps/Journal.ts"
import type { PageQuery } from "#domain/Page.ts"
import { defined } from "../../platform/optionalMembers.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import type { SortOrder, SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { encodeStatus, idOf, StatusJson, Timestamp, toTimestamp } from "../database/columns.ts"
import { inTransaction } from "../database/inTransaction.ts"
import { given, repository, rowsAs } from "../database/repository.ts"
import { type News, OutboxRepo } from "./OutboxRepo.ts"

/** A page of a journal from an entry on, oldest first unless `descending`; without bounds, all of it. */
export interface JournalPart extends Partial<PageQuery<JournalEntryId>> {
  readonly sort?: SortOrder
}

/** A change of a swap, with its journal entry and its news for the account. */
export interface Happening extends News {
  readonly note: JournalNote
}

/** The result of a piece of work, with the happenings that it caused. */
export interface Done<A> {
  readonly value: A
  readonly happened: ReadonlyArray<Happening>
}

const body = { body: Schema.String, body_length: Schema.Int }
const noBody = { body: Schema.Null, body_length: Schema.Null }
const entry = { id: idOf(JournalEntryId), platform: ProviderName, at: Timestamp }
const change = { ...entry, kind: ChangeKind, status: StatusJson, detail: Schema.NullOr(Schema.String) }

const EntryRow = Schema.Union([
  Schema.Struct({ ...change, ...body }),
  Schema.Struct({ ...change, ...noBody }),
  Schema.Struct({
    ...entry,
    kind: Schema.Literal("contradicted"),
    status: StatusJson,
    detail: Schema.String,
    ...body,
  }),
  Schema.Struct({ ...entry, kind: Schema.Literal("stalled"), detail: Schema.String }),
])

const toNote = (row: typeof EntryRow.Type): JournalNote => {
  if (row.kind === "stalled") return JournalNote.Stall({ detail: row.detail })
  if (row.kind === "contradicted") {
    const kept = { text: row.body, length: row.body_length }
    return JournalNote.Contradiction({ detail: row.detail, status: row.status, body: kept })
  }
  const { detail, kind, status } = row
  return JournalNote.Change({
    kind,
    status,
    ...(detail === null ? {} : { detail }),
    ...(row.body === null ? {} : { body: { text: row.body, length: row.body_length } }),
  })
}

const entries = rowsAs(
  EntryRow,
  (row): JournalEntry => ({ id: row.id, platform: row.platform, at: row.at, note: toNote(row) }),
)

const byAccount = Order.mapInput(Order.Number, ({ accountId }: Happening) => accountId)

/** The journals of swaps. The database refuses to alter them. */
export class JournalRepo
  extends repository<JournalRepo>()("Journal", ({ op, sql }) =>
    Effect.map(OutboxRepo, (outbox) => {
      const columns = sql.literal(
        "swap_journal.id, platform, swap_journal.kind, recorded_at AS at, swap_journal.status, detail, body, body_length",
      )

      const insert = (
        at: EpochMillis,
        kind: string,
        { detail, body, status }: { detail?: string; status?: string; body?: KeptBody | undefined },
        ids: Statement.Fragment,
      ) =>
        sql`
          INSERT INTO swap_journal (swap_id, kind, recorded_at, status, detail, body, body_length)
          SELECT id, ${kind}, ${toTimestamp(at)}::timestamptz, ${status ?? null}::jsonb, ${
          detail ?? null
        }::text,
            ${body?.text ?? null}::text, ${body?.length ?? null}::int
          FROM ${ids}`

      const writing = ({ at, note }: Pick<Happening, "at" | "note">, ids: Statement.Fragment) =>
        JournalNote.$match(note, {
          Change: ({ body, detail, kind, status }) =>
            Effect.map(
              encodeStatus(status),
              (json) => insert(at, kind, { ...defined({ detail }), status: json, body }, ids),
            ),
          Contradiction: ({ detail, status, body }) =>
            Effect.map(
              encodeStatus(status),
              (json) => insert(at, "contradicted", { detail, status: json, body }, ids),
            ),
          Stall: ({ detail }) => Effect.succeed(insert(at, "stalled", { detail }, ids)),
        })

      const append = op("append", (happening: Happening) =>
        Effect.flatten(writing(happening, sql`(VALUES (${happening.record.id}::bigint)) AS swap (id)`)))

      const inPart = ({ limit, offset, sort = "ascending" }: JournalPart) => {
        const [after, order] = sort === "ascending" ? [">=", "ASC"] as const : ["<=", "DESC"] as const
        const from = given(offset, (offset) =>
          sql`AND swap_journal.id ${sql.literal(after)} ${offset}`)
        return sql`${from} ORDER BY swap_journal.id ${sql.literal(order)} ${
          given(limit, (limit) => sql`LIMIT ${limit}`)
        }`
      }

      return {
        /** Runs work and writes its journal entries and events in one transaction, locking accounts last. */
        recorded: <A, Step extends Effect.Effect<unknown, unknown>>(
          operation: string,
          work: () => Generator<Step, Done<A>, never>,
        ) =>
          Effect.gen(function* () {
            const done = yield* Effect.gen(work)
            yield* Effect.forEach(done.happened, append, { discard: true })
            yield* Effect.forEach(Array.sort(done.happened, byAccount), outbox.add, { discard: true })
            return done
          }).pipe(
            inTransaction(sql, operation),
            Effect.map(({ value, happened }) => {
              for (const { accountId, events } of happened) {
                if (events.length > 0) {
                  outbox.doorbell.ring(accountId)
                }
              }
              return value
            }),
          ),

        /**
         * The part of a statement that writes a happening into the journals of the swaps whose `id` is in `ids`, while the
         * rest of the statement changes those swaps. The happening has no event. Encoding cannot fail for a known status.
         */
        writing: (happening: Pick<Happening, "at" | "note">, ids: Statement.Fragment) =>
          Effect.orDie(writing(happening, ids)),

        /** The journal of a swap; empty for a swap of another account. */
        of: op("of", (account: AccountId, swap: SwapRecordId, part: JournalPart = {}) =>
          entries.all(sql`
            SELECT ${columns} FROM swap_journal JOIN swaps ON swaps.id = swap_id
            WHERE swap_id = ${swap} AND account_id = ${account} ${inPart(part)}`)),

        /** The journal of any account's swap, for the operator. */
        ofAny: op("ofAny", (swap: SwapRecordId, part: JournalPart = {}) =>
          entries.all(sql`
            SELECT ${columns} FROM swap_journal JOIN swaps ON swaps.id = swap_id
            WHERE swap_id = ${swap} ${inPart(part)}`)),
      }
    })) {}
