import { Result } from "effect"
import { maximumNativeAmount, type NativeAmount } from "../../domain/Amount.ts"
import { type AssetId, chainOf } from "../../domain/Asset.ts"
import { combineFaults, type Faults, hasFaults, noFaults, wrong } from "../../domain/Faults.ts"
import {
  AssetDisabled,
  AssetNotListed,
  DepositAboveMaximum,
  DepositBelowMinimum,
  type ProviderErrorReason,
  RequestRefused,
  SwappingMaintenance,
} from "../../domain/ProviderError.ts"
import type { QuoteRequest } from "../../domain/Quote.ts"
import type { SwapRequest } from "../../domain/SwapRequest.ts"
import type { VaultSwapRequest } from "../../domain/VaultSwap.ts"
import {
  canDeposit,
  canPayOut,
  canSendToVault,
  type Conditions,
  isListed,
  limitsOf,
  maximumSwap,
  minimumDeposit,
} from "./Conditions.ts"
import { requestDurationFault, retryDurationFault } from "./errors/moduleErrors.ts"
import { minimumOutput } from "./transform/encoding.ts"

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
    return refuse(new AssetDisabled({ detail: `Deposits of ${sourceAsset} are switched off at present` }))
  }
  if (!canPayOut(conditions, destinationAsset)) {
    return refuse(new AssetDisabled({ detail: `Payouts of ${destinationAsset} are switched off at present` }))
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

/** The network's limits can be lower than the contract's (decision 6). */
const durationFaults = (conditions: Conditions, request: SwapRequest): Faults => {
  const limits = limitsOf(conditions)
  const { numberOfChunks, chunkIntervalBlocks } = request.dca ?? { numberOfChunks: 1, chunkIntervalBlocks: 0 }
  return combineFaults([
    exceeds(request.retryDurationBlocks, limits.retryDurationBlocks) ? retryDurationFault(limits) : noFaults,
    exceeds((numberOfChunks - 1) * chunkIntervalBlocks, limits.requestDurationBlocks)
      ? requestDurationFault(limits)
      : noFaults,
  ])
}

const checkDurations = (conditions: Conditions, request: SwapRequest): Check => {
  const errors = durationFaults(conditions, request)
  return hasFaults(errors) ? refuse(new RequestRefused({ errors })) : Result.void
}

/** What would be refused upstream is refused before it is asked: switches first, then the amount. */
export const checkQuote = (conditions: Conditions, request: QuoteRequest): Check =>
  Result.andThen(
    checkSwitches(conditions, request),
    () => checkAmount(conditions, request.sourceAsset, request.amount),
  )

/** As for a quote where an amount was said, then the limits on time. */
export const checkOpening = (conditions: Conditions, request: SwapRequest): Check =>
  checkSwitches(conditions, request).pipe(
    Result.andThen(() =>
      request.amount === undefined
        ? Result.void
        : checkAmount(conditions, request.sourceAsset, request.amount)
    ),
    Result.andThen(() => checkDurations(conditions, request)),
  )

/** The largest share, and the most affiliates, that the little room of a Bitcoin transaction holds. */
const mostOnBitcoin = { bps: 255, affiliates: 2 }

const affiliateFaults = ({ affiliates, sourceAsset }: VaultSwapRequest): ReadonlyArray<Faults> =>
  affiliates.flatMap(({ commissionBps }, index) => [
    ...(commissionBps > mostOnBitcoin.bps
      ? [wrong(`affiliate${index + 1}CommissionBps`, `is more than a payload can say: ${mostOnBitcoin.bps}`)]
      : []),
    ...(chainOf(sourceAsset) === "Bitcoin" && index >= mostOnBitcoin.affiliates
      ? [wrong(`affiliate${index + 1}`, `is one too many: a Bitcoin transaction can name two`)]
      : []),
  ])

/** What a payload cannot say (chainflip/wire.md 2.3). */
const payloadFaults = (request: VaultSwapRequest): Faults =>
  combineFaults([
    ...affiliateFaults(request),
    chainOf(request.sourceAsset) === "Bitcoin" && request.commissionBps > mostOnBitcoin.bps
      ? wrong("commissionBps", `is more than a Bitcoin transaction can say, which is ${mostOnBitcoin.bps}`)
      : noFaults,
    chainOf(request.sourceAsset) === "Bitcoin" && minimumOutput(request) > maximumNativeAmount
      ? wrong("minimumPrice", "makes more of the amount than the network can express")
      : noFaults,
  ])

/** As for an opening, then what a payload has room for; nothing is opened, so channels need not be on. */
export const checkEncoding = (conditions: Conditions, request: VaultSwapRequest): Check =>
  checkSwitches(conditions, request, canSendToVault).pipe(
    Result.andThen(() => checkAmount(conditions, request.sourceAsset, request.amount)),
    Result.andThen(() => {
      const errors = combineFaults([durationFaults(conditions, request), payloadFaults(request)])
      return hasFaults(errors) ? refuse(new RequestRefused({ errors })) : Result.void
    }),
  )
