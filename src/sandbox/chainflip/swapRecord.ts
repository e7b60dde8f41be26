import { factsOf } from "../../domain/Asset.ts"
import { formatChannelId } from "../../domain/Channel.ts"
import { formatDecimal } from "../../domain/Decimal.ts"
import type {
  Boost,
  ChannelRecord,
  Chunk,
  Deposit,
  Egress,
  Execution,
  Failure,
  FillOrKillParameters,
  SwapProgress,
} from "../../domain/Swap.ts"
import type { SwapView } from "../engine/View.ts"
import { digits } from "./encode.ts"
import { writeDurations, writeFee } from "./quote.ts"

/**
 * A swap's record as the backend writes it (chainflip/wire.md 3.7, 3.9). A member without a value is undefined
 * here and absent in JSON.
 */
export const writeSwap = (swap: SwapView) => {
  const source = factsOf(swap.sourceAsset)
  const destination = factsOf(swap.destinationAsset)
  return {
    state: swap.state.toUpperCase(),
    swapId: swap.swapId,
    srcAsset: source.ticker,
    srcChain: source.chain,
    destAsset: destination.ticker,
    destChain: destination.chain,
    destAddress: swap.destinationAddress,
    srcChainRequiredBlockConfirmations: swap.sourceChainRequiredBlockConfirmations ?? null,
    ...writeDurations(swap.estimatedDurations),
    brokers: swap.brokers,
    fees: swap.fees.map(writeFee),
    depositChannel: given(
      swap.depositChannel,
      (channel) => ({ ...writeChannel(channel), dcaParams: swap.dca }),
    ),
    deposit: given(swap.deposit, writeDeposit),
    swap: given(swap.swap, writeProgress),
    swapEgress: given(swap.swapEgress, writeEgress),
    refundEgress: given(swap.refundEgress, writeEgress),
    fallbackEgress: given(swap.fallbackEgress, writeEgress),
    ccmParams: given(swap.ccm, ({ gasBudget, message }) => ({ gasBudget: digits(gasBudget), message })),
    fillOrKillParams: given(swap.fillOrKill, writeFillOrKill),
    dcaParams: swap.dca,
    boost: given(swap.boost, writeBoost),
    lastStatechainUpdateAt: swap.lastStateChainUpdateAt,
  }
}

const given = <Value, Written>(
  value: Value | undefined,
  write: (value: Value) => Written,
): Written | undefined => value === undefined ? undefined : write(value)

const writeChannel = (channel: ChannelRecord) => ({
  id: formatChannelId(channel.id),
  createdAt: channel.createdAt,
  depositAddress: channel.depositAddress,
  srcChainExpiryBlock: `${channel.sourceChainExpiryBlock}`,
  estimatedExpiryTime: channel.estimatedExpiryTime,
  expectedDepositAmount: digits(channel.expectedDepositAmount),
  isExpired: channel.isExpired,
  openedThroughBackend: channel.openedThroughBackend,
})

const writeDeposit = (deposit: Deposit) => ({
  amount: digits(deposit.amount),
  txRef: deposit.transactionReference,
  txConfirmations: deposit.transactionConfirmations,
  witnessedAt: deposit.witnessedAt,
  witnessedBlockIndex: deposit.witnessedBlockIndex,
  ...writeFailures(deposit),
})

const writeFailures = (
  failed: Pick<Deposit, "failure" | "failedAt" | "failedBlockIndex">,
) => ({
  failure: given(failed.failure, writeFailure),
  failedAt: failed.failedAt,
  failedBlockIndex: failed.failedBlockIndex,
})

/** On the wire the reason has a `name`; clients' types call it `code` (chainflip/wire.md 3.7). */
const writeFailure = ({ failedAt, failedBlockIndex, mode, reason }: Failure) => ({
  failedAt,
  failedBlockIndex,
  mode,
  reason: { name: reason.code, message: reason.message },
})

const writeProgress = (progress: SwapProgress) => ({
  originalInputAmount: digits(progress.originalInputAmount),
  remainingInputAmount: digits(progress.remainingInputAmount),
  swappedInputAmount: digits(progress.swappedInputAmount),
  swappedIntermediateAmount: digits(progress.swappedIntermediateAmount),
  swappedOutputAmount: digits(progress.swappedOutputAmount),
  ...given(progress.execution, writeExecution),
})

const writeExecution = (execution: Execution) =>
  execution._tag === "regular" ? { regular: writeChunk(execution.chunk) } : {
    dca: {
      lastExecutedChunk: given(execution.lastExecutedChunk, writeChunk) ?? null,
      currentChunk: given(execution.currentChunk, writeChunk) ?? null,
      executedChunks: execution.executedChunks,
      remainingChunks: execution.remainingChunks,
    },
  }

const writeChunk = (chunk: Chunk) => ({
  ...chunk,
  inputAmount: digits(chunk.inputAmount),
  intermediateAmount: digits(chunk.intermediateAmount),
  outputAmount: digits(chunk.outputAmount),
})

const writeEgress = (egress: Egress) => ({
  amount: digits(egress.amount),
  scheduledAt: egress.scheduledAt,
  scheduledBlockIndex: egress.scheduledBlockIndex,
  destinationAddress: egress.destinationAddress,
  txRef: egress.transactionReference,
  witnessedAt: egress.witnessedAt,
  witnessedBlockIndex: egress.witnessedBlockIndex,
  transactionPayload: egress.transactionPayload,
  ...writeFailures(egress),
})

const writeFillOrKill = (parameters: FillOrKillParameters) => ({
  refundAddress: parameters.refundAddress,
  minPrice: formatDecimal(parameters.minimumPrice),
  retryDurationBlocks: parameters.retryDurationBlocks,
  maxOraclePriceSlippage: parameters.maximumOraclePriceSlippageBps,
})

const writeBoost = ({ effectiveBoostFeeBps, maximumBoostFeeBps, ...moments }: Boost) => ({
  effectiveBoostFeeBps,
  maxBoostFeeBps: maximumBoostFeeBps,
  ...moments,
})
