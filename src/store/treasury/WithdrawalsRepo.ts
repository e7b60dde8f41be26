import { Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import type { Address } from "../../domain/Address.ts"
import type { NativeAmount } from "../../domain/Amount.ts"
import { AssetId } from "../../domain/Asset.ts"
import type { ProviderName } from "../../domain/ProviderName.ts"
import type { StoreUnavailable } from "../../domain/StoreError.ts"
import type { EpochMillis } from "../../domain/Time.ts"
import {
  stateAfter,
  type Withdrawal,
  WithdrawalChange,
  type WithdrawalId,
  type WithdrawalsQuery,
  type WithdrawalState,
  WithdrawalStep,
  type WithdrawalSubject,
} from "../../domain/Withdrawal.ts"
import { absentWhenNull, Timestamp, toTimestamp } from "../database/columns.ts"
import { inTransaction } from "../database/inTransaction.ts"
import { storeOperation } from "../database/storeOperation.ts"
import { type FollowedWithdrawal, toFollowed, withdrawalColumns, WithdrawalRow } from "./withdrawalRows.ts"

const decodeRows = Schema.decodeUnknownEffect(Schema.Array(WithdrawalRow))
const decodeAssets = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ asset: AssetId })))
const decodeCount = Schema.decodeUnknownEffect(Schema.NonEmptyArray(Schema.Struct({ count: Schema.Int })))
const decodeSteps = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({
    ...WithdrawalStep.fields,
    detail: absentWhenNull(Schema.String),
    at: Timestamp,
  })),
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

type Found = Effect.Effect<Option.Option<Withdrawal>, StoreUnavailable>
type Done = Effect.Effect<void, StoreUnavailable>

