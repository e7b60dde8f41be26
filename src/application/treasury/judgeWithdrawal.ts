import { chainOf } from "#domain/chains/Asset.ts"
import type { TakenWithdrawal } from "#domain/operations/Treasury.ts"
import { type Withdrawal, WithdrawalChange } from "#domain/operations/Withdrawal.ts"
import { isSameAddress } from "./destination.ts"

/** Why an answer cannot be true of the order; nothing where it can. `mostEarned` is what there can have been by then. */
const contradiction = (
  { asset, destination, earned }: Withdrawal,
  taken: TakenWithdrawal,
  mostEarned: bigint,
): string | undefined => {
  if (!isSameAddress(chainOf(asset), destination, taken.destination)) {
    return `The upstream says that it pays ${taken.destination}, and ${destination} was ordered`
  }
  const whole = taken.amount + taken.fee
  if (whole < earned) return `The upstream says that it took ${whole}, and ${earned} was there`
  if (whole > mostEarned) {
    return `The upstream says that it took ${whole}, and at most ${mostEarned} can have been there`
  }
  return undefined
}

/** What an upstream's answer to an order, or its trace of one, means for the withdrawal. */
export const judgeWithdrawal = (
  withdrawal: Withdrawal,
  taken: TakenWithdrawal,
  mostEarned: bigint,
): WithdrawalChange => {
  const detail = contradiction(withdrawal, taken, mostEarned)
  return detail === undefined
    ? WithdrawalChange.Taken({ taken })
    : WithdrawalChange.Contradicted({ detail: `${detail} (reference ${taken.reference})` })
}
