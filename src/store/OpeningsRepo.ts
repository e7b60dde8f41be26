import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { AccountId } from "../domain/Account.ts"
import type { DepositChannel } from "../domain/Channel.ts"
import type { ProviderName } from "../domain/ProviderName.ts"
import type { StoreUnavailable } from "../domain/StoreError.ts"
import type { SwapStatus } from "../domain/Swap.ts"
import { SwapRecordId } from "../domain/SwapRecord.ts"
import type { SwapRequest } from "../domain/SwapRequest.ts"
import type { EpochMillis } from "../domain/Time.ts"
import { encodeRequest, encodeStatus, toTimestamp, WholeNumber } from "./columns.ts"
import { storeOperation } from "./storeOperation.ts"

/** A channel that is about to be asked for. */
export interface NewOpening {
  readonly accountId: AccountId
  readonly platform: ProviderName
  readonly request: SwapRequest
  readonly at: EpochMillis
}

/** A channel that was opened, as it goes into the records. */
export interface FinishedOpening {
  readonly channel: DepositChannel
  readonly status: SwapStatus
  readonly at: EpochMillis
  readonly nextLookupAt: EpochMillis
}

const decodeIds = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ id: WholeNumber.pipe(Schema.decodeTo(SwapRecordId)) })),
)

/**
 * The opening of channels in the database. A row is written before the provider is asked, so that no channel
 * can come into being without a trace here.
 */
export class OpeningsRepo extends Context.Service<OpeningsRepo, {
  /** Writes down that a channel is about to be asked for. */
  readonly request: (opening: NewOpening) => Effect.Effect<SwapRecordId, StoreUnavailable>
  /** Another provider is asked, because the one before provably did nothing. */
  readonly retarget: (id: SwapRecordId, platform: ProviderName) => Effect.Effect<void, StoreUnavailable>
  /** The channel is open. Can be repeated; wins over "unknown", which may have been said in between. */
  readonly opened: (id: SwapRecordId, opening: FinishedOpening) => Effect.Effect<void, StoreUnavailable>
  /** Provably nothing was opened. */
  readonly refused: (id: SwapRecordId, failure: string) => Effect.Effect<void, StoreUnavailable>
  /** There may be a channel that we know nothing of; for the operator, never shown to a caller. */
  readonly unknown: (id: SwapRecordId, failure: string) => Effect.Effect<void, StoreUnavailable>
  /** Declares every request from before a time unknown: the process that made it is gone. */
  readonly giveUpBefore: (time: EpochMillis) => Effect.Effect<ReadonlyArray<SwapRecordId>, StoreUnavailable>
}>()("swap-broker/store/OpeningsRepo") {
  static readonly layer = Layer.effect(
    OpeningsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const request = Effect.fnUntraced(function* (opening: NewOpening) {
        const at = toTimestamp(opening.at)
        const rows = yield* sql`
          INSERT INTO swaps (account_id, platform, opening, request, created_at, updated_at)
          VALUES (${opening.accountId}, ${opening.platform}, 'requested',
            ${yield* encodeRequest(opening.request)}, ${at}, ${at})
          RETURNING id`
        const [row] = yield* decodeIds(rows)
        return row === undefined ? yield* Effect.die("The database did not give the new row's id") : row.id
      }, storeOperation("Swaps.request"))

      const retarget = Effect.fnUntraced(function* (id: SwapRecordId, platform: ProviderName) {
        yield* sql`UPDATE swaps SET platform = ${platform} WHERE id = ${id} AND opening = 'requested'`
      }, storeOperation("Swaps.retarget"))

      const opened = Effect.fnUntraced(function* (id: SwapRecordId, opening: FinishedOpening) {
        const { channel, status } = opening
        const at = toTimestamp(opening.at)
        yield* sql`
          UPDATE swaps SET
            opening = 'opened', opening_failure = NULL,
            issued_block = ${channel.id.issuedBlock}, network = ${channel.id.network},
            channel_id = ${channel.id.channelId}, deposit_address = ${channel.depositAddress},
            source_expiry_block = ${channel.sourceExpiryBlock},
            opening_fee = ${channel.openingFee.toString()}::numeric,
            state = ${status.state}, status = ${yield* encodeStatus(status)},
            updated_at = ${at}, looked_up_at = ${at}, next_lookup_at = ${toTimestamp(opening.nextLookupAt)}
          WHERE id = ${id} AND opening IN ('requested', 'unknown')`
      }, storeOperation("Swaps.opened"))

      const failed = (opening: "refused" | "unknown") =>
        Effect.fnUntraced(function* (id: SwapRecordId, failure: string) {
          yield* sql`
            UPDATE swaps SET opening = ${opening}, opening_failure = ${failure}
            WHERE id = ${id} AND opening = 'requested'`
        }, storeOperation(`Swaps.${opening}`))

      const giveUpBefore = Effect.fnUntraced(function* (time: EpochMillis) {
        const rows = yield* sql`
          UPDATE swaps SET opening = 'unknown', opening_failure = 'The process ended before the answer'
          WHERE opening = 'requested' AND created_at < ${toTimestamp(time)}
          RETURNING id`
        return (yield* decodeIds(rows)).map((row) => row.id)
      }, storeOperation("Swaps.giveUpBefore"))

      return OpeningsRepo.of({
        request,
        retarget,
        opened,
        refused: failed("refused"),
        unknown: failed("unknown"),
        giveUpBefore,
      })
    }),
  )
}
