import { Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { AccountId, AccountName } from "../../domain/Account.ts"
import { ProviderName } from "../../domain/ProviderName.ts"
import type { StoreUnavailable } from "../../domain/StoreError.ts"
import type { SwapRecord, SwapRecordId } from "../../domain/SwapRecord.ts"
import type { EpochMillis } from "../../domain/Time.ts"
import { StatusJson, toTimestamp, WholeNumber } from "../database/columns.ts"
import { storeOperation } from "../database/storeOperation.ts"

/** A swap and the account that owns it. */
export interface OwnedSwap {
  readonly accountId: AccountId
  readonly accountName: AccountName
  readonly record: SwapRecord
}

const decodeOwned = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({
  account_id: WholeNumber.pipe(Schema.decodeTo(AccountId)),
  name: AccountName,
  platform: ProviderName,
  status: StatusJson,
})))

/**
 * Moves swaps from one account to another, within a transaction of the caller's. The journal belongs to the swap alone,
 * and a trigger adjusts the count of open channels. An `Idempotency-Key` stays with the account that sent it: it gets
 * its own answer again, and never opens a second channel.
 */
export class MovesRepo extends Context.Service<MovesRepo, {
  /** A visible swap, locked until the end of the transaction. */
  readonly lock: (swap: SwapRecordId) => Effect.Effect<Option.Option<OwnedSwap>, StoreUnavailable>
  /**
   * Moves a swap with its deposits, commissions, ends and events. Pending webhook deliveries to the former account are
   * dropped. The result of a look-up under way is discarded, and the look-up is repeated at once.
   */
  readonly move: (
    swap: OwnedSwap,
    to: AccountId,
    at: EpochMillis,
  ) => Effect.Effect<void, StoreUnavailable>
}>()("swap-broker/store/MovesRepo") {
  static readonly layer = Layer.effect(
    MovesRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const lock = Effect.fnUntraced(function* (id: SwapRecordId) {
        const rows = yield* sql`
          SELECT account_id, accounts.name, platform, status
          FROM swaps JOIN accounts ON accounts.id = account_id
          WHERE swaps.id = ${id} AND state IS NOT NULL
          FOR UPDATE OF swaps`
        return Option.map(
          Option.fromUndefinedOr((yield* decodeOwned(rows))[0]),
          ({ account_id: accountId, name: accountName, platform, status }) => ({
            accountId,
            accountName,
            record: { id, platform, status },
          }),
        )
      }, storeOperation("Moves.lock"))

      const move = Effect.fnUntraced(
        function* ({ accountId: from, record: { id } }: OwnedSwap, to: AccountId, at: EpochMillis) {
          // Counts and sums of both accounts change: two moves in opposite directions must not wait for each other.
          yield* sql`SELECT lock_accounts(${[from, to]}::bigint[])`
          yield* sql`
            UPDATE swaps SET lookup_owner = NULL, lookups_begun = lookups_begun + 1,
              next_lookup_at = least(next_lookup_at, ${toTimestamp(at)})
            WHERE id = ${id}`
          // A statement of its own: a swap that was not followed counts as an open channel only after the one before.
          yield* sql`UPDATE swaps SET account_id = ${to} WHERE id = ${id}`
          yield* sql`UPDATE swap_deposits SET account_id = ${to} WHERE swap_id = ${id}`
          yield* sql`UPDATE commissions SET account_id = ${to} WHERE swap_id = ${id}`
          yield* sql`UPDATE swap_ends SET account_id = ${to} WHERE swap_id = ${id}`
          // The lock keeps others from making deliveries for the former account while its events are moved.
          yield* sql`SELECT id FROM webhooks WHERE account_id = ${from} ORDER BY id FOR NO KEY UPDATE`
          yield* sql`UPDATE outbox SET account_id = ${to} WHERE swap_id = ${id}`
          yield* sql`
            DELETE FROM webhook_deliveries
            WHERE swap_id = ${id} AND state = 'pending'
              AND webhook_id IN (SELECT id FROM webhooks WHERE account_id = ${from})`
        },
        storeOperation("Moves.move"),
      )

      return MovesRepo.of({ lock, move })
    }),
  )
}
