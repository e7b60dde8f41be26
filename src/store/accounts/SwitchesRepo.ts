import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { actorName } from "../../domain/Audit.ts"
import { ProviderSwitch, type SwitchChange } from "../../domain/ProviderSwitch.ts"
import type { StoreUnavailable } from "../../domain/StoreError.ts"
import { AuditRepo, type Author } from "./AuditRepo.ts"
import { absentWhenNull, Timestamp, toTimestamp } from "../database/columns.ts"
import { storeOperation } from "../database/storeOperation.ts"

const { operation, asset } = ProviderSwitch.fields

const SwitchRow = Schema.Struct({
  ...ProviderSwitch.fields,
  operation: absentWhenNull(operation.schema),
  asset: absentWhenNull(asset.schema),
  changedAt: Timestamp,
})
const decodeRows = Schema.decodeUnknownEffect(Schema.Array(SwitchRow))

/** Whether two changes belong to the same switch. */
const sameSwitch = (one: SwitchChange, other: SwitchChange): boolean =>
  one.platform === other.platform && one.operation === other.operation && one.asset === other.asset

const stateOf = ({ operation, asset, enabled, reason }: SwitchChange) => ({
  ...(operation === undefined ? {} : { operation }),
  ...(asset === undefined ? {} : { asset }),
  enabled,
  reason,
})

/** Every change of the operator's switches; changes are never altered. */
export class SwitchesRepo extends Context.Service<SwitchesRepo, {
  /** Adds a change, with its entry in the audit log. */
  readonly add: (change: SwitchChange, author: Author) => Effect.Effect<void, StoreUnavailable>
  /** The latest change of each switch: a platform with an operation and an asset. */
  readonly latest: Effect.Effect<ReadonlyArray<ProviderSwitch>, StoreUnavailable>
}>()("swap-broker/store/SwitchesRepo") {
  static readonly layer = Layer.effect(
    SwitchesRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const audit = yield* AuditRepo

      const insert = Effect.fnUntraced(function* (change: SwitchChange, { actor, at }: Author) {
        yield* sql`
          INSERT INTO provider_switches
            (platform, operation, asset, enabled, reason, changed_by, changed_at)
          VALUES (${change.platform}, ${change.operation ?? null}, ${change.asset ?? null}, ${change.enabled},
            ${change.reason}, ${actorName(actor)}, ${toTimestamp(at)})`
      }, storeOperation("Switches.set"))

      const latest = sql`
        SELECT DISTINCT ON (platform, operation, asset)
          platform, operation, asset, enabled, reason, changed_by AS "changedBy", changed_at AS "changedAt"
        FROM provider_switches
        ORDER BY platform, operation, asset, id DESC`.pipe(
        Effect.flatMap(decodeRows),
        storeOperation("Switches.read"),
      )

      const add = (change: SwitchChange, author: Author) =>
        audit.recorded(
          "Switches.set",
          author,
          Effect.gen(function* () {
            const before = (yield* latest).find((one) => sameSwitch(one, change))
            yield* insert(change, author)
            const { platform } = change
            return {
              value: undefined,
              changes: [{
                action: "provider.switched",
                platform,
                ...(before === undefined ? {} : { before: stateOf(before) }),
                after: stateOf(change),
              }],
            }
          }),
        )

      return SwitchesRepo.of({ add, latest })
    }),
  )
}
