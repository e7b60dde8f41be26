import { Effect, Result, Schema } from "effect"
import type { OpenChannel } from "../engine/Command.ts"
import type { ChannelOpened } from "../engine/View.ts"
import { World } from "../World.ts"
import { hex, numberOrHex } from "./encode.ts"
import { type Hosting, moduleError, openRefusal } from "./refusals.ts"
import { method, type Methods } from "./rpc.ts"
import type { RpcError } from "./RpcError.ts"
import {
  messageRefusal,
  RefundParams,
  swapEnd,
  swapExtras,
  swapHead,
  toRefund,
  toRequestedSwap,
} from "./swapParams.ts"
import { encodeVaultSwap } from "./vault/method.ts"

/** The broker's JSON-RPC methods (chainflip/wire.md 2.2, 2.3). */

const OpenParams = Schema.Struct({
  ...swapHead,
  ...swapExtras,
  refund_parameters: RefundParams,
  ...swapEnd,
})
type OpenParams = typeof OpenParams.Type

/** What the wire itself refuses, before the network sees it. */
const wireRefusal = (hosting: Hosting, params: OpenParams): RpcError | undefined => {
  const refused = messageRefusal(params)
  if (refused !== undefined || params.refund_parameters.refund_ccm_metadata === undefined) return refused
  return moduleError(hosting, {
    name: "CcmUnsupportedForRefundChain",
    pallet: "Swapping",
    docs: "The refund chain does not support messages.",
  })
}

const toCommand = (params: OpenParams): OpenChannel => ({
  _tag: "OpenChannel",
  ...toRequestedSwap(params, toRefund(params.refund_parameters)),
  openedThroughBackend: false,
})

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
    ["broker_request_swap_parameter_encoding", encodeVaultSwap],
    ["broker_requestSwapParameterEncoding", encodeVaultSwap],
  ])
}
