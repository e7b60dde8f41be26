import { Result } from "effect"
import { NativeAmount } from "#domain/money/Amount.ts"
import type { Chunk } from "#domain/swaps/Swap.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { happen, type Moment, scheduleAfterBlocks, stateChainHeight } from "./blocks.ts"
import * as Pools from "./pools.ts"
import { assetState, retryDelayBlocks, swapDelayBlocks } from "./figures.ts"
import { pay } from "./egress.ts"
import type { ChannelTerms, Deposit, Network, SwapRequest } from "./State.ts"
import { commissionShared, creditCommission } from "./operator.ts"

/** The number of the first swap request, chosen freely. */
const firstRequestId = 1_000_001

/** Creates the swap request of a deposit, and schedules its first chunk two blocks later (chainflip/wire.md 3.3). */
export const requestSwap = (
  network: Network,
  deposit: Deposit,
  { boostFee, ingressFee, moment }: {
    readonly boostFee: bigint
    readonly ingressFee: bigint
    readonly moment: Moment
  },
): SwapRequest => {
  const { sourceAsset, dca } = deposit.terms
  const inputAmount = deposit.amount - boostFee - ingressFee
  const { minimumChunk } = assetState(network, sourceAsset)
  const request: SwapRequest = {
    id: firstRequestId + network.requests.size,
    terms: deposit.terms,
    deposit,
    witnessedAt: moment.at,
    witnessedBlockIndex: moment.blockIndex,
    inputAmount,
    ingressFee,
    boostFee,
    remainingInput: inputAmount,
    remainingChunks: Pools.effectiveChunks(inputAmount, dca?.numberOfChunks ?? 1, minimumChunk),
    executedChunks: 0,
    swappedInput: 0n,
    swappedIntermediate: 0n,
    swappedOutput: 0n,
    networkFee: 0n,
    brokerFee: 0n,
    egressFee: 0n,
    refundFee: 0n,
    refundEgressFee: 0n,
    retryUntilBlock: 0,
  }
  network.requests.set(`${request.id}`, request)
  scheduleChunk(network, request, swapDelayBlocks)
  return request
}

/** Schedules the next chunk, which may be retried until the retry duration has passed. */
const scheduleChunk = (network: Network, request: SwapRequest, delayBlocks: number): void => {
  const { at, blockIndex } = happen(network)
  request.currentChunk = {
    inputAmount: NativeAmount.make(Pools.nextChunk(request.remainingInput, request.remainingChunks)),
    scheduledAt: at,
    scheduledBlockIndex: blockIndex,
    retryCount: 0,
  }
  request.retryUntilBlock = stateChainHeight(network) + delayBlocks + request.terms.retryDurationBlocks
  scheduleAfterBlocks(network, delayBlocks, "swap", () => executeChunk(network, request))
}

/** Executes a due chunk: it is swapped, postponed, or, after its retry duration, given up. */
const executeChunk = (network: Network, request: SwapRequest): void => {
  const chunk = request.currentChunk
  if (chunk === undefined) return
  if (!network.swapsEnabled) return reschedule(network, request, chunk, "SafeModeActive")
  const { terms } = request
  const route = { ...terms, commissionOf: (usdc: bigint) => commissionShared(terms, usdc) }
  const swapped = Pools.swapChunk(Pools.reservesWithinBlock(network), route, chunk.inputAmount)
  if (Result.isFailure(swapped)) return retryOrAbort(network, request, chunk, "PriceImpactLimit")
  const broken = limitBroken(network, terms, swapped.success)
  if (broken !== undefined) return retryOrAbort(network, request, chunk, broken)
  for (const trade of swapped.success.trades) Pools.keepTrade(network, trade)
  creditCommission(network, terms, swapped.success.commissioned)
  complete(network, request, chunk, swapped.success)
}

/** Records a swapped chunk, then schedules the next one or pays. */
const complete = (
  network: Network,
  request: SwapRequest,
  chunk: Chunk,
  swapped: Pools.SwappedChunk,
): void => {
  const { at, blockIndex } = happen(network)
  request.lastExecutedChunk = {
    ...chunk,
    ...optionalMembers(swapped.intermediate, (amount) => ({ intermediateAmount: NativeAmount.make(amount) })),
    outputAmount: NativeAmount.make(swapped.output),
    executedAt: at,
    executedBlockIndex: blockIndex,
  }
  delete request.currentChunk
  request.executedChunks++
  request.remainingChunks--
  request.remainingInput -= swapped.input
  request.swappedInput += swapped.input
  request.swappedIntermediate += swapped.intermediate ?? 0n
  request.swappedOutput += swapped.output
  request.networkFee += swapped.networkFee
  request.brokerFee += swapped.brokerFee
  if (request.remainingChunks === 0) return payOutput(network, request)
  scheduleChunk(network, request, request.terms.dca?.chunkIntervalBlocks ?? swapDelayBlocks)
}

