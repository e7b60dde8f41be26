import { Effect, Option } from "effect"
import type { Statement } from "effect/sql"
import type { AccountId } from "#domain/accounts/Account.ts"
import { JournalNote } from "#domain/swaps/Journal.ts"
import type { SwapStatus } from "#domain/swaps/Swap.ts"
import type { SwapRecord, SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { encodeStatus, toNullable, toTimestamp } from "../database/columns.ts"
import { repository } from "../database/repository.ts"
import { JournalRepo } from "./JournalRepo.ts"
import { swapIds } from "./newOpening.ts"
import { findableReferences } from "./transactionReference.ts"
import type { FoundVaultSwap } from "./VaultSwapsRepo.ts"

/** A swap that a further deposit to a channel became, to be recorded. */
export type FoundLaterSwap = Omit<FoundVaultSwap, "transaction">

/** A swap of the account, whose channel got another deposit. */
export interface ChannelHolder extends Pick<SwapRecord, "id" | "platform"> {
  readonly accountId: AccountId
}

/** The swaps of deposits to channels that have a swap already. */
export class LaterSwapsRepo
  extends repository<LaterSwapsRepo>()("LaterSwaps", ({ op, sql }) =>
    Effect.map(JournalRepo, (journal) => {
      const ofChannel = (of: SwapRecordId): Statement.Fragment =>
        sql`
          FROM swaps AS held JOIN swaps AS swap
            USING (account_id, issued_block, network, channel_id, platform)
          WHERE held.id = ${of}`

      // A swap that had its number in another one's row, before each had a row of its own, is known by its end.
      const known = (of: SwapRecordId, status: SwapStatus) => {
        const number = status.swapId ?? null
        return swapIds.first(sql`
          SELECT swap.id ${ofChannel(of)} AND (
            swap.status ->> 'swapId' = ${number}::text
            OR EXISTS (SELECT 1 FROM swap_ends WHERE swap_id = swap.id AND upstream_swap = ${number}::text)
            OR ((swap.status ->> 'swapId' IS NULL OR ${number}::text IS NULL) AND EXISTS (
              SELECT 1 FROM swap_deposits
              WHERE swap_id = swap.id AND transaction_reference = ANY (${findableReferences(status)}::text[])
            ))
          ) ORDER BY swap.id LIMIT 1`)
      }

      const insert = op("record", function* (of: SwapRecordId, found: FoundLaterSwap) {
        // Whoever records a swap of this channel does so after us, and then finds ours.
        yield* sql`
          SELECT id FROM swaps WHERE id = (SELECT min(swap.id) ${ofChannel(of)}) FOR NO KEY UPDATE`
        if (Option.isSome(yield* known(of, found.status))) return Option.none()
        const at = sql`${toTimestamp(found.askedAt)}::timestamptz`
        return yield* swapIds.first(sql`
          WITH swap AS (
            INSERT INTO swaps (account_id, platform, opening, request, issued_block, network, channel_id,
              deposit_address, source_expiry_block, shares_channel, state, status, created_at, updated_at,
              looked_up_at, next_lookup_at, stalls_at, seen_upstream)
            SELECT account_id, platform, 'opened', request, issued_block, network, channel_id,
              deposit_address, source_expiry_block, true, ${found.status.state},
              ${yield* encodeStatus(found.status)}::jsonb, ${at}, ${at},
              ${at}, ${toNullable(found.nextLookupAt)}::timestamptz, ${
          toNullable(found.stallsAt)
        }::timestamptz, true
            FROM swaps WHERE id = ${of}
            RETURNING id, account_id
          ), deposited AS (
            INSERT INTO swap_deposits (account_id, transaction_reference, swap_id)
            SELECT account_id, reference, id
            FROM swap, unnest(${findableReferences(found.status)}::text[]) AS deposit (reference)
          )
          SELECT id FROM swap`)
      })

      return {
        /** The swap with this number, or with this deposit, among those of the channel that a swap was opened with. */
        find: op("find", known),

        /** Records a further swap of a channel for the first one's account; none where it was recorded. */
        record: ({ accountId, id: of, platform }: ChannelHolder, found: FoundLaterSwap) =>
          journal.recorded("LaterSwaps.record", function* () {
            const value = yield* insert(of, found)
            const { askedAt: at, body, events, status } = found
            const note = JournalNote.Change({ kind: "found", status, body })
            return {
              value,
              happened: Option.toArray(value)
                .map((id) => ({ accountId, record: { id, platform, status }, at, note, events })),
            }
          }),
      }
    })) {}
