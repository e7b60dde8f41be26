import { Effect, Option, Schema } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import type { AccountId } from "#domain/accounts/Account.ts"
import type { KeyId } from "#domain/accounts/Key.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import type { SwapRequest } from "#domain/swaps/SwapRequest.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { encodeRequest, idOf, toTimestamp } from "../database/columns.ts"
import { column, rowsAs } from "../database/repository.ts"

/** An opening of a channel that is about to be asked for. */
export interface NewOpening {
  readonly accountId: AccountId
  readonly platform: ProviderName
  readonly request: SwapRequest
  /** The API key that asks for it, and the ID of its request. */
  readonly keyId: KeyId
  readonly requestId: string
  readonly at: EpochMillis
  /** The time by which the asking process has finished with it, or is gone. */
  readonly leaseUntil: EpochMillis
  /** The most open channels of the account: with as many, nothing is written. */
  readonly openChannelsMost: number
}

/** The columns of a new row except its id, in the order of `newOpeningValues`. */
export const newOpeningColumns =
  "account_id, platform, opening, request, opening_key, opening_request, created_at, updated_at, opening_lease_until"

export const newOpeningValues = (
  sql: SqlClient.SqlClient,
  { accountId, at, keyId, leaseUntil, platform, request, requestId }: NewOpening,
): Effect.Effect<Statement.Fragment, Schema.SchemaError> =>
  Effect.map(encodeRequest(request), (json) => {
    const now = toTimestamp(at)
    return sql`${accountId}::bigint, ${platform}, 'requested', ${json}::jsonb, ${keyId}, ${requestId},
      ${now}::timestamptz, ${now}::timestamptz, ${toTimestamp(leaseUntil)}::timestamptz`
  })

/** Whether the account has room for a channel. Its row stays locked, so concurrent openings count. */
export const roomFor = (
  sql: SqlClient.SqlClient,
  { accountId, openChannelsMost }: NewOpening,
): Statement.Fragment =>
  sql`SELECT open_channels < ${openChannelsMost} AS has_room FROM accounts WHERE id = ${accountId}
    FOR NO KEY UPDATE`

const Id = idOf(SwapRecordId)

export const swapIds = column(Id)

/** The outcome of recording an opening: its id, if it was recorded. */
export interface Attempt {
  readonly hasRoom: boolean
  readonly id: Option.Option<SwapRecordId>
}

/** The outcomes of statements that record an opening if there is room for it. */
export const attempts = rowsAs(
  Schema.Struct({ has_room: Schema.Boolean, id: Schema.NullOr(Id) }),
  ({ has_room, id }): Attempt => ({ hasRoom: has_room, id: Option.fromNullOr(id) }),
)
