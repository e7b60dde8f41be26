import { Schema } from "effect"
import { NativeAmount } from "#domain/money/Amount.ts"
import type { RequestedSwap } from "../engine/Command.ts"
import { vaultAddress } from "../engine/identifiers.ts"
import { invalidParams, type RpcError } from "./refusals.ts"
import { AssetInput, HexInput, NumberOrHexInput, U16, U32 } from "./values.ts"

/** The parameters that the broker's methods for swaps share (chainflip/wire.md 2.2, 2.3). */

/** 0x and two hexadecimal digits for each byte. */
const HexBytes = Schema.String.check(Schema.isPattern(/^0x([0-9a-fA-F]{2})*$/, { expected: "0x-hex bytes" }))

const ChannelMetadata = Schema.Struct({
  message: HexBytes,
  gas_budget: NumberOrHexInput,
  ccm_additional_data: Schema.optionalKey(HexBytes),
})

/** The parameters before the method's own. */
export const swapHead = {
  source_asset: AssetInput,
  destination_asset: AssetInput,
  destination_address: Schema.String,
  broker_commission: U16,
}

/** The parameters after the method's own. */
export const swapExtras = {
  channel_metadata: Schema.optionalKey(ChannelMetadata),
  boost_fee: Schema.optionalKey(U16),
  affiliate_fees: Schema.optionalKey(Schema.Array(Schema.Struct({ account: Schema.String, bps: U16 }))),
}

export const swapEnd = {
  dca_parameters: Schema.optionalKey(Schema.Struct({ number_of_chunks: U32, chunk_interval: U32 })),
}

/** The price limit, and the address that the deposit is refunded to. */
export const RefundParams = Schema.Struct({
  retry_duration: U32,
  refund_address: Schema.String,
  min_price: HexInput,
  refund_ccm_metadata: Schema.optionalKey(ChannelMetadata),
  max_oracle_price_slippage: Schema.optionalKey(U16),
})
export type RefundParams = typeof RefundParams.Type

const SwapParams = Schema.Struct({ ...swapHead, ...swapExtras, ...swapEnd })
type SwapParams = typeof SwapParams.Type

/** The longest message and additional data, in bytes (chainflip/wire.md 2.2). */
const maximumMessageBytes = 15_000
const maximumAdditionalDataBytes = 3_000

const byteLength = (bytes: string): number => (bytes.length - 2) / 2

/** The refusal of a message by the wire itself, before the network gets it. */
export const messageRefusal = ({ channel_metadata: ccm }: SwapParams): RpcError | undefined => {
  if (ccm === undefined) return undefined
  if (byteLength(ccm.message) > maximumMessageBytes) {
    return invalidParams("Invalid params: CCM message size too large.")
  }
  return ccm.ccm_additional_data !== undefined &&
      byteLength(ccm.ccm_additional_data) > maximumAdditionalDataBytes
    ? invalidParams("Invalid params: CCM additional data too large.")
    : undefined
}

export const toRefund = (refund: RefundParams): RequestedSwap["refund"] => ({
  retryDurationBlocks: refund.retry_duration,
  refundAddress: refund.refund_address,
  minimumPriceX128: refund.min_price,
  ...(refund.max_oracle_price_slippage === undefined
    ? {}
    : { maximumOraclePriceSlippageBps: refund.max_oracle_price_slippage }),
})

export const toRequestedSwap = (params: SwapParams, refund: RequestedSwap["refund"]): RequestedSwap => {
  const { channel_metadata: ccm, dca_parameters: dca } = params
  return {
    sourceAsset: params.source_asset,
    destinationAsset: params.destination_asset,
    destinationAddress: params.destination_address,
    brokerCommissionBps: params.broker_commission,
    boostFeeBps: params.boost_fee ?? 0,
    affiliates: (params.affiliate_fees ?? []).map(({ account, bps }) => ({ account, commissionBps: bps })),
    refund,
    ...(dca === undefined
      ? {}
      : { dca: { numberOfChunks: dca.number_of_chunks, chunkIntervalBlocks: dca.chunk_interval } }),
    ...(ccm === undefined ? {} : { ccm: { gasBudget: ccm.gas_budget, message: ccm.message } }),
  }
}

/** The parameters of `broker_request_swap_parameter_encoding` (chainflip/wire.md 2.3). */

/** The oracle limit in a payload, which is one byte. */
const U8 = U16.check(
  Schema.isBetween({ minimum: 0, maximum: 255 }, { expected: "an unsigned 8-bit integer" }),
)

const Refund = Schema.Struct({ ...RefundParams.fields, max_oracle_price_slippage: Schema.optionalKey(U8) })

const amounts = { input_amount: NumberOrHexInput, refund_parameters: Refund }

/** The parameters that depend on the source chain. */
const Extra = Schema.Union([
  Schema.Struct({
    chain: Schema.Literal("Bitcoin"),
    min_output_amount: HexInput.pipe(Schema.decodeTo(NativeAmount)),
    retry_duration: U16,
    max_oracle_price_slippage: Schema.optionalKey(U8),
  }),
  Schema.Struct({ chain: Schema.Literals(["Ethereum", "Arbitrum", "Bsc"]), ...amounts }),
  Schema.Struct({ chain: Schema.Literal("Tron"), ...amounts }),
  Schema.Struct({
    chain: Schema.Literal("Solana"),
    from: Schema.String,
    seed: HexBytes.check(Schema.isMaxLength(2 + 2 * 32, { expected: "at most 32 bytes" })),
    ...amounts,
    from_token_account: Schema.optionalKey(Schema.String),
  }),
])
export type Extra = typeof Extra.Type

export const EncodeParams = Schema.Struct({ ...swapHead, extra_parameters: Extra, ...swapExtras, ...swapEnd })
export type EncodeParams = typeof EncodeParams.Type

/** The refund address of a Bitcoin transaction, which is that of its change and not known before it is sent. */
const changeNotKnown = vaultAddress("Bitcoin")

/** The refund parameters of a payload. Bitcoin's have no price limit, but one on the whole output. */
export const refundOf = (extra: Extra): RequestedSwap["refund"] =>
  extra.chain === "Bitcoin"
    ? {
      retryDurationBlocks: extra.retry_duration,
      refundAddress: changeNotKnown,
      minimumPriceX128: 0n,
      ...(extra.max_oracle_price_slippage === undefined
        ? {}
        : { maximumOraclePriceSlippageBps: extra.max_oracle_price_slippage }),
    }
    : toRefund(extra.refund_parameters)
