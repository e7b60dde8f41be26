import { Context, Effect, Layer, Queue, Schema, type Scope } from "effect"
import { SqlClient } from "effect/sql"
import type { AccountId } from "../../domain/Account.ts"
import type { StoreUnavailable } from "../../domain/StoreError.ts"
import { type EventQuery, SwapEvent, SwapEventId, SwapEventType } from "../../domain/SwapEvent.ts"
import { type SwapRecord, SwapRecordId } from "../../domain/SwapRecord.ts"
import type { EpochMillis } from "../../domain/Time.ts"
import { Timestamp, toTimestamp, WholeNumber } from "../database/columns.ts"
import { storeOperation } from "../database/storeOperation.ts"

/**
 * Something that is rung when an account has new events. A ring can be missed: first listen, then read until there
 * is nothing more, then wait for the bell; and look anyway from time to time.
 */
export interface Doorbell {
  /** A queue that has an item whenever the account was rung for since the last item was taken. */
  readonly listen: (account: AccountId) => Effect.Effect<Queue.Dequeue<void>, never, Scope.Scope>
  readonly ring: (account: AccountId) => void
  /** Calls back for every account that this process rings for. */
  readonly hear: (heard: (account: AccountId) => void) => Effect.Effect<void, never, Scope.Scope>
  /** Rings for an account whose events another process wrote: `listen` has the ring, `hear` does not. */
  readonly echo: (account: AccountId) => void
}

/** A doorbell that nobody has rung. */
export const makeDoorbell = (): Doorbell => {
  const listeners = new Map<AccountId, Set<Queue.Queue<void>>>()
  const hearers = new Set<(account: AccountId) => void>()

  const add = (account: AccountId, queue: Queue.Queue<void>) => {
    const others = listeners.get(account) ?? new Set()
    listeners.set(account, others.add(queue))
  }
  const remove = (account: AccountId, queue: Queue.Queue<void>) => {
    const others = listeners.get(account)
    others?.delete(queue)
    if (others?.size === 0) listeners.delete(account)
  }

  const echo = (account: AccountId) => {
    for (const queue of listeners.get(account) ?? []) Queue.offerUnsafe(queue, undefined)
  }

  return {
    listen: (account) =>
      Effect.acquireRelease(
        Effect.tap(Queue.sliding<void>(1), (queue) => Effect.sync(() => add(account, queue))),
        (queue) => Effect.andThen(Effect.sync(() => remove(account, queue)), Queue.shutdown(queue)),
      ),
    echo,
    ring: (account) => {
      echo(account)
      for (const heard of hearers) heard(account)
    },
    hear: (heard) =>
      Effect.acquireRelease(
        Effect.sync(() => hearers.add(heard)),
        () => Effect.sync(() => hearers.delete(heard)),
      ),
  }
}

/** Writes a swap as accounts are told of it: JSON text, which the contract of the API decides. */
export type WriteRecord = (record: SwapRecord) => string

/** News of a swap for its account. */
export interface News {
  readonly accountId: AccountId
  /** The swap as it is now. */
  readonly record: SwapRecord
  readonly at: EpochMillis
  readonly events: ReadonlyArray<SwapEventType>
}

const EventRow = Schema.Struct({
  id: WholeNumber.pipe(Schema.decodeTo(SwapEventId)),
  swap_id: WholeNumber.pipe(Schema.decodeTo(SwapRecordId)),
  type: SwapEventType,
  payload: Schema.String,
  created_at: Timestamp,
})
const decodeRows = Schema.decodeUnknownEffect(Schema.Array(EventRow))
const decodeIds = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ id: WholeNumber.pipe(Schema.decodeTo(SwapEventId)) })),
)

const toEvent = ({ id, swap_id, type, payload, created_at }: typeof EventRow.Type): SwapEvent => ({
  id,
  swapId: swap_id,
  type,
  payload,
  at: created_at,
})

