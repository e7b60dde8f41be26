import { Effect, Schema } from "effect"
import { AssetId } from "#domain/chains/Asset.ts"
import type { LedgerEntry, LedgerStanding, Sums } from "#domain/operations/Ledger.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import type { EpochMillis } from "#domain/Time.ts"
import type { OperatorAccount } from "#domain/operations/Treasury.ts"
import { absentWhenNull, Timestamp, toTimestamp } from "../database/columns.ts"
import { any, column, repository, type Rows, rows, rowsAs } from "../database/repository.ts"

const Amount = Schema.BigIntFromString

const sums = rowsAs(
  Schema.Struct({ asset: AssetId, amount: Amount }),
  ({ amount, asset }) => [asset, amount] as const,
)

const standings = rowsAs(
  Schema.Struct({
    asset: AssetId,
    earned: Amount,
    ledger: Amount,
    comparedAt: Timestamp,
    markedEarned: absentWhenNull(Amount),
    markedAt: absentWhenNull(Timestamp),
    shortSince: absentWhenNull(Timestamp),
    mismatchSince: absentWhenNull(Timestamp),
  }),
  ({ markedAt, markedEarned, ...standing }): LedgerStanding =>
    markedAt === undefined || markedEarned === undefined
      ? standing
      : { ...standing, surplus: { earned: markedEarned, since: markedAt } },
)
const mismatches = rows(
  Schema.Struct({ platform: ProviderName, asset: AssetId, earned: Amount, ledger: Amount, since: Timestamp }),
)
const facts = column(Schema.Boolean)

const orNull = (time: EpochMillis | undefined): Date | null => time === undefined ? null : toTimestamp(time)

interface LedgerAccount {
  readonly platform: ProviderName
  readonly account: OperatorAccount["account"]
}

