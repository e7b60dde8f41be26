import { type Fee, feeOrder, FeeType } from "../../../domain/Fee.ts"
import { readAmount } from "../../upstream/values.ts"
import { readAsset, type WireFee } from "../wire/assets.ts"

/** Fees in the domain's terms, with the types that we do not know: those fees are left out. */
export interface ReadFees {
  readonly fees: ReadonlyArray<Fee>
  readonly unknownTypes: ReadonlyArray<string>
}

const feeTypes = new Map<string, FeeType>(FeeType.literals.map((type) => [type, type]))

const findFeeType = (type: string): FeeType | undefined => feeTypes.get(type.toLowerCase())

/** The order of decision 22; fees of one type keep theirs. */
const byFeeOrder = (left: Fee, right: Fee): number =>
  feeOrder.indexOf(left.type) - feeOrder.indexOf(right.type)

/** Fees as quotes and records carry them, sorted. */
export const toFees = (wireFees: ReadonlyArray<WireFee>): ReadFees => {
  const fees: Array<Fee> = []
  const unknownTypes: Array<string> = []
  for (const wire of wireFees) {
    const type = findFeeType(wire.type)
    if (type === undefined) unknownTypes.push(wire.type)
    else fees.push({ type, asset: readAsset(wire), amount: readAmount(wire.amount) })
  }
  return { fees: fees.sort(byFeeOrder), unknownTypes }
}
