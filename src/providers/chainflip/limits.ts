import { Result } from "effect"
import { maximumNativeAmount, type NativeAmount } from "#domain/money/Amount.ts"
import { type AssetId, chainOf } from "#domain/chains/Asset.ts"
import { combineIssues, hasIssues, issueAbout, type Issues, noIssues } from "#domain/Issues.ts"
import {
  AssetDisabled,
  AssetNotListed,
  DepositAboveMaximum,
  DepositBelowMinimum,
  type ProviderErrorReason,
  RequestRefused,
  SwappingMaintenance,
} from "#domain/ProviderError.ts"
import type { SwapAmount } from "#domain/quotes/ExactOutput.ts"
import type { QuoteRequest } from "#domain/quotes/Quote.ts"
import type { SwapRequest } from "#domain/swaps/SwapRequest.ts"
import type { VaultSwapRequest } from "#domain/swaps/VaultSwap.ts"
import { sentAmount } from "../Capabilities.ts"
import { requestDurationIssue, retryDurationIssue } from "./brokerErrors.ts"
import {
  canDeposit,
  canPayOut,
  canSendToVault,
  type Conditions,
  isListed,
  limitsOf,
  maximumSwap,
  minimumDeposit,
} from "./conditions.ts"
import { name } from "./errors.ts"
import { minimumOutput } from "./parameters.ts"

type Check = Result.Result<void, ProviderErrorReason>

const refuse = (reason: ProviderErrorReason): Check => Result.fail(reason)

const checkSwitches = (
  conditions: Conditions,
  { sourceAsset, destinationAsset }: Pick<QuoteRequest, "sourceAsset" | "destinationAsset">,
  canTake: (conditions: Conditions, asset: AssetId) => boolean = canDeposit,
): Check => {
  const unlisted = [sourceAsset, destinationAsset].find((asset) => !isListed(conditions, asset))
  if (unlisted !== undefined) {
    return refuse(new AssetNotListed({ detail: `The network does not have ${unlisted}` }))
  }
  if (!canTake(conditions, sourceAsset)) {
    return refuse(new AssetDisabled({ detail: `Deposits of ${sourceAsset} are switched off` }))
  }
  if (!canPayOut(conditions, destinationAsset)) {
    return refuse(new AssetDisabled({ detail: `Payouts of ${destinationAsset} are switched off` }))
  }
  return conditions.swapsEnabled
    ? Result.void
    : refuse(new SwappingMaintenance({ detail: "The network has switched swaps off: try again later" }))
}

const checkAmount = (conditions: Conditions, asset: AssetId, amount: NativeAmount): Check => {
  const minimum = minimumDeposit(conditions, asset)
  const maximum = maximumSwap(conditions, asset)
  if (amount < minimum) return refuse(new DepositBelowMinimum({ asset, minimum }))
  return maximum !== undefined && amount > maximum
    ? refuse(new DepositAboveMaximum({ asset, maximum }))
    : Result.void
}

const exceeds = (value: number, limit: number | undefined): boolean => limit !== undefined && value > limit

/** The issues of durations above the network's limits, which can be lower than the contract's (decision 6). */
const durationIssues = (conditions: Conditions, request: SwapRequest): Issues => {
  const limits = limitsOf(conditions)
  const { numberOfChunks, chunkIntervalBlocks } = request.dca ?? { numberOfChunks: 1, chunkIntervalBlocks: 0 }
  return combineIssues([
    exceeds(request.retryDurationBlocks, limits.retryDurationBlocks) ? retryDurationIssue(limits) : noIssues,
    exceeds((numberOfChunks - 1) * chunkIntervalBlocks, limits.requestDurationBlocks)
      ? requestDurationIssue(limits)
      : noIssues,
  ])
}

const without = (errors: Issues): Check =>
  hasIssues(errors) ? refuse(new RequestRefused({ errors })) : Result.void

const checkSent = (conditions: Conditions, asset: AssetId, amount: SwapAmount): Check =>
  Result.flatMap(sentAmount(name, amount), (sent) => checkAmount(conditions, asset, sent))

/** Refuses a quote that the upstream would refuse, before it is asked: by switches first, then by the amount. */
export const checkQuote = (conditions: Conditions, request: QuoteRequest): Check =>
  Result.andThen(
    checkSwitches(conditions, request),
    () => checkSent(conditions, request.sourceAsset, request.amount),
  )

/** Refuses an opening as the upstream would: by switches, then by amount, then by durations. */
export const checkOpening = (conditions: Conditions, request: SwapRequest): Check =>
  checkSwitches(conditions, request).pipe(
    Result.andThen(() =>
      request.amount === undefined ? Result.void : checkSent(conditions, request.sourceAsset, request.amount)
    ),
    Result.andThen(() => without(durationIssues(conditions, request))),
  )

/** The largest share and the most affiliates for which a Bitcoin transaction has room. */
const mostOnBitcoin = { bps: 255, affiliates: 2 }

/** The issues of terms that a payload cannot hold (chainflip/wire.md 2.3). */
const payloadIssues = (request: VaultSwapRequest): Issues =>
  combineIssues([
    ...request.affiliates.flatMap(({ commissionBps }, index) => [
      commissionBps > mostOnBitcoin.bps
        ? issueAbout(
          `affiliate${index + 1}CommissionBps`,
          `is more than a payload can say: ${mostOnBitcoin.bps}`,
        )
        : noIssues,
      chainOf(request.sourceAsset) === "Bitcoin" && index >= mostOnBitcoin.affiliates
        ? issueAbout(`affiliate${index + 1}`, `is one too many: a Bitcoin transaction can name two`)
        : noIssues,
    ]),
    chainOf(request.sourceAsset) === "Bitcoin" && request.commissionBps > mostOnBitcoin.bps
      ? issueAbout(
        "commissionBps",
        `is more than a Bitcoin transaction can say, which is ${mostOnBitcoin.bps}`,
      )
      : noIssues,
    chainOf(request.sourceAsset) === "Bitcoin" && minimumOutput(request) > maximumNativeAmount
      ? issueAbout("minimumPrice", "makes more of the amount than the network can express")
      : noIssues,
  ])

/** Refuses an encoding as the upstream would; channels need not be switched on, as none is opened. */
export const checkEncoding = (conditions: Conditions, request: VaultSwapRequest): Check =>
  checkSwitches(conditions, request, canSendToVault).pipe(
    Result.andThen(() => checkAmount(conditions, request.sourceAsset, request.amount)),
    Result.andThen(() =>
      without(combineIssues([durationIssues(conditions, request), payloadIssues(request)]))
    ),
  )
