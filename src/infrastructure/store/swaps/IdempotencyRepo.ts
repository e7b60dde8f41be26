import { Effect, Option, Schema, Semaphore } from "effect"
import type { AccountId } from "#domain/accounts/Account.ts"
import type { KeyId } from "#domain/accounts/Key.ts"
import type { QuoteId } from "#domain/quotes/BoundQuote.ts"
import { TooManyOpenChannels } from "#domain/swaps/Channel.ts"
import { Fingerprint, type KeyedRequest, type WrittenAnswer } from "#domain/swaps/Idempotency.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import type { StoreEffect } from "#domain/StoreError.ts"
import { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { idOf, RequestJson, Timestamp, toTimestamp } from "../database/columns.ts"
import { makePerKey } from "../database/perKey.ts"
import { any, count, repository, rows } from "../database/repository.ts"
import {
  type Attempt,
  attempts,
  type NewOpening,
  newOpeningColumns,
  newOpeningValues,
  roomFor,
} from "./newOpening.ts"

/** The request that a key was used for, with its outcome. */
export const UsedKey = Schema.Union([
  Schema.TaggedStruct("Answered", {
    fingerprint: Fingerprint,
    status: Schema.Int,
    body: Schema.String,
    staleAt: Schema.NullOr(Timestamp),
  }),
  /** A process works on the request until `leaseUntil`; after that the process must be gone. */
  Schema.TaggedStruct("InProgress", {
    fingerprint: Fingerprint,
    /** Whether the request opens a channel, and is therefore never repeated. */
    opens: Schema.Boolean,
    claimedAt: Timestamp,
    leaseUntil: Timestamp,
  }),
  /** An `UndecidedOpening`. */
  Schema.TaggedStruct("Undecided", {
    fingerprint: Fingerprint,
    id: idOf(SwapRecordId),
    platform: ProviderName,
    request: RequestJson,
    requestedAt: Timestamp,
  }),
])
export type UsedKey = typeof UsedKey.Type

/** A quote that a swap is opened by. */
export interface UsedQuote {
  readonly accountId: AccountId
  readonly id: QuoteId
  readonly expiresAt: EpochMillis
  /** The key of the opening, if it has one. */
  readonly key: string | undefined
}

const usedKeys = rows(UsedKey)

/** A swap that an agent prepared, under the key that will open it: what its human confirms, as text. */
const PreparedSwap = Schema.Struct({ terms: Schema.String, expiresAt: Timestamp })

const preparedSwaps = rows(PreparedSwap)

/** The most prepared swaps of an API key that are kept unused: twice what its usual limit allows while one holds. */
const mostPrepared = 2_500

/** A key to be taken, with the least time that its row is kept. */
export interface NewKey {
  readonly keyed: KeyedRequest
  readonly at: EpochMillis
  readonly expiresAt: EpochMillis
}

/** The most statements of an account that write openings at once: they lock its row. */
const mostAtOnce = 2

/** Used `Idempotency-Key`s. One insert takes a key; `OpeningsRepo` settles that of an opening. */
export class IdempotencyRepo extends repository<IdempotencyRepo>()("Idempotency", ({ op, sql }) => {
  const turns = makePerKey<AccountId, Semaphore.Semaphore>(() => Semaphore.makeUnsafe(mostAtOnce))

  const inItsTurn = <A, E>({ accountId }: NewOpening, write: Effect.Effect<A, E>) =>
    turns(accountId, (ofAccount) => ofAccount.withPermit(write))

  /** Fails if the account had no room, unless another request has taken the key meanwhile. */
  const orTooMany = Effect.fnUntraced(function* (
    { hasRoom, id }: Attempt,
    { openChannelsMost }: NewOpening,
    isStillFree: StoreEffect<boolean>,
  ) {
    if (hasRoom || !(yield* isStillFree)) return id
    return yield* new TooManyOpenChannels({ most: openChannelsMost })
  })

  const find = op("find", ({ accountId, key }: KeyedRequest) =>
    usedKeys.first(sql`
      SELECT
        CASE
          WHEN answer_status IS NOT NULL THEN 'Answered'
          WHEN swap_id IS NULL OR opening = 'requested' THEN 'InProgress'
          ELSE 'Undecided'
        END AS "_tag",
        fingerprint, answer_status AS status, answer_body AS body,
        answer_stale_at AS "staleAt",
        swap_id IS NOT NULL AS opens, claimed_at AS "claimedAt",
        coalesce(lease_until, opening_lease_until) AS "leaseUntil",
        swaps.id, platform, request, created_at AS "requestedAt"
      FROM idempotency_keys LEFT JOIN swaps ON swaps.id = swap_id
      WHERE idempotency_keys.account_id = ${accountId} AND key = ${key}`))

  // The key is written first, with the id of a swap row that only the winner of the key writes.
  const writeWithKey = op(
    "takeForOpening",
    function* ({ at, expiresAt, keyed }: NewKey, opening: NewOpening) {
      const { accountId, fingerprint, key: name } = keyed
      const values = yield* newOpeningValues(sql, opening)
      const attempt = attempts.only(sql`
        WITH account AS (${roomFor(sql, opening)}), taken AS (
          INSERT INTO idempotency_keys (account_id, key, fingerprint, swap_id, claimed_at, expires_at)
          SELECT ${accountId}, ${name}, ${fingerprint}, nextval(pg_get_serial_sequence('swaps', 'id')),
            ${toTimestamp(at)}::timestamptz, ${toTimestamp(expiresAt)}::timestamptz
          FROM account WHERE has_room
          ON CONFLICT (account_id, key) DO NOTHING
          RETURNING swap_id
        ), opening AS (
          INSERT INTO swaps (id, ${sql.literal(newOpeningColumns)}) OVERRIDING SYSTEM VALUE
          SELECT swap_id, ${values} FROM taken
          RETURNING id
        )
        SELECT has_room, (SELECT id FROM opening) FROM account`)
      return yield* inItsTurn(opening, attempt)
    },
  )

  const writeInPlace = op("takeOver", function* (
    earlier: SwapRecordId,
    opening: NewOpening,
    expiresAt: EpochMillis,
  ) {
    const values = yield* newOpeningValues(sql, opening)
    const attempt = attempts.only(sql`
      WITH account AS (${roomFor(sql, opening)}), earlier AS (
        UPDATE swaps SET opening = 'refused', opening_failure = 'Looked up: nothing was opened'
        FROM account WHERE swaps.id = ${earlier} AND opening = 'unknown' AND has_room
        RETURNING swaps.id
      ), opening AS (
        INSERT INTO swaps (${sql.literal(newOpeningColumns)})
        SELECT ${values} FROM earlier
        RETURNING id
      ), taken AS (
        UPDATE idempotency_keys
        SET swap_id = opening.id, claimed_at = ${toTimestamp(opening.at)},
          expires_at = ${toTimestamp(expiresAt)}
        FROM opening, earlier WHERE swap_id = earlier.id
      )
      SELECT has_room, (SELECT id FROM opening) FROM account`)
    return yield* inItsTurn(opening, attempt)
  })

  const isUnknown = op(
    "takeOver",
    (earlier: SwapRecordId) => any(sql`SELECT id FROM swaps WHERE id = ${earlier} AND opening = 'unknown'`),
  )

  /** Whether a prepared swap's key is unused, so that nothing needs its terms any more once it has expired. */
  const isUnused = sql`NOT EXISTS (
    SELECT 1 FROM idempotency_keys AS used
    WHERE used.account_id = prepared.account_id AND used.key = prepared.key)`

  const leased = ({ accountId, key }: KeyedRequest, leaseUntil: EpochMillis) =>
    sql`account_id = ${accountId} AND key = ${key} AND answer_status IS NULL
      AND lease_until = ${toTimestamp(leaseUntil)}`

  return {
    find,

    /** Takes a key with its opening; none if the key is taken, a failure if the account has no room. */
    takeForOpening: Effect.fnUntraced(function* (key: NewKey, opening: NewOpening) {
      const isFree = Effect.map(find(key.keyed), Option.isNone)
      return yield* orTooMany(yield* writeWithKey(key, opening), opening, isFree)
    }),

    /** Takes the key of an opening that provably opened nothing; none if its outcome is known now. */
    takeOver: Effect.fnUntraced(function* (
      earlier: SwapRecordId,
      opening: NewOpening,
      expiresAt: EpochMillis,
    ) {
      return yield* orTooMany(yield* writeInPlace(earlier, opening, expiresAt), opening, isUnknown(earlier))
    }),

    /** Takes a free key, or a key with an ended lease, for a request that may be repeated; returns whether it did. */
    take: op("take", ({ at, expiresAt, keyed }: NewKey, leaseUntil: EpochMillis) =>
      any(sql`
        INSERT INTO idempotency_keys AS used
          (account_id, key, fingerprint, lease_until, claimed_at, expires_at)
        VALUES (${keyed.accountId}, ${keyed.key}, ${keyed.fingerprint}, ${toTimestamp(leaseUntil)},
          ${toTimestamp(at)}, ${toTimestamp(expiresAt)})
        ON CONFLICT (account_id, key) DO UPDATE
        SET lease_until = excluded.lease_until, claimed_at = excluded.claimed_at
        WHERE used.answer_status IS NULL AND used.lease_until <= ${toTimestamp(at)}
          AND used.fingerprint = excluded.fingerprint
        RETURNING key`)),

    /** Stores the answer under a key; returns whether the key was still held with this lease. */
    answer: op("answer", (
      keyed: KeyedRequest,
      leaseUntil: EpochMillis,
      { body, staleAt, status }: WrittenAnswer,
    ) =>
      any(sql`
        UPDATE idempotency_keys SET answer_status = ${status}, answer_body = ${body},
          answer_stale_at = ${staleAt === undefined ? null : toTimestamp(staleAt)}::timestamptz
        WHERE ${leased(keyed, leaseUntil)}
        RETURNING key`)),

    /** Releases a key that was taken with this lease. */
    release: op(
      "release",
      (keyed: KeyedRequest, leaseUntil: EpochMillis) =>
        Effect.asVoid(sql`DELETE FROM idempotency_keys WHERE ${leased(keyed, leaseUntil)}`),
    ),

    /** Takes a free key for an answer that already exists. */
    keep: op("keep", ({ at, expiresAt, keyed }: NewKey, { body, status }: WrittenAnswer) =>
      Effect.asVoid(sql`
        INSERT INTO idempotency_keys
          (account_id, key, fingerprint, answer_status, answer_body, claimed_at, expires_at)
        VALUES (${keyed.accountId}, ${keyed.key}, ${keyed.fingerprint}, ${status}, ${body},
          ${toTimestamp(at)}, ${toTimestamp(expiresAt)})
        ON CONFLICT (account_id, key) DO NOTHING`)),

    /** Uses a quote up; false where another key has used it. Forgets the account's quotes that expired a day ago. */
    useQuote: op("useQuote", ({ accountId, expiresAt, id, key }: UsedQuote, at: EpochMillis) =>
      any(sql`
        WITH over AS (
          DELETE FROM used_quotes
          WHERE account_id = ${accountId} AND expires_at < ${toTimestamp(at)}::timestamptz - interval '1 day'
        )
        INSERT INTO used_quotes AS used (account_id, quote_id, holder, expires_at)
        VALUES (${accountId}, ${id}, ${key ?? null}, ${toTimestamp(expiresAt)})
        ON CONFLICT (account_id, quote_id) DO UPDATE SET holder = used.holder
        WHERE used.holder = excluded.holder
        RETURNING quote_id`)),

    /** Makes a quote usable again, by which provably nothing was opened. */
    giveQuoteBack: op(
      "giveQuoteBack",
      ({ accountId, id }: UsedQuote) =>
        Effect.asVoid(sql`DELETE FROM used_quotes WHERE account_id = ${accountId} AND quote_id = ${id}`),
    ),

    /** Stores a swap that was prepared with an API key. Of its unused ones the latest are kept. */
    prepare: op(
      "prepare",
      ({ accountId, key }: KeyedRequest, keyId: KeyId, swap: typeof PreparedSwap.Type) =>
        Effect.asVoid(sql`
        WITH over AS (
          DELETE FROM prepared_swaps AS prepared WHERE account_id = ${accountId} AND key IN (
            SELECT key FROM prepared_swaps WHERE account_id = ${accountId} AND key_id = ${keyId}
            ORDER BY expires_at DESC, key OFFSET ${mostPrepared - 1}
          ) AND ${isUnused}
        )
        INSERT INTO prepared_swaps (account_id, key, key_id, terms, expires_at)
        VALUES (${accountId}, ${key}, ${keyId}, ${swap.terms}, ${toTimestamp(swap.expiresAt)})`),
    ),

    /** The swap that was prepared under a key. */
    prepared: op("prepared", ({ accountId, key }: KeyedRequest) =>
      preparedSwaps.first(sql`
        SELECT terms, expires_at AS "expiresAt" FROM prepared_swaps
        WHERE account_id = ${accountId} AND key = ${key}`)),

    /** Deletes prepared swaps that expired before a time and whose keys are unused, at most `limit`; returns their number. */
    forgetPrepared: op("forgetPrepared", (before: EpochMillis, limit: number) =>
      count(sql`
        DELETE FROM prepared_swaps WHERE (account_id, key) IN (
          SELECT account_id, key FROM prepared_swaps AS prepared
          WHERE expires_at < ${toTimestamp(before)} AND ${isUnused} ORDER BY expires_at LIMIT ${limit}
          FOR UPDATE SKIP LOCKED
        )
        RETURNING key`)),

    /** Deletes expired keys, at most `limit`; returns their number. */
    expire: op("expire", (now: EpochMillis, limit: number) =>
      count(sql`
        DELETE FROM idempotency_keys WHERE (account_id, key) IN (
          SELECT account_id, key FROM idempotency_keys
          WHERE expires_at <= ${toTimestamp(now)} ORDER BY expires_at LIMIT ${limit}
          FOR UPDATE SKIP LOCKED
        )
        RETURNING key`)),
  }
}) {}
