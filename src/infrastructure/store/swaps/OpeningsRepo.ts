import { Effect, Option, Schema } from "effect"
import { type SqlClient, SqlError, type Statement } from "effect/sql"
import { AccountId, AccountName } from "#domain/accounts/Account.ts"
import { TooManyOpenChannels } from "#domain/swaps/Channel.ts"
import { isKept, type WrittenAnswer } from "#domain/swaps/Idempotency.ts"
import { JournalNote } from "#domain/swaps/Journal.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { Gathering } from "../database/batched.ts"
import { encodeStatus, idOf, toNullable, toTimestamp } from "../database/columns.ts"
import { any, column, repository, rows } from "../database/repository.ts"
import { JournalRepo } from "./JournalRepo.ts"
import type { NewOpening } from "./newOpening.ts"
import { type FinishedOpening, makeOpenedTogether, makeRequestTogether } from "./openingsTogether.ts"
import { OutboxRepo } from "./OutboxRepo.ts"

/** Settles the keys of `opening`: a key keeps the response, or is free if that is not kept. */
const keyOutcome = (sql: SqlClient.SqlClient, answer: WrittenAnswer): Statement.Fragment =>
  isKept(answer)
    ? sql`
      UPDATE idempotency_keys SET answer_status = ${answer.status}, answer_body = ${answer.body}
      FROM opening WHERE swap_id = opening.id AND answer_status IS NULL`
    : sql`DELETE FROM idempotency_keys USING opening WHERE swap_id = opening.id AND answer_status IS NULL`

const openedRows = rows(
  Schema.Struct({ id: idOf(SwapRecordId), account_id: idOf(AccountId), platform: ProviderName }),
)
const givenUp = rows(Schema.Struct({ id: idOf(SwapRecordId), account: AccountName, platform: ProviderName }))
const counts = column(Schema.Int)

/** The upstream gave this channel out before: its deposits may belong to another swap. */
export class ChannelTaken extends Schema.TaggedError<ChannelTaken>()("ChannelTaken", {}) {
  override get message(): string {
    return "The upstream gave this channel out before: its deposits may be another swap's"
  }
}

/** The indexes that give each channel, and each address that is given out only once, to a single swap. */
const owners = ["swaps_channel_owner", "swaps_address_owner"]

const isChannelTaken = ({ reason }: SqlError.SqlError): boolean =>
  reason._tag === "UniqueViolation" && owners.includes(reason.constraint)

/**
 * The openings of channels. A row is written before the provider is asked, so that no channel can exist without a trace
 * here. The end of an opening also settles its key, in the same statement; `answer` is the caller's answer, if there is
 * a key. Operations that write say whether they wrote the row.
 */
