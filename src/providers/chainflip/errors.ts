import { Data, Option } from "effect"
import { NativeAmount, toHuman } from "#domain/money/Amount.ts"
import type { AssetId } from "#domain/chains/Asset.ts"
import { findAssetByInternalId } from "#domain/chains/payload/contractNumbers.ts"
import { formatDecimal } from "#domain/money/Decimal.ts"
import {
  AmountBelowMinimum,
  AssetDisabled,
  DepositAboveMaximum,
  DepositChannelFailed,
  EgressBelowMinimum,
  EgressFeeNotCovered,
  InsufficientLiquidity,
  type ProviderErrorReason,
  QuotingMaintenance,
  RateLimited,
  SwappingMaintenance,
  TooManyChannels,
  UpstreamFailed,
} from "#domain/ProviderError.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import type { AssetAmount } from "#domain/quotes/Quote.ts"
import {
  failAs as failuresOf,
  meaningIn,
  type Meanings,
  refusalStatuses,
  refusalText,
  statusReason,
  upstreamText,
  type WireCall,
} from "../upstream/failures.ts"
import type { Answer } from "../upstream/transport.ts"

export const name = ProviderName.make("chainflip")

export const failAs = failuresOf(name)

/** The error of a JSON-RPC reply (chainflip/wire.md 1.7). Its meaning depends on the call. */
export class RpcError extends Data.TaggedError("RpcError")<{
  readonly code: number
  readonly message: string
  /** The status that it came with, where that is one of failures. */
  readonly status?: number
}> {}

/** Codes of a reply that says what is wrong with the call: its parameters, or what the chain makes of them. */
const refusing: ReadonlySet<number> = new Set([-32602, -32021])
/** Codes of a reply that is about the endpoint: not this method, not this JSON, or an error inside. */
const ofEndpoint: ReadonlySet<number> = new Set([-32700, -32600, -32601, -32603])

/** The assets of the request that a message answers; absent where the call was not about a pair. */
export interface Pair {
  readonly sourceAsset?: AssetId
  readonly destinationAsset?: AssetId
}

/** The amount in a message, by its asset and digits; nothing where either is missing. */
const assetAmount = (asset: AssetId | undefined, digits: string | undefined): Option.Option<AssetAmount> =>
  asset === undefined || digits === undefined
    ? Option.none()
    : Option.map(NativeAmount.makeOption(BigInt(digits)), (amount) => ({ asset, amount }))

/** An amount in words, ` of 0.0004 btc.btc`; empty where the message has no readable figure. */
const ofAmount = (asset: AssetId | undefined, digits: string | undefined): string =>
  Option.match(assetAmount(asset, digits), {
    onNone: () => "",
    onSome: ({ asset, amount }) => ` of ${formatDecimal(toHuman(asset, amount))} ${asset}`,
  })

const ingressFeeNotCovered = ([, fee]: RegExpExecArray, { sourceAsset }: Pair) =>
  new AmountBelowMinimum({
    detail: `The amount does not cover the ingress fee${ofAmount(sourceAsset, fee)}: swap more`,
  })

/** The reason that no channel was opened, and none is on its way. */
export const notOpened = (why: string): DepositChannelFailed =>
  new DepositChannelFailed({ detail: `The deposit channel could not be opened: ${why}` })

