import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { AssetId } from "../../domain/Asset.ts"
import type { LedgerEntry, LedgerMismatch, LedgerStanding, Sums } from "../../domain/Ledger.ts"
import { ProviderName } from "../../domain/ProviderName.ts"
import type { StoreUnavailable } from "../../domain/StoreError.ts"
import type { EpochMillis } from "../../domain/Time.ts"
import type { OperatorAccount } from "../../domain/Treasury.ts"
import { absentWhenNull, Timestamp, toTimestamp } from "../database/columns.ts"
import { inTransaction } from "../database/inTransaction.ts"
import { storeOperation } from "../database/storeOperation.ts"

const decodeSums = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ asset: AssetId, amount: Schema.BigIntFromString })),
)

const StandingRow = Schema.Struct({
  asset: AssetId,
  earned: Schema.BigIntFromString,
  ledger: Schema.BigIntFromString,
  comparedAt: Timestamp,
  markedEarned: absentWhenNull(Schema.BigIntFromString),
  markedAt: absentWhenNull(Timestamp),
  shortSince: absentWhenNull(Timestamp),
  mismatchSince: absentWhenNull(Timestamp),
})
const decodeStandings = Schema.decodeUnknownEffect(Schema.Array(StandingRow))
const decodeMismatches = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({
  platform: ProviderName,
  asset: AssetId,
  earned: Schema.BigIntFromString,
  ledger: Schema.BigIntFromString,
  since: Timestamp,
})))
const decodeFacts = Schema.decodeUnknownEffect(
  Schema.NonEmptyArray(Schema.Struct({ holds: Schema.Boolean })),
)

const toStanding = (
  { markedAt, markedEarned, ...standing }: typeof StandingRow.Type,
): LedgerStanding =>
  markedAt === undefined || markedEarned === undefined
    ? standing
    : { ...standing, surplus: { earned: markedEarned, since: markedAt } }

const orNull = (time: EpochMillis | undefined): Date | null => time === undefined ? null : toTimestamp(time)

/** An account of the operator at a provider. */
interface LedgerAccount {
  readonly platform: ProviderName
  readonly account: OperatorAccount["account"]
}

