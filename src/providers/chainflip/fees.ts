import { Option, Schema, SchemaIssue } from "effect"
import { type AssetId } from "#domain/chains/Asset.ts"
import { findNetworkAsset } from "#domain/chains/payload/contractNumbers.ts"
import { type Fee, feeOrder, FeeType } from "#domain/money/Fee.ts"
import type { Noticed } from "../upstream/decode.ts"
import { upstreamText } from "../upstream/failures.ts"
import { readAmount, WrittenAmount } from "../upstream/values.ts"

const assetParts = { chain: Schema.String, asset: Schema.String }

interface AssetParts {
  readonly chain: string
  readonly asset: string
}

const isKnownAsset = Schema.makeFilter(({ chain, asset }: AssetParts, _, options) =>
  findNetworkAsset(chain, asset) === undefined
    ? new SchemaIssue.InvalidValue({ expected: "a known asset" }, `${chain}/${asset}`, options)
    : undefined
)

/** The asset of `{chain, asset}`, which the schema has checked to be known. */
export const readAsset = ({ chain, asset }: AssetParts): AssetId =>
  Option.getOrThrow(Option.fromUndefinedOr(findNetworkAsset(chain, asset)))

export const WireAsset = Schema.Struct(assetParts).check(isKnownAsset)

/** `{chain, asset}` of what is only shown: an asset that is new to us takes nothing from the rest. */
export const WireShownAsset = Schema.Struct(assetParts)

export const findWireAsset = ({ chain, asset }: AssetParts): AssetId | undefined =>
  findNetworkAsset(chain, asset)

export const WireAssetAmount = Schema.Struct({ ...assetParts, amount: WrittenAmount })

/** `{type, chain, asset, amount}`. The type is any text, as new types may come, and so may assets. */
export const WireFee = Schema.Struct({ ...assetParts, type: Schema.String, amount: WrittenAmount })
export type WireFee = typeof WireFee.Type

interface ReadFees extends Noticed {
  readonly fees: ReadonlyArray<Fee>
}

/** The network keeps nothing of a commission, so that no fee of its own is one of the `provider`. */
const feeTypes = new Map<string, FeeType>(
  FeeType.literals.filter((type) => type !== "provider").map((type) => [type, type]),
)

const findFeeType = (type: string): FeeType | undefined => feeTypes.get(type.toLowerCase())

/** The order of decision 22. Fees of one type keep theirs. */
const byFeeOrder = (left: Fee, right: Fee): number =>
  feeOrder.indexOf(left.type) - feeOrder.indexOf(right.type)

export const toFees = (of: "quote" | "swap", wireFees: ReadonlyArray<WireFee>): ReadFees => {
  const fees: Array<Fee> = []
  const notices: Array<string> = []
  for (const wire of wireFees) {
    const type = findFeeType(wire.type)
    const asset = findWireAsset(wire)
    if (type === undefined) {
      notices.push(`Left out a ${of}'s fee of the unknown type ${upstreamText(wire.type)}`)
    } else if (asset === undefined) {
      notices.push(
        `Left out a ${of}'s fee in the unknown asset ${upstreamText(`${wire.chain}/${wire.asset}`)}`,
      )
    } else fees.push({ type, asset, amount: readAmount(wire.amount) })
  }
  return { fees: fees.sort(byFeeOrder), notices }
}
