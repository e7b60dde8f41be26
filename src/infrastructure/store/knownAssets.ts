import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { assetIds } from "#domain/chains/Asset.ts"
import { WholeNumber } from "./database/columns.ts"
import { storeOperation } from "./database/storeOperation.ts"

/** What the database has of an asset that the catalogue lacks. */
const Missing = Schema.Struct({
  asset: Schema.String,
  swaps: WholeNumber,
  /** How many of the swaps have a deposit that has not come to its end, or a channel that waits for one. */
  underWay: WholeNumber,
  /** Openings and withdrawals of unknown outcome, payloads, entries of the ledger, switches, routes. */
  others: WholeNumber,
})

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`

const tell = ({ asset, others, swaps, underWay }: typeof Missing.Type): string =>
  `${asset} (${counted(swaps, "swap")}, ${underWay} of them under way; ${counted(others, "other record")})`

/** The database has records of assets whose rows are gone. Nothing was read or changed. */
export class AssetsMissing extends Schema.TaggedError<AssetsMissing>()("AssetsMissing", {
  missing: Schema.Array(Schema.toType(Missing)),
}) {
  override get message(): string {
    return `The database has records of assets that the catalogue lacks: ${
      this.missing.map(tell).join(", ")
    }. ` +
      "Without their rows no amount of theirs can be read, and their swaps could not be followed. Put the rows back " +
      "into CATALOGUE_FILE, or start with the provider that brought them; to serve such an asset no longer, switch it " +
      "off at each provider instead. Nothing was changed"
  }
}

const decode = Schema.decodeUnknownEffect(Schema.Array(Missing))

/** The names are found by steps through the indexes: that takes as long with a million swaps as with ten. */
const missingAssets = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const steps = (column: string) => {
    const asset = sql(column)
    return sql`
      SELECT asset FROM (
        WITH RECURSIVE step (asset) AS (
          (SELECT ${asset} FROM listed_swaps ORDER BY ${asset} LIMIT 1)
          UNION ALL
          SELECT (SELECT ${asset} FROM listed_swaps WHERE ${asset} > step.asset ORDER BY ${asset} LIMIT 1)
          FROM step WHERE step.asset IS NOT NULL
        ) SELECT asset FROM step
      ) AS steps`
  }
  const rows = yield* sql`
    WITH others (asset) AS (
      SELECT request ->> 'sourceAsset' FROM swaps WHERE opening IN ('requested', 'unknown')
      UNION ALL SELECT request ->> 'destinationAsset' FROM swaps WHERE opening IN ('requested', 'unknown')
      UNION ALL SELECT source_asset FROM vault_swap_payloads
      UNION ALL SELECT destination_asset FROM vault_swap_payloads
      UNION ALL SELECT asset FROM earnings_sums
      UNION ALL SELECT asset FROM ledger_entries
      UNION ALL SELECT asset FROM ledger_standings
      UNION ALL SELECT asset FROM withdrawals
      UNION ALL SELECT asset FROM provider_switches
      UNION ALL SELECT source_asset FROM account_routes
      UNION ALL SELECT destination_asset FROM account_routes
    ), named (asset) AS (
      ${steps("source_asset")} UNION ${steps("destination_asset")} UNION SELECT asset FROM others
    )
    SELECT asset,
      (SELECT count(*) FROM listed_swaps WHERE named.asset IN (source_asset, destination_asset)) AS swaps,
      (SELECT count(*) FROM listed_swaps WHERE named.asset IN (source_asset, destination_asset)
        AND (has_open_channel OR state IN ('receiving', 'swapping', 'sending', 'sent'))) AS "underWay",
      (SELECT count(*) FROM others WHERE others.asset = named.asset) AS others
    FROM named WHERE asset NOT IN ('', '*') AND NOT ${sql.in("asset", assetIds())}
    ORDER BY asset COLLATE "C"`
  return yield* decode(rows)
}).pipe(storeOperation("Catalogue.missing"))

/** Fails where records have an asset that the catalogue lacks: such swaps could be neither read nor followed. */
export const checkAssets = Effect.gen(function* () {
  const missing = yield* missingAssets
  if (missing.length > 0) return yield* new AssetsMissing({ missing })
})
