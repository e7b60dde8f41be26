import { Array, Effect, Option, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import type { JournalNote } from "../../domain/Journal.ts"
import type { SwapEventType } from "../../domain/SwapEvent.ts"
import type { SwapStatus } from "../../domain/Swap.ts"
import { encodeStatus } from "../database/columns.ts"
import { storeOperation } from "../database/storeOperation.ts"
import type { Lookup } from "./lookupRows.ts"

/** The note of an answer that cannot be true. */
export type Contradicting = Extract<JournalNote, { readonly _tag: "Contradiction" }>

/** Whether a contradiction is about an end: the upstream says that a swap has completed which has not. */
const isDispute = (known: SwapStatus, said: SwapStatus): boolean =>
  said.state === "completed" && known.state !== "completed"

const LastRow = Schema.Struct({ isDispute: Schema.Boolean, isSame: Schema.Boolean })
const decodeLast = Schema.decodeUnknownEffect(Schema.Array(LastRow))

/**
 * What is new in a contradiction: nothing where the journal's last entry says the same, as upstreams repeat themselves. The
 * account is told that an end is disputed, once for each dispute.
 */
export const makeNewsIn = (sql: SqlClient.SqlClient) =>
  Effect.fnUntraced(function* ({ id, status: known }: Lookup, { detail, status }: Contradicting) {
    const rows = yield* sql`
      SELECT coalesce(last.status ->> 'state', '') = 'completed' AS "isDispute", detail = ${detail}
        AND last.status - 'lastStateChainUpdateAt' =
          ${yield* encodeStatus(status)}::jsonb - 'lastStateChainUpdateAt' AS "isSame"
      FROM (
        SELECT kind, status, detail FROM swap_journal WHERE swap_id = ${id} AND kind <> 'stalled'
        ORDER BY id DESC LIMIT 1
      ) AS last
      WHERE kind = 'contradicted'`
    const last = Array.head(yield* decodeLast(rows))
    const begins = isDispute(known, status) && !Option.exists(last, ({ isDispute }) => isDispute)
    const events: ReadonlyArray<SwapEventType> = begins ? ["swap.disputed"] : []
    return { isNew: !Option.exists(last, ({ isSame }) => isSame), events }
  }, storeOperation("Lookups.contradicted"))