/** What was earned by our records, what the operator entered, and how both stand to the upstreams' accounts. */
export class LedgerRepo extends Context.Service<LedgerRepo, {
  /** What swaps of the provider have earned by their latest records, by asset; refunded and failed ones too. */
  readonly earned: (platform: ProviderName) => Effect.Effect<Sums, StoreUnavailable>
  /** What withdrawals have taken off what was earned, by asset, with their fees. */
  readonly withdrawn: (platform: ProviderName) => Effect.Effect<Sums, StoreUnavailable>
  /** The ledger's own entries, by asset. */
  readonly entered: (of: LedgerAccount) => Effect.Effect<Sums, StoreUnavailable>
  /** Whether the ledger of the account has begun. */
  readonly isOpened: (of: LedgerAccount) => Effect.Effect<boolean, StoreUnavailable>
  /** Begins the ledger of an account with its first entries; nothing where another replica has. */
  readonly open: (
    of: LedgerAccount,
    entries: Sums,
    reason: string,
    at: EpochMillis,
  ) => Effect.Effect<void, StoreUnavailable>
  /** Adds an entry to a ledger that has begun. */
  readonly enter: (
    account: LedgerAccount["account"],
    entry: LedgerEntry,
    at: EpochMillis,
  ) => Effect.Effect<void, StoreUnavailable>
  /** Adds the changes up that swaps have left, so that reading sums stays quick. */
  readonly fold: Effect.Effect<void, StoreUnavailable>
  /** Whether a swap of the provider that may be earning has not been looked up since this time. */
  readonly isUnderWay: (
    platform: ProviderName,
    since: EpochMillis,
  ) => Effect.Effect<boolean, StoreUnavailable>
  readonly standings: (of: LedgerAccount) => Effect.Effect<ReadonlyArray<LedgerStanding>, StoreUnavailable>
  /** Keeps standings, unless a later comparison has been kept. */
  readonly keep: (
    of: LedgerAccount,
    standings: ReadonlyArray<LedgerStanding>,
  ) => Effect.Effect<void, StoreUnavailable>
  /** Every mismatch of the accounts that are in use. */
  readonly mismatches: Effect.Effect<ReadonlyArray<LedgerMismatch>, StoreUnavailable>
}>()("swap-broker/store/LedgerRepo") {
  static readonly layer = Layer.effect(
    LedgerRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const toSums = (rows: ReadonlyArray<unknown>) =>
        Effect.map(
          decodeSums(rows),
          (sums): Sums => new Map(sums.map(({ amount, asset }) => [asset, amount])),
        )
      const ofSums = <E, R>(rows: Effect.Effect<ReadonlyArray<unknown>, E, R>) => Effect.flatMap(rows, toSums)

      const earned = (platform: ProviderName) =>
        ofSums(sql`
          SELECT asset, sum(amount)::text AS amount FROM (
            SELECT asset, amount FROM earnings_sums WHERE platform = ${platform}
            UNION ALL SELECT asset, amount FROM earnings_changes WHERE platform = ${platform}
          ) AS all_earned GROUP BY asset`).pipe(storeOperation("Ledger.earned"))

      const withdrawn = (platform: ProviderName) =>
        ofSums(sql`
          SELECT asset, sum(amount + fee)::text AS amount FROM withdrawals
          WHERE platform = ${platform} AND amount IS NOT NULL GROUP BY asset`)
          .pipe(storeOperation("Ledger.withdrawn"))

      const entered = ({ account, platform }: LedgerAccount) =>
        ofSums(sql`
          SELECT asset, sum(amount)::text AS amount FROM ledger_entries
          WHERE platform = ${platform} AND account = ${account} GROUP BY asset`)
          .pipe(storeOperation("Ledger.entered"))

      const isOpened = ({ account, platform }: LedgerAccount) =>
        sql`
          SELECT EXISTS (
            SELECT 1 FROM ledger_accounts WHERE platform = ${platform} AND account = ${account}
          ) AS holds`.pipe(
          Effect.flatMap(decodeFacts),
          Effect.map(([{ holds }]) => holds),
          storeOperation("Ledger.isOpened"),
        )

      const insertEntry = (
        account: string,
        { amount, asset, platform, reason }: LedgerEntry,
        at: EpochMillis,
      ) =>
        sql`
          INSERT INTO ledger_entries (platform, account, asset, amount, reason, entered_at)
          VALUES (${platform}, ${account}, ${asset}, ${`${amount}`}::text::numeric, ${reason}, ${
          toTimestamp(at)
        })`
          .pipe(Effect.asVoid, storeOperation("Ledger.enter"))

      const insertAccount = ({ account, platform }: LedgerAccount, at: EpochMillis) =>
        sql`
          INSERT INTO ledger_accounts VALUES (${platform}, ${account}, ${toTimestamp(at)})
          ON CONFLICT DO NOTHING RETURNING 1`.pipe(
          Effect.map((rows) => rows.length > 0),
          storeOperation("Ledger.open"),
        )

      const open = (of: LedgerAccount, entries: Sums, reason: string, at: EpochMillis) =>
        Effect.gen(function* () {
          if (!(yield* insertAccount(of, at))) return
          yield* Effect.forEach(
            [...entries].filter(([, amount]) => amount !== 0n),
            ([asset, amount]) =>
              insertEntry(of.account, { platform: of.platform, asset, amount, reason }, at),
            { discard: true },
          )
        }).pipe(inTransaction(sql, "Ledger.open"))

      const fold = sql`
        WITH taken AS (DELETE FROM earnings_changes RETURNING platform, asset, amount),
          summed AS (SELECT platform, asset, sum(amount) AS amount FROM taken GROUP BY platform, asset)
        INSERT INTO earnings_sums AS known SELECT * FROM summed
        ON CONFLICT (platform, asset) DO UPDATE SET amount = known.amount + EXCLUDED.amount`
        .pipe(Effect.asVoid, storeOperation("Ledger.fold"))

      const isUnderWay = (platform: ProviderName, since: EpochMillis) =>
        sql`
          SELECT EXISTS (
            SELECT 1 FROM swaps
            WHERE platform = ${platform} AND next_lookup_at IS NOT NULL
              AND (state IN ('receiving', 'swapping', 'sending', 'sent') OR has_open_channel(swaps))
              AND (looked_up_at IS NULL OR looked_up_at <= ${toTimestamp(since)})
          ) AS holds`.pipe(
          Effect.flatMap(decodeFacts),
          Effect.map(([{ holds }]) => holds),
          storeOperation("Ledger.isUnderWay"),
        )

      const standings = ({ account, platform }: LedgerAccount) =>
        sql`
          SELECT asset, earned::text, ledger::text, compared_at AS "comparedAt",
            marked_earned::text AS "markedEarned", marked_at AS "markedAt", short_since AS "shortSince",
            mismatch_since AS "mismatchSince"
          FROM ledger_standings WHERE platform = ${platform} AND account = ${account}
          ORDER BY asset COLLATE "C"`.pipe(
          Effect.flatMap(decodeStandings),
          Effect.map((rows) => rows.map(toStanding)),
          storeOperation("Ledger.standings"),
        )

      const keepOne = (
        { account, platform }: LedgerAccount,
        { asset, comparedAt, earned, ledger, mismatchSince, shortSince, surplus }: LedgerStanding,
      ) =>
        sql`
          INSERT INTO ledger_standings AS known (
            platform, account, asset, earned, ledger, compared_at, marked_earned, marked_at, short_since,
            mismatch_since
          ) VALUES (
            ${platform}, ${account}, ${asset}, ${`${earned}`}::text::numeric, ${`${ledger}`}::text::numeric,
            ${toTimestamp(comparedAt)}, ${surplus === undefined ? null : `${surplus.earned}`}::text::numeric,
            ${orNull(surplus?.since)}, ${orNull(shortSince)}, ${orNull(mismatchSince)}
          )
          ON CONFLICT (platform, account, asset) DO UPDATE SET
            earned = EXCLUDED.earned, ledger = EXCLUDED.ledger, compared_at = EXCLUDED.compared_at,
            marked_earned = EXCLUDED.marked_earned, marked_at = EXCLUDED.marked_at,
            short_since = EXCLUDED.short_since, mismatch_since = EXCLUDED.mismatch_since
          WHERE known.compared_at <= EXCLUDED.compared_at`.pipe(storeOperation("Ledger.keep"))

      const mismatches = sql`
        SELECT platform, asset, earned::text, ledger::text, mismatch_since AS since FROM ledger_standings
        JOIN treasury_looks USING (platform)
        WHERE mismatch_since IS NOT NULL AND treasury_looks.account ->> 'account' = ledger_standings.account
        ORDER BY platform, asset COLLATE "C"`
        .pipe(Effect.flatMap(decodeMismatches), storeOperation("Ledger.mismatches"))

      return LedgerRepo.of({
        earned,
        withdrawn,
        entered,
        isOpened,
        open,
        enter: insertEntry,
        fold,
        isUnderWay,
        standings,
        keep: (of, all) => Effect.forEach(all, (standing) => keepOne(of, standing), { discard: true }),
        mismatches,
      })
    }),
  )
}
