import { Effect, Schema, SchemaIssue, SchemaTransformation } from "effect"
import { NativeAmount } from "#domain/money/Amount.ts"
import { AssetId, factsOf } from "#domain/chains/Asset.ts"
import { findNetworkAsset, networkAssets, networkChains } from "#domain/chains/payload/contractNumbers.ts"
import type { Chain } from "#domain/chains/Chain.ts"

/** The forms in which the network writes values (chainflip/wire.md 1.1). */

/** A U256: always 0x-hex, minimal digits, lower case. */
export const hex = (value: bigint): string => `0x${value.toString(16)}`

/** A NumberOrHex: a JSON number while it is a safe integer, otherwise 0x-hex. */
export const numberOrHex = (value: bigint): number | string =>
  value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : hex(value)

/** An asset as the node and the backend name it. */
interface WireAsset {
  readonly chain: Chain
  readonly asset: string
}

/** `{"chain":"Ethereum","asset":"USDC"}`. */
export const wireAsset = (asset: AssetId): WireAsset => {
  const { chain, ticker } = factsOf(asset)
  return { chain, asset: ticker }
}

export const hexAmount = (asset: AssetId, amount: NativeAmount) => ({
  ...wireAsset(asset),
  amount: hex(amount),
})

/** An amount with its asset, in decimal digits, as the backend writes it. */
export const decimalAmount = (asset: AssetId, amount: NativeAmount) => ({
  ...wireAsset(asset),
  amount: `${amount}`,
})

/** Chain → ticker → value, for the known assets that `include` accepts. */
export const assetMap = <Value>(
  valueOf: (asset: AssetId) => Value,
  include: (asset: AssetId) => boolean = () => true,
): Record<string, Record<string, Value>> => {
  const map: Record<string, Record<string, Value>> = {}
  for (const asset of networkAssets.filter(include)) {
    const { chain, ticker } = factsOf(asset)
    map[chain] = { ...map[chain], [ticker]: valueOf(asset) }
  }
  return map
}

export const chainMap = <Value>(valueOf: (chain: Chain) => Value): Record<string, Value> =>
  Object.fromEntries(networkChains.map((chain) => [chain, valueOf(chain)]))

/** An amount in decimal digits. An absent amount stays undefined: JSON leaves such members out, as the backend does. */
export const digits = (amount: bigint | undefined): string | undefined => amount?.toString()

/** The forms in which the network reads values (chainflip/wire.md 1.1, 2.2). Absence and null mean the same. */

const refused = (message: string, input: unknown) => new SchemaIssue.InvalidValue({ message }, input)

/** The asset of a bare ticker: that on Ethereum, or else on the only chain that has the ticker. */
const findByTicker = (ticker: string): AssetId | undefined =>
  findNetworkAsset("Ethereum", ticker) ?? networkAssets.find((asset) => factsOf(asset).ticker === ticker)

/** An asset: `{chain, asset}`, or the bare legacy name. */
export const AssetInput = Schema.Union([
  Schema.Struct({ chain: Schema.String, asset: Schema.String }),
  Schema.String,
]).pipe(Schema.decodeTo(
  AssetId,
  SchemaTransformation.transformEffect<AssetId, { readonly chain: string; readonly asset: string } | string>({
    decode: (input) => {
      const asset = typeof input === "string"
        ? findByTicker(input)
        : findNetworkAsset(input.chain, input.asset)
      return asset === undefined
        ? Effect.fail(refused(`unknown asset ${JSON.stringify(input)}`, input))
        : Effect.succeed(asset)
    },
    encode: (asset) => Effect.succeed({ chain: factsOf(asset).chain, asset: factsOf(asset).ticker }),
  }),
))

export const HexInput = Schema.String.check(Schema.isPattern(/^0x[0-9a-fA-F]{1,64}$/, { expected: "0x-hex" }))
  .pipe(Schema.decodeTo(
    Schema.BigInt,
    SchemaTransformation.transform<bigint, string>({
      decode: BigInt,
      encode: (value) => `0x${value.toString(16)}`,
    }),
  ))

/** An amount that may come as a number, as 0x-hex or as decimal digits. */
export const NumberOrHexInput = Schema.Union([
  Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)),
  Schema.String.check(
    Schema.isPattern(/^(0x[0-9a-fA-F]{1,64}|[0-9]{1,78})$/, { expected: "a number or 0x-hex" }),
  ),
]).pipe(Schema.decodeTo(
  NativeAmount,
  SchemaTransformation.transform<bigint, number | string>({ decode: BigInt, encode: String }),
))

/** Decimal digits, as the backend reads amounts. */
export const DecimalInput = Schema.String
  .check(Schema.isPattern(/^[0-9]{1,78}$/, { expected: "decimal digits" }))
  .pipe(Schema.decodeTo(
    Schema.BigInt,
    SchemaTransformation.transform<bigint, string>({ decode: BigInt, encode: String }),
  ))

const unsigned = (bits: 16 | 32) =>
  Schema.Int.check(
    Schema.isBetween({ minimum: 0, maximum: 2 ** bits - 1 }, { expected: `an unsigned ${bits}-bit integer` }),
  )
export const U16 = unsigned(16)
export const U32 = unsigned(32)

/** The value without null members, at any depth: the network takes null and absence for "not given". */
export const withoutNulls = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => member === null ? [] : [[name, withoutNulls(member)]]),
  )
}
