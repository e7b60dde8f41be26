import { Option, Schema, SchemaIssue } from "effect"
import { type AssetId, findAsset } from "../../../domain/Asset.ts"
import { WrittenAmount } from "../../upstream/values.ts"

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

/** `{chain, asset}` of a known asset; it is there once the wire has been checked. */
export const readAsset = ({ chain, asset }: AssetParts): AssetId =>
  Option.getOrThrow(Option.fromUndefinedOr(findAsset(chain, asset)))

/** `{chain, asset}`. */
export const WireAsset = Schema.Struct(assetParts).check(isKnownAsset)

/** `{chain, asset, amount}`. */
export const WireAssetAmount = Schema.Struct({ ...assetParts, amount: WrittenAmount }).check(isKnownAsset)
export type WireAssetAmount = typeof WireAssetAmount.Type

/** `{type, chain, asset, amount}`; the type is any text, for new ones may come. */
export const WireFee = Schema.Struct({ ...assetParts, type: Schema.String, amount: WrittenAmount })
  .check(isKnownAsset)
export type WireFee = typeof WireFee.Type
