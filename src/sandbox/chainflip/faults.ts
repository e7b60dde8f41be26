import { Option, Schema } from "effect"
import { type AssetId, chainOf } from "../../domain/Asset.ts"
import type { ProblemCode } from "../../domain/ProblemCode.ts"
import { moduleErrors } from "../engine/Refusal.ts"
import { AssetInput } from "./decode.ts"
import { json, type Reply } from "../Wire.ts"
import { backendMessage, backendRefusal, dispatchError, moduleError, otherError } from "./refusals.ts"
import type { RpcError } from "./RpcError.ts"

/**
 * What each code of the catalogue (decision 33) is on the upstream's own wires. Where the network has no
 * message for it, a plain HTTP status stands in: 403, 499 and 429 can come from any server or proxy.
 */

/** Seconds that a rate-limited client is asked to wait. */
const retryAfterSeconds = 5

const creationDisabled = (asset: AssetId) => ({
  name: "DepositChannelCreationDisabled",
  pallet: `${chainOf(asset)}IngressEgress`,
  docs: moduleErrors.DepositChannelCreationDisabled,
})

const httpRefusals = {
  provider_unavailable: json(429, { message: backendMessage.tooManyRequests }, {
    "retry-after": `${retryAfterSeconds}`,
  }),
  request_cancelled: json(499, { message: "client closed request" }),
  route_disabled: json(403, { message: "pair is not enabled for this account" }),
} as const

/** Amounts that stand in messages of refusals which have no real figures behind them. */
const figure = { lower: 1n, higher: 2n } as const

/** The backend's refusal of a request about this asset. */
export const backendFault = (code: ProblemCode, asset: AssetId): Reply =>
  ({
    ...httpRefusals,
    amount_below_minimum: backendRefusal(400, backendMessage.ingressFeeNotCovered(figure.higher)),
    egress_below_minimum: backendRefusal(400, backendMessage.egressBelowMinimum(figure.lower, figure.higher)),
    egress_fee_not_covered: backendRefusal(400, backendMessage.egressFeeNotCovered(figure.higher)),
    insufficient_liquidity: backendRefusal(400, backendMessage.insufficientLiquidity),
    quoting_maintenance: backendRefusal(503, backendMessage.quotingMaintenance),
    swapping_maintenance: backendRefusal(503, backendMessage.swappingMaintenance),
    // The backend hands on the text of an error that it does not know (chainflip/wire.md 3.5, 500).
    deposit_channel_failed: backendRefusal(
      500,
      moduleError("standalone", creationDisabled(asset)).message,
    ),
    too_many_channels: backendRefusal(400, backendMessage.tooManyChannels),
    asset_disabled: backendRefusal(503, backendMessage.assetDisabled(asset)),
    upstream_error: backendRefusal(500, backendMessage.unknownError),
  } satisfies Record<ProblemCode, Reply>)[code]

/** The error reply of a JSON-RPC call about this asset. */
const rpcFault = (code: ProblemCode, asset: AssetId): RpcError | Reply =>
  ({
    ...httpRefusals,
    amount_below_minimum: otherError(backendMessage.ingressFeeNotCovered(figure.higher)),
    egress_below_minimum: otherError(backendMessage.egressBelowMinimum(figure.lower, figure.higher)),
    egress_fee_not_covered: otherError(backendMessage.egressFeeNotCovered(figure.higher)),
    insufficient_liquidity: dispatchError("InsufficientLiquidity"),
    quoting_maintenance: otherError(backendMessage.quotingMaintenance),
    swapping_maintenance: otherError(backendMessage.swappingMaintenance),
    deposit_channel_failed: moduleError("standalone", creationDisabled(asset)),
    too_many_channels: otherError(backendMessage.tooManyChannels),
    asset_disabled: otherError(backendMessage.assetDisabled(asset)),
    upstream_error: dispatchError("unknown DispatchError"),
  } satisfies Record<ProblemCode, RpcError | Reply>)[code]

const SourceAsset = Schema.Union([
  Schema.Struct({ 0: AssetInput }),
  Schema.Struct({ source_asset: AssetInput }),
  Schema.Struct({ from_asset: AssetInput }),
])
const readSourceAsset = Schema.decodeUnknownOption(SourceAsset)

/** The refusal of a JSON-RPC call for a code, about the asset that the call starts from. */
export const refuseCall = (code: ProblemCode, params: unknown): RpcError | Reply =>
  Option.match(readSourceAsset(params), {
    onNone: () => rpcFault(code, "btc.btc"),
    onSome: (read) => rpcFault(code, Object.values(read)[0] ?? "btc.btc"),
  })
