import { Data, Option, Schema } from "effect"
import { AccountId } from "../../domain/Account.ts"
import { ChannelId } from "../../domain/Channel.ts"
import { ProviderName } from "../../domain/ProviderName.ts"
import { type SwapRecord, SwapRecordId } from "../../domain/SwapRecord.ts"
import type { EpochMillis } from "../../domain/Time.ts"
import { readableRows, StatusJson, Timestamp, WholeNumber } from "../database/columns.ts"

/** What an upstream is asked for: a channel, or the transaction of a vault swap. */
export type LookupSubject = Data.TaggedEnum<{
  Channel: { readonly id: ChannelId }
  VaultSwap: { readonly transaction: string }
}>
export const LookupSubject = Data.taggedEnum<LookupSubject>()

/** A look-up that has begun: what is known of the swap, and what says that nobody has taken it over. */
export interface Lookup extends SwapRecord {
  readonly accountId: AccountId
  readonly subject: LookupSubject
  /** Whether the upstream has ever known what it is asked for. */
  readonly seenUpstream: boolean
  /** When the status last became another one. */
  readonly changedAt: EpochMillis
  /** Failures in a row before this one. */
  readonly failures: number
  readonly owner: string
  /** Rises with each look-up of the swap. */
  readonly number: number
}

/** One that has begun, and since or until when it was due; nothing where the swap was not followed. */
export interface DueLookup extends Lookup {
  readonly dueAt: Option.Option<EpochMillis>
}

/** The columns that a look-up is read from. */
export const lookupColumns =
  "swaps.id, account_id, platform, issued_block, network, channel_id, vault_transaction, status, " +
  "coalesce(changed_at, created_at) AS changed_at, seen_upstream, lookup_failures, lookup_owner, lookups_begun"

const swapColumns = {
  id: WholeNumber.pipe(Schema.decodeTo(SwapRecordId)),
  account_id: WholeNumber.pipe(Schema.decodeTo(AccountId)),
  platform: ProviderName,
  status: StatusJson,
  changed_at: Timestamp,
  seen_upstream: Schema.Boolean,
  lookup_failures: Schema.Int,
  lookup_owner: Schema.String,
  lookups_begun: WholeNumber,
}

const channelColumns = {
  ...swapColumns,
  issued_block: WholeNumber,
  network: ChannelId.fields.network,
  channel_id: WholeNumber,
  vault_transaction: Schema.Null,
}
const vaultSwapColumns = { ...swapColumns, vault_transaction: Schema.String }
const due = { due_at: Schema.NullOr(Timestamp) }

const LookupRow = Schema.Union([Schema.Struct(channelColumns), Schema.Struct(vaultSwapColumns)])
type LookupRow = typeof LookupRow.Type
const DueRow = Schema.Union([
  Schema.Struct({ ...channelColumns, ...due }),
  Schema.Struct({ ...vaultSwapColumns, ...due }),
])
/** Decodes the rows of look-ups that have begun. */
export const decodeDue = readableRows(DueRow, "A swap is not followed")

const subjectOf = (row: LookupRow): LookupSubject =>
  row.vault_transaction === null
    ? LookupSubject.Channel({
      id: { issuedBlock: row.issued_block, network: row.network, channelId: row.channel_id },
    })
    : LookupSubject.VaultSwap({ transaction: row.vault_transaction })

/** The look-up of a row. */
const toLookup = (row: LookupRow): Lookup => ({
  id: row.id,
  accountId: row.account_id,
  platform: row.platform,
  subject: subjectOf(row),
  status: row.status,
  changedAt: row.changed_at,
  seenUpstream: row.seen_upstream,
  failures: row.lookup_failures,
  owner: row.lookup_owner,
  number: row.lookups_begun,
})

/** The look-up of a row, with when it was due. */
export const toDueLookup = (row: typeof DueRow.Type): DueLookup => ({
  ...toLookup(row),
  dueAt: Option.fromNullishOr(row.due_at),
})