/** The texts with a meaning of their own (chainflip/wire.md 1.7, 2.6, 3.5), wherever they turn up. */
const knownMessages: Meanings<Pair> = [
  [
    /below minimum swap amount(?: \(([0-9]+)\))?/i,
    ([, minimum], { sourceAsset }) =>
      new AmountBelowMinimum({
        detail: `The amount is below the minimum swap amount${ofAmount(sourceAsset, minimum)}: swap more`,
      }),
  ],
  [
    /above maximum swap amount \(([0-9]+)\)/i,
    ([, digits], { sourceAsset }) =>
      Option.getOrUndefined(Option.map(
        assetAmount(sourceAsset, digits),
        ({ asset, amount }) => new DepositAboveMaximum({ asset, maximum: amount }),
      )),
  ],
  [/lower than estimated ingress fee(?: \(([0-9]+)\))?/i, ingressFeeNotCovered],
  [/swap amount is lower than ingress fee/i, ingressFeeNotCovered],
  [
    /lower than minimum egress amount(?: \(([0-9]+)\))?/i,
    ([, minimum], { destinationAsset }) =>
      new EgressBelowMinimum({
        detail: `The output is below the minimum egress amount${
          ofAmount(destinationAsset, minimum)
        }: swap more`,
      }),
  ],
  [
    /lower than the egress fee(?: \(([0-9]+)\))?/i,
    ([, fee], { destinationAsset }) =>
      new EgressFeeNotCovered({
        detail: `The output does not cover the egress fee${ofAmount(destinationAsset, fee)}: swap more`,
      }),
  ],
  [/insufficient ?liquidity|not have enough liquidity/i, new InsufficientLiquidity()],
  [/swap leg failed|failed to calculate network fee/i, new InsufficientLiquidity()],
  [
    /requested assets cannot be swapped/i,
    new InsufficientLiquidity({ detail: "There is no pool for this pair of assets" }),
  ],
  [/quoting is currently unavailable due to maintenance/i, new QuotingMaintenance()],
  [/swap service is currently unavailable due to maintenance/i, new SwappingMaintenance()],
  [
    /asset (\w+) is disabled/i,
    ([, internalId = ""]) =>
      new AssetDisabled({ detail: `${findAssetByInternalId(internalId) ?? internalId} is switched off` }),
  ],
  [
    // Module errors after which no channel was opened, but one can be later (chainflip/wire.md 2.6).
    /\b(DepositChannelCreationDisabled|ChannelIdsExhausted|ChainDeprecated|MissingBitcoinVault|SolanaAddressDerivationError)\b/,
    ([name]) => notOpened(`the network reports ${name}`),
  ],
  [/too many channels/i, new TooManyChannels()],
]

export const knownReason = (message: string, pair: Pair): Option.Option<ProviderErrorReason> =>
  meaningIn(knownMessages, message, pair)

export type Endpoint = "swap backend" | "node" | "broker"

/** The call that was answered, and the assets that messages about it mean. */
export interface UpstreamCall extends WireCall {
  readonly endpoint: Endpoint
  readonly pair: Pair
  /** Seconds for which such calls are refused once one was for their number; absent where that is not known. */
  readonly shutSeconds?: number
}

/** The reason, with how long the calls are shut where the answer does not say so itself. */
const withShut = (reason: ProviderErrorReason, { shutSeconds }: UpstreamCall): ProviderErrorReason =>
  reason._tag !== "RateLimited" || reason.retryAfterSeconds !== undefined || shutSeconds === undefined
    ? reason
    : new RateLimited({ detail: reason.detail, retryAfterSeconds: shutSeconds, isShut: true })

/** The reason that a failure status means; a known `{"message":"…"}` (chainflip/wire.md 3.5) counts more. */
export const answerReason = (answer: Answer, asked: UpstreamCall): ProviderErrorReason =>
  refusalText(answer).pipe(
    Option.flatMap((text) => knownReason(text, asked.pair)),
    Option.getOrElse(() => withShut(statusReason(answer, asked), asked)),
  )

/** An unknown error reply. A broker's is about the request only by code, status or module error (decision 61). */
export const unclassified = (endpoint: Endpoint, { code, message, status }: RpcError): UpstreamFailed => {
  const detail = `The ${endpoint} answered error ${code}: ${upstreamText(message)}`
  const reason = new UpstreamFailed({ detail })
  if (endpoint !== "broker" || ofEndpoint.has(code)) return reason
  const isOfRequest = refusing.has(code) || refusalStatuses.has(status ?? 0) || /module ?error/i.test(message)
  return isOfRequest ? new UpstreamFailed({ detail, isOfRequest }) : reason
}
