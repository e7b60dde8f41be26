import { Effect, Option, Schema } from "effect"
import { Address } from "#domain/chains/Address.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { AssetId } from "#domain/chains/Asset.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { defined } from "#infrastructure/platform/optionalMembers.ts"
import {
  stateAfter,
  type Withdrawal,
  WithdrawalChange,
  type WithdrawalFilters,
  WithdrawalId,
  type WithdrawalsQuery,
  WithdrawalState,
  WithdrawalStep,
  type WithdrawalSubject,
} from "#domain/operations/Withdrawal.ts"
import { absentWhenNull, idOf, Timestamp, toTimestamp, UsdText } from "../database/columns.ts"
import { column, given, repository, type Rows, rows, rowsAs } from "../database/repository.ts"

const Amount = Schema.BigIntFromString.pipe(Schema.decodeTo(NativeAmount))

/** A row of withdrawals, by the names of `withdrawalColumns`. */
const WithdrawalRow = Schema.Struct({
  id: idOf(WithdrawalId),
  platform: ProviderName,
  asset: AssetId,
  affiliate: absentWhenNull(Schema.NonEmptyString),
  destination: Address,
  state: WithdrawalState,
  earned: Amount,
  value: absentWhenNull(UsdText),
  reference: absentWhenNull(Schema.NonEmptyString),
  transaction: absentWhenNull(Schema.NonEmptyString),
  amount: absentWhenNull(Amount),
  fee: absentWhenNull(Amount),
  paymentTransaction: absentWhenNull(Schema.NonEmptyString),
  detail: absentWhenNull(Schema.String),
  isContradicted: Schema.Boolean,
  requestedAt: Timestamp,
  changedAt: Timestamp,
  lookups: Schema.Int,
})
const withdrawalColumns = `id, platform, asset, affiliate, destination, state, earned::text,
  value_of(asset, earned, requested_at)::text AS value, reference,
  order_transaction AS transaction, amount::text, fee::text, payment_transaction AS "paymentTransaction", detail,
  is_contradicted AS "isContradicted", requested_at AS "requestedAt", changed_at AS "changedAt", lookups`

/** A withdrawal to follow, and how often it has been looked up since its last change. */
export interface FollowedWithdrawal {
  readonly withdrawal: Withdrawal
  readonly lookups: number
}

const toFollowed = (
  { amount, fee, lookups, reference, transaction, ...row }: typeof WithdrawalRow.Type,
): FollowedWithdrawal => ({
  withdrawal: amount === undefined || fee === undefined || reference === undefined ? row : {
    ...row,
    taken: { reference, amount, fee, destination: row.destination, ...defined({ transaction }) },
  },
  lookups,
})

const followed = rowsAs(WithdrawalRow, toFollowed)
const withdrawals = rowsAs(WithdrawalRow, (row) => toFollowed(row).withdrawal)
const sums = rows(Schema.Struct({
  state: WithdrawalState,
  withdrawals: Schema.Int,
  value: UsdText,
  feeValue: UsdText,
  unvalued: Schema.Int,
}))
const assets = column(AssetId)
const counts = column(Schema.Int)
const steps = rows(
  Schema.Struct({ ...WithdrawalStep.fields, detail: absentWhenNull(Schema.String), at: Timestamp }),
)

/** A withdrawal that is about to be ordered. */
export interface NewWithdrawal extends WithdrawalSubject {
  readonly destination: Address
  readonly earned: NativeAmount
  readonly by: string
  readonly key?: string
  readonly at: EpochMillis
  /** Until when the process that orders it has to have an answer. */
  readonly leaseUntil: EpochMillis
}

