import { Option, Result } from "effect"
import { combineIssues, issueAbout, type Issues } from "#domain/Issues.ts"
import * as Reason from "#domain/ProviderError.ts"
import type { ProviderErrorReason } from "#domain/ProviderError.ts"
import type { SwapRequest } from "#domain/swaps/SwapRequest.ts"
import { meaningIn, type Meanings, refused } from "../upstream/failures.ts"
import type { Limits } from "./conditions.ts"
import { knownReason, notOpened, type RpcError, unclassified } from "./client.ts"
import { type BrokerAccount, checkBrokerAccount } from "#domain/chains/Address.ts"
import { brokerAccountPrefix } from "./settings.ts"

interface ModuleError {
  readonly pallet: string
  readonly name: string
}

/** The two ways in which deployments write a module error (chainflip/wire.md 2.6); the quotes differ, too. */
const standalone = /Module error ['‘’`](\w+)['‘’`] from pallet ['‘’`](\w+)['‘’`]/
const nodeHosted = /KnownModuleError\s*\{\s*pallet:\s*"(\w+)",\s*name:\s*"(\w+)"/

export const findModuleError = (message: string): Option.Option<ModuleError> => {
  const [, name, pallet] = standalone.exec(message) ?? []
  if (name !== undefined && pallet !== undefined) return Option.some({ pallet, name })
  const [, hostedPallet, hostedName] = nodeHosted.exec(message) ?? []
  return hostedPallet === undefined || hostedName === undefined
    ? Option.none()
    : Option.some({ pallet: hostedPallet, name: hostedName })
}

type Refusal = (request: SwapRequest, limits: Limits) => Issues

const always = (parameter: string, predicate: string): Refusal => () => issueAbout(parameter, predicate)

/** `must be at most 600 blocks now`, or without the figure where the upstream states none. */
const atMost = (limit: number | undefined): string =>
  limit === undefined ? "is more than the network allows now" : `must be at most ${limit} blocks now`

/** The sentence for too long a retry duration, in our pre-check and in the upstream's refusal alike. */
export const retryDurationIssue = (limits: Limits): Issues =>
  issueAbout("retryDurationInBlocks", atMost(limits.retryDurationBlocks))

export const requestDurationIssue = (limits: Limits): Issues =>
  issueAbout(
    "numberOfChunks",
    `makes the swap too long: (numberOfChunks − 1) × chunkIntervalBlocks ${
      atMost(limits.requestDurationBlocks)
    }`,
  )

/** Module errors that mean a faulty request, by the upstream's name, as issues of our parameters. */
const refusals: Readonly<Record<string, Refusal>> = {
  InvalidDestinationAddress: always(
    "destinationAddress",
    "is not an address that the network can pay out to",
  ),
  InvalidRefundAddress: always("refundAddress", "is not an address that the network can refund to"),
  RetryDurationTooHigh: (_, limits) => retryDurationIssue(limits),
  ZeroNumberOfChunksNotAllowed: always("numberOfChunks", "must be at least 1"),
  ChunkIntervalTooLow: always("chunkIntervalBlocks", "is too low for the network now"),
  SwapRequestDurationTooLong: (_, limits) => requestDurationIssue(limits),
  InvalidDcaParameters: always("numberOfChunks", "does not make a valid DCA swap with chunkIntervalBlocks"),
  BoostFeeTooHigh: always("boostFee", "is higher than the network allows"),
  BrokerFeeTooHigh: always("commissionBps", "is higher than the network allows"),
  BrokerCommissionBpsTooHigh: always(
    "commissionBps",
    "is, with the affiliates' commissions, higher than the network allows",
  ),
  AffiliateFeeTooHigh: ({ affiliates }) =>
    eachAffiliate(affiliates.length, "CommissionBps", "may be higher than the network allows"),
  AffiliateNotRegisteredForBroker: ({ affiliates }) =>
    eachAffiliate(affiliates.length, "", "may not be registered as an affiliate of this broker"),
  InvalidCcm: always("ccmPayload", "is not a message that the destination chain can carry"),
  CcmUnsupportedForTargetChain: always("ccmPayload", "is not supported for this destination chain"),
  CcmUnsupportedForRefundChain: always("ccmPayload", "is not supported for this source chain"),
}

/** The issue for each affiliate, as the upstream does not say which one it means. */
const eachAffiliate = (count: number, suffix: string, predicate: string): Issues =>
  combineIssues(
    Array.from({ length: Math.max(1, count) }, (_, index) =>
      issueAbout(`affiliate${index + 1}${suffix}`, predicate)),
  )

/** The issues that a module error tells of a request; nothing for an error that is not about the request. */
const requestFaults = ({ pallet, name }: ModuleError, request: SwapRequest, limits: Limits) =>
  pallet === "Swapping" && Object.hasOwn(refusals, name)
    ? Option.map(Option.fromUndefinedOr(refusals[name]), (refusal) => refusal(request, limits))
    : Option.none()

/** The code of the node's internal errors, whose details stay in the node's log (chainflip/wire.md 1.7). */
const internalError = -32603

const moduleReason = (error: ModuleError, rpcError: RpcError, request: SwapRequest, limits: Limits) =>
  Option.match(requestFaults(error, request, limits), {
    onSome: (errors) => new Reason.RequestRefused({ errors }),
    // The operator's FLIP, which has the name of a pool's liquidity (chainflip/wire.md 2.7).
    onNone: () =>
      error.pallet === "Flip"
        ? notOpened("the broker cannot open channels now")
        : Option.getOrElse(knownReason(error.name, request), () => unclassified("broker", rpcError)),
  })

/** Texts of replies without a module error (chainflip/wire.md 2.6). */
const openingTexts: Meanings<void> = [
  [/transaction is invalid/i, notOpened("the broker's transaction is invalid")],
  [/end of stream/i, notOpened("the broker lost its connection to the network")],
  [
    /timed? ?out|timeout/i,
    new Reason.TimedOut({ detail: "The broker gave up waiting for the network", reached: true }),
  ],
  [/ccm message size too large/i, refused("ccmPayload", "has a longer message than the network carries")],
  [
    /(?=.*\baddress)(?=.*refund)(?=.*(?:valid|pars|decod|checksum|chain))/is,
    refused("refundAddress", "is not an address of the source chain"),
  ],
  [
    /(?=.*\baddress)(?=.*(?:valid|pars|decod|checksum|chain))/is,
    refused("destinationAddress", "is not an address of the destination chain"),
  ],
]

/** The reason that the broker's error reply to an opening means (chainflip/wire.md 2.6). */
export const openingReason = (error: RpcError, request: SwapRequest, limits: Limits): ProviderErrorReason => {
  const moduleError = findModuleError(error.message)
  if (Option.isSome(moduleError)) return moduleReason(moduleError.value, error, request, limits)
  return Option.getOrElse(knownReason(error.message, request), () => {
    if (error.code === internalError) return notOpened("the broker reports an internal error")
    return Option.getOrElse(
      meaningIn(openingTexts, error.message, undefined),
      () => unclassified("broker", error),
    )
  })
}

/** When encoding, the runtime names errors by their documentation (chainflip/wire.md 2.6). The first match counts. */
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

const encodingTexts: ReadonlyArray<readonly [pattern: RegExp, errors: Issues]> = [
  [/commission is too low/i, issueAbout("commissionBps", "is lower than this broker takes for transactions")],
  [/too many affiliates/i, issueAbout("affiliate3", "is more than a transaction of this chain can name")],
  [
    /incompatible or unsupported source_asset/i,
    issueAbout("sourceAsset", "cannot be swapped by a transaction of its own"),
  ],
]

/** The beginning of the runtime's own texts; newer ones tell an error by its name alone. */
const dispatchError = /^DispatchError: (\w+$)?/

/** A broker that has opened no private channel, which only transactions from Bitcoin need: by name, or in words. */
const noPrivateChannel = /NoPrivateChannelExistsForBroker|not have an open private channel/

const dispatched = (message: string, request: SwapRequest, limits: Limits): Option.Option<Issues> => {
  const [, errors] = encodingTexts.find(([pattern]) => pattern.test(message)) ?? []
  if (errors !== undefined) return Option.some(errors)
  const [, documented] = documentations.find(([pattern]) => pattern.test(message)) ?? []
  const name = dispatchError.exec(message)?.[1] ?? documented
  return name === undefined ? Option.none() : requestFaults({ pallet: "Swapping", name }, request, limits)
}

/** The reason in words of an encoding, which opens no channel. */
const inItsWords = (reason: ProviderErrorReason): ProviderErrorReason =>
  reason._tag === "DepositChannelFailed"
    ? new Reason.DepositChannelFailed({
      detail: reason.detail.replace(
        "The deposit channel could not be opened",
        "The payload could not be made",
      ),
    })
    : reason

/** The reason that the broker's error reply to an encoding means (chainflip/wire.md 2.6). */
export const encodingReason = (
  error: RpcError,
  request: SwapRequest,
  limits: Limits,
): ProviderErrorReason => {
  if (noPrivateChannel.test(error.message)) {
    const detail =
      "The provider prepares no transactions from Bitcoin: its broker has opened no private Bitcoin channel"
    return new Reason.AssetDisabled({ detail })
  }
  const issues = dispatchError.test(error.message)
    ? dispatched(error.message, request, limits)
    : Option.none()
  return Option.match(issues, {
    onSome: (errors) => new Reason.RequestRefused({ errors }),
    onNone: () => inItsWords(openingReason(error, request, limits)),
  })
}

export const readAccount = (path: string, text: string): Result.Result<BrokerAccount, Reason.MalformedBody> =>
  Result.mapError(
    checkBrokerAccount(brokerAccountPrefix, text),
    (sentence) => new Reason.MalformedBody({ detail: `${path}: ${sentence}`, reached: true }),
  )

/** The errors of transactions of the operator's account (chainflip/wire.md 2.7): nothing was done. */

const tooLittleFlip = refused("provider", "has too little FLIP on its account for a transaction")

const reasons: Readonly<Record<string, ProviderErrorReason>> = {
  WithdrawalsDisabled: new Reason.SwappingMaintenance({
    detail: "The network's safe mode has withdrawals switched off now",
  }),
  NoFundsAvailable: refused("asset", "has nothing to withdraw"),
  DestinationNotAllowed: refused("destination", "is not the address that the account is bound to"),
  InvalidEgressAddress: refused("destination", "is not an address that the network pays to"),
  InvalidDestinationAddress: refused("destination", "is not an address that the network pays to"),
  IncompatibleAssetAndAddress: refused("destination", "is not an address of the asset's chain"),
  BelowEgressDustLimit: new Reason.EgressBelowMinimum({
    detail: "Less than the network pays out would be left after the egress fee",
  }),
  AffiliateNotRegisteredForBroker: refused("affiliate", "is not registered by this account"),
  AffiliateShortIdOutOfBounds: refused(
    "affiliate",
    "would be more than the 256 that an account can register",
  ),
  InsufficientLiquidity: tooLittleFlip,
  InsufficientFunds: tooLittleFlip,
}

const invalidTransaction = /transaction is invalid|inability to pay some fees/i
const badAddress = /pars.*address|address.*(?:pars|decod|invalid)/i

/** The meaning of an error reply to an order. Unknown errors leave open whether the order is in a block. */
export const orderReason = (error: RpcError): ProviderErrorReason => {
  const name = Option.getOrUndefined(findModuleError(error.message))?.name
  if (name !== undefined && Object.hasOwn(reasons, name)) {
    return reasons[name] ?? unclassified("broker", error)
  }
  if (invalidTransaction.test(error.message)) return tooLittleFlip
  if (error.code === invalidParams || badAddress.test(error.message)) {
    return refused("destination", "is not an address that the network can read")
  }
  return unclassified("broker", error)
}

/** The code of parameters that the broker could not read, and so did not act on. */
const invalidParams = -32602
