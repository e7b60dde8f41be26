import { Effect, Schema, SchemaIssue, SchemaTransformation } from "effect"
import { maximumNativeAmount } from "#domain/money/Amount.ts"
import { AssetId, factsOf, findAsset, findAssetByTicker } from "#domain/chains/Asset.ts"
import { mostBps } from "#domain/money/Bps.ts"

/** The forms in which clients write parameters on `/rpc` (chainflip/wire.md 1.1). */

/** A member that may be absent or null, which mean the same; `message` describes its other values. */
export const optional = <S extends Schema.Constraint>(schema: S, message: string) =>
  Schema.optionalKey(Schema.NullOr(schema).annotate({ message: `${message}, or null` }))

/** The issue of a value that is no whole number. */
export const aWholeNumber = "must be a whole number, as a JSON number, 0x-hex or digits"
const said = { message: aWholeNumber }

/** A whole number in each form that clients use, up to 256 bits. */
export const whole = (description: string) =>
  Schema.Union([
    Schema.Int.annotate(said).check(Schema.isGreaterThanOrEqualTo(0, said)),
    Schema.String.check(Schema.isPattern(/^(?:0x[0-9a-fA-F]{1,64}|[0-9]{1,78})$/u, said)),
  ]).annotate({ ...said, description }).pipe(Schema.decodeTo(
    Schema.BigInt,
    SchemaTransformation.transform<bigint, number | string>({
      decode: BigInt,
      encode: (value) => `0x${value.toString(16)}`,
    }),
  ))

export const text = (description: string) => Schema.String.annotate({ description, message: "must be text" })

/** A parameter of the upstream that this broker does not support: it must be null, and is never silently dropped. */
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
  ]).annotate({ description, message: anAsset }).pipe(Schema.decodeTo(
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
  ))

/** The parameters of the broker's methods on `/rpc` (chainflip/wire.md 2.2, 2.3), in their order. */

const hexBytes = /^0x(?:[0-9a-fA-F]{2})*$/u
const someBytes = { message: "must be 0x and two hexadecimal digits for each byte" }

const ChannelMetadata = Schema.Struct({
  message: Schema.String.annotate(someBytes).check(Schema.isPattern(hexBytes, someBytes)),
  gas_budget: whole("In native units of the destination chain's own coin."),
  ccm_additional_data: Schema.optionalKey(
    Schema.Literals(["", "0x"]).annotate({
      message: "cannot be had through this broker: it has to be empty",
    }),
  ),
}).annotate({ identifier: "RpcMessage" })

/** The most affiliates of a swap (decision 8). */
const mostAffiliates = 4
const affiliates = { message: `must be a list of at most ${mostAffiliates} of {account, bps}` }

const AffiliateFees = Schema.Array(
  Schema.Struct({
    account: text("ss58, begins with `cF`; or the name of an affiliate."),
    bps: whole("Basis points."),
  }).annotate({ identifier: "RpcAffiliateFee", message: "must be {account, bps}" }),
).check(Schema.isMaxLength(mostAffiliates, affiliates)).annotate({ description: "Added to the commission." })

/** How far the swap may be below the network's own price feed; absent: the network's default. */
const oraclePriceSlippage = (most: bigint) => {
  const message = `must be a whole number of basis points from 0 to ${most}`
  const range = Schema.isBetweenBigInt({ minimum: 0n, maximum: most }, { message })
  return optional(
    whole("Most that the price may be under the network's price feed, in basis points; null is its default.")
      .check(range),
    message,
  )
}

/** The largest limit in a payload, which is one byte. */
const mostSlippageInPayload = 255n

/** The price limit, and the address that the deposit is refunded to. */
const refundParameters = (mostSlippageBps: bigint) =>
  Schema.Struct({
    retry_duration: whole("Blocks of 6 seconds."),
    refund_address: text("Address on the source chain."),
    min_price: whole("Native units of the destination for one of the source, times 2^128; 0 is any price."),
    refund_ccm_metadata: onlyNull("Not possible through this broker."),
    max_oracle_price_slippage: oraclePriceSlippage(mostSlippageBps),
  }).annotate({
    identifier: "RpcRefundParameters",
    message: "must be {retry_duration, refund_address, min_price}",
  })

const DcaParameters = Schema.Struct({
  number_of_chunks: whole("1 is a regular swap."),
  chunk_interval: whole("Blocks of 6 seconds."),
}).annotate({ identifier: "RpcDcaParameters" })

const swap = {
  source_asset: asset("Asset to swap from."),
  destination_asset: asset("Asset to swap to."),
  destination_address: text("Address on the destination chain, as text or in the network's hex."),
  broker_commission: whole("Basis points; lower than the account's default is raised to it."),
}

const options = {
  channel_metadata: optional(ChannelMetadata, "must be {message, gas_budget}"),
  boost_fee: optional(
    whole("The highest boost fee that is accepted, in basis points; 0 is no boost."),
    aWholeNumber,
  ),
  affiliate_fees: optional(AffiliateFees, affiliates.message),
}

const chunks = { dca_parameters: optional(DcaParameters, "must be {number_of_chunks, chunk_interval}") }

/** The parameters of `broker_request_swap_deposit_address`, by name; a list has them in this order. */
export const OpenChannelParams = Schema.Struct({
  ...swap,
  ...options,
  refund_parameters: refundParameters(BigInt(mostBps)),
  ...chunks,
}).annotate({ identifier: "OpenChannelParams" })
export type OpenChannelParams = typeof OpenChannelParams.Type

const anAmount = { message: "must be above zero and below 2^128" }

const payment = {
  input_amount: whole("In native units of the source asset.").check(
    Schema.isBetweenBigInt({ minimum: 1n, maximum: maximumNativeAmount }, anAmount),
  ),
  refund_parameters: refundParameters(mostSlippageInPayload),
}

const encodedChains = { message: "must be Ethereum, Arbitrum, Solana or Tron" }

/** The further inputs of a payload, by the chain of the source asset (chainflip/wire.md 2.3). */
const ExtraParameters = Schema.Union([
  Schema.Struct({
    chain: Schema.Literals(["Ethereum", "Arbitrum", "Tron"]).annotate(encodedChains),
    ...payment,
  }),
  Schema.Struct({
    chain: Schema.Literal("Solana"),
    from: text("The sender's account."),
    seed: text("0x and 64 hex digits."),
    ...payment,
    from_token_account: optional(text("Account of the token; the sender's own when absent."), "must be text"),
  }),
  Schema.Struct({
    chain: Schema.Literal("Bitcoin"),
    min_output_amount: whole("In native units of the destination asset."),
    retry_duration: whole("Blocks of 6 seconds."),
    max_oracle_price_slippage: oraclePriceSlippage(mostSlippageInPayload),
  }).annotate({
    description: "Refused: use POST /tx-payload/bitcoin, which takes the amount and the refund address.",
  }),
])
/** The extra parameters of the chains whose payloads can be encoded here. */
export type ExtraParameters = Exclude<typeof ExtraParameters.Type, { readonly chain: "Bitcoin" }>

/** The parameters of `broker_request_swap_parameter_encoding`, by name; a list has them in this order. */
export const EncodeParams = Schema.Struct({
  ...swap,
  extra_parameters: ExtraParameters,
  ...options,
  ...chunks,
}).annotate({ identifier: "EncodeParams" })
export type EncodeParams = typeof EncodeParams.Type
