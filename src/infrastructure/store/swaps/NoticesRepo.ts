import { Effect, Schema } from "effect"
import { SwapNotice } from "#domain/swaps/SwapEvent.ts"
import { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { idOf, Timestamp, toTimestamp } from "../database/columns.ts"
import { repository, rows } from "../database/repository.ts"

const notices = rows(
  Schema.Struct({ ...SwapNotice.fields, swapId: idOf(SwapRecordId), firstAt: Timestamp, lastAt: Timestamp }),
)

export class NoticesRepo extends repository<NoticesRepo>()("Notices", ({ op, sql }) => ({
  /** Adds to what is recorded, one of each swap and kind; a deleted swap's are left out. */
  add: op("add", (added: ReadonlyArray<SwapNotice>) =>
    Effect.asVoid(sql`
      INSERT INTO swap_notices (swap_id, kind, first_at, last_at, times)
      SELECT id, added.kind, added.first_at, added.last_at, added.times
      FROM unnest(${added.map(({ swapId }) => `${swapId}`)}::bigint[], ${
      added.map(({ kind }) => kind)
    }::text[],
        ${added.map(({ firstAt }) => toTimestamp(firstAt))}::timestamptz[],
        ${added.map(({ lastAt }) => toTimestamp(lastAt))}::timestamptz[],
        ${added.map(({ times }) => times)}::integer[]
      ) AS added (swap_id, kind, first_at, last_at, times) JOIN swaps ON id = added.swap_id
      ORDER BY id, added.kind
      ON CONFLICT (swap_id, kind) DO UPDATE SET
        first_at = least(swap_notices.first_at, excluded.first_at),
        last_at = greatest(swap_notices.last_at, excluded.last_at),
        times = swap_notices.times + excluded.times`)),

  /** Those of a swap, the latest first. */
  of: op("of", (swap: SwapRecordId) =>
    notices.all(sql`
      SELECT swap_id AS "swapId", kind, first_at AS "firstAt", last_at AS "lastAt", times FROM swap_notices
      WHERE swap_id = ${swap} ORDER BY last_at DESC, kind`)),
})) {}
