import { Option, Schema, SchemaIssue } from "effect"
import { type AssetId, findAsset } from "../../domain/Asset.ts"
import { type Fee, feeOrder, FeeType } from "../../domain/Fee.ts"
import { readAmount, WrittenAmount } from "../upstream/values.ts"

const assetParts = { chain: Schema.String, asset: Schema.String }

interface AssetParts {
  readonly chain: string
  readonly asset: string
}

const isKnownAsset = Schema.makeFilter(({ chain, asset }: AssetParts, _, options) =>
  findAsset(chain, asset) === undefined
    ? new SchemaIssue.InvalidValue({ expected: "a known asset" }, `${chain}/${asset}`, options)
    : undefined
)

/** The asset of `{chain, asset}`, which the schema has checked to be known. */
export const readAsset = ({ chain, asset }: AssetParts): AssetId =>
  Option.getOrThrow(Option.fromUndefinedOr(findAsset(chain, asset)))

/** `{chain, asset}`. */
export const WireAsset = Schema.Struct(assetParts).check(isKnownAsset)

/** `{chain, asset, amount}`. */
export const WireAssetAmount = Schema.Struct({ ...assetParts, amount: WrittenAmount }).check(isKnownAsset)
export type WireAssetAmount = typeof WireAssetAmount.Type

/** `{type, chain, asset, amount}`. The type is any text, as new types may come. */
export const WireFee = Schema.Struct({ ...assetParts, type: Schema.String, amount: WrittenAmount })
  .check(isKnownAsset)
export type WireFee = typeof WireFee.Type

/** Fees in the domain's terms, and the unknown types of the fees that were left out. */
interface ReadFees {
  readonly fees: ReadonlyArray<Fee>
  readonly unknownTypes: ReadonlyArray<string>
}

/** The network keeps nothing of a commission, so that no fee of its own is one of the `provider`. */
const feeTypes = new Map<string, FeeType>(
  FeeType.literals.filter((type) => type !== "provider").map((type) => [type, type]),
)

const findFeeType = (type: string): FeeType | undefined => feeTypes.get(type.toLowerCase())

/** The order of decision 22. Fees of one type keep theirs. */
const byFeeOrder = (left: Fee, right: Fee): number =>
  feeOrder.indexOf(left.type) - feeOrder.indexOf(right.type)

/** The fees of a quote or record, in order. */
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
