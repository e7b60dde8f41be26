import { Option } from "effect"
import { issueAbout, type Issues } from "../../../domain/Issues.ts"
import {
  DepositChannelFailed,
  type ProviderErrorReason,
  RequestRefused,
} from "../../../domain/ProviderError.ts"
import type { SwapRequest } from "../../../domain/SwapRequest.ts"
import type { RpcError } from "../client/JsonRpc.ts"
import type { Limits } from "../Conditions.ts"
import { requestFaults } from "./moduleErrors.ts"
import { openingReason } from "./openingError.ts"

/**
 * The module errors that the runtime tells by their documentation when it encodes: there is no extrinsic that
 * could fail by their name (chainflip/wire.md 2.6). The first that fits.
 */
const documentations: ReadonlyArray<readonly [pattern: RegExp, name: string]> = [
  [/affiliate fee/i, "AffiliateFeeTooHigh"],
  [/affiliate.*not registered/i, "AffiliateNotRegisteredForBroker"],
  [/boost fee/i, "BoostFeeTooHigh"],
  [/broker fee/i, "BrokerFeeTooHigh"],
  [/commission.*1000|1000.*commission|exceed 1000 bps/i, "BrokerCommissionBpsTooHigh"],
  [/retry duration/i, "RetryDurationTooHigh"],
  [/number of (?:dca )?chunks/i, "ZeroNumberOfChunksNotAllowed"],
  [/chunk interval/i, "ChunkIntervalTooLow"],
  [/total duration|would take longer/i, "SwapRequestDurationTooLong"],
  [/dca parameters/i, "InvalidDcaParameters"],
  [/refund (?:chain|ccm)/i, "CcmUnsupportedForRefundChain"],
  [/refund address/i, "InvalidRefundAddress"],
  [/does not support (?:ccm|messages)/i, "CcmUnsupportedForTargetChain"],
  [/\b(?:ccm|message)\b/i, "InvalidCcm"],
  [/address and asset are on different chains/i, "InvalidDestinationAddress"],
  [/destination address|address could not be decoded/i, "InvalidDestinationAddress"],
]

/** Refusals that only encoding has. */
const texts: ReadonlyArray<readonly [pattern: RegExp, errors: Issues]> = [
  [/commission is too low/i, issueAbout("commissionBps", "is lower than this broker takes for transactions")],
  [/too many affiliates/i, issueAbout("affiliate3", "is more than a transaction of this chain can name")],
  [
    /incompatible or unsupported source_asset/i,
    issueAbout("sourceAsset", "cannot be swapped by a transaction of its own"),
  ],
]

/** The runtime's own texts. */
const dispatchError = /^DispatchError: /

const dispatched = (message: string, request: SwapRequest, limits: Limits): Option.Option<Issues> => {
  const [, errors] = texts.find(([pattern]) => pattern.test(message)) ?? []
  if (errors !== undefined) return Option.some(errors)
  const [, name] = documentations.find(([pattern]) => pattern.test(message)) ?? []
  return name === undefined ? Option.none() : requestFaults({ pallet: "Swapping", name }, request, limits)
}

/** What an opening could not do is not what an encoding cannot. */
const inItsWords = (reason: ProviderErrorReason): ProviderErrorReason =>
  reason._tag === "DepositChannelFailed"
    ? new DepositChannelFailed({
      detail: reason.detail.replace(
        "The deposit channel could not be opened",
        "The payload could not be made",
      ),
    })
    : reason

/** What the broker's error reply to a request for an encoding means (chainflip/wire.md 2.6). */
export const encodingReason = (
  error: RpcError,
  request: SwapRequest,
  limits: Limits,
): ProviderErrorReason => {
  const issues = dispatchError.test(error.message)
    ? dispatched(error.message, request, limits)
    : Option.none()
  return Option.match(issues, {
    onSome: (errors) => new RequestRefused({ errors }),
    onNone: () => inItsWords(openingReason(error, request, limits)),
  })
}