export class OpeningsRepo extends repository<OpeningsRepo>()("Openings", (tools) =>
  Effect.gen(function* () {
    const { op, sql } = tools
    const gathering = yield* Gathering
    const journal = yield* JournalRepo
    const outbox = yield* OutboxRepo

    const requestTogether = makeRequestTogether(tools, gathering)
    const openedTogether = makeOpenedTogether(tools, gathering)

    /** The update of a row that ends its opening, with the settling of its key. */
    const ending = (update: Statement.Fragment, answer: WrittenAnswer | undefined) =>
      answer === undefined
        ? sql`WITH opening AS (${update}) SELECT * FROM opening`
        : sql`WITH opening AS (${update}), key AS (${keyOutcome(sql, answer)}) SELECT * FROM opening`

    const finish = op("opened", (id: SwapRecordId, opening: FinishedOpening, answer?: WrittenAnswer) => {
      const { channel, status } = opening
      const at = toTimestamp(opening.at)
      return Effect.flatMap(encodeStatus(status), (json) => {
        const update = sql`
          UPDATE swaps SET
            opening = 'opened', opening_failure = NULL,
            issued_block = ${channel.id.issuedBlock}, network = ${channel.id.network},
            channel_id = ${channel.id.channelId}, deposit_address = ${channel.depositAddress},
            source_expiry_block = ${channel.sourceExpiryBlock},
            unique_address = ${opening.isAddressUnique === true ? channel.depositAddress : null}::text,
            opening_fee = ${channel.openingFee.toString()}::numeric,
            state = ${status.state}, status = ${json},
            updated_at = ${at}, looked_up_at = ${at}, next_lookup_at = ${toTimestamp(opening.nextLookupAt)},
            stalls_at = ${toNullable(opening.stallsAt)}::timestamptz
          WHERE id = ${id} AND opening IN ('requested', 'unknown')
          RETURNING id, account_id, platform`
        return openedRows.all(ending(update, answer))
      }).pipe(Effect.catchIf(
        (error) => error instanceof SqlError.SqlError && isChannelTaken(error),
        () => Effect.succeed("taken" as const),
      ))
    })

    /** Whether the opening was written before, and only the database's answer was lost. */
    const isOpened = op("opened", (id: SwapRecordId, { channel }: FinishedOpening) =>
      any(sql`
        SELECT id FROM swaps
        WHERE id = ${id} AND opening = 'opened' AND deposit_address = ${channel.depositAddress}
          AND channel_id = ${channel.id.channelId} AND issued_block = ${channel.id.issuedBlock}`))

    /** The key of an opening that was recorded without its answer. */
    const settleKey = op("opened", (id: SwapRecordId, answer: WrittenAnswer) =>
      sql`WITH opening AS (SELECT ${id}::bigint AS id) ${keyOutcome(sql, answer)}`)

    /** Writes one opening by itself, whatever the row's present outcome is. */
    const openedAlone = (id: SwapRecordId, opening: FinishedOpening, answer?: WrittenAnswer) =>
      journal.recorded("Openings.opened", function* () {
        const found = yield* finish(id, opening, answer)
        if (found === "taken") {
          return yield* new ChannelTaken()
        }
        const [row] = found
        if (row === undefined) {
          const value = yield* isOpened(id, opening)
          if (value && answer !== undefined) {
            yield* settleKey(id, answer)
          }
          return { value, happened: [] }
        }
        const { at, events, status } = opening
        const record = { id, platform: row.platform, status }
        const note = JournalNote.Change({ kind: "opened", status })
        return { value: true, happened: [{ accountId: row.account_id, record, at, note, events }] }
      })

    const giveUp = (which: Statement.Fragment) =>
      givenUp.all(sql`
        UPDATE swaps SET opening = 'unknown', opening_failure = 'The process ended before the answer'
        WHERE opening = 'requested' AND ${which}
        RETURNING id, platform, (SELECT name FROM accounts WHERE accounts.id = account_id) AS account`)

    return {
      /** Records that a channel is about to be asked for; it counts as open from here on. */
      request: Effect.fnUntraced(function* (opening: NewOpening) {
        return yield* Effect.mapError(
          Effect.fromOption(yield* requestTogether(opening)),
          () =>
            new TooManyOpenChannels({ most: opening.openChannelsMost }),
        )
      }),

      openChannels: op("openChannels", (account: AccountId) =>
        counts.only(sql`SELECT open_channels FROM accounts WHERE id = ${account}`)),

      /** Records the next provider to ask; to be asked only if the row was written. */
      retarget: op("retarget", (id: SwapRecordId, platform: ProviderName, leaseUntil: EpochMillis) =>
        any(sql`
          UPDATE swaps SET platform = ${platform}, opening_lease_until = ${toTimestamp(leaseUntil)}
          WHERE id = ${id} AND opening = 'requested'
          RETURNING id`)),

      /** Records the opened channel and the first journal entry; repeatable, and overrides "unknown". */
      opened: Effect.fnUntraced(function* (
        id: SwapRecordId,
        opening: FinishedOpening,
        answer?: WrittenAnswer,
      ) {
        const { platform, status } = opening
        const payload = yield* outbox.textOf({ id, platform, status })
        const account = answer === undefined || isKept(answer)
          ? yield* openedTogether({ id, opening, payload, answer })
          : Option.none()
        if (Option.isNone(account)) {
          return yield* openedAlone(id, opening, answer)
        }
        if (opening.events.length > 0) {
          outbox.doorbell.ring(account.value)
        }
        return true
      }),

      /** Records that provably nothing was opened; also overrides "unknown". */
      refused: op("refused", (id: SwapRecordId, failure: string, answer?: WrittenAnswer) => {
        const update = sql`
          UPDATE swaps SET opening = 'refused', opening_failure = ${failure}
          WHERE id = ${id} AND opening IN ('requested', 'unknown')
          RETURNING id`
        return any(ending(update, answer))
      }),

      /** Records that the outcome is unknown: there may be an unrecorded channel. Only the operator sees this. */
      unknown: op("unknown", (id: SwapRecordId, failure: string) =>
        any(sql`
          UPDATE swaps SET opening = 'unknown', opening_failure = ${failure}
          WHERE id = ${id} AND opening = 'requested'
          RETURNING id`)),

      /** Declares unknown every request whose lease has ended, because the process that made it is gone. */
      giveUpLapsed: op("giveUpLapsed", (now: EpochMillis) =>
        giveUp(sql`opening_lease_until <= ${toTimestamp(now)}`)),

      /** Declares every request unknown. Only for a sole process, before it makes any. */
      giveUpAll: op("giveUpAll", giveUp(sql`true`)),
    }
  })) {}
