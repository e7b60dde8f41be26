import { Schema, Struct } from "effect"
import type { AccountId } from "#domain/accounts/Account.ts"
import { AssetId } from "#domain/chains/Asset.ts"
import { RequestedQuote } from "#domain/quotes/BoundQuote.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { type StandingSwap, SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { optionalMembers } from "../../platform/optionalMembers.ts"
import { absentWhenNull, idOf, StatusJson, Timestamp } from "../database/columns.ts"
import { repository, rowsAs } from "../database/repository.ts"
import { standingColumns, standingFields, toStanding } from "./standing.ts"

const Opening = Schema.Literals(["requested", "opened", "unknown", "refused"])

/** What is on record of an opening, whatever came of it. */
export interface CaseRecord {
  readonly id: SwapRecordId
  readonly platform: ProviderName
  readonly opening: typeof Opening.Type
  /** When the request was recorded. */
  readonly requestedAt: EpochMillis
  readonly sourceAsset: AssetId
  readonly destinationAsset: AssetId
  /** The request in the form in which it is kept, without its quote. */
  readonly request: Readonly<Record<string, unknown>>
  /** The quote that the request named. */
  readonly quote?: RequestedQuote
  /** Absent where no swap came of it. */
  readonly swap?: StandingSwap
}

const cases = rowsAs(
  Schema.Struct({
    ...standingFields,
    id: idOf(SwapRecordId),
    platform: ProviderName,
    opening: Opening,
    requestedAt: Timestamp,
    request: Schema.Record(Schema.String, Schema.Unknown),
    quote: absentWhenNull(Schema.toCodecJson(RequestedQuote)),
    sourceAsset: AssetId,
    destinationAsset: AssetId,
    status: absentWhenNull(StatusJson),
  }),
  ({ status, ...row }): CaseRecord => ({
    ...Struct.omit(row, Struct.keys(standingFields)),
    ...optionalMembers(status, (status) => ({
      swap: { id: row.id, platform: row.platform, status, standing: toStanding(row) },
    })),
  }),
)

/** What case files are made of, besides the journal. */
export class CaseRepo extends repository<CaseRepo>()("Case", ({ op, sql }) => {
  const columns = sql.literal(
    `swaps.id, platform, opening, swaps.created_at AS "requestedAt", request - 'quote' AS request, ` +
      `request -> 'quote' AS quote, request ->> 'sourceAsset' AS "sourceAsset", ` +
      `request ->> 'destinationAsset' AS "destinationAsset", status, ${standingColumns}`,
  )

  return {
    /** An opening of the account's own. */
    of: op(
      "of",
      (account: AccountId, id: SwapRecordId) =>
        cases.first(sql`SELECT ${columns} FROM swaps WHERE id = ${id} AND account_id + 0 = ${account}`),
    ),

    /** An opening of any account, for the operator. */
    ofAny: op("ofAny", (id: SwapRecordId) => cases.first(sql`SELECT ${columns} FROM swaps WHERE id = ${id}`)),
  }
}) {}
