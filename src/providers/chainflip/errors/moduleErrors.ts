import { Option } from "effect"
import { combineIssues, issueAbout, type Issues } from "../../../domain/Issues.ts"
import type { SwapRequest } from "../../../domain/SwapRequest.ts"
import type { Limits } from "../Conditions.ts"

/** An error of one of the state chain's modules. */
export interface ModuleError {
  readonly pallet: string
  readonly name: string
}

/** The two ways in which deployments write a module error (chainflip/wire.md 2.6); the quotes differ, too. */
const standalone = /Module error ['‘’`](\w+)['‘’`] from pallet ['‘’`](\w+)['‘’`]/
const nodeHosted = /KnownModuleError\s*\{\s*pallet:\s*"(\w+)",\s*name:\s*"(\w+)"/

/** The module error that a message reports, if it reports one. */
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

/** `must be at most 600 blocks at present`, or without the figure where the upstream states none. */
const atMost = (limit: number | undefined): string =>
  limit === undefined
    ? "is more than the network allows at present"
    : `must be at most ${limit} blocks at present`

/** The sentence for too long a retry duration, in our pre-check and in the upstream's refusal alike. */
export const retryDurationIssue = (limits: Limits): Issues =>
  issueAbout("retryDurationInBlocks", atMost(limits.retryDurationBlocks))

/** The sentence for chunks that would take too long together. */
export const requestDurationIssue = (limits: Limits): Issues =>
  issueAbout(
    "numberOfChunks",
    `makes the swap too long: (numberOfChunks − 1) × chunkIntervalBlocks ${
      atMost(limits.requestDurationBlocks)
    }`,
  )

const noMessages = always("ccmPayload", "is not supported for this destination chain")

/** Refusals that mean that the request is wrong, by the upstream's name, in words of our parameters. */
const refusals: Readonly<Record<string, Refusal>> = {
  InvalidDestinationAddress: always(
    "destinationAddress",
    "is not an address that the network can pay out to",
  ),
  InvalidRefundAddress: always("refundAddress", "is not an address that the network can refund to"),
  RetryDurationTooHigh: (_, limits) => retryDurationIssue(limits),
  ZeroNumberOfChunksNotAllowed: always("numberOfChunks", "must be at least 1"),
  ChunkIntervalTooLow: always("chunkIntervalBlocks", "is too low for the network at present"),
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
  CcmUnsupportedForTargetChain: noMessages,
  CcmUnsupportedForRefundChain: always("ccmPayload", "is not supported for this source chain"),
}

/** The upstream does not say which affiliate it means, so each is named. */
const eachAffiliate = (count: number, suffix: string, predicate: string): Issues =>
  combineIssues(
    Array.from({ length: Math.max(1, count) }, (_, index) =>
      issueAbout(`affiliate${index + 1}${suffix}`, predicate)),
  )

/** What is wrong with the request in the eyes of the module, if the error is about the request. */
export const requestFaults = (
  { pallet, name }: ModuleError,
  request: SwapRequest,
  limits: Limits,
): Option.Option<Issues> =>
  pallet === "Swapping" && Object.hasOwn(refusals, name)
    ? Option.map(Option.fromUndefinedOr(refusals[name]), (refusal) => refusal(request, limits))
    : Option.none()
