import { Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, SqlError, type Statement } from "effect/sql"
import { AccountId, AccountName } from "../../domain/Account.ts"
import { isKept, type WrittenAnswer } from "../../domain/Idempotency.ts"
import { JournalNote } from "../../domain/Journal.ts"
import { TooManyOpenChannels } from "../../domain/Channel.ts"
import { ProviderName } from "../../domain/ProviderName.ts"
import type { StoreUnavailable } from "../../domain/StoreError.ts"
import { SwapRecordId } from "../../domain/SwapRecord.ts"
import type { EpochMillis } from "../../domain/Time.ts"
import { encodeStatus, toNullable, toTimestamp, WholeNumber } from "../database/columns.ts"
import { storeOperation } from "../database/storeOperation.ts"
import { Gathering } from "../database/batched.ts"
import { JournalRepo } from "./JournalRepo.ts"
import { type NewOpening, swapIds } from "./newOpening.ts"
import { type FinishedOpening, makeOpenedTogether, makeRequestTogether } from "./openingsTogether.ts"
import { OutboxRepo } from "./OutboxRepo.ts"

/**
 * The part of a statement that settles the keys of its table expression `opening`: a key stands for the answer, or
 * becomes free again if the answer is not kept.
 */
const keyOutcome = (sql: SqlClient.SqlClient, answer: WrittenAnswer): Statement.Fragment =>
  isKept(answer)
    ? sql`
      UPDATE idempotency_keys SET answer_status = ${answer.status}, answer_body = ${answer.body}
      FROM opening WHERE swap_id = opening.id AND answer_status IS NULL`
    : sql`DELETE FROM idempotency_keys USING opening WHERE swap_id = opening.id AND answer_status IS NULL`

const decodeOpened = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({
  id: WholeNumber.pipe(Schema.decodeTo(SwapRecordId)),
  account_id: WholeNumber.pipe(Schema.decodeTo(AccountId)),
  platform: ProviderName,
})))

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

/** Whether the row was written. */
const decodeOpenChannels = Schema.decodeUnknownEffect(
  Schema.NonEmptyArray(Schema.Struct({ open_channels: Schema.Int })),
)

type Written = Effect.Effect<boolean, StoreUnavailable>

const decodeGivenUp = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({
  id: WholeNumber.pipe(Schema.decodeTo(SwapRecordId)),
  account: AccountName,
  platform: ProviderName,
})))

type GivenUp = Effect.Effect<Effect.Success<ReturnType<typeof decodeGivenUp>>, StoreUnavailable>

/**
 * The openings of channels. A row is written before the provider is asked, so that no channel can exist without a trace
 * here. The end of an opening also settles its key, in the same statement; `answer` is the caller's answer, if there is
 * a key.
 */