/** Withdrawals, each with its journal. */
export class WithdrawalsRepo
  extends repository<WithdrawalsRepo>()("Withdrawals", ({ op, sql, transaction }) => {
    const all = sql.literal(withdrawalColumns)

    /** Runs a statement and writes the journal entry of the withdrawal that it returns. */
    const written = (statement: Rows, at: EpochMillis) =>
      Effect.tap(
        withdrawals.first(statement),
        Option.match({
          onNone: () => Effect.void,
          onSome: ({ detail, id, state }) =>
            Effect.asVoid(sql`
              INSERT INTO withdrawal_journal (withdrawal_id, state, detail, recorded_at)
              VALUES (${id}, ${state}, ${detail ?? null}, ${toTimestamp(at)})`),
        }),
      )

    const assignments = WithdrawalChange.$match({
      Lost: ({ detail }) => sql`detail = ${detail}`,
      Contradicted: ({ detail }) => sql`detail = ${detail}, is_contradicted = true`,
      Taken: ({ taken: { amount, fee, reference, transaction } }) =>
        sql`
          reference = ${reference}, order_transaction = ${transaction ?? null}, detail = NULL,
          amount = ${`${amount}`}::text::numeric, fee = ${`${fee}`}::text::numeric, is_contradicted = false`,
      Sent: ({ transaction }) => sql`payment_transaction = ${transaction ?? null}, detail = NULL`,
      Paid: ({ detail, transaction }) =>
        sql`payment_transaction = coalesce(${transaction ?? null}, payment_transaction), detail = ${
          detail ?? null
        }`,
      Failed: ({ detail }) => sql`detail = ${detail}`,
    })

    const fitting = ({ before, from, ofAffiliates, platform, state }: WithdrawalFilters) =>
      sql`
        true ${given(state, (state) => sql`AND state = ${state}`)}
        ${given(platform, (platform) => sql`AND platform = ${platform}`)}
        ${given(ofAffiliates, (is) => sql`AND (affiliate IS NOT NULL) = ${is}`)}
        ${given(from, (from) => sql`AND requested_at >= ${toTimestamp(from)}`)}
        ${given(before, (before) => sql`AND requested_at < ${toTimestamp(before)}`)}`

    return {
      /** Records a withdrawal; none where an order of the same subject has no answer, or the key is taken. */
      request: transaction("request", (
        { affiliate, asset, at, by, destination, earned, key, leaseUntil, platform }: NewWithdrawal,
      ) =>
        written(
          sql`
            INSERT INTO withdrawals (
              platform, asset, affiliate, destination, state, earned, requested_by, idempotency_key, requested_at,
              changed_at, next_look_at
            ) VALUES (
              ${platform}, ${asset}, ${
            affiliate ?? null
          }, ${destination}, 'requested', ${`${earned}`}::text::numeric,
              ${by}, ${key ?? null}, ${toTimestamp(at)}, ${toTimestamp(at)}, ${toTimestamp(leaseUntil)}
            )
            ON CONFLICT DO NOTHING RETURNING ${all}`,
          at,
        )),

      /** Records another attempt of one that failed without ever having been ordered; none where one is open. */
      again: transaction(
        "again",
        (id: WithdrawalId, { at, destination, earned, leaseUntil }: NewWithdrawal) =>
          written(
            sql`
              UPDATE withdrawals AS known SET
                state = 'requested', destination = ${destination}, earned = ${`${earned}`}::text::numeric, detail = NULL,
                requested_at = ${toTimestamp(at)}, changed_at = ${toTimestamp(at)},
                next_look_at = ${toTimestamp(leaseUntil)}, lookups = 0
              WHERE id = ${id} AND state = 'failed' AND amount IS NULL AND NOT is_contradicted
                AND NOT EXISTS (
                  SELECT 1 FROM withdrawals AS other
                  WHERE other.state IN ('requested', 'unknown') AND other.platform = known.platform
                    AND other.asset = known.asset AND other.affiliate IS NOT DISTINCT FROM known.affiliate
                )
              RETURNING ${all}`,
            at,
          ),
      ),

      /** Changes a withdrawal that is in one of these states, with its journal entry; else none. */
      change: transaction("change", (
        id: WithdrawalId,
        from: ReadonlyArray<WithdrawalState>,
        made: WithdrawalChange,
        { at, nextLookAt }: { readonly at: EpochMillis; readonly nextLookAt: EpochMillis },
      ) => {
        const state = stateAfter[made._tag]
        const next = state === "paid" || state === "failed" ? null : toTimestamp(nextLookAt)
        return written(
          sql`
            UPDATE withdrawals SET ${assignments(made)}, state = ${state}, changed_at = ${toTimestamp(at)},
              next_look_at = ${next}, lookups = 0
            WHERE id = ${id} AND state IN ${sql.in(from)} RETURNING ${all}`,
          at,
        )
      }),

      /** Claims the withdrawals whose next look is due, by making the look after it due at `next`. */
      claim: op("claim", (now: EpochMillis, next: EpochMillis, most: number) =>
        followed.all(sql`
          WITH due AS (
            SELECT id AS due_id FROM withdrawals WHERE next_look_at <= ${toTimestamp(now)}
            ORDER BY next_look_at LIMIT ${most} FOR UPDATE SKIP LOCKED
          )
          UPDATE withdrawals SET next_look_at = ${toTimestamp(next)}, lookups = lookups + 1
          FROM due WHERE id = due_id RETURNING ${all}`)),

      /** Makes the look that was claimed until `claimed` due at `next`; a change meanwhile has set another time. */
      postpone: op(
        "postpone",
        (id: WithdrawalId, claimed: EpochMillis, next: EpochMillis) =>
          Effect.asVoid(sql`UPDATE withdrawals SET next_look_at = ${toTimestamp(next)}
        WHERE id = ${id} AND next_look_at = ${toTimestamp(claimed)}`),
      ),

      /** Makes every look that is still to come due at once: for a process that is the only one, before it begins. */
      release: op(
        "release",
        (now: EpochMillis) =>
          Effect.asVoid(
            sql`UPDATE withdrawals SET next_look_at = ${toTimestamp(now)} WHERE next_look_at IS NOT NULL`,
          ),
      ),

      find: op(
        "find",
        (id: WithdrawalId) => withdrawals.first(sql`SELECT ${all} FROM withdrawals WHERE id = ${id}`),
      ),

      /** The latest one of the subject whose order has no answer, or that was requested since and has not failed. */
      findOpen: op(
        "findOpen",
        ({ affiliate, asset, platform }: WithdrawalSubject, since: EpochMillis) =>
          withdrawals.first(sql`
            SELECT ${all} FROM withdrawals
            WHERE platform = ${platform} AND asset = ${asset} AND coalesce(affiliate, '') = ${affiliate ?? ""}
              AND (state IN ('requested', 'unknown') OR state <> 'failed' AND requested_at > ${
            toTimestamp(since)
          })
            ORDER BY id DESC LIMIT 1`),
      ),

      /** How often withdrawals of the subject have changed, their requests included: it never gets less. */
      changeCount: op("changeCount", ({ affiliate, asset, platform }: WithdrawalSubject) =>
        counts.only(sql`
          SELECT count(*)::int AS count FROM withdrawals JOIN withdrawal_journal ON withdrawal_id = withdrawals.id
          WHERE platform = ${platform} AND asset = ${asset} AND coalesce(affiliate, '') = ${
          affiliate ?? ""
        }`)),

      /** The assets of the provider of which an order may be between our records and the upstream. */
      openAssets: op("openAssets", (platform: ProviderName) =>
        assets.all(sql`
          SELECT DISTINCT asset FROM withdrawals
          WHERE platform = ${platform} AND state IN ('requested', 'unknown')`)),

      findByKey: op(
        "findByKey",
        (by: string, key: string) =>
          withdrawals.first(
            sql`SELECT ${all} FROM withdrawals WHERE requested_by = ${by} AND idempotency_key = ${key}`,
          ),
      ),

      /** The latest first. */
      page: op("page", ({ limit, offset, ...filters }: WithdrawalsQuery) =>
        withdrawals.all(sql`
          SELECT ${all} FROM withdrawals WHERE ${fitting(filters)}
            ${given(offset, (offset) => sql`AND id <= ${offset}`)}
          ORDER BY id DESC LIMIT ${limit}`)),

      /** Those in each state together. */
      sums: op("sums", (filters: WithdrawalFilters) =>
        sums.all(sql`
          SELECT state, count(*)::int AS withdrawals, coalesce(sum(value), 0)::text AS value,
            coalesce(sum(fee_value), 0)::text AS "feeValue", (count(*) FILTER (WHERE value IS NULL))::int AS unvalued
          FROM (
            SELECT state, value_of(asset, earned, requested_at) AS value,
              value_of(asset, fee, requested_at) AS fee_value
            FROM withdrawals WHERE ${fitting(filters)}
          ) AS valued GROUP BY state ORDER BY state`)),

      steps: op("steps", (id: WithdrawalId) =>
        steps.all(sql`
          SELECT state, detail, recorded_at AS at FROM withdrawal_journal WHERE withdrawal_id = ${id} ORDER BY id`)),
    }
  }) {}
