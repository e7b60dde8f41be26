import { Cause, Effect, flow, Option, Result, Schema } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { AccountId } from "#domain/accounts/Account.ts"
import type { DepositChannel } from "#domain/swaps/Channel.ts"
import type { WrittenAnswer } from "#domain/swaps/Idempotency.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import type { SwapStatus } from "#domain/swaps/Swap.ts"
import type { SwapEventType } from "#domain/swaps/SwapEvent.ts"
import { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { type EpochMillis, toIsoDate } from "#domain/Time.ts"
import { type Gathering, makeBatchedInLanes } from "../database/batched.ts"
import { encodeRequest, encodeStatus, idOf } from "../database/columns.ts"
import { rows, type Tools } from "../database/repository.ts"
import { type NewOpening, newOpeningColumns } from "./newOpening.ts"
import { accountLock, tryAccountLock } from "./OutboxRepo.ts"

// Openings at the same moment are written together, in one statement with one commit. A statement for each would cost a
// round trip and a write to disk for each, and openings of one account would wait for each other, as they share its row
// or lock. Over an upstream that answers at once, on two busy cores: 80 openings a second instead of 37 on the embedded
// database, 123 instead of 66 on Postgres (`deno task bench --only openings`).
//
// A statement for several accounts waits for none of their locks. An account that is locked elsewhere gets a statement
// of its own, so that a slow transaction of another replica holds up no other account.

/** The most openings in one statement; more than come in while another statement runs. */
const mostAtOnce = 100

/** Whether a statement waits for locks that others hold, or leaves out the accounts that they hold. */
type Locks = "await" | "skip"

const SwapId = idOf(SwapRecordId)

const allotments = rows(Schema.Struct({ place: Schema.Int, id: Schema.NullOr(SwapId) }))

const toRequestedRow = (
  { accountId, at, keyId, leaseUntil, openChannelsMost, platform, request, requestId }: NewOpening,
  place: number,
) =>
  Effect.map(encodeRequest(request), (json) => ({
    place,
    account_id: accountId,
    platform,
    request: json,
    key_id: keyId,
    request_id: requestId,
    at: toIsoDate(at),
    lease: toIsoDate(leaseUntil),
    most: openChannelsMost,
  }))

/** The SQL expression that locks an account for events, and is true if it was locked. */
const lockOf = {
  await: (id: string) => `(${accountLock(id)})::text IS NOT NULL`,
  skip: tryAccountLock,
} as const

const skipping = (sql: SqlClient.SqlClient, locks: Locks): Statement.Fragment =>
  sql.literal(locks === "skip" ? "SKIP LOCKED" : "")

/** Gives all items of a statement another outcome if one of them could not be stored. */
const orWhereOneDies = <In, Out, Other, E>(
  written: Effect.Effect<(item: In) => Out, E>,
  otherwise: (item: In) => Other,
): Effect.Effect<(item: In) => Out | Other, E> =>
  Effect.catchCause(
    written,
    (cause) => Cause.hasDies(cause) ? Effect.succeed(otherwise) : Effect.failCause(cause),
  )

/**
 * Records that channels are about to be asked for: the id of each, or none if its account has no room for another. The
 * accounts' rows stay locked, in the order of their ids, until the statement has counted the new openings, so that
 * concurrent openings, on any replica, see each other. An opening that cannot be stored fails alone.
 */
export const makeRequestTogether = ({ op, sql }: Tools, gathering: Gathering) => {
  /** The outcome of each opening; none for those whose account's row was skipped, or does not exist. */
  const write = op("request", function* (openings: ReadonlyArray<NewOpening>, locks: Locks) {
    const asked = yield* Effect.forEach(openings, toRequestedRow)
    const accounts = `{${[...new Set(openings.map(({ accountId }) => accountId))].join(",")}}`
    const allotted = yield* allotments.all(
      sql`
        WITH wanted AS MATERIALIZED (
          SELECT * FROM jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) AS wanted (
            place int, account_id bigint, platform text, request text, key_id text, request_id text, at timestamptz,
            lease timestamptz, most int
          )
        ), account AS MATERIALIZED (
          SELECT id, open_channels FROM accounts WHERE id = ANY (${accounts}::bigint[])
          ORDER BY id FOR NO KEY UPDATE ${skipping(sql, locks)}
        ), counted AS MATERIALIZED (
          SELECT wanted.*,
            open_channels + row_number() OVER (PARTITION BY account_id ORDER BY place) <= most AS has_room
          FROM wanted JOIN account ON account.id = account_id
        ), allotted AS MATERIALIZED (
          SELECT *, nextval(pg_get_serial_sequence('swaps', 'id')) AS id FROM counted WHERE has_room
        ), opening AS (
          INSERT INTO swaps (id, ${sql.literal(newOpeningColumns)}) OVERRIDING SYSTEM VALUE
          SELECT id, account_id, platform, 'requested', request::jsonb, key_id, request_id, at, at, lease
          FROM allotted
        )
        SELECT counted.place, id FROM counted LEFT JOIN allotted ON allotted.place = counted.place`,
    )
    const idAt = new Map(allotted.map(({ id, place }) => [place, Option.fromNullOr(id)]))
    const places = new Map(openings.map((opening, place) => [opening, place]))
    return (opening: NewOpening) => Option.fromUndefinedOr(idAt.get(places.get(opening) ?? -1))
  })

  const waiting = (openings: ReadonlyArray<NewOpening>) =>
    Effect.map(
      write(openings, "await"),
      (idOf) => (opening: NewOpening) =>
        Option.match(idOf(opening), { onNone: () => Effect.die("No such account"), onSome: Effect.succeed }),
    )
  const one = (opening: NewOpening) => Effect.flatMap(waiting([opening]), (outcomeOf) => outcomeOf(opening))

  const together = makeBatchedInLanes(
    {
      writeFree: (openings: ReadonlyArray<NewOpening>) =>
        orWhereOneDies(
          Effect.map(write(openings, "skip"), (idOf) => (opening: NewOpening) =>
            Result.fromOption(Option.map(idOf(opening), Effect.succeed), () =>
              opening.accountId)),
          ({ accountId }) =>
            Result.fail(accountId),
        ),
      writeWaiting: (openings) => orWhereOneDies(waiting(openings), one),
    },
    mostAtOnce,
    gathering,
  )

  return (opening: NewOpening) => Effect.flatten(together(opening))
}

export interface FinishedOpening {
  readonly platform: ProviderName
  readonly channel: DepositChannel
  /** Whether its deposit address can belong to no other swap. */
  readonly isAddressUnique?: boolean
  readonly status: SwapStatus
  readonly at: EpochMillis
  readonly nextLookupAt: EpochMillis
  /** The time until which its first state may last, if that is limited. */
  readonly stallsAt: Option.Option<EpochMillis>
  readonly events: ReadonlyArray<SwapEventType>
}

/** The end of an opening that is still "requested". */
export interface Ending {
  readonly id: SwapRecordId
  readonly opening: FinishedOpening
  /** The text of the swap for its account's events. */
  readonly payload: string
  readonly answer: WrittenAnswer | undefined
}

const textOf = (value: bigint | number): string => `${value}`
const orNull = (time: Option.Option<EpochMillis>) => Option.getOrNull(Option.map(time, toIsoDate))

const toOpenedRow = ({ answer, id, opening, payload }: Ending) =>
  Effect.map(encodeStatus(opening.status), (status) => {
    const { at, channel, events, isAddressUnique = false, nextLookupAt, stallsAt } = opening
    return {
      id,
      issued_block: textOf(channel.id.issuedBlock),
      network: channel.id.network,
      channel_id: textOf(channel.id.channelId),
      deposit_address: channel.depositAddress,
      source_expiry_block: textOf(channel.sourceExpiryBlock),
      is_unique: isAddressUnique,
      opening_fee: textOf(channel.openingFee),
      state: opening.status.state,
      status,
      at: toIsoDate(at),
      next: toIsoDate(nextLookupAt),
      stalls: orNull(stallsAt),
      events,
      payload,
      answer_status: answer?.status ?? null,
      answer_body: answer?.body ?? null,
    }
  })

const openedRows = rows(
  Schema.Struct({ id: SwapId, account_id: idOf(AccountId), is_written: Schema.Boolean }),
)

/**
 * Records the channels of openings that are still "requested", with the first entries of their journals, their events
 * and the answers of their keys; returns the account of each recorded one. An opening that has another outcome by now,
 * or whose channel or address belongs to another, is left for the caller to write by itself; so is every opening of a
 * statement in which one could not be stored.
 *
 * A "requested" opening counts as an open channel before and after, so the statement touches no row of an account. It
 * only takes the locks under which events are numbered, in the order of the accounts, and after those of the swaps'
 * rows, as all transactions do.
 */
export const makeOpenedTogether = ({ op, sql }: Tools, gathering: Gathering) => {
  const write = op("opened", function* (endings: ReadonlyArray<Ending>, locks: Locks) {
    const ended = yield* Effect.forEach(endings, toOpenedRow)
    const written = yield* openedRows.all(
      sql`
        WITH ending AS MATERIALIZED (
          SELECT * FROM jsonb_to_recordset(${JSON.stringify(ended)}::jsonb) AS ending (
            id bigint, issued_block bigint, network text, channel_id bigint, deposit_address text,
            source_expiry_block bigint, is_unique boolean, opening_fee numeric, state text, status text,
            at timestamptz, next timestamptz, stalls timestamptz, events jsonb, payload text,
            answer_status int, answer_body text
          )
        ), requested AS MATERIALIZED (
          SELECT swaps.id, account_id FROM swaps JOIN ending ON ending.id = swaps.id
          WHERE opening = 'requested' ORDER BY swaps.id FOR NO KEY UPDATE OF swaps ${skipping(sql, locks)}
        ), account AS MATERIALIZED (
          SELECT account_id, ${sql.literal(lockOf[locks]("account_id"))} AS is_locked
          FROM (SELECT DISTINCT account_id FROM requested ORDER BY account_id) AS account
        ), opening AS (
          UPDATE swaps SET
            opening = 'opened', opening_failure = NULL,
            issued_block = ending.issued_block, network = ending.network, channel_id = ending.channel_id,
            deposit_address = ending.deposit_address, source_expiry_block = ending.source_expiry_block,
            unique_address = CASE WHEN is_unique THEN ending.deposit_address END,
            opening_fee = ending.opening_fee, state = ending.state, status = ending.status::jsonb,
            updated_at = at, looked_up_at = at, next_lookup_at = next, stalls_at = stalls
          FROM ending
            JOIN requested ON requested.id = ending.id
            JOIN account ON account.account_id = requested.account_id AND is_locked
          WHERE swaps.id = ending.id
          RETURNING swaps.id, swaps.account_id
        ), key AS (
          UPDATE idempotency_keys SET answer_status = ending.answer_status, answer_body = ending.answer_body
          FROM opening JOIN ending ON ending.id = opening.id
          WHERE swap_id = opening.id AND idempotency_keys.answer_status IS NULL
            AND ending.answer_status IS NOT NULL
        ), journal AS (
          INSERT INTO swap_journal (swap_id, kind, recorded_at, status)
          SELECT opening.id, 'opened', at, status::jsonb
          FROM opening JOIN ending ON ending.id = opening.id ORDER BY opening.id
        ), told AS (
          INSERT INTO outbox (account_id, swap_id, type, payload, created_at)
          SELECT account_id, opening.id, event.type, payload, at
          FROM opening
            JOIN ending ON ending.id = opening.id
            CROSS JOIN LATERAL jsonb_array_elements_text(events) WITH ORDINALITY AS event (type, place)
          ORDER BY opening.id, event.place
        )
        SELECT requested.id, requested.account_id, opening.id IS NOT NULL AS is_written
        FROM requested LEFT JOIN opening ON opening.id = requested.id`,
    )
    const found = new Map(written.map((row) => [row.id, row]))
    return ({ id }: Ending) => Option.fromUndefinedOr(found.get(id))
  })

  const writtenAlone = () => Result.succeed(Option.none<AccountId>())

  return makeBatchedInLanes(
    {
      writeFree: (endings: ReadonlyArray<Ending>) =>
        orWhereOneDies(
          Effect.map(write(endings, "skip"), (rowOf) =>
            flow(
              rowOf,
              Option.match({
                onNone: writtenAlone,
                onSome: ({ account_id, is_written }) =>
                  is_written ? Result.succeed(Option.some(account_id)) : Result.fail(account_id),
              }),
            )),
          writtenAlone,
        ),
      writeWaiting: (endings) =>
        orWhereOneDies(
          Effect.map(write(endings, "await"), (rowOf) =>
            flow(rowOf, Option.map(({ account_id }) => account_id))),
          Option.none<AccountId>,
        ),
    },
    mostAtOnce,
    gathering,
  )
}
