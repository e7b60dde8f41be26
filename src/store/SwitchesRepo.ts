import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { ProviderSwitch } from "../domain/ProviderSwitch.ts"
import type { StoreUnavailable } from "../domain/StoreError.ts"
import { Timestamp, toTimestamp } from "./columns.ts"
import { storeOperation } from "./storeOperation.ts"

const { platform, operation, asset, enabled, reason, changedBy } = ProviderSwitch.fields

const SwitchRow = Schema.Struct({
  platform,
  operation: Schema.NullOr(operation.schema),
  asset: Schema.NullOr(asset.schema),
  enabled,
  reason,
  changed_by: changedBy,
  changed_at: Timestamp,
})
const decodeRows = Schema.decodeUnknownEffect(Schema.Array(SwitchRow))

const toSwitch = (row: typeof SwitchRow.Type): ProviderSwitch => ({
  platform: row.platform,
  ...(row.operation === null ? {} : { operation: row.operation }),
  ...(row.asset === null ? {} : { asset: row.asset }),
  enabled: row.enabled,
  reason: row.reason,
  changedBy: row.changed_by,
  changedAt: row.changed_at,
})

/** Every change of the operator's switches in the database; none is ever altered. */
export class SwitchesRepo extends Context.Service<SwitchesRepo, {
  readonly add: (change: ProviderSwitch) => Effect.Effect<void, StoreUnavailable>
  /** The latest change of each platform, operation and asset that was ever switched. */
  readonly latest: Effect.Effect<ReadonlyArray<ProviderSwitch>, StoreUnavailable>
}>()("swap-broker/store/SwitchesRepo") {
  static readonly layer = Layer.effect(
    SwitchesRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const add = Effect.fnUntraced(function* (change: ProviderSwitch) {
        yield* sql`
          INSERT INTO provider_switches
            (platform, operation, asset, enabled, reason, changed_by, changed_at)
          VALUES (${change.platform}, ${change.operation ?? null}, ${change.asset ?? null}, ${change.enabled},
            ${change.reason}, ${change.changedBy}, ${toTimestamp(change.changedAt)})`
      }, storeOperation("Switches.set"))

      const latest = sql`
        SELECT DISTINCT ON (platform, operation, asset)
          platform, operation, asset, enabled, reason, changed_by, changed_at
        FROM provider_switches
        ORDER BY platform, operation, asset, id DESC`.pipe(
        Effect.flatMap(decodeRows),
        Effect.map((rows) => rows.map(toSwitch)),
        storeOperation("Switches.read"),
      )

      return SwitchesRepo.of({ add, latest })
    }),
  )
}
