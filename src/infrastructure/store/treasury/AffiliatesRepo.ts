import { Effect, Schema } from "effect"
import { type AffiliateName, NamedAffiliate } from "#domain/accounts/Affiliate.ts"
import { absentWhenNull, Timestamp, toTimestamp } from "../database/columns.ts"
import { repository, rows } from "../database/repository.ts"

const affiliates = rows(Schema.Struct({
  ...NamedAffiliate.fields,
  account: absentWhenNull(Schema.NonEmptyString),
  registeredAt: Timestamp,
}))

/** The affiliates that the operator has named. */
export class AffiliatesRepo extends repository<AffiliatesRepo>()("Affiliates", ({ op, sql }) => {
  const columns = sql.literal(
    'name, platform, account, withdrawal_address AS "withdrawalAddress", registered_at AS "registeredAt"',
  )

  return {
    /** Takes a name, before the account is registered; false where the name or the account has one already. */
    add: op("add", function* ({ account, name, platform, ...affiliate }: NamedAffiliate) {
      const registeredAt = toTimestamp(affiliate.registeredAt)
      const added = yield* sql`
        INSERT INTO affiliates (name, platform, account, withdrawal_address, registered_at)
        VALUES (${name}, ${platform}, ${account ?? null}, ${affiliate.withdrawalAddress}, ${registeredAt})
        ON CONFLICT DO NOTHING RETURNING 1`
      return added.length > 0
    }),

    /** Gives a name its account. */
    settle: op(
      "settle",
      (name: AffiliateName, account: NonNullable<NamedAffiliate["account"]>) =>
        Effect.asVoid(sql`
          UPDATE affiliates SET account = ${account} WHERE name = ${name} AND account IS NULL`),
    ),

    /** Frees a name whose account was provably not registered. */
    remove: op("remove", (name: AffiliateName) =>
      Effect.asVoid(sql`
        DELETE FROM affiliates WHERE name = ${name} AND account IS NULL`)),

    find: op("find", (name: AffiliateName) =>
      affiliates.first(sql`
        SELECT ${columns} FROM affiliates WHERE name = ${name}`)),

    /** By name. */
    all: op("all", affiliates.all(sql`SELECT ${columns} FROM affiliates ORDER BY name COLLATE "C"`)),
  }
}) {}