/** Withdrawals, each with its journal. */
export class WithdrawalsRepo extends Context.Service<WithdrawalsRepo, {
  /** Records a withdrawal; none where an order of the same subject has no answer, or the key is taken. */
  readonly request: (withdrawal: NewWithdrawal) => Found
  /** Records another attempt of one that failed without ever having been ordered; none where one is open. */
  readonly again: (id: WithdrawalId, withdrawal: NewWithdrawal) => Found
  /**
   * Writes a change of a withdrawal that is in one of these states, with its journal entry; none where it is not. The
   * next look is due at `nextLookAt`, unless the change is an end.
   */
  readonly change: (
    id: WithdrawalId,
    from: ReadonlyArray<WithdrawalState>,
    change: WithdrawalChange,
    times: { readonly at: EpochMillis; readonly nextLookAt: EpochMillis },
  ) => Found
  /** Claims the withdrawals whose next look is due, by making the look after it due at `next`. */
  readonly claim: (
    now: EpochMillis,
    next: EpochMillis,
    most: number,
  ) => Effect.Effect<ReadonlyArray<FollowedWithdrawal>, StoreUnavailable>
  /** Makes the look that was claimed until `claimed` due at `next`; a change meanwhile has set another time. */
  readonly postpone: (id: WithdrawalId, claimed: EpochMillis, next: EpochMillis) => Done
  /** Makes every look that is still to come due at once: for a process that is the only one, before it begins. */
  readonly release: (now: EpochMillis) => Done
  readonly find: (id: WithdrawalId) => Found
  /** The latest one of the subject whose order has no answer, or that was requested since and has not failed. */
  readonly findOpen: (subject: WithdrawalSubject, since: EpochMillis) => Found
  /** How often withdrawals of the subject have changed, their requests included: it never gets less. */
  readonly changeCount: (subject: WithdrawalSubject) => Effect.Effect<number, StoreUnavailable>
  /** The assets of the provider of which an order may be between our records and the upstream. */
  readonly openAssets: (platform: ProviderName) => Effect.Effect<ReadonlyArray<AssetId>, StoreUnavailable>
  readonly findByKey: (by: string, key: string) => Found
  /** The latest first. */
  readonly page: (
    query: WithdrawalsQuery,
  ) => Effect.Effect<ReadonlyArray<Withdrawal>, StoreUnavailable>
  readonly steps: (id: WithdrawalId) => Effect.Effect<ReadonlyArray<WithdrawalStep>, StoreUnavailable>
}>()("swap-broker/store/WithdrawalsRepo") {
  static readonly layer = Layer.effect(
    WithdrawalsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const all = sql.literal(withdrawalColumns)
      const rows = (statement: Statement.Statement<unknown>) => Effect.flatMap(statement, decodeRows)
      const first = (statement: Statement.Statement<unknown>) =>
        Effect.map(
          rows(statement),
          ([row]) => Option.map(Option.fromUndefinedOr(row), (row) => toFollowed(row).withdrawal),
        )

      const write = Effect.fnUntraced(function* (withdrawal: Withdrawal, at: EpochMillis) {
        const { detail, id, state } = withdrawal
        yield* sql`
          INSERT INTO withdrawal_journal (withdrawal_id, state, detail, recorded_at)
          VALUES (${id}, ${state}, ${detail ?? null}, ${toTimestamp(at)})`
      })

      /** Runs a statement and writes the journal entry of the withdrawal that it returns. */
      const written = (operation: string, statement: Statement.Statement<unknown>, at: EpochMillis) =>
        first(statement).pipe(
          Effect.tap((found) =>
            Option.match(found, { onNone: () => Effect.void, onSome: (one) => write(one, at) })
          ),
          storeOperation(operation),
          inTransaction(sql, operation),
        )

      const request = (
        { affiliate, asset, at, by, destination, earned, key, leaseUntil, platform }: NewWithdrawal,
      ) =>
        written(
          "Withdrawals.request",
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
        )

      const again = (id: WithdrawalId, { at, destination, earned, leaseUntil }: NewWithdrawal) =>
        written(
          "Withdrawals.again",
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

      const change = (
        id: WithdrawalId,
        from: ReadonlyArray<WithdrawalState>,
        made: WithdrawalChange,
        { at, nextLookAt }: { readonly at: EpochMillis; readonly nextLookAt: EpochMillis },
      ) => {
        const state = stateAfter[made._tag]
        const next = state === "paid" || state === "failed" ? null : toTimestamp(nextLookAt)
        return written(
          "Withdrawals.change",
          sql`
            UPDATE withdrawals SET ${assignments(made)}, state = ${state}, changed_at = ${toTimestamp(at)},
              next_look_at = ${next}, lookups = 0
            WHERE id = ${id} AND state IN ${sql.in(from)} RETURNING ${all}`,
          at,
        )
      }

      const claim = (now: EpochMillis, next: EpochMillis, most: number) =>
        rows(sql`
          WITH due AS (
            SELECT id AS due_id FROM withdrawals WHERE next_look_at <= ${toTimestamp(now)}
            ORDER BY next_look_at LIMIT ${most} FOR UPDATE SKIP LOCKED
          )
          UPDATE withdrawals SET next_look_at = ${toTimestamp(next)}, lookups = lookups + 1
          FROM due WHERE id = due_id RETURNING ${all}`)
          .pipe(Effect.map((found) => found.map(toFollowed)), storeOperation("Withdrawals.claim"))

      const done = (operation: string, statement: Statement.Statement<unknown>) =>
        statement.pipe(Effect.asVoid, storeOperation(operation))

      const postpone = (id: WithdrawalId, claimed: EpochMillis, next: EpochMillis) =>
        done(
          "Withdrawals.postpone",
          sql`UPDATE withdrawals SET next_look_at = ${toTimestamp(next)}
            WHERE id = ${id} AND next_look_at = ${toTimestamp(claimed)}`,
        )

      const release = (now: EpochMillis) =>
        done(
          "Withdrawals.release",
          sql`UPDATE withdrawals SET next_look_at = ${toTimestamp(now)} WHERE next_look_at IS NOT NULL`,
        )

      const page = ({ limit, offset, state }: WithdrawalsQuery) =>
        rows(sql`
          SELECT ${all} FROM withdrawals WHERE true
            ${offset === undefined ? sql.literal("") : sql`AND id <= ${offset}`}
            ${state === undefined ? sql.literal("") : sql`AND state = ${state}`}
          ORDER BY id DESC LIMIT ${limit}`).pipe(
          Effect.map((found) => found.map((row) => toFollowed(row).withdrawal)),
          storeOperation("Withdrawals.page"),
        )

      const steps = (id: WithdrawalId) =>
        sql`
          SELECT state, detail, recorded_at AS at FROM withdrawal_journal WHERE withdrawal_id = ${id} ORDER BY id`
          .pipe(Effect.flatMap(decodeSteps), storeOperation("Withdrawals.steps"))

      return WithdrawalsRepo.of({
        request,
        again,
        change,
        claim,
        postpone,
        release,
        find: (id) =>
          first(sql`SELECT ${all} FROM withdrawals WHERE id = ${id}`).pipe(
            storeOperation("Withdrawals.find"),
          ),
        findOpen: ({ affiliate, asset, platform }, since) =>
          first(sql`
            SELECT ${all} FROM withdrawals
            WHERE platform = ${platform} AND asset = ${asset} AND coalesce(affiliate, '') = ${affiliate ?? ""}
              AND (state IN ('requested', 'unknown') OR state <> 'failed' AND requested_at > ${
            toTimestamp(since)
          })
            ORDER BY id DESC LIMIT 1`).pipe(storeOperation("Withdrawals.findOpen")),
        changeCount: ({ affiliate, asset, platform }) =>
          sql`
            SELECT count(*)::int AS count FROM withdrawals JOIN withdrawal_journal ON withdrawal_id = withdrawals.id
            WHERE platform = ${platform} AND asset = ${asset} AND coalesce(affiliate, '') = ${
            affiliate ?? ""
          }`
            .pipe(
              Effect.flatMap(decodeCount),
              Effect.map(([{ count }]) => count),
              storeOperation("Withdrawals.changeCount"),
            ),
        openAssets: (platform) =>
          sql`
            SELECT DISTINCT asset FROM withdrawals
            WHERE platform = ${platform} AND state IN ('requested', 'unknown')`.pipe(
            Effect.flatMap(decodeAssets),
            Effect.map((found) => found.map(({ asset }) => asset)),
            storeOperation("Withdrawals.openAssets"),
          ),
        findByKey: (by, key) =>
          first(sql`SELECT ${all} FROM withdrawals WHERE requested_by = ${by} AND idempotency_key = ${key}`)
            .pipe(storeOperation("Withdrawals.findByKey")),
        page,
        steps,
      })
    }),
  )
}
