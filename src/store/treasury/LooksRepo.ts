import { Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Address } from "../../domain/Address.ts"
import { Chain } from "../../domain/Chain.ts"
import type { ProviderName } from "../../domain/ProviderName.ts"
import type { StoreUnavailable } from "../../domain/StoreError.ts"
import { EpochMillis } from "../../domain/Time.ts"
import { OperatorAccount } from "../../domain/Treasury.ts"
import { absentWhenNull, Timestamp, toTimestamp } from "../database/columns.ts"
import { storeOperation } from "../database/storeOperation.ts"

/** What is known of an account at a provider: what was last seen of it, and why a later look saw nothing. */
export const AccountLook = Schema.Struct({
  seen: Schema.optionalKey(Schema.Struct({ account: OperatorAccount, at: EpochMillis })),
  failed: Schema.optionalKey(Schema.Struct({ reason: Schema.String, at: EpochMillis })),
})
export type AccountLook = typeof AccountLook.Type

const AccountJson = Schema.toCodecJson(OperatorAccount)
const encodeAccount = Schema.encodeEffect(Schema.fromJsonString(AccountJson))

const decodeBound = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ chain: Chain, address: Address })),
)
const decodeLooks = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({
  account: absentWhenNull(AccountJson),
  lookedAt: absentWhenNull(Timestamp),
  failure: absentWhenNull(Schema.String),
  failedAt: absentWhenNull(Timestamp),
})))

/** The operator's accounts as they were last seen. Replicas share one look. */
export class LooksRepo extends Context.Service<LooksRepo, {
  /** Takes the look that is due now, and makes the next one due at `next`; false where none is due. */
  readonly claim: (
    platform: ProviderName,
    now: EpochMillis,
    next: EpochMillis,
  ) => Effect.Effect<boolean, StoreUnavailable>
  /** Keeps what was seen; an earlier failure is over. */
  readonly saw: (
    platform: ProviderName,
    account: OperatorAccount,
    at: EpochMillis,
  ) => Effect.Effect<void, StoreUnavailable>
  /** Keeps why nothing was seen, beside what was seen before. */
  readonly failed: (
    platform: ProviderName,
    reason: string,
    at: EpochMillis,
  ) => Effect.Effect<void, StoreUnavailable>
  /** What the account was bound to when a binding was first seen, by chain. */
  readonly bound: (
    platform: ProviderName,
    account: OperatorAccount["account"],
  ) => Effect.Effect<ReadonlyMap<Chain, Address>, StoreUnavailable>
  readonly latest: (platform: ProviderName) => Effect.Effect<AccountLook, StoreUnavailable>
}>()("swap-broker/store/LooksRepo") {
  static readonly layer = Layer.effect(
    LooksRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const claim = (platform: ProviderName, now: EpochMillis, next: EpochMillis) =>
        sql`
          INSERT INTO treasury_looks AS known (platform, next_look_at) VALUES (${platform}, ${
          toTimestamp(next)
        })
          ON CONFLICT (platform) DO UPDATE SET next_look_at = EXCLUDED.next_look_at
          WHERE known.next_look_at <= ${toTimestamp(now)}
          RETURNING 1`.pipe(Effect.map((rows) => rows.length > 0), storeOperation("Looks.claim"))

      const saw = Effect.fnUntraced(
        function* (platform: ProviderName, account: OperatorAccount, at: EpochMillis) {
          const { account: name, boundAddress } = account
          if (boundAddress !== undefined) {
            yield* sql`
              INSERT INTO bound_addresses
              VALUES (${platform}, ${name}, ${boundAddress.chain}, ${boundAddress.address})
              ON CONFLICT DO NOTHING`
          }
          yield* sql`
            INSERT INTO treasury_looks AS known (platform, account, looked_at, next_look_at)
            VALUES (${platform}, ${yield* encodeAccount(account)}::jsonb, ${toTimestamp(at)}, ${
            toTimestamp(at)
          })
            ON CONFLICT (platform) DO UPDATE SET
              account = EXCLUDED.account, looked_at = EXCLUDED.looked_at, failure = NULL, failed_at = NULL
            WHERE known.looked_at IS NULL OR known.looked_at <= EXCLUDED.looked_at`
        },
        storeOperation("Looks.saw"),
      )

      const failed = (platform: ProviderName, reason: string, at: EpochMillis) =>
        sql`
          INSERT INTO treasury_looks (platform, failure, failed_at, next_look_at)
          VALUES (${platform}, ${reason}, ${toTimestamp(at)}, ${toTimestamp(at)})
          ON CONFLICT (platform) DO UPDATE SET failure = EXCLUDED.failure, failed_at = EXCLUDED.failed_at`
          .pipe(Effect.asVoid, storeOperation("Looks.failed"))

      const latest = (platform: ProviderName) =>
        sql`
          SELECT account, looked_at AS "lookedAt", failure, failed_at AS "failedAt"
          FROM treasury_looks WHERE platform = ${platform}`.pipe(
          Effect.flatMap(decodeLooks),
          Effect.map(([row]): AccountLook =>
            row === undefined ? {} : {
              ...both(row.account, row.lookedAt, (account, at) => ({ seen: { account, at } })),
              ...both(row.failure, row.failedAt, (reason, at) => ({ failed: { reason, at } })),
            }
          ),
          storeOperation("Looks.latest"),
        )

      const bound = (platform: ProviderName, account: string) =>
        sql`SELECT chain, address FROM bound_addresses WHERE platform = ${platform} AND account = ${account}`
          .pipe(
            Effect.flatMap(decodeBound),
            Effect.map((rows) => new Map(rows.map(({ address, chain }) => [chain, address]))),
            storeOperation("Looks.bound"),
          )

      return LooksRepo.of({ claim, saw, failed, bound, latest })
    }),
  )
}

/** The members made of two values that are there together, or none. */
const both = <A, B, C extends object>(
  one: A | undefined,
  other: B | undefined,
  members: (one: A, other: B) => C,
): Partial<C> =>
  Option.match(Option.all([Option.fromUndefinedOr(one), Option.fromUndefinedOr(other)]), {
    onNone: () => ({}),
    onSome: ([one, other]) => members(one, other),
  })
