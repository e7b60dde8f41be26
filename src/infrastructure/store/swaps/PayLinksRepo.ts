import type { AccountId } from "#domain/accounts/Account.ts"
import type { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { toTimestamp } from "../database/columns.ts"
import { repository, rowsAs } from "../database/repository.ts"
import { standingColumns, StandingSwapRow, toStandingSwap } from "./standing.ts"

const linkedSwaps = rowsAs(StandingSwapRow, toStandingSwap)

/** A link to the payer's page of a swap. */
export interface NewPayLink {
  /** The SHA-256 of its token. */
  readonly tokenHash: Uint8Array
  readonly swap: SwapRecordId
  /** Of several links of a swap the latest so many are kept. */
  readonly most: number
}

export class PayLinksRepo extends repository<PayLinksRepo>()("PayLinks", ({ op, sql }) => {
  const columns = sql.literal(standingColumns)

  return {
    /** Adds a link to a swap of the account's; false where the account has no such swap. */
    add: op("add", function* (account: AccountId, { most, swap, tokenHash }: NewPayLink, now: EpochMillis) {
      const added = yield* sql`
        INSERT INTO pay_links (token_hash, swap_id, created_at)
        SELECT ${tokenHash}::bytea, id, ${toTimestamp(now)}::timestamptz FROM swaps
        WHERE id = ${swap} AND account_id = ${account} AND state IS NOT NULL
        RETURNING swap_id`
      yield* sql`
        DELETE FROM pay_links WHERE swap_id = ${swap} AND token_hash IN (
          SELECT token_hash FROM pay_links WHERE swap_id = ${swap}
          ORDER BY created_at DESC, token_hash OFFSET ${most})`
      return added.length > 0
    }),

    /** The swap of the link with a token of this hash, if it or its swap was new or looked up since then. */
    find: op("find", (tokenHash: Uint8Array, since: EpochMillis) =>
      linkedSwaps.first(sql`
        SELECT swaps.id, platform, status, ${columns} FROM pay_links JOIN swaps ON swaps.id = swap_id
        WHERE token_hash = ${tokenHash} AND state IS NOT NULL
          AND greatest(pay_links.created_at, swaps.updated_at) > ${toTimestamp(since)}`)),
  }
}) {}
