import { Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { type AffiliateName, NamedAffiliate } from "../../domain/Affiliate.ts"
import type { StoreUnavailable } from "../../domain/StoreError.ts"
import { absentWhenNull, Timestamp, toTimestamp } from "../database/columns.ts"
import { storeOperation } from "../database/storeOperation.ts"

const decodeRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({
  ...NamedAffiliate.fields,
  account: absentWhenNull(Schema.NonEmptyString),
  registeredAt: Timestamp,
})))

/** The affiliates that the operator has named. */
export class AffiliatesRepo extends Context.Service<AffiliatesRepo, {
  /** Takes a name, before the account is registered; false where the name or the account has one already. */
  readonly add: (affiliate: NamedAffiliate) => Effect.Effect<boolean, StoreUnavailable>
  /** Gives a name its account. */
  readonly settle: (
    name: AffiliateName,
    account: NonNullable<NamedAffiliate["account"]>,
  ) => Effect.Effect<void, StoreUnavailable>
  /** Frees a name whose account was provably not registered. */
  readonly remove: (name: AffiliateName) => Effect.Effect<void, StoreUnavailable>
  readonly find: (name: AffiliateName) => Effect.Effect<Option.Option<NamedAffiliate>, StoreUnavailable>
  /** By name. */
  readonly all: Effect.Effect<ReadonlyArray<NamedAffiliate>, StoreUnavailable>
}>()("swap-broker/store/AffiliatesRepo") {
  static readonly layer = Layer.effect(
    AffiliatesRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const columns = sql.literal(
        'name, platform, account, withdrawal_address AS "withdrawalAddress", registered_at AS "registeredAt"',
      )

      const add = ({ account, name, platform, registeredAt, withdrawalAddress }: NamedAffiliate) =>
        sql`
          INSERT INTO affiliates (name, platform, account, withdrawal_address, registered_at)
          VALUES (${name}, ${platform}, ${account ?? null}, ${withdrawalAddress}, ${
          toTimestamp(registeredAt)
        })
          ON CONFLICT DO NOTHING RETURNING 1`
          .pipe(Effect.map((rows) => rows.length > 0), storeOperation("Affiliates.add"))

      const settle = (name: AffiliateName, account: string) =>
        sql`UPDATE affiliates SET account = ${account} WHERE name = ${name} AND account IS NULL`
          .pipe(Effect.asVoid, storeOperation("Affiliates.settle"))

      const remove = (name: AffiliateName) =>
        sql`DELETE FROM affiliates WHERE name = ${name} AND account IS NULL`
          .pipe(Effect.asVoid, storeOperation("Affiliates.remove"))

      const find = (name: AffiliateName) =>
        sql`SELECT ${columns} FROM affiliates WHERE name = ${name}`.pipe(
          Effect.flatMap(decodeRows),
          Effect.map(([row]) => Option.fromUndefinedOr(row)),
          storeOperation("Affiliates.find"),
        )

      const all = sql`SELECT ${columns} FROM affiliates ORDER BY name COLLATE "C"`
        .pipe(Effect.flatMap(decodeRows), storeOperation("Affiliates.all"))

      return AffiliatesRepo.of({ add, settle, remove, find, all })
    }),
  )
}
