import type { Chunk, SwapProgress } from "../../domain/Swap.ts"
import { amountMembers, numberMember, object, textMember, timeMembers, when } from "./jsonText.ts"
import { intermediateAsset, type Pair } from "./swapProgress.ts"

const chunkJson = (pair: Pair) => (chunk: Chunk): string =>
  object(
    amountMembers("inputAmount", pair.sourceAsset, chunk.inputAmount) +
      amountMembers("intermediateAmount", intermediateAsset, chunk.intermediateAmount) +
      amountMembers("outputAmount", pair.destinationAsset, chunk.outputAmount) +
      timeMembers("scheduledAt", chunk.scheduledAt) +
      textMember("scheduledBlockIndex", chunk.scheduledBlockIndex) +
      timeMembers("executedAt", chunk.executedAt) +
      textMember("executedBlockIndex", chunk.executedBlockIndex) +
      numberMember("retryCount", chunk.retryCount) +
      timeMembers("latestSwapRescheduledAt", chunk.latestSwapRescheduledAt) +
      textMember("latestSwapRescheduledBlockIndex", chunk.latestSwapRescheduledBlockIndex) +
      textMember("latestSwapRescheduledReason", chunk.latestSwapRescheduledReason) +
      timeMembers("abortedAt", chunk.abortedAt) + textMember("abortedBlockIndex", chunk.abortedBlockIndex) +
      textMember("abortedReason", chunk.abortedReason),
  )

const executionMembers = ({ execution }: SwapProgress, pair: Pair): string => {
  if (execution === undefined) return ""
  const write = chunkJson(pair)
  if (execution._tag === "regular") return when("regular", execution.chunk, write)
  return when("dca", execution, (dca) =>
    object(
      when("lastExecutedChunk", dca.lastExecutedChunk, write) +
        when("currentChunk", dca.currentChunk, write) +
        numberMember("executedChunks", dca.executedChunks) +
        numberMember("remainingChunks", dca.remainingChunks),
    ))
}

/** The JSON text of the totals of a swap and of how it is executed (chainflip/wire.md 3.9). */
export const progressJson = (progress: SwapProgress, pair: Pair): string =>
  object(
    amountMembers("originalInputAmount", pair.sourceAsset, progress.originalInputAmount) +
      amountMembers("remainingInputAmount", pair.sourceAsset, progress.remainingInputAmount) +
      amountMembers("swappedInputAmount", pair.sourceAsset, progress.swappedInputAmount) +
      amountMembers("swappedIntermediateAmount", intermediateAsset, progress.swappedIntermediateAmount) +
      amountMembers("swappedOutputAmount", pair.destinationAsset, progress.swappedOutputAmount) +
      executionMembers(progress, pair),
  )
