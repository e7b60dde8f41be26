import { Effect, Option, Schema } from "effect"
import { Address } from "#domain/chains/Address.ts"
import { Chain } from "#domain/chains/Chain.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import { EpochMillis } from "#domain/Time.ts"
import { OperatorAccount } from "#domain/operations/Treasury.ts"
import { absentWhenNull, Timestamp, toTimestamp } from "../database/columns.ts"
import { any, repository, rowsAs } from "../database/repository.ts"

/** What is known of an account at a provider: what was last seen of it, and why a later look saw nothing. */
export const AccountLook = Schema.Struct({
  seen: Schema.optionalKey(Schema.Struct({ account: OperatorAccount, at: EpochMillis })),
  failed: Schema.optionalKey(Schema.Struct({ reason: Schema.String, at: EpochMillis })),
})
export type AccountLook = typeof AccountLook.Type

const AccountJson = Schema.toCodecJson(OperatorAccount)
const encodeAccount = Schema.encodeEffect(Schema.fromJsonString(AccountJson))

/** The members made of two values that are there together, or none. */
const both = <A, B, C extends object>(
  one: A | undefined,
  other: B | undefined,
  members: (one: A, other: B) => C,
): Partial<C> => one === undefined || other === undefined ? {} : members(one, other)

const bindings = rowsAs(
  Schema.Struct({ chain: Chain, address: Address }),
  ({ address, chain }) => [chain, address] as const,
)
const looks = rowsAs(
  Schema.Struct({
    account: absentWhenNull(AccountJson),
    lookedAt: absentWhenNull(Timestamp),
    failure: absentWhenNull(Schema.String),
    failedAt: absentWhenNull(Timestamp),
  }),
  (row): AccountLook => ({
    ...both(row.account, row.lookedAt, (account, at) => ({ seen: { account, at } })),
    ...both(row.failure, row.failedAt, (reason, at) => ({ failed: { reason, at } })),
  }),
)

/** The operator's accounts as they were last seen. Replicas share one look. */
export class BalanceReadsRepo extends repository<BalanceReadsRepo>()("Looks", ({ op, sql }) => ({
  /** Takes the look that is due now, and makes the next one due at `next`; false where none is due. */
  claim: op("claim", (platform: ProviderName, now: EpochMillis, next: EpochMillis) =>
    any(sql`
      INSERT INTO treasury_looks AS known (platform, next_look_at) VALUES (${platform}, ${toTimestamp(next)})
      ON CONFLICT (platform) DO UPDATE SET next_look_at = EXCLUDED.next_look_at
      WHERE known.next_look_at <= ${toTimestamp(now)}
      RETURNING 1`)),

  /** Keeps what was seen; an earlier failure is over. */
  saw: op("saw", function* (platform: ProviderName, account: OperatorAccount, at: EpochMillis) {
    const { account: name, boundAddress } = account
    if (boundAddress !== undefined) {
      yield* sql`
        INSERT INTO bound_addresses
        VALUES (${platform}, ${name}, ${boundAddress.chain}, ${boundAddress.address})
        ON CONFLICT DO NOTHING`
    }
    yield* sql`
      INSERT INTO treasury_looks AS known (platform, account, looked_at, next_look_at)
      VALUES (${platform}, ${yield* encodeAccount(account)}::jsonb, ${toTimestamp(at)}, ${toTimestamp(at)})
      ON CONFLICT (platform) DO UPDATE SET
        account = EXCLUDED.account, looked_at = EXCLUDED.looked_at, failure = NULL, failed_at = NULL
      WHERE known.looked_at IS NULL OR known.looked_at <= EXCLUDED.looked_at`
  }),

  /** Keeps why nothing was seen, beside what was seen before. */
  failed: op("failed", (platform: ProviderName, reason: string, at: EpochMillis) =>
    Effect.asVoid(sql`
      INSERT INTO treasury_looks (platform, failure, failed_at, next_look_at)
      VALUES (${platform}, ${reason}, ${toTimestamp(at)}, ${toTimestamp(at)})
      ON CONFLICT (platform) DO UPDATE SET failure = EXCLUDED.failure, failed_at = EXCLUDED.failed_at`)),

  /** What the account was bound to when a binding was first seen, by chain. */
  bound: op("bound", (platform: ProviderName, account: OperatorAccount["account"]) =>
    Effect.map(
      bindings.all(
        sql`SELECT chain, address FROM bound_addresses WHERE platform = ${platform} AND account = ${account}`,
      ),
      (all): ReadonlyMap<Chain, Address> => new Map(all),
    )),

  latest: op("latest", (platform: ProviderName) =>
    Effect.map(
      looks.first(sql`
        SELECT account, looked_at AS "lookedAt", failure, failed_at AS "failedAt"
        FROM treasury_looks WHERE platform = ${platform}`),
      Option.getOrElse((): AccountLook => ({})),
    )),
})) {}
