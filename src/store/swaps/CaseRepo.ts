import { Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { AccountId } from "../../domain/Account.ts"
import { AssetId } from "../../domain/Asset.ts"
import { RequestedQuote } from "../../domain/BoundQuote.ts"
import { ProviderName } from "../../domain/ProviderName.ts"
import type { StoreUnavailable } from "../../domain/StoreError.ts"
import { type StandingSwap, SwapRecordId } from "../../domain/SwapRecord.ts"
import type { EpochMillis } from "../../domain/Time.ts"
import { spread } from "../../platform/spread.ts"
import { StatusJson, Timestamp, WholeNumber } from "../database/columns.ts"
import { storeOperation } from "../database/storeOperation.ts"
import { standingColumns, standingFields, toStanding } from "./standing.ts"

const Opening = Schema.Literals(["requested", "opened", "unknown", "refused"])

const CaseRow = Schema.Struct({
  ...standingFields,
  id: WholeNumber.pipe(Schema.decodeTo(SwapRecordId)),
  platform: ProviderName,
  opening: Opening,
  openedAt: Timestamp,
  request: Schema.Record(Schema.String, Schema.Unknown),
  quote: Schema.NullOr(Schema.toCodecJson(RequestedQuote)),
  sourceAsset: AssetId,
  destinationAsset: AssetId,
  status: Schema.NullOr(StatusJson),
})
const decodeRows = Schema.decodeUnknownEffect(Schema.Array(CaseRow))

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

type Find = Effect.Effect<Option.Option<CaseRecord>, StoreUnavailable>

/** What case files are made of, besides the journal. */
export class CaseRepo extends Context.Service<CaseRepo, {
  /** An opening of the account's own. */
  readonly of: (account: AccountId, id: SwapRecordId) => Find
  /** An opening of any account, for the operator. */
  readonly ofAny: (id: SwapRecordId) => Find
}>()("swap-broker/store/CaseRepo") {
  static readonly layer = Layer.effect(
    CaseRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const columns = sql.literal(
        `swaps.id, platform, opening, swaps.created_at AS "openedAt", request - 'quote' AS request, ` +
          `request -> 'quote' AS quote, request ->> 'sourceAsset' AS "sourceAsset", ` +
          `request ->> 'destinationAsset' AS "destinationAsset", status, ${standingColumns}`,
      )

      const toRecord = (
        { destinationAsset, id, opening, openedAt, platform, quote, request, sourceAsset, status, ...row }:
          typeof CaseRow.Type,
      ): CaseRecord => ({
        id,
        platform,
        opening,
        requestedAt: openedAt,
        sourceAsset,
        destinationAsset,
        request,
        ...spread(quote ?? undefined, (quote) => ({ quote })),
        ...spread(
          status ?? undefined,
          (status) => ({ swap: { id, platform, status, standing: toStanding(row) } }),
        ),
      })

      const first = (rows: unknown) =>
        Effect.map(decodeRows(rows), ([row]) => Option.map(Option.fromUndefinedOr(row), toRecord))

      return CaseRepo.of({
        of: (account, id) =>
          sql`SELECT ${columns} FROM swaps WHERE id = ${id} AND account_id + 0 = ${account}`.pipe(
            Effect.flatMap(first),
            storeOperation("Cases.of"),
          ),
        ofAny: (id) =>
          sql`SELECT ${columns} FROM swaps WHERE id = ${id}`.pipe(
            Effect.flatMap(first),
            storeOperation("Cases.ofAny"),
          ),
      })
    }),
  )
}
