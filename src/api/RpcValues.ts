import { Effect, Schema, SchemaIssue, SchemaTransformation } from "effect"
import { AssetId, factsOf, findAsset, findAssetByTicker } from "../domain/Asset.ts"

/** How clients write the values of parameters on `/rpc` (chainflip/wire.md 1.1). */

/** A member that may be absent, or null, which means the same; `message` says what else it can be. */
export const optional = <S extends Schema.Constraint>(schema: S, message: string) =>
  Schema.optionalKey(Schema.NullOr(schema).annotate({ message: `${message}, or null` }))

/** What a number has to be. */
export const aWholeNumber = "must be a whole number, as a JSON number, 0x-hex or digits"
const said = { message: aWholeNumber }

/** A whole number in each of the ways that clients write it; no more than 256 bits. */
export const whole = (description: string) =>
  Schema.Union([
    Schema.Int.annotate(said).check(Schema.isGreaterThanOrEqualTo(0, said)),
    Schema.String.check(Schema.isPattern(/^(?:0x[0-9a-fA-F]{1,64}|[0-9]{1,78})$/u, said)),
  ]).annotate({ ...said, description }).pipe(
    Schema.decodeTo(
      Schema.BigInt,
      SchemaTransformation.transform<bigint, number | string>({
        decode: BigInt,
        encode: (value) => `0x${value.toString(16)}`,
      }),
    ),
  )

/** Text of any kind. */
export const text = (description: string) => Schema.String.annotate({ description, message: "must be text" })

/** What the upstream knows, and this broker cannot do: it is never dropped silently. */
export const onlyNull = (description: string) =>
  Schema.optionalKey(
    Schema.Null.annotate({ description, message: "cannot be had through this broker: it has to be null" }),
  )

const anAsset =
  'must be a known asset, such as {"chain":"Bitcoin","asset":"BTC"}; a ticker alone only where one chain is meant'

/** `{chain, asset}`, or the ticker alone as older clients send it (chainflip/wire.md 1.1). */
export const asset = (description: string) =>
  Schema.Union([
    Schema.Struct({ chain: text("Name of a chain."), asset: text("Ticker.") }),
    Schema.String,
  ]).annotate({ description, message: anAsset }).pipe(
    Schema.decodeTo(
      AssetId,
      SchemaTransformation.transformEffect<
        AssetId,
        { readonly chain: string; readonly asset: string } | string
      >({
        decode: (input) => {
          const asset = typeof input === "string"
            ? findAssetByTicker(input)
            : findAsset(input.chain, input.asset)
          return asset === undefined
            ? Effect.fail(new SchemaIssue.InvalidValue({ message: anAsset }, input))
            : Effect.succeed(asset)
        },
        encode: (asset) => Effect.succeed({ chain: factsOf(asset).chain, asset: factsOf(asset).ticker }),
      }),
    ),
  )
