import { Option, Schema } from "effect"
import type { AccountId } from "#domain/accounts/Account.ts"
import type { AssetId } from "#domain/chains/Asset.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { toTimestamp } from "../database/columns.ts"
import { repository, rowsAs } from "../database/repository.ts"

/** A swap that is to count for its account's day. */
export interface CountedSwap {
  readonly accountId: AccountId
  /** The whole US dollars that the account may swap in a day of UTC. */
  readonly most: number
  readonly asset: AssetId
  /** Native units of the asset; absent where nobody knows how much will be sent. */
  readonly amount: bigint | undefined
  readonly at: EpochMillis
}

/** Whether the asset has a price, and the US dollars that were counted, if there was room for them. */
export interface Counted {
  readonly isPriced: boolean
  readonly usd: Option.Option<string>
}

const answers = rowsAs(
  Schema.Struct({ isPriced: Schema.Boolean, usd: Schema.NullOr(Schema.String) }),
  ({ isPriced, usd }): Counted => ({ isPriced, usd: Option.fromNullOr(usd) }),
)

/** What an account's swaps of a day of UTC come to (migration 0072), for accounts whose volume is limited. */
export class VolumesRepo extends repository<VolumesRepo>()("Volumes", ({ op, sql }) => {
  const priced = ({ amount, asset, at }: CountedSwap) =>
    sql`SELECT price_at(${asset}, ${toTimestamp(at)}) IS NOT NULL AS is_priced,
      coalesce(value_of(${asset}, ${amount === undefined ? null : `${amount}`}::numeric, ${
      toTimestamp(at)
    }), 0) AS usd`

  const hasRoom = ({ accountId, at, most }: CountedSwap) =>
    sql`accounts.id = ${accountId} AND is_priced AND volume_of_day(accounts, ${toTimestamp(at)}) < ${most}
      AND volume_of_day(accounts, ${toTimestamp(at)}) + usd <= ${most}`

  return {
    /** Counts a swap if there is room for it. The account's row is locked, so swaps of every replica see each other. */
    take: op("take", (swap: CountedSwap) =>
      answers.only(sql`
        WITH swap AS MATERIALIZED (${priced(swap)}), taken AS (
          UPDATE accounts SET volume_usd = volume_of_day(accounts, ${toTimestamp(swap.at)}) + usd,
            volume_day = greatest(volume_day, utc_day(${toTimestamp(swap.at)}))
          FROM swap WHERE ${hasRoom(swap)} RETURNING usd
        )
        SELECT is_priced AS "isPriced", (SELECT usd::text FROM taken) AS usd FROM swap`)),

    /** The same without counting it. */
    look: op("look", (swap: CountedSwap) =>
      answers.only(sql`
        SELECT is_priced AS "isPriced", accounts.usd::text AS usd
        FROM (${priced(swap)}) AS swap LEFT JOIN LATERAL (
          SELECT usd FROM accounts WHERE ${hasRoom(swap)}
        ) AS accounts ON true`)),

    /** Takes back what provably began nothing, unless its day is over. */
    giveBack: op(
      "giveBack",
      ({ accountId, at }: CountedSwap, usd: string) =>
        sql`UPDATE accounts SET volume_usd = greatest(volume_usd - ${usd}::numeric, 0)
        WHERE id = ${accountId} AND volume_day = utc_day(${toTimestamp(at)})`,
    ),
  }
}) {}
