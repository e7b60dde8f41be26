import { Effect, Schema, type SchemaAST, SchemaGetter, SchemaIssue } from "effect"
import { NativeAmount } from "../../../domain/Amount.ts"
import { AssetId, findAsset } from "../../../domain/Asset.ts"
import { Amount } from "../../upstream/values.ts"

/** The asset with this chain and ticker, or the issue that there is no such one. */
const knownAsset = (
  { chain, asset }: { readonly chain: string; readonly asset: string },
  options: SchemaAST.ParseOptions,
): Effect.Effect<AssetId, SchemaIssue.Issue> => {
  const known = findAsset(chain, asset)
  return known === undefined
    ? Effect.fail(new SchemaIssue.InvalidValue({ expected: "a known asset" }, `${chain}/${asset}`, options))
    : Effect.succeed(known)
}

const assetParts = { chain: Schema.String, asset: Schema.String }

/** `{chain, asset}`. */
export const Asset = Schema.Struct(assetParts).pipe(
  Schema.decodeTo(AssetId, {
    decode: SchemaGetter.transformEffect(knownAsset),
    encode: SchemaGetter.forbiddenEncoding,
  }),
)

/** `{chain, asset, amount}`. */
export const AssetAmount = Schema.Struct({ ...assetParts, amount: Amount }).pipe(
  Schema.decodeTo(Schema.Struct({ asset: AssetId, amount: Schema.toType(NativeAmount) }), {
    decode: SchemaGetter.transformEffect(({ amount, ...parts }, options) =>
      Effect.map(knownAsset(parts, options), (asset) => ({ asset, amount }))
    ),
    encode: SchemaGetter.forbiddenEncoding,
  }),
)

/** `{type, chain, asset, amount}`; the type is any text, for new ones may come. */
export const WireFee = Schema.Struct({ ...assetParts, type: Schema.String, amount: Amount }).pipe(
  Schema.decodeTo(
    Schema.Struct({ type: Schema.String, asset: AssetId, amount: Schema.toType(NativeAmount) }),
    {
      decode: SchemaGetter.transformEffect(({ type, amount, ...parts }, options) =>
        Effect.map(knownAsset(parts, options), (asset) => ({ type, asset, amount }))
      ),
      encode: SchemaGetter.forbiddenEncoding,
    },
  ),
)
export type WireFee = typeof WireFee.Type
