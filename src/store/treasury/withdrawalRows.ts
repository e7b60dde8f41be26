import { Schema } from "effect"
import { Address } from "../../domain/Address.ts"
import { NativeAmount } from "../../domain/Amount.ts"
import { AssetId } from "../../domain/Asset.ts"
import { ProviderName } from "../../domain/ProviderName.ts"
import { type Withdrawal, WithdrawalId, WithdrawalState } from "../../domain/Withdrawal.ts"
import { absentWhenNull, Timestamp, WholeNumber } from "../database/columns.ts"

const Amount = Schema.BigIntFromString.pipe(Schema.decodeTo(NativeAmount))

/** A row of withdrawals, by the names of `withdrawalColumns`. */
export const WithdrawalRow = Schema.Struct({
  id: WholeNumber.pipe(Schema.decodeTo(WithdrawalId)),
  platform: ProviderName,
  asset: AssetId,
  affiliate: absentWhenNull(Schema.NonEmptyString),
  destination: Address,
  state: WithdrawalState,
  earned: Amount,
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
/** The columns of `WithdrawalRow`. */
export const withdrawalColumns = `id, platform, asset, affiliate, destination, state, earned::text, reference,
  order_transaction AS transaction, amount::text, fee::text, payment_transaction AS "paymentTransaction", detail,
  is_contradicted AS "isContradicted", requested_at AS "requestedAt", changed_at AS "changedAt", lookups`

/** A withdrawal to follow, and how often it has been looked up since its last change. */
export interface FollowedWithdrawal {
  readonly withdrawal: Withdrawal
  readonly lookups: number
}

/** A row as the withdrawal that it is of. */
export const toFollowed = (
  { amount, fee, lookups, reference, transaction, ...row }: typeof WithdrawalRow.Type,
): FollowedWithdrawal => ({
  withdrawal: amount === undefined || fee === undefined || reference === undefined ? row : {
    ...row,
    taken: {
      reference,
      amount,
      fee,
      destination: row.destination,
      ...(transaction === undefined ? {} : { transaction }),
    },
  },
  lookups,
})
