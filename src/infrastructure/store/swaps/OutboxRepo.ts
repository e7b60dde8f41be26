import { Context, Effect, Layer, Queue, Schema } from "effect"
import type { AccountId } from "#domain/accounts/Account.ts"
import { type EventQuery, SwapEventId, SwapEventType } from "#domain/swaps/SwapEvent.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { type SwapRecord, SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import type { PriceAt } from "#domain/money/UsdValue.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { absentWhenNull, idOf, StatusJson, Timestamp, toTimestamp } from "../database/columns.ts"
import { ValuesRepo } from "../business/ValuesRepo.ts"
import { column, given, operations, rows } from "../database/repository.ts"

/** Signals new events. A signal can be missed: listen, read all, wait; and read now and then. */
export const makeDoorbell = () => {
  const listeners = new Map<AccountId, Set<Queue.Queue<void>>>()
  const hearers = new Set<(account: AccountId) => void>()
  const hearersOfAll = new Set<(account: AccountId) => void>()

  const add = (account: AccountId, queue: Queue.Queue<void>) => {
    const others = listeners.get(account) ?? new Set()
    listeners.set(account, others.add(queue))
  }
  const remove = (account: AccountId, queue: Queue.Queue<void>) => {
    const others = listeners.get(account)
    others?.delete(queue)
    if (others?.size === 0) listeners.delete(account)
  }

  /** Rings for an account whose events another process wrote. */
  const echo = (account: AccountId) => {
    for (const queue of listeners.get(account) ?? []) Queue.offerUnsafe(queue, undefined)
    for (const heard of hearersOfAll) heard(account)
  }

  return {
    /** A queue that has an item whenever the bell rang for the account since the last item was taken. */
    listen: (account: AccountId) =>
      Effect.acquireRelease(
        Effect.tap(Queue.sliding<void>(1), (queue) => Effect.sync(() => add(account, queue))),
        (queue) => Effect.andThen(Effect.sync(() => remove(account, queue)), Queue.shutdown(queue)),
      ),
    echo,
    ring: (account: AccountId) => {
      echo(account)
      for (const heard of hearers) heard(account)
    },
    /** Calls back for every account that this process rings for; with `whose`, also for those of the others. */
    hear: (heard: (account: AccountId) => void, whose?: "everybody's") => {
      const all = whose === undefined ? hearers : hearersOfAll
      return Effect.acquireRelease(
        Effect.sync(() => all.add(heard)),
        () => Effect.sync(() => all.delete(heard)),
      )
    },
  }
}

/** Renders a swap as JSON text for its account's events, in the form of the API's contract. */
export type WriteRecord = (record: SwapRecord, priceAt: PriceAt) => string

export interface News {
  readonly accountId: AccountId
  readonly record: SwapRecord
  readonly at: EpochMillis
  readonly events: ReadonlyArray<SwapEventType>
}

/** SQL that joins the provider and the status of the time of an event `o` as `journal`: an entry is as old as its event. */
export const joinJournal = `LEFT JOIN LATERAL (
  SELECT swaps.platform, j.status FROM swap_journal j JOIN swaps ON swaps.id = j.swap_id
  WHERE j.swap_id = o.swap_id AND j.kind NOT IN ('contradicted', 'stalled') AND j.recorded_at <= o.created_at
  ORDER BY j.recorded_at = o.created_at DESC, j.id DESC LIMIT 1
) AS journal ON true`

/** The columns of `journal`, for decoding rows. */
export const journalColumns = { platform: absentWhenNull(ProviderName), status: absentWhenNull(StatusJson) }

const events = rows(Schema.Struct({
  id: idOf(SwapEventId),
  swapId: idOf(SwapRecordId),
  type: SwapEventType,
  payload: Schema.String,
  at: Timestamp,
  ...journalColumns,
}))
const ids = column(idOf(SwapEventId))

/** The first key of the advisory locks of accounts: any number that no other pair of keys has. */
const outboxLock = 728_164_013

const lockKey = (id: string): string => `${outboxLock}, (${id} % 2147483647)::int`

/** SQL that locks an account to the transaction's end; `id` is an expression. Locks may be shared. */
export const accountLock = (id: string): string => `pg_advisory_xact_lock(${lockKey(id)})`

/** The SQL call that locks an account unless another transaction holds the lock; returns whether it did. */
export const tryAccountLock = (id: string): string => `pg_try_advisory_xact_lock(${lockKey(id)})`

/**
 * The events of accounts.
 *
 * Readers continue at the id of an event, so an event must never become visible after a later one of the same account.
 * The ids come from one sequence, and transactions end in any order. Therefore a transaction that adds events of an
 * account locks the account until its end, and only then takes ids. The next writer gets the lock when the first one's
 * events are visible, and the sequence gives it higher ids. Accounts do not wait for each other. A transaction that is
 * rolled back leaves a gap in the ids.
 */
export class OutboxRepo extends Context.Service<OutboxRepo>()("swap-broker/store/OutboxRepo", {
  make: Effect.fnUntraced(function* (write: WriteRecord) {
    const { op, sql } = yield* operations("Outbox")
    const { priced } = yield* ValuesRepo
    /** The text of a swap for its account's events, with the values that are known by then. */
    const textOf = (record: SwapRecord) =>
      Effect.map(priced((priceAt) => write(record, priceAt)), ({ shown }) => shown)

    const insert = op("add", function* ({ accountId, at, events, record }: News, payload: string) {
      yield* sql`SELECT ${
        sql.literal(accountLock("id"))
      } FROM (VALUES (${accountId}::bigint)) AS account (id)`
      for (const type of events) {
        yield* sql`
          INSERT INTO outbox (account_id, swap_id, type, payload, created_at)
          VALUES (${accountId}, ${record.id}, ${type}, ${payload}, ${toTimestamp(at)})`
      }
    })

    return {
      /** Adds events as a transaction's last step; those of several accounts in the accounts' order. */
      add: (news: News) =>
        news.events.length === 0
          ? Effect.void
          : Effect.flatMap(textOf(news.record), (payload) => insert(news, payload)),

      /** The events after the known one, in order, at most `limit`. */
      after: op("after", ({ account, swap, id, limit }: EventQuery) => {
        const ofSwap = given(swap, (swap) => sql`AND o.swap_id = ${swap}`)
        return events.all(sql`
          SELECT o.id, o.swap_id AS "swapId", o.type, o.payload, o.created_at AS at, journal.*
          FROM outbox o ${sql.literal(joinJournal)}
          WHERE o.account_id = ${account} ${ofSwap} AND o.id > ${id} ORDER BY o.id LIMIT ${limit}`)
      }),

      /** The last event of an account at present; 0 if there is none yet. */
      latestId: op("latestId", (account: AccountId) =>
        ids.only(sql`
          SELECT coalesce(max(id), 0) AS id FROM outbox WHERE account_id = ${account}`)),

      textOf,

      /** Rung for each account after a transaction that added events of it. */
      doorbell: makeDoorbell(),
    }
  }),
}) {
  static readonly layer = (write: WriteRecord) =>
    Layer.provide(Layer.effect(this, this.make(write)), ValuesRepo.layer)
}
