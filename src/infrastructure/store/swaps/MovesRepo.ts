import { Schema } from "effect"
import { AccountId, AccountName } from "#domain/accounts/Account.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { type SwapRecord, SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { idOf, StatusJson, toTimestamp } from "../database/columns.ts"
import { repository, rowsAs } from "../database/repository.ts"

export interface OwnedSwap {
  readonly accountId: AccountId
  readonly accountName: AccountName
  readonly record: SwapRecord
}

const ownedSwaps = rowsAs(
  Schema.Struct({
    accountId: idOf(AccountId),
    accountName: AccountName,
    id: idOf(SwapRecordId),
    platform: ProviderName,
    status: StatusJson,
  }),
  ({ accountId, accountName, ...record }): OwnedSwap => ({ accountId, accountName, record }),
)

/** Moves swaps between accounts within a transaction; an `Idempotency-Key` stays with its account. */
export class MovesRepo extends repository<MovesRepo>()("Moves", ({ op, sql }) => ({
  /** A visible swap, locked until the end of the transaction. */
  lock: op("lock", (id: SwapRecordId) =>
    ownedSwaps.first(sql`
      SELECT account_id AS "accountId", accounts.name AS "accountName", swaps.id, platform, status
      FROM swaps JOIN accounts ON accounts.id = account_id
      WHERE swaps.id = ${id} AND state IS NOT NULL
      FOR UPDATE OF swaps`)),

  /** Moves a swap and all of it. Deliveries to the former account are dropped; a look-up under way is repeated. */
  move: op(
    "move",
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
  ),
})) {}
