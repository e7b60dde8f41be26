import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { AccountId } from "#domain/accounts/Account.ts"
import type { SwapStatus } from "#domain/swaps/Swap.ts"
import { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { encodeStatus } from "#infrastructure/store/database/columns.ts"

/** A swap as it is written into its row. */
export interface NewSwap {
  readonly account: AccountId
  readonly status: SwapStatus
  readonly platform?: string
  readonly createdAt?: string
  readonly isStalled?: boolean
  readonly isOpen?: boolean
}

/** Writes a row as a repository would; the database does the rest. */
export const insertSwap = Effect.fnUntraced(
  function* ({ account, createdAt = "2026-05-05T12:00:00Z", isOpen, isStalled, platform, status }: NewSwap) {
    const sql = yield* SqlClient.SqlClient
    const channel = status.depositChannel
    const [row] = yield* sql<{ readonly id: bigint }>`
      INSERT INTO swaps (account_id, platform, opening, request, state, status, created_at, updated_at, stalled_since,
        issued_block, network, channel_id, deposit_address, shares_channel, next_lookup_at)
      VALUES (${account}, ${platform ?? "chainflip"}, 'opened', '{}', ${status.state}, ${yield* encodeStatus(
      status,
    )},
        ${createdAt}, ${createdAt}, ${isStalled === true ? createdAt : null}, ${
      channel?.id.issuedBlock ?? null
    },
        ${channel?.id.network ?? null}, ${channel?.id.channelId ?? null}, ${
      channel?.depositAddress ?? null
    }, true,
        ${isOpen === true ? createdAt : null})
      RETURNING id`
    return SwapRecordId.make(Number(row?.id ?? 0n))
  },
)

/** Gives a swap another status, as a look-up that brings news does. */
export const changeSwap = Effect.fnUntraced(function* (id: SwapRecordId, status: SwapStatus) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    UPDATE swaps SET state = ${status.state}, status = ${yield* encodeStatus(status)}, changed_at = now()
    WHERE id = ${id}`
})