export class OpeningsRepo extends Context.Service<OpeningsRepo, {
  /** Records that a channel is about to be asked for; it counts as open from here on. */
  readonly request: (
    opening: NewOpening,
  ) => Effect.Effect<SwapRecordId, StoreUnavailable | TooManyOpenChannels>
  /** How many channels the account has open. */
  readonly openChannels: (account: AccountId) => Effect.Effect<number, StoreUnavailable>
  /**
   * Records that another provider is asked, because the one before provably did nothing. It may be asked only if the
   * row was written, as another process may have given the opening up meanwhile.
   */
  readonly retarget: (id: SwapRecordId, platform: ProviderName, leaseUntil: EpochMillis) => Written
  /**
   * Records the opened channel, with the first entry of the swap's journal. Can be repeated, and overrides "unknown",
   * which may have been recorded in between.
   */
  readonly opened: (
    id: SwapRecordId,
    opening: FinishedOpening,
    answer?: WrittenAnswer,
  ) => Effect.Effect<boolean, StoreUnavailable | ChannelTaken>
  /** Records that provably nothing was opened; also overrides "unknown". */
  readonly refused: (id: SwapRecordId, failure: string, answer?: WrittenAnswer) => Written
  /** Records that the outcome is unknown: there may be an unrecorded channel. Only the operator sees this. */
  readonly unknown: (id: SwapRecordId, failure: string) => Written
  /** Declares unknown every request whose lease has ended, because the process that made it is gone. */
  readonly giveUpLapsed: (now: EpochMillis) => GivenUp
  /** Declares every request unknown. Only for a sole process, before it makes any. */
  readonly giveUpAll: GivenUp
}>()("swap-broker/store/OpeningsRepo") {
  static readonly layer = Layer.effect(
    OpeningsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const gathering = yield* Gathering
      const journal = yield* JournalRepo
      const outbox = yield* OutboxRepo

      const any = (statement: Statement.Statement<unknown>) =>
        Effect.map(swapIds(statement), (ids) => ids.length > 0)

      const requestTogether = makeRequestTogether(sql, gathering)
      const openedTogether = makeOpenedTogether(sql, gathering)

      const request = Effect.fnUntraced(function* (opening: NewOpening) {
        return yield* Effect.mapError(
          Effect.fromOption(yield* requestTogether(opening)),
          () => new TooManyOpenChannels({ most: opening.openChannelsMost }),
        )
      })

      const openChannels = Effect.fnUntraced(function* (account: AccountId) {
        const rows = yield* sql`SELECT open_channels FROM accounts WHERE id = ${account}`
        const [{ open_channels }] = yield* decodeOpenChannels(rows)
        return open_channels
      }, storeOperation("Swaps.openChannels"))

      const retarget = (id: SwapRecordId, platform: ProviderName, leaseUntil: EpochMillis) =>
        any(sql`
          UPDATE swaps SET platform = ${platform}, opening_lease_until = ${toTimestamp(leaseUntil)}
          WHERE id = ${id} AND opening = 'requested'
          RETURNING id`)
          .pipe(storeOperation("Swaps.retarget"))

      /** The update of a row that ends its opening, with the settling of its key. */
      const ending = (update: Statement.Fragment, answer: WrittenAnswer | undefined) =>
        answer === undefined
          ? sql`WITH opening AS (${update}) SELECT * FROM opening`
          : sql`WITH opening AS (${update}), key AS (${keyOutcome(sql, answer)}) SELECT * FROM opening`

      const finish = Effect.fnUntraced(
        function* (id: SwapRecordId, opening: FinishedOpening, answer?: WrittenAnswer) {
          const { channel, status } = opening
          const at = toTimestamp(opening.at)
          const update = sql`
            UPDATE swaps SET
              opening = 'opened', opening_failure = NULL,
              issued_block = ${channel.id.issuedBlock}, network = ${channel.id.network},
              channel_id = ${channel.id.channelId}, deposit_address = ${channel.depositAddress},
              source_expiry_block = ${channel.sourceExpiryBlock},
              unique_address = ${opening.isAddressUnique === true ? channel.depositAddress : null}::text,
              opening_fee = ${channel.openingFee.toString()}::numeric,
              state = ${status.state}, status = ${yield* encodeStatus(status)},
              updated_at = ${at}, looked_up_at = ${at}, next_lookup_at = ${toTimestamp(opening.nextLookupAt)},
              stalls_at = ${toNullable(opening.stallsAt)}::timestamptz
            WHERE id = ${id} AND opening IN ('requested', 'unknown')
            RETURNING id, account_id, platform`
          return yield* decodeOpened(yield* ending(update, answer))
        },
        Effect.catchIf(
          (error) => error instanceof SqlError.SqlError && isChannelTaken(error),
          () => Effect.succeed("taken" as const),
        ),
        storeOperation("Swaps.opened"),
        Effect.filterOrFail((rows) => rows !== "taken", () => new ChannelTaken()),
      )

      /** Whether the opening was written before, and only the database's answer was lost. */
      const isOpened = (id: SwapRecordId, { channel }: FinishedOpening) =>
        any(sql`
          SELECT id FROM swaps
          WHERE id = ${id} AND opening = 'opened' AND deposit_address = ${channel.depositAddress}
            AND channel_id = ${channel.id.channelId} AND issued_block = ${channel.id.issuedBlock}`)
          .pipe(storeOperation("Swaps.opened"))

      /** The key of an opening that was recorded without its answer. */
      const settleKey = (id: SwapRecordId, answer: WrittenAnswer) =>
        sql`WITH opening AS (SELECT ${id}::bigint AS id) ${keyOutcome(sql, answer)}`
          .pipe(storeOperation("Swaps.opened"))

      /** Writes one opening by itself, whatever the row's present outcome is. */
      const openedAlone = (id: SwapRecordId, opening: FinishedOpening, answer?: WrittenAnswer) =>
        journal.recorded(
          "Swaps.opened",
          Effect.gen(function* () {
            const [row] = yield* finish(id, opening, answer)
            if (row === undefined) {
              const value = yield* isOpened(id, opening)
              if (value && answer !== undefined) yield* settleKey(id, answer)
              return { value, happened: [] }
            }
            const { at, events, status } = opening
            const record = { id, platform: row.platform, status }
            const note = JournalNote.Change({ kind: "opened", status })
            return { value: true, happened: [{ accountId: row.account_id, record, at, note, events }] }
          }),
        )

      const opened = Effect.fnUntraced(
        function* (id: SwapRecordId, opening: FinishedOpening, answer?: WrittenAnswer) {
          const { platform, status } = opening
          const payload = yield* outbox.textOf({ id, platform, status })
          const account = answer === undefined || isKept(answer)
            ? yield* openedTogether({ id, opening, payload, answer })
            : Option.none()
          if (Option.isNone(account)) return yield* openedAlone(id, opening, answer)
          if (opening.events.length > 0) outbox.doorbell.ring(account.value)
          return true
        },
      )

      const refused = (id: SwapRecordId, failure: string, answer?: WrittenAnswer) => {
        const update = sql`
          UPDATE swaps SET opening = 'refused', opening_failure = ${failure}
          WHERE id = ${id} AND opening IN ('requested', 'unknown')
          RETURNING id`
        return any(ending(update, answer)).pipe(storeOperation("Swaps.refused"))
      }

      const unknown = (id: SwapRecordId, failure: string) =>
        any(sql`
          UPDATE swaps SET opening = 'unknown', opening_failure = ${failure}
          WHERE id = ${id} AND opening = 'requested'
          RETURNING id`)
          .pipe(storeOperation("Swaps.unknown"))

      const giveUp = (which: Statement.Fragment): GivenUp =>
        Effect.flatMap(
          sql`
            UPDATE swaps SET opening = 'unknown', opening_failure = 'The process ended before the answer'
            WHERE opening = 'requested' AND ${which}
            RETURNING id, platform, (SELECT name FROM accounts WHERE accounts.id = account_id) AS account`,
          decodeGivenUp,
        ).pipe(storeOperation("Swaps.giveUp"))

      return OpeningsRepo.of({
        request,
        openChannels,
        retarget,
        opened,
        refused,
        unknown,
        giveUpLapsed: (now) => giveUp(sql`opening_lease_until <= ${toTimestamp(now)}`),
        giveUpAll: giveUp(sql`true`),
      })
    }),
  )
}