/** First key of the advisory locks of accounts. Any number would do that no other pair of keys has. */
const outboxLock = 728_164_013

const lockKey = (id: string): string => `${outboxLock}, (${id} % 2147483647)::int`

/**
 * The call that locks an account, whose id is the given expression of SQL, until the end of the transaction. Two
 * accounts may share a lock: they then wait for each other, no more.
 */
export const accountLock = (id: string): string => `pg_advisory_xact_lock(${lockKey(id)})`

/** The same call where others hold the lock already: it does not wait, and says whether it has the lock. */
export const tryAccountLock = (id: string): string => `pg_try_advisory_xact_lock(${lockKey(id)})`

/**
 * What accounts are told of, in the database.
 *
 * The id of an event is where a reader goes on, so an event must never become visible after a later one of the
 * same account. The numbers come from one sequence, and transactions end in any order; therefore whoever adds
 * events of an account locks the account until the end of the transaction, and only then takes numbers. The
 * next writer gets the lock when the first one's events are visible, and the sequence gives it higher numbers.
 * Accounts do not wait for each other. A transaction that is undone leaves a gap, which is no event.
 */
export class OutboxRepo extends Context.Service<OutboxRepo, {
  /**
   * Adds events, in the transaction that is under way and as the last thing in it: it holds the account's lock
   * until its end. Where news are of several accounts, they come in the order of these.
   */
  readonly add: (news: News) => Effect.Effect<void, StoreUnavailable>
  /** The events after the known one, the first of them first, at most `limit`. */
  readonly after: (query: EventQuery) => Effect.Effect<ReadonlyArray<SwapEvent>, StoreUnavailable>
  /** The last event of an account at present; 0 where there is none yet. */
  readonly latestId: (account: AccountId) => Effect.Effect<SwapEventId, StoreUnavailable>
  /** A swap as its account is told of it. */
  readonly textOf: (record: SwapRecord) => Effect.Effect<string>
  /** Rung for each account after the transaction that added events of it. */
  readonly doorbell: Doorbell
}>()("swap-broker/store/OutboxRepo") {
  static readonly layer = (write: WriteRecord) =>
    Layer.effect(
      OutboxRepo,
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient

        const add = Effect.fnUntraced(function* ({ accountId, at, events, record }: News) {
          if (events.length === 0) return
          yield* sql`SELECT ${
            sql.literal(accountLock("id"))
          } FROM (VALUES (${accountId}::bigint)) AS account (id)`
          const payload = write(record)
          for (const type of events) {
            yield* sql`
            INSERT INTO outbox (account_id, swap_id, type, payload, created_at)
            VALUES (${accountId}, ${record.id}, ${type}, ${payload}, ${toTimestamp(at)})`
          }
        }, storeOperation("Outbox.add"))

        const after = Effect.fnUntraced(function* ({ account, swap, id, limit }: EventQuery) {
          const ofSwap = swap === undefined ? sql`` : sql`AND swap_id = ${swap}`
          const rows = yield* sql`
          SELECT id, swap_id, type, payload, created_at FROM outbox
          WHERE account_id = ${account} ${ofSwap} AND id > ${id} ORDER BY id LIMIT ${limit}`
          return (yield* decodeRows(rows)).map(toEvent)
        }, storeOperation("Outbox.after"))

        const latestId = Effect.fnUntraced(function* (account: AccountId) {
          const rows = yield* sql`
          SELECT coalesce(max(id), 0) AS id FROM outbox WHERE account_id = ${account}`
          const [latest] = yield* decodeIds(rows)
          return latest === undefined ? yield* Effect.die("An aggregate gave no row") : latest.id
        }, storeOperation("Outbox.latestId"))

        return OutboxRepo.of({
          add,
          after,
          latestId,
          textOf: (record) => Effect.sync(() => write(record)),
          doorbell: makeDoorbell(),
        })
      }),
    )
}
