import { Effect, Result, Schema } from "effect"
import type { OpenChannel } from "../engine/Command.ts"
import type { ChannelOpened } from "../engine/View.ts"
import { World } from "../World.ts"
import { AssetInput, HexInput, NumberOrHexInput, U16, U32 } from "./decode.ts"
import { hex, numberOrHex } from "./encode.ts"
import { type Hosting, moduleError, openRefusal } from "./refusals.ts"
import { method, type Methods } from "./rpc.ts"
import { invalidParams, type RpcError } from "./RpcError.ts"

/** The broker's JSON-RPC methods (chainflip.md 2.2). */

const HexBytes = Schema.String.check(
  Schema.isPattern(/^0x([0-9a-fA-F]{2})*$/, { expected: "0x-hex bytes" }),
)

const ChannelMetadata = Schema.Struct({
  message: HexBytes,
  gas_budget: NumberOrHexInput,
  ccm_additional_data: Schema.optionalKey(HexBytes),
})

const OpenParams = Schema.Struct({
  source_asset: AssetInput,
  destination_asset: AssetInput,
  destination_address: Schema.String,
  broker_commission: U16,
  channel_metadata: Schema.optionalKey(ChannelMetadata),
  boost_fee: Schema.optionalKey(U16),
  affiliate_fees: Schema.optionalKey(Schema.Array(Schema.Struct({ account: Schema.String, bps: U16 }))),
  refund_parameters: Schema.Struct({
    retry_duration: U32,
    refund_address: Schema.String,
    min_price: HexInput,
    refund_ccm_metadata: Schema.optionalKey(ChannelMetadata),
    max_oracle_price_slippage: Schema.optionalKey(U16),
  }),
  dca_parameters: Schema.optionalKey(Schema.Struct({ number_of_chunks: U32, chunk_interval: U32 })),
})
type OpenParams = typeof OpenParams.Type

/** Longest message and additional data, in bytes (chainflip.md 2.2). */
const maximumMessageBytes = 15_000
const maximumAdditionalDataBytes = 3_000

const byteLength = (bytes: string): number => (bytes.length - 2) / 2

/** What the wire itself refuses, before the network sees it. */
const wireRefusal = (hosting: Hosting, params: OpenParams): RpcError | undefined => {
  const { channel_metadata: ccm, refund_parameters: refund } = params
  if (ccm !== undefined && byteLength(ccm.message) > maximumMessageBytes) {
    return invalidParams("Invalid params: CCM message size too large.")
  }
  if (
    ccm?.ccm_additional_data !== undefined && byteLength(ccm.ccm_additional_data) > maximumAdditionalDataBytes
  ) {
    return invalidParams("Invalid params: CCM additional data too large.")
  }
  return refund.refund_ccm_metadata === undefined ? undefined : moduleError(hosting, {
    name: "CcmUnsupportedForRefundChain",
    pallet: "Swapping",
    docs: "The refund chain does not support messages.",
  })
}

const toCommand = (params: OpenParams): OpenChannel => {
  const { channel_metadata: ccm, dca_parameters: dca, refund_parameters: refund } = params
  return {
    _tag: "OpenChannel",
    sourceAsset: params.source_asset,
    destinationAsset: params.destination_asset,
    destinationAddress: params.destination_address,
    brokerCommissionBps: params.broker_commission,
    boostFeeBps: params.boost_fee ?? 0,
    affiliates: (params.affiliate_fees ?? []).map(({ account, bps }) => ({ account, commissionBps: bps })),
    refund: {
      retryDurationBlocks: refund.retry_duration,
      refundAddress: refund.refund_address,
      minimumPriceX128: refund.min_price,
      ...(refund.max_oracle_price_slippage === undefined
        ? {}
        : { maximumOraclePriceSlippageBps: refund.max_oracle_price_slippage }),
    },
    ...(dca === undefined
      ? {}
      : { dca: { numberOfChunks: dca.number_of_chunks, chunkIntervalBlocks: dca.chunk_interval } }),
    ...(ccm === undefined ? {} : { ccm: { gasBudget: ccm.gas_budget, message: ccm.message } }),
    openedThroughBackend: false,
  }
}

const toResult = (opened: ChannelOpened, { refund_parameters: refund }: OpenParams) => ({
  address: opened.depositAddress,
  issued_block: opened.id.issuedBlock,
  channel_id: opened.id.channelId,
  source_chain_expiry_block: numberOrHex(BigInt(opened.sourceExpiryBlock)),
  channel_opening_fee: hex(opened.openingFee),
  refund_parameters: {
    retry_duration: refund.retry_duration,
    refund_address: refund.refund_address,
    min_price: hex(refund.min_price),
    refund_ccm_metadata: null,
    max_oracle_price_slippage: refund.max_oracle_price_slippage ?? null,
  },
})

const openChannel = (hosting: Hosting) =>
  Effect.fn("sandbox.broker.openChannel")(function* (params: OpenParams) {
    const refused = wireRefusal(hosting, params)
    if (refused !== undefined) return yield* refused
    const world = yield* World
    const outcome = yield* world.openChannel(toCommand(params))
    if (Result.isFailure(outcome)) return yield* openRefusal(hosting, outcome.failure)
    return toResult(outcome.success, params)
  })

/** The methods of a broker, each by its snake_case name and its camelCase alias. */
export const brokerMethods = (hosting: Hosting): Methods => {
  const open = method(OpenParams, openChannel(hosting), "open")
  return new Map([
    ["broker_request_swap_deposit_address", open],
    ["broker_requestSwapDepositAddress", open],
  ])
}
