import type { FaultCode } from "#api/SandboxFaults.ts"
import { Match, Option, Schema } from "effect"
import { type AssetId, chainOf } from "#domain/chains/Asset.ts"
import { internalIdOf } from "#domain/chains/payload/contractNumbers.ts"
import {
  moduleErrors,
  type OpenRefusal,
  type OperatorRefusal,
  type QuoteRefusal,
  type RateRefusal,
} from "../engine/Refusal.ts"
import { json, type Reply } from "../Wire.ts"
import { AssetInput } from "./values.ts"

/** The network's refusals in the form of each wire (chainflip/wire.md 1.7, 2.6, 3.5). */

/** The broker that answers: the standalone one, or the one inside the node. */
export type Hosting = "standalone" | "node"

/** The messages of the backend's refusals, by which clients tell them apart. */
export const backendMessage = {
  invalidRequest: "invalid request",
  insufficientLiquidity: "insufficient liquidity for requested amount",
  quotingMaintenance: "Quoting is currently unavailable due to maintenance",
  swappingMaintenance: "The swap service is currently unavailable due to maintenance",
  tooManyChannels: "too many channels",
  notFound: "resource not found",
  unknownError: "unknown error",
  tooManyRequests: "Too many requests, please try again later",
  assetDisabled: (asset: AssetId) => `Asset ${internalIdOf(asset)} is disabled`,
  ingressFeeNotCovered: (fee: bigint) => `amount is lower than estimated ingress fee (${fee})`,
  egressFeeNotCovered: (fee: bigint) => `swap output amount is lower than the egress fee (${fee})`,
  egressBelowMinimum: (amount: bigint, minimum: bigint) =>
    `egress amount (${amount}) is lower than minimum egress amount (${minimum})`,
  belowMinimum: (minimum: bigint) => `expected amount is below minimum swap amount (${minimum})`,
  aboveMaximum: (maximum: bigint) => `expected amount is above maximum swap amount (${maximum})`,
} as const

export const backendRefusal = (status: number, message: string): Reply => json(status, { message })

/** The backend's answer to a refused quote (chainflip/wire.md 3.5). */
export const quoteRefusal: (refusal: QuoteRefusal) => Reply = Match.type<QuoteRefusal>().pipe(
  Match.tagsExhaustive({
    QuotingMaintenance: () => backendRefusal(503, backendMessage.quotingMaintenance),
    AssetsCannotBeSwapped: () => backendRefusal(400, "Requested assets cannot be swapped"),
    AssetDisabled: ({ asset }) => backendRefusal(503, backendMessage.assetDisabled(asset)),
    BelowMinimum: ({ minimum }) => backendRefusal(400, backendMessage.belowMinimum(minimum)),
    AboveMaximum: ({ maximum }) => backendRefusal(400, backendMessage.aboveMaximum(maximum)),
    IngressFeeNotCovered: ({ ingressFee }) =>
      backendRefusal(400, backendMessage.ingressFeeNotCovered(ingressFee)),
    InsufficientLiquidity: () => backendRefusal(400, backendMessage.insufficientLiquidity),
    EgressFeeNotCovered: ({ egressFee }) =>
      backendRefusal(400, backendMessage.egressFeeNotCovered(egressFee)),
    EgressBelowMinimum: ({ amount, minimum }) =>
      backendRefusal(400, backendMessage.egressBelowMinimum(amount, minimum)),
  }),
)

/** The node's error for a refused simulation; details of internal errors stay in its log. */
export const rateRefusal: (refusal: RateRefusal) => RpcError = Match.type<RateRefusal>().pipe(
  Match.tagsExhaustive({
    ZeroInput: () => invalidParams("Swap input amount cannot be zero."),
    AssetsCannotBeSwapped: () => dispatchError(moduleErrors.PoolDoesNotExist),
    IngressFeeNotCovered: () => dispatchError("Swap input amount is lower than the ingress fee."),
    InsufficientLiquidity: () =>
      new RpcError({ code: -32603, message: "Internal error while processing request." }),
  }),
)

export const dispatchError = (docs: string): RpcError =>
  new RpcError({ code: -32021, message: `DispatchError: ${docs}` })

/** The error for a past block: the sandbox keeps only the present, like a node that prunes. */
export const discardedBlock = (block: string): RpcError =>
  new RpcError({ code: -32022, message: `Unknown block: ${block}: State already discarded for ${block}` })

/** An error in free text, the standalone broker's form for nearly every error. */
export const otherError = (message: string): RpcError => new RpcError({ code: -32020, message })

/** The error for a transaction that the account cannot pay for, in the form of either kind of broker. */
const invalidTransaction = (hosting: Hosting): RpcError => {
  const message = "The transaction is invalid: Inability to pay some fees (e.g. account balance too low)"
  return hosting === "standalone" ? otherError(message) : new RpcError({ code: -32024, message })
}

