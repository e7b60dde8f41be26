import { Match, Struct } from "effect"
import { NativeAmount } from "#domain/money/Amount.ts"
import { type AssetId, chainOf } from "#domain/chains/Asset.ts"
import { Bps } from "#domain/money/Bps.ts"
import type { Fee, FeeType } from "#domain/money/Fee.ts"
import { defined } from "#infrastructure/platform/optionalMembers.ts"
import type * as Swap from "#domain/swaps/Swap.ts"
import { chainHeight, requiredConfirmations, stateChainBlockTime, stateChainHeight } from "./blocks.ts"
import { isExpired } from "./terms.ts"
import { brokerAccount, intermediateAsset } from "./figures.ts"
import { durationsOf, totalDuration } from "./quotes.ts"
import type { Channel, ChannelTerms, Deposit, Network, Payment, SwapRequest, SwapView } from "./State.ts"

interface Payments {
  readonly swap: Payment | undefined
  readonly refund: Payment | undefined
}

const noPayments: Payments = { swap: undefined, refund: undefined }

const paymentState = (egresses: ReadonlyArray<Swap.Egress>): Swap.SwapState => {
  if (egresses.some(({ failure }) => failure !== undefined)) return "failed"
  if (egresses.every(({ witnessedAt }) => witnessedAt !== undefined)) return "completed"
  return egresses.every(({ transactionReference }) => transactionReference !== undefined) ? "sent" : "sending"
}

/** The state by the rules of chainflip/wire.md 3.6; of two payments, the slower one decides. */
const stateOf = (deposit: Deposit | undefined, { refund, swap }: Payments): Swap.SwapState => {
  if (deposit === undefined) return "waiting"
  if (deposit.fate._tag === "Failed") return "failed"
  const egresses = [swap, refund].flatMap((payment) => payment?.egress ?? [])
  if (egresses.length > 0) return paymentState(egresses)
  return deposit.fate._tag === "Credited" ? "swapping" : "receiving"
}

const requestOf = (deposit: Deposit | undefined): SwapRequest | undefined =>
  deposit?.fate._tag === "Credited" ? deposit.fate.request : undefined

const egressPart = ({ swap, refund }: Payments) =>
  defined({
    swapEgress: swap?.egress,
    refundEgress: refund?.egress,
    fallbackEgress: (swap?.fallback ?? refund?.fallback)?.egress,
  })

const swapPart = (deposit: Deposit | undefined) => {
  const request = requestOf(deposit)
  if (request !== undefined) return { swapId: `${request.id}`, swap: progress(request) }
  return deposit?.fate._tag === "Failed" ? { swap: noProgress(deposit) } : {}
}

const termsPart = (network: Network, terms: ChannelTerms) => ({
  ...Struct.pick(terms, ["sourceAsset", "destinationAsset", "destinationAddress", "ccm", "dca"]),
  sourceChainRequiredBlockConfirmations: requiredConfirmations(chainOf(terms.sourceAsset)),
  brokers: brokers(terms),
  fillOrKill: Struct.pick(terms, [
    "retryDurationBlocks",
    "refundAddress",
    "minimumPrice",
    "maximumOraclePriceSlippageBps",
  ]),
  lastStateChainUpdateAt: stateChainBlockTime(network, stateChainHeight(network)),
})

const record = (
  network: Network,
  terms: ChannelTerms,
  channel: Channel | undefined,
  deposit: Deposit | undefined,
): SwapView => {
  const request = requestOf(deposit)
  const payments = deposit === undefined ? noPayments : Match.valueTags(deposit.fate, {
    Pending: () => noPayments,
    Credited: ({ request }) => ({ swap: request.swapPayment, refund: request.refundPayment }),
    Failed: ({ refund }) => ({ swap: undefined, refund }),
  })
  const boost = boostRecord(terms, deposit?.boost)
  const durations = durationsOf({ ...terms, boosted: deposit?.boost?._tag === "Boosted" })
  return {
    state: stateOf(deposit, payments),
    ...termsPart(network, terms),
    ...(channel === undefined ? {} : { depositChannel: channelRecord(network, channel) }),
    ...defined({ boost }),
    estimatedDurations: durations,
    estimatedDuration: totalDuration(durations),
    fees: request === undefined ? [] : feesOf(request),
    ...(deposit === undefined ? {} : { deposit: depositRecord(network, deposit) }),
    ...swapPart(deposit),
    ...egressPart(payments),
  }
}

/** The record of one deposit to a channel, or, without a deposit, of a waiting channel (chainflip/wire.md 3.7, 3.9). */
export const recordOfChannel = (
  network: Network,
  channel: Channel,
  deposit: Deposit | undefined,
): SwapView => record(network, channel, channel, deposit)

/** The record of one deposit, to a channel or by a vault swap, whose record has no channel (chainflip/wire.md 3.9). */
export const recordOfDeposit = (network: Network, deposit: Deposit): SwapView =>
  record(network, deposit.terms, deposit.channel, deposit)

