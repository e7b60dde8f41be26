import { Effect, Struct } from "effect"
import { type AssetId, chainOf, factsOf } from "#domain/chains/Asset.ts"
import { networkChains } from "#domain/chains/payload/contractNumbers.ts"
import { type ChannelId, formatChannelId } from "#domain/swaps/Channel.ts"
import { formatDecimal } from "#domain/money/Decimal.ts"
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
} from "#domain/swaps/Swap.ts"
import { toIsoDate } from "#domain/Time.ts"
import { defined } from "#infrastructure/platform/optionalMembers.ts"
import { transactionReference } from "../engine/identifiers.ts"
import * as Network from "../engine/Network.ts"
import type { SwapView } from "../engine/View.ts"
import { json, type Reply } from "../Wire.ts"
import { World } from "../World.ts"
import { digits } from "./values.ts"
import { writeDurations, writeFee } from "./quote.ts"
import { backendMessage, backendRefusal } from "./refusals.ts"

/** `GET /v2/swaps/:id` (chainflip/wire.md 3.6). */

/** The key that an id stands for: the coordinates of a channel, the number of a swap request, or a transaction. */
type SwapKey =
  | { readonly _tag: "Channel"; readonly id: ChannelId }
  | { readonly _tag: "Request"; readonly id: string }
  | { readonly _tag: "Transaction"; readonly reference: string }

/** The key of an id, or the name of a chain that does not exist. */
const readKey = (id: string): SwapKey | { readonly _tag: "UnknownChain"; readonly name: string } => {
  const [, issuedBlock, name, channelId] = /^([0-9]{1,15})-([A-Za-z]+)-([0-9]{1,15})$/.exec(id) ?? []
  if (name === undefined) {
    return /^[0-9]+$/.test(id) ? { _tag: "Request", id } : { _tag: "Transaction", reference: id }
  }
  const network = networkChains.find((chain) => chain.toLowerCase() === name.toLowerCase())
  return network === undefined
    ? { _tag: "UnknownChain", name }
    : { _tag: "Channel", id: { issuedBlock: Number(issuedBlock), network, channelId: Number(channelId) } }
}

const find = (network: Network.Network, key: SwapKey): SwapView | undefined => {
  if (key._tag === "Channel") return Network.swapOfChannel(network, key.id)
  return key._tag === "Request"
    ? Network.swapOfRequest(network, key.id)
    : Network.swapOfTransaction(network, key.reference)
}

/** The payment by the transaction of all payments that were scheduled in its block; on Solana each has its own. */
const ofBatch = (seed: string, asset: AssetId, egress: Egress): Egress => {
  const [chain, block] = [chainOf(asset), Number.parseInt(egress.scheduledBlockIndex ?? "0")]
  return chain === "Solana" || egress.transactionReference === undefined ? egress : {
    ...egress,
    transactionReference: transactionReference(chain, { seed: `${seed}/batches`, block, number: 0 }),
  }
}

const inBatches = (seed: string, swap: SwapView): SwapView => ({
  ...swap,
  ...defined({
    swapEgress: swap.swapEgress && ofBatch(seed, swap.destinationAsset, swap.swapEgress),
    refundEgress: swap.refundEgress && ofBatch(seed, swap.sourceAsset, swap.refundEgress),
  }),
})

export const getSwap = Effect.fn("sandbox.backend.swap")(function* (
  id: string,
  { isBatched, isSparse }: {
    /** Without the destination. */
    readonly isSparse: boolean
    /** Payments of the same block have one transaction. */
    readonly isBatched: boolean
  },
): Effect.fn.Return<Reply, never, World> {
  const key = readKey(id)
  if (key._tag === "UnknownChain") return backendRefusal(400, `Invalid chain: ${key.name}`)
  const world = yield* World
  const found = yield* World.read(({ network }) => find(network, key))
  if (found === undefined) return backendRefusal(404, backendMessage.notFound)
  const swap = isBatched ? inBatches(world.seed, found) : found
  const updated = swap.lastStateChainUpdateAt
  return json(
    200,
    isSparse ? Struct.omit(writeSwap(swap), ["destAsset", "destChain", "destAddress"]) : writeSwap(swap),
    updated === undefined ? {} : { "x-chainflip-last-statechain-update": toIsoDate(updated) },
  )
})

/** A swap's record in the backend's form (chainflip/wire.md 3.7, 3.9); undefined members are absent in JSON. */
const writeSwap = (swap: SwapView) => {
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
    deposit: given(swap.deposit, (deposit: Deposit) => ({
      amount: digits(deposit.amount),
      txRef: deposit.transactionReference,
      txConfirmations: deposit.transactionConfirmations,
      witnessedAt: deposit.witnessedAt,
      witnessedBlockIndex: deposit.witnessedBlockIndex,
      ...writeFailures(deposit),
    })),
    swap: given(swap.swap, (progress) => writeProgress(progress, feesOfInput(swap))),
    swapEgress: given(swap.swapEgress, writeEgress),
    refundEgress: given(swap.refundEgress, writeEgress),
    fallbackEgress: given(swap.fallbackEgress, writeEgress),
    ccmParams: given(swap.ccm, ({ gasBudget, message }) => ({ gasBudget: digits(gasBudget), message })),
    fillOrKillParams: given(swap.fillOrKill, (parameters: FillOrKillParameters) => ({
      refundAddress: parameters.refundAddress,
      minPrice: formatDecimal(parameters.minimumPrice),
      retryDurationBlocks: parameters.retryDurationBlocks,
      maxOraclePriceSlippage: parameters.maximumOraclePriceSlippageBps,
    })),
    dcaParams: swap.dca,
    boost: given(swap.boost, ({ effectiveBoostFeeBps, maximumBoostFeeBps, ...moments }: Boost) => ({
      effectiveBoostFeeBps,
      maxBoostFeeBps: maximumBoostFeeBps,
      ...moments,
    })),
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

const writeFailures = (failed: Pick<Deposit, "failure" | "failedAt" | "failedBlockIndex">) => ({
  failure: given(failed.failure, writeFailure),
  failedAt: failed.failedAt,
  failedBlockIndex: failed.failedBlockIndex,
})

/** A failure. On the wire the reason has a `name`; clients' types call it `code` (chainflip/wire.md 3.7). */
const writeFailure = ({ failedAt, failedBlockIndex, mode, reason }: Failure) => ({
  failedAt,
  failedBlockIndex,
  mode,
  reason: { name: reason.code, message: reason.message },
})

/** Network and broker fee of a swap from USDC, which its record does not count as swapped (chainflip/wire.md 3.7). */
const feesOfInput = ({ fees, sourceAsset }: SwapView): bigint =>
  fees.filter(({ asset, type }) => asset === sourceAsset && (type === "network" || type === "broker"))
    .reduce((sum, { amount }) => sum + amount, 0n)

const writeProgress = (progress: SwapProgress, fees: bigint) => ({
  originalInputAmount: digits(progress.originalInputAmount),
  remainingInputAmount: `${progress.remainingInputAmount + fees}`,
  swappedInputAmount: `${progress.swappedInputAmount - fees}`,
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