/** A module error, in the form of either kind of broker. */
export const moduleError = (
  hosting: Hosting,
  { docs, name, pallet }: { readonly pallet: string; readonly name: string; readonly docs: string },
): RpcError =>
  hosting === "standalone"
    ? otherError(`The transaction failed: Module error ‘${name}‘ from pallet ‘${pallet}‘: ‘${docs}‘`)
    : new RpcError({
      code: -32024,
      message: `KnownModuleError { pallet: "${pallet}", name: "${name}", error: "${docs}" }`,
    })

/** The broker's error for a transaction of the operator's, or a channel, that was refused. */
export const brokerRefusal = (hosting: Hosting, refusal: OpenRefusal | OperatorRefusal): RpcError => {
  if ("pallet" in refusal) {
    return moduleError(hosting, { pallet: refusal.pallet, name: refusal._tag, docs: refusal.docs })
  }
  return Match.valueTags(refusal, {
    CannotPayFees: () => invalidTransaction(hosting),
    InvalidAddress: ({ address }) => otherError(`Failed to parse address: ${address}`),
    TooManyAffiliates: () => invalidParams("Invalid params: Too many affiliates"),
    InvalidAffiliateAccount: ({ account }) => invalidParams(`Invalid params: invalid account "${account}"`),
    InvalidBps: ({ bps }) => invalidParams(`Invalid params: invalid value: integer \`${bps}\`, expected u16`),
    TooManyChannels: () => otherError(backendMessage.tooManyChannels),
  })
}

/** An error reply of a JSON-RPC server; the codes are those of chainflip/wire.md 1.7. */
export class RpcError extends Schema.TaggedError<RpcError>()("RpcError", {
  code: Schema.Int,
  message: Schema.String,
}) {}

export const invalidParams = (message: string): RpcError => new RpcError({ code: -32602, message })

/** Each code of the catalogue (decision 33) on Chainflip's wires; a plain HTTP status stands in for unknown ones. */

const creationDisabled = (asset: AssetId) => ({
  name: "DepositChannelCreationDisabled",
  pallet: `${chainOf(asset)}IngressEgress`,
  docs: moduleErrors.DepositChannelCreationDisabled,
})

const httpRefusals = {
  provider_unavailable: json(429, { message: backendMessage.tooManyRequests }),
  request_cancelled: json(499, { message: "client closed request" }),
  route_disabled: json(403, { message: "pair is not enabled for this account" }),
} as const

/** Amounts in messages of refusals without real figures. */
const figure = { lower: 1n, higher: 2n } as const

/** The backend's refusal of a request about this asset. */
export const backendFault = (code: FaultCode, asset: AssetId): Reply =>
  ({
    ...httpRefusals,
    amount_below_minimum: backendRefusal(400, backendMessage.ingressFeeNotCovered(figure.higher)),
    egress_below_minimum: backendRefusal(400, backendMessage.egressBelowMinimum(figure.lower, figure.higher)),
    egress_fee_not_covered: backendRefusal(400, backendMessage.egressFeeNotCovered(figure.higher)),
    insufficient_liquidity: backendRefusal(400, backendMessage.insufficientLiquidity),
    quoting_maintenance: backendRefusal(503, backendMessage.quotingMaintenance),
    swapping_maintenance: backendRefusal(503, backendMessage.swappingMaintenance),
    // The backend passes on the text of an error that it does not know (chainflip/wire.md 3.5, 500).
    deposit_channel_failed: backendRefusal(500, moduleError("standalone", creationDisabled(asset)).message),
    too_many_channels: backendRefusal(400, backendMessage.tooManyChannels),
    asset_disabled: backendRefusal(503, backendMessage.assetDisabled(asset)),
    upstream_error: backendRefusal(500, backendMessage.unknownError),
  } satisfies Record<FaultCode, Reply>)[code]

/** The error reply of a JSON-RPC call about this asset. */
const rpcFault = (code: FaultCode, asset: AssetId): RpcError | Reply =>
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
  } satisfies Record<FaultCode, RpcError | Reply>)[code]

const SourceAsset = Schema.Union([
  Schema.Struct({ 0: AssetInput }),
  Schema.Struct({ source_asset: AssetInput }),
  Schema.Struct({ from_asset: AssetInput }),
])
const readSourceAsset = Schema.decodeUnknownOption(SourceAsset)

/** The refusal of a JSON-RPC call for a code, about the asset that the call starts from. */
export const refuseCall = (code: FaultCode, params: unknown): RpcError | Reply =>
  Option.match(readSourceAsset(params), {
    onNone: () => rpcFault(code, "btc.btc"),
    onSome: (read) => rpcFault(code, Object.values(read)[0] ?? "btc.btc"),
  })
