import { Order } from "effect"
import { type Fee, feeOrder, FeeType } from "../../../domain/Fee.ts"
import type { WireFee } from "../wire/assets.ts"

/** Fees in the domain's terms, with the types that we do not know: those fees are left out. */
export interface ReadFees {
  readonly fees: ReadonlyArray<Fee>
  readonly unknownTypes: ReadonlyArray<string>
}

const findFeeType = (type: string): FeeType | undefined =>
  FeeType.literals.find((known) => known === type.toLowerCase())

/** The order of decision 22; fees of one type keep theirs. */
const byFeeOrder: Order.Order<Fee> = Order.mapInput(
  Order.Number,
  (fee: Fee) => feeOrder.indexOf(fee.type),
)

/** Fees as quotes and records carry them, sorted. */
export const toFees = (wireFees: ReadonlyArray<WireFee>): ReadFees => {
  const fees = wireFees.flatMap(({ type, asset, amount }) => {
    const known = findFeeType(type)
    return known === undefined ? [] : [{ type: known, asset, amount }]
  })
  return {
    fees: fees.toSorted(byFeeOrder),
    unknownTypes: wireFees.map(({ type }) => type).filter((type) => findFeeType(type) === undefined),
  }
}