const channelRecord = (network: Network, channel: Channel): Swap.ChannelRecord => ({
  ...Struct.pick(channel, [
    "id",
    "createdAt",
    "brokerCommissionBps",
    "depositAddress",
    "openedThroughBackend",
    "expectedDepositAmount",
  ]),
  affiliateBrokers: channel.affiliates,
  sourceChainExpiryBlock: channel.expiryBlock,
  estimatedExpiryTime: channel.expiryTime,
  isExpired: isExpired(network, channel),
})

/** The brokers: the submitting one first, then the affiliates. */
const brokers = (terms: ChannelTerms) => [
  { account: brokerAccount, commissionBps: terms.brokerCommissionBps },
  ...terms.affiliates,
]

/** The boost so far: without an outcome yet, with its fee, or skipped (chainflip/wire.md 3.7, 3.9). */
const boostRecord = (
  { maximumBoostFeeBps }: ChannelTerms,
  outcome: Deposit["boost"],
): Swap.Boost | undefined => {
  if (maximumBoostFeeBps === 0) return undefined
  if (outcome === undefined) return { maximumBoostFeeBps }
  const { at, blockIndex } = outcome
  return outcome._tag === "Boosted"
    ? {
      maximumBoostFeeBps,
      effectiveBoostFeeBps: outcome.feeBps,
      boostedAt: at,
      boostedBlockIndex: blockIndex,
    }
    : { maximumBoostFeeBps, effectiveBoostFeeBps: Bps.make(0), skippedAt: at, skippedBlockIndex: blockIndex }
}

/** The confirmations of a pending deposit; the block that includes it is the first. */
const confirmations = (network: Network, { terms, inclusionBlock }: Deposit): number =>
  Math.max(0, chainHeight(network, chainOf(terms.sourceAsset)) - inclusionBlock + 1)

const depositRecord = (network: Network, deposit: Deposit): Swap.Deposit => {
  const { amount, transactionReference, fate } = deposit
  const known = { amount, transactionReference }
  return Match.valueTags(fate, {
    Pending: () => ({ ...known, transactionConfirmations: confirmations(network, deposit) }),
    Credited: ({ request: { witnessedAt, witnessedBlockIndex } }) => ({
      ...known,
      witnessedAt,
      witnessedBlockIndex,
    }),
    Failed: ({ failure }) => ({
      ...known,
      failure,
      failedAt: failure.failedAt,
      failedBlockIndex: failure.failedBlockIndex,
    }),
  })
}

const execution = (request: SwapRequest): Swap.Execution | undefined => {
  const { currentChunk, lastExecutedChunk, executedChunks, remainingChunks, terms } = request
  if (terms.dca !== undefined) {
    return { _tag: "dca", ...defined({ lastExecutedChunk, currentChunk }), executedChunks, remainingChunks }
  }
  const chunk = currentChunk ?? lastExecutedChunk
  return chunk === undefined ? undefined : { _tag: "regular", chunk }
}

/** Totals over all chunks so far, and the chunks themselves. */
const progress = (request: SwapRequest): Swap.SwapProgress => {
  const chunks = execution(request)
  return {
    originalInputAmount: NativeAmount.make(request.inputAmount),
    remainingInputAmount: NativeAmount.make(request.remainingInput),
    swappedInputAmount: NativeAmount.make(request.swappedInput),
    swappedIntermediateAmount: NativeAmount.make(request.swappedIntermediate),
    swappedOutputAmount: NativeAmount.make(request.swappedOutput),
    ...defined({ execution: chunks }),
  }
}

/** The progress of a deposit that was not credited: all of it remains, nothing was swapped (chainflip/wire.md 3.9). */
const noProgress = ({ amount }: Deposit): Swap.SwapProgress => {
  const nothing = NativeAmount.make(0n)
  return {
    originalInputAmount: amount,
    remainingInputAmount: amount,
    swappedInputAmount: nothing,
    swappedIntermediateAmount: nothing,
    swappedOutputAmount: nothing,
  }
}

/** The fees so far, summed for each type and asset, without those that are 0 (chainflip/wire.md 3.7). */
const feesOf = (request: SwapRequest): ReadonlyArray<Fee> => {
  const { sourceAsset, destinationAsset } = request.terms
  const charged: ReadonlyArray<readonly [FeeType, AssetId, bigint]> = [
    ["boost", sourceAsset, request.boostFee],
    ["ingress", sourceAsset, request.ingressFee],
    ["network", intermediateAsset, request.networkFee],
    ["broker", intermediateAsset, request.brokerFee],
    ["egress", destinationAsset, request.egressFee],
    ["egress", sourceAsset, request.refundEgressFee],
    ["refund", sourceAsset, request.refundFee],
  ]
  return charged.flatMap(([type, asset, amount]) =>
    amount === 0n ? [] : [{ type, asset, amount: NativeAmount.make(amount) }]
  )
}
