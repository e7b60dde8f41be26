import { Effect, Schema } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import type { AccountId } from "../domain/Account.ts"
import type { ProviderName } from "../domain/ProviderName.ts"
import { SwapRecordId } from "../domain/SwapRecord.ts"
import type { SwapRequest } from "../domain/SwapRequest.ts"
import type { EpochMillis } from "../domain/Time.ts"
import { encodeRequest, toTimestamp, WholeNumber } from "./columns.ts"

/** A channel that is about to be asked for. */
export interface NewOpening {
  readonly accountId: AccountId
  readonly platform: ProviderName
  readonly request: SwapRequest
  readonly at: EpochMillis
  /** By then the process that asks has come to an end with it, or is gone. */
  readonly leaseUntil: EpochMillis
}

/** The columns of a new row but for its id, in the order of `newOpeningValues`. */
export const newOpeningColumns =
  "account_id, platform, opening, request, created_at, updated_at, opening_lease_until"

/** The values of those columns. */
export const newOpeningValues = (
  sql: SqlClient.SqlClient,
  { accountId, at, leaseUntil, platform, request }: NewOpening,
): Effect.Effect<Statement.Fragment, Schema.SchemaError> =>
  Effect.map(encodeRequest(request), (json) => {
    const now = toTimestamp(at)
    return sql`${accountId}::bigint, ${platform}, 'requested', ${json}::jsonb, ${now}::timestamptz,
      ${now}::timestamptz, ${toTimestamp(leaseUntil)}::timestamptz`
  })

const decodeIds = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ id: WholeNumber.pipe(Schema.decodeTo(SwapRecordId)) })),
)

/** The ids of swaps that a statement gives. */
export const swapIds = (statement: Statement.Statement<unknown>) =>
  Effect.map(Effect.flatMap(statement, decodeIds), (rows) => rows.map((row) => row.id))