/** What was earned by our records, what the operator entered, and how both stand to the upstreams' accounts. */
export class LedgerRepo extends repository<LedgerRepo>()("Ledger", ({ op, sql, transaction }) => {
  const sumsOf = (statement: Rows) => Effect.map(sums.all(statement), (all): Sums => new Map(all))

  const insertEntry = (
    account: LedgerAccount["account"],
    { amount, asset, platform, reason }: LedgerEntry,
    at: EpochMillis,
  ) =>
    Effect.asVoid(sql`
      INSERT INTO ledger_entries (platform, account, asset, amount, reason, entered_at)
      VALUES (${platform}, ${account}, ${asset}, ${`${amount}`}::text::numeric, ${reason}, ${
      toTimestamp(at)
    })`)

  return {
    /** What swaps of the provider have earned by their latest records, by asset; refunded and failed ones too. */
    earned: op("earned", (platform: ProviderName) =>
      sumsOf(sql`
        SELECT asset, sum(amount)::text AS amount FROM (
          SELECT asset, amount FROM earnings_sums WHERE platform = ${platform}
          UNION ALL SELECT asset, amount FROM earnings_changes WHERE platform = ${platform}
        ) AS all_earned GROUP BY asset`)),

    /** What withdrawals have taken off what was earned, by asset, with their fees. */
    withdrawn: op("withdrawn", (platform: ProviderName) =>
      sumsOf(sql`
        SELECT asset, sum(amount + fee)::text AS amount FROM withdrawals
        WHERE platform = ${platform} AND amount IS NOT NULL GROUP BY asset`)),

    /** The ledger's own entries, by asset. */
    entered: op("entered", ({ account, platform }: LedgerAccount) =>
      sumsOf(sql`
        SELECT asset, sum(amount)::text AS amount FROM ledger_entries
        WHERE platform = ${platform} AND account = ${account} GROUP BY asset`)),

    isOpened: op("isOpened", ({ account, platform }: LedgerAccount) =>
      facts.only(sql`
        SELECT EXISTS (
          SELECT 1 FROM ledger_accounts WHERE platform = ${platform} AND account = ${account}
        ) AS holds`)),

    /** Begins the ledger of an account with its first entries; nothing where another replica has. */
    open: transaction("open", function* (
      { account, platform }: LedgerAccount,
      entries: Sums,
      reason: string,
      at: EpochMillis,
    ) {
      const isFirst = yield* any(sql`
        INSERT INTO ledger_accounts VALUES (${platform}, ${account}, ${toTimestamp(at)})
        ON CONFLICT DO NOTHING RETURNING 1`)
      if (!isFirst) return
      yield* Effect.forEach(
        [...entries].filter(([, amount]) => amount !== 0n),
        ([asset, amount]) => insertEntry(account, { platform, asset, amount, reason }, at),
        { discard: true },
      )
    }),

    /** Adds an entry to a ledger that has begun. */
    enter: op("enter", insertEntry),

    /** Adds the changes up that swaps have left, so that reading sums stays quick. */
    fold: op(
      "fold",
      Effect.asVoid(sql`
        WITH taken AS (DELETE FROM earnings_changes RETURNING platform, asset, amount),
          summed AS (SELECT platform, asset, sum(amount) AS amount FROM taken GROUP BY platform, asset)
        INSERT INTO earnings_sums AS known SELECT * FROM summed
        ON CONFLICT (platform, asset) DO UPDATE SET amount = known.amount + EXCLUDED.amount`),
    ),

    /** Whether a swap of the provider that may be earning has not been looked up since this time. */
    isUnderWay: op("isUnderWay", (platform: ProviderName, since: EpochMillis) =>
      facts.only(sql`
        SELECT EXISTS (
          SELECT 1 FROM swaps
          WHERE platform = ${platform} AND next_lookup_at IS NOT NULL
            AND (state IN ('receiving', 'swapping', 'sending', 'sent') OR has_open_channel(swaps))
            AND (looked_up_at IS NULL OR looked_up_at <= ${toTimestamp(since)})
        ) AS holds`)),

    standings: op("standings", ({ account, platform }: LedgerAccount) =>
      standings.all(sql`
        SELECT asset, earned::text, ledger::text, compared_at AS "comparedAt",
          marked_earned::text AS "markedEarned", marked_at AS "markedAt", short_since AS "shortSince",
          mismatch_since AS "mismatchSince"
        FROM ledger_standings WHERE platform = ${platform} AND account = ${account}
        ORDER BY asset COLLATE "C"`)),

    /** Keeps standings, unless a later comparison has been kept. */
    keep: op(
      "keep",
      ({ account, platform }: LedgerAccount, all: ReadonlyArray<LedgerStanding>) =>
        Effect.forEach(
          all,
          ({ asset, comparedAt, earned, ledger, mismatchSince, shortSince, surplus }) =>
            sql`
              INSERT INTO ledger_standings AS known (
                platform, account, asset, earned, ledger, compared_at, marked_earned, marked_at, short_since,
                mismatch_since
              ) VALUES (
                ${platform}, ${account}, ${asset}, ${`${earned}`}::text::numeric, ${`${ledger}`}::text::numeric,
                ${toTimestamp(comparedAt)}, ${
              surplus === undefined ? null : `${surplus.earned}`
            }::text::numeric,
                ${orNull(surplus?.since)}, ${orNull(shortSince)}, ${orNull(mismatchSince)}
              )
              ON CONFLICT (platform, account, asset) DO UPDATE SET
                earned = EXCLUDED.earned, ledger = EXCLUDED.ledger, compared_at = EXCLUDED.compared_at,
                marked_earned = EXCLUDED.marked_earned, marked_at = EXCLUDED.marked_at,
                short_since = EXCLUDED.short_since, mismatch_since = EXCLUDED.mismatch_since
              WHERE known.compared_at <= EXCLUDED.compared_at`,
          { discard: true },
        ),
    ),

    /** Every mismatch of the accounts that are in use. */
    mismatches: op(
      "mismatches",
      mismatches.all(sql`
        SELECT platform, asset, earned::text, ledger::text, mismatch_since AS since FROM ledger_standings
        JOIN treasury_looks USING (platform)
        WHERE mismatch_since IS NOT NULL AND treasury_looks.account ->> 'account' = ledger_standings.account
        ORDER BY platform, asset COLLATE "C"`),
    ),
  }
}) {}
