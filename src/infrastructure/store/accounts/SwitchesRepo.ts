import { Effect, Schema } from "effect"
import { actorName } from "#domain/operations/Audit.ts"
import { defined } from "#infrastructure/platform/optionalMembers.ts"
import { ProviderSwitch, type SwitchChange } from "#domain/operations/ProviderSwitch.ts"
import { AuditRepo, type Author } from "./AuditRepo.ts"
import { absentWhenNull, Timestamp, toTimestamp } from "../database/columns.ts"
import { repository, rows } from "../database/repository.ts"

const { operation, asset } = ProviderSwitch.fields

const switches = rows(Schema.Struct({
  ...ProviderSwitch.fields,
  operation: absentWhenNull(operation.schema),
  asset: absentWhenNull(asset.schema),
  changedAt: Timestamp,
}))

/** Whether two changes belong to the same switch. */
const sameSwitch = (one: SwitchChange, other: SwitchChange): boolean =>
  one.platform === other.platform && one.operation === other.operation && one.asset === other.asset

const stateOf = ({ operation, asset, enabled, reason }: SwitchChange) => ({
  ...defined({ operation, asset }),
  enabled,
  reason,
})

/** Every change of the operator's switches; changes are never altered. */
export class SwitchesRepo
  extends repository<SwitchesRepo>()("Switches", ({ op, sql }) =>
    Effect.map(AuditRepo, (audit) => {
      const insert = op("insert", (change: SwitchChange, { actor, at }: Author) =>
        sql`
          INSERT INTO provider_switches
            (platform, operation, asset, enabled, reason, changed_by, changed_at)
          VALUES (${change.platform}, ${change.operation ?? null}, ${change.asset ?? null}, ${change.enabled},
            ${change.reason}, ${actorName(actor)}, ${toTimestamp(at)})`)

      const latest = op(
        "latest",
        switches.all(sql`
          SELECT DISTINCT ON (platform, operation, asset)
            platform, operation, asset, enabled, reason, changed_by AS "changedBy", changed_at AS "changedAt"
          FROM provider_switches
          ORDER BY platform, operation, asset, id DESC`),
      )

      return {
        add: (change: SwitchChange, author: Author) =>
          audit.recorded("Switches.add", author, function* () {
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

        /** The latest change of each switch: a platform with an operation and an asset. */
        latest,
      }
    })) {}
