import { Data, type Option, Schema } from "effect"
import { AccountId, AccountName } from "#domain/accounts/Account.ts"
import { ChannelId } from "#domain/swaps/Channel.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { type SwapRecord, SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { idOf, StatusJson, Timestamp, WholeNumber } from "../database/columns.ts"
import { readableAs } from "../database/repository.ts"

/** The subject of a look-up: a channel, or the transaction of a vault swap. */
export type LookupSubject = Data.TaggedEnum<{
  Channel: { readonly id: ChannelId }
  VaultSwap: { readonly transaction: string }
}>
export const LookupSubject = Data.taggedEnum<LookupSubject>()

/** A look-up that has begun: the known swap, with the owner and number that tell whether it was taken over. */
export interface Lookup extends SwapRecord {
  readonly accountId: AccountId
  /** The name of that account, for the log. */
  readonly account: AccountName
  readonly subject: LookupSubject
  /** Whether the upstream has ever known the subject. */
  readonly seenUpstream: boolean
  /** The time of the last change of status. */
  readonly changedAt: EpochMillis
  /** Failures in a row before this one. */
  readonly failures: number
  readonly owner: string
  /** Rises with each look-up of the swap. */
  readonly number: number
}

/** A look-up that has begun, with its due time; none if the swap was not followed. */
export interface DueLookup extends Lookup {
  readonly dueAt: Option.Option<EpochMillis>
}

export const lookupColumns = 'swaps.id, account_id AS "accountId", ' +
  "(SELECT name FROM accounts WHERE accounts.id = swaps.account_id) AS account, " +
  'platform, issued_block AS "issuedBlock", network, ' +
  'channel_id AS "channelId", vault_transaction AS transaction, status, ' +
  'coalesce(changed_at, created_at) AS "changedAt", seen_upstream AS "seenUpstream", ' +
  "lookup_failures AS failures, lookup_owner AS owner, lookups_begun AS number"

const swapColumns = {
  id: idOf(SwapRecordId),
  accountId: idOf(AccountId),
  account: AccountName,
  platform: ProviderName,
  status: StatusJson,
  changedAt: Timestamp,
  seenUpstream: Schema.Boolean,
  failures: Schema.Int,
  owner: Schema.String,
  number: WholeNumber,
  dueAt: Schema.OptionFromNullOr(Timestamp),
}

const DueRow = Schema.Union([
  Schema.Struct({
    ...swapColumns,
    issuedBlock: WholeNumber,
    network: ChannelId.fields.network,
    channelId: WholeNumber,
    transaction: Schema.Null,
  }),
  Schema.Struct({ ...swapColumns, transaction: Schema.String }),
])

const toDueLookup = (row: typeof DueRow.Type): DueLookup => {
  if (row.transaction !== null) {
    const { transaction, ...lookup } = row
    return { ...lookup, subject: LookupSubject.VaultSwap({ transaction }) }
  }
  const { channelId, issuedBlock, network, transaction: _, ...lookup } = row
  return { ...lookup, subject: LookupSubject.Channel({ id: { issuedBlock, network, channelId } }) }
}

export const dueLookups = readableAs(DueRow, "A swap is not followed", toDueLookup)