const reschedule = (network: Network, request: SwapRequest, chunk: Chunk, reason: RescheduleReason): void => {
  const { at, blockIndex } = happen(network)
  request.currentChunk = {
    ...chunk,
    retryCount: chunk.retryCount + 1,
    latestSwapRescheduledAt: at,
    latestSwapRescheduledBlockIndex: blockIndex,
    latestSwapRescheduledReason: reason,
  }
  scheduleAfterBlocks(network, retryDelayBlocks, "swap", () => executeChunk(network, request))
}

/** Retries in five blocks if that is within the retry duration, else gives up (fill-or-kill). */
const retryOrAbort = (network: Network, request: SwapRequest, chunk: Chunk, reason: RescheduleReason): void =>
  stateChainHeight(network) + retryDelayBlocks <= request.retryUntilBlock
    ? reschedule(network, request, chunk, reason)
    : abort(network, request, chunk, reason)

/** Gives up: refunds the rest, and pays out what was swapped so far. */
const abort = (network: Network, request: SwapRequest, chunk: Chunk, reason: RescheduleReason): void => {
  const { at, blockIndex } = happen(network)
  request.currentChunk = { ...chunk, abortedAt: at, abortedBlockIndex: blockIndex, abortedReason: reason }
  refund(network, request)
  if (request.executedChunks > 0) payOutput(network, request)
}

/** Refunds the rest, less the refund fee and then the source asset's egress fee. */
const refund = (network: Network, request: SwapRequest): void => {
  const { sourceAsset, refundAddress } = request.terms
  request.refundFee = Pools.refundFee(network, sourceAsset, request.remainingInput)
  const owed = request.remainingInput - request.refundFee
  const amount = Pools.saturatingSubtract(owed, Pools.egressFee(network, sourceAsset))
  request.refundEgressFee = owed - amount
  request.refundPayment = pay(network, {
    kind: "refund",
    asset: sourceAsset,
    destination: refundAddress,
    amount,
  })
}

const payOutput = (network: Network, request: SwapRequest): void => {
  const { destinationAsset, destinationAddress, ccm } = request.terms
  const fee = Pools.egressFee(network, destinationAsset, ccm?.gasBudget)
  const amount = Pools.saturatingSubtract(request.swappedOutput, fee)
  request.egressFee = request.swappedOutput - amount
  request.swapPayment = pay(network, {
    kind: "swap",
    asset: destinationAsset,
    destination: destinationAddress,
    amount,
  })
}

/** Why a chunk is postponed (chainflip/wire.md 3.7). */
type RescheduleReason =
  | "PriceImpactLimit"
  | "MinPriceViolation"
  | "OraclePriceSlippageExceeded"
  | "SafeModeActive"

const one = 2n ** 128n

/** Whether a leg gave less than the oracle's price, which is the reference price, less the tolerance. */
const isUnderOracle = (
  network: Network,
  bps: number,
  { base, side, input, output }: Pools.Trade,
): boolean => {
  const { oracleProtectionBps, price } = assetState(network, base)
  if (oracleProtectionBps === undefined) return false
  const [worthIn, worthOut] = side === "sell"
    ? [input * price, output * Pools.wholeUnit(base)]
    : [input * Pools.wholeUnit(base), output * price]
  return worthOut * 10_000n < worthIn * BigInt(10_000 - bps)
}

/** The limit that a chunk breaks: its minimum price, or the distance from the oracles (chainflip/wire.md 2.2). */
const limitBroken = (
  network: Network,
  { minimumPriceX128, maximumOraclePriceSlippageBps }: ChannelTerms,
  { input, output, trades }: Pools.SwappedChunk,
): RescheduleReason | undefined => {
  if (output * one < input * minimumPriceX128) return "MinPriceViolation"
  if (maximumOraclePriceSlippageBps === undefined) return undefined
  return trades.some((trade) => isUnderOracle(network, maximumOraclePriceSlippageBps, trade))
    ? "OraclePriceSlippageExceeded"
    : undefined
}
