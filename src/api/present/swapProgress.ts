import type { SwapStatusBody } from "../SwapStatusBody.ts"
import { toHuman } from "../../domain/Amount.ts"
import type { AssetId } from "../../domain/Asset.ts"
import type { Chunk, Execution, SwapProgress } from "../../domain/Swap.ts"
import { toIsoDate } from "../../domain/Time.ts"
import { when } from "./figures.ts"

type Body = (typeof SwapStatusBody.Type)["swap"] & object

/** The asset that every route of two legs passes through (chainflip/wire.md 1.2). */
export const intermediateAsset: AssetId = "usdc.eth"

/** What a swap goes between. */
export interface Pair {
  readonly sourceAsset: AssetId
  readonly destinationAsset: AssetId
}

const presentChunk = (chunk: Chunk, pair: Pair): Body["regular"] & object => ({
  inputAmount: toHuman(pair.sourceAsset, chunk.inputAmount),
  inputAmountNative: chunk.inputAmount,
  ...when(chunk.intermediateAmount, (amount) => ({
    intermediateAmount: toHuman(intermediateAsset, amount),
    intermediateAmountNative: amount,
  })),
  ...when(chunk.outputAmount, (amount) => ({
    outputAmount: toHuman(pair.destinationAsset, amount),
    outputAmountNative: amount,
  })),
  scheduledAt: chunk.scheduledAt,
  scheduledAtDate: toIsoDate(chunk.scheduledAt),
  scheduledBlockIndex: chunk.scheduledBlockIndex,
  ...when(chunk.executedAt, (at) => ({ executedAt: at, executedAtDate: toIsoDate(at) })),
  ...when(chunk.executedBlockIndex, (executedBlockIndex) => ({ executedBlockIndex })),
  retryCount: chunk.retryCount,
  ...when(chunk.latestSwapRescheduledAt, (at) => ({
    latestSwapRescheduledAt: at,
    latestSwapRescheduledAtDate: toIsoDate(at),
  })),
  ...when(chunk.latestSwapRescheduledBlockIndex, (latestSwapRescheduledBlockIndex) => ({
    latestSwapRescheduledBlockIndex,
  })),
  ...when(chunk.latestSwapRescheduledReason, (latestSwapRescheduledReason) => ({
    latestSwapRescheduledReason,
  })),
  ...when(chunk.abortedAt, (at) => ({ abortedAt: at, abortedAtDate: toIsoDate(at) })),
  ...when(chunk.abortedBlockIndex, (abortedBlockIndex) => ({ abortedBlockIndex })),
  ...when(chunk.abortedReason, (abortedReason) => ({ abortedReason })),
})

const presentExecution = (execution: Execution, pair: Pair): Pick<Body, "regular" | "dca"> =>
  execution._tag === "regular" ? { regular: presentChunk(execution.chunk, pair) } : {
    dca: {
      ...when(execution.lastExecutedChunk, (chunk) => ({ lastExecutedChunk: presentChunk(chunk, pair) })),
      ...when(execution.currentChunk, (chunk) => ({ currentChunk: presentChunk(chunk, pair) })),
      executedChunks: execution.executedChunks,
      remainingChunks: execution.remainingChunks,
    },
  }

/** The totals of a swap and how it is executed (chainflip/wire.md 3.9). */
export const presentProgress = (progress: SwapProgress, pair: Pair): Body => ({
  originalInputAmount: toHuman(pair.sourceAsset, progress.originalInputAmount),
  originalInputAmountNative: progress.originalInputAmount,
  remainingInputAmount: toHuman(pair.sourceAsset, progress.remainingInputAmount),
  remainingInputAmountNative: progress.remainingInputAmount,
  swappedInputAmount: toHuman(pair.sourceAsset, progress.swappedInputAmount),
  swappedInputAmountNative: progress.swappedInputAmount,
  swappedIntermediateAmount: toHuman(intermediateAsset, progress.swappedIntermediateAmount),
  swappedIntermediateAmountNative: progress.swappedIntermediateAmount,
  swappedOutputAmount: toHuman(pair.destinationAsset, progress.swappedOutputAmount),
  swappedOutputAmountNative: progress.swappedOutputAmount,
  ...when(progress.execution, (execution) => presentExecution(execution, pair)),
})
