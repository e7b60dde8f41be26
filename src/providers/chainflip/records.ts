import { Effect, Schema, SchemaGetter, SchemaIssue, Struct } from "effect"
import { Address, BrokerAccount } from "#domain/chains/Address.ts"
import { networkChains } from "#domain/chains/payload/contractNumbers.ts"
import { NativeAmount, noAmount } from "#domain/money/Amount.ts"
import type { AssetId } from "#domain/chains/Asset.ts"
import { noBps } from "#domain/money/Bps.ts"
import { ChannelId } from "#domain/swaps/Channel.ts"
import type { Fee } from "#domain/money/Fee.ts"
import type * as Swap from "#domain/swaps/Swap.ts"
import type { Affiliate } from "#domain/swaps/SwapRequest.ts"
import { BlockIndex } from "#domain/Time.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import {
  Amount,
  BasisPoints,
  Count,
  maybe,
  Millis,
  ShownSeconds,
  Text,
  WirePrice,
} from "../upstream/values.ts"
import { WireFee } from "./quotes.ts"
import { nominalExpiry, toDepositAddress } from "./openings.ts"

/** The wire says `reason.name`, the upstream's own types say `reason.code` (chainflip/wire.md 3.7). */
const WireFailure = Schema.Struct({
  failedAt: Millis,
  failedBlockIndex: BlockIndex,
  mode: Schema.String,
  reason: Schema.Struct({ name: maybe(Text), code: maybe(Text), message: Text }),
})
export type WireFailure = typeof WireFailure.Type

const failureMembers = {
  failure: maybe(WireFailure),
  failedAt: maybe(Millis),
  failedBlockIndex: maybe(BlockIndex),
}

/** ChunkInfo. Its members have the domain's names. */
const WireChunk = Schema.Struct({
  inputAmount: Amount,
  intermediateAmount: maybe(Amount),
  outputAmount: maybe(Amount),
  scheduledAt: Millis,
  scheduledBlockIndex: BlockIndex,
  executedAt: maybe(Millis),
  executedBlockIndex: maybe(BlockIndex),
  retryCount: Count,
  latestSwapRescheduledAt: maybe(Millis),
  latestSwapRescheduledBlockIndex: maybe(BlockIndex),
  latestSwapRescheduledReason: maybe(Schema.String),
  abortedAt: maybe(Millis),
  abortedBlockIndex: maybe(BlockIndex),
  abortedReason: maybe(Schema.String),
})

const WireProgress = Schema.Struct({
  originalInputAmount: Amount,
  remainingInputAmount: Amount,
  swappedInputAmount: Amount,
  swappedIntermediateAmount: Amount,
  swappedOutputAmount: Amount,
  regular: maybe(WireChunk),
  dca: maybe(Schema.Struct({
    lastExecutedChunk: maybe(WireChunk),
    currentChunk: maybe(WireChunk),
    executedChunks: Count,
    remainingChunks: Count,
  })),
})
type WireProgress = typeof WireProgress.Type

const WireDeposit = Schema.Struct({
  amount: Amount,
  txRef: maybe(Schema.String),
  txConfirmations: maybe(Count),
  witnessedAt: maybe(Millis),
  witnessedBlockIndex: maybe(BlockIndex),
  ...failureMembers,
})
type WireDeposit = typeof WireDeposit.Type

const WireEgress = Schema.Struct({
  amount: Amount,
  scheduledAt: maybe(Millis),
  scheduledBlockIndex: maybe(BlockIndex),
  destinationAddress: maybe(Address),
  txRef: maybe(Schema.String),
  witnessedAt: maybe(Millis),
  witnessedBlockIndex: maybe(BlockIndex),
  transactionPayload: maybe(Schema.Struct({ contract: Text, value: Text, chainId: Count, data: Text })),
  ...failureMembers,
})
type WireEgress = typeof WireEgress.Type

const WireFillOrKill = Schema.Struct({
  refundAddress: Address,
  minPrice: WirePrice,
  retryDurationBlocks: Count,
  maxOraclePriceSlippage: maybe(BasisPoints),
})
type WireFillOrKill = typeof WireFillOrKill.Type

const WireDca = Schema.Struct({ numberOfChunks: Count, chunkIntervalBlocks: Count })

const WireBroker = Schema.Struct({ account: BrokerAccount, commissionBps: BasisPoints })

const WireChannelId = Schema.String.pipe(Schema.decodeTo(ChannelId, {
  decode: SchemaGetter.transformEffect((text, options) => {
    const [, issuedBlock, chain, channelId] = /^([0-9]{1,15})-([A-Za-z]+)-([0-9]{1,15})$/.exec(text) ?? []
    const network = networkChains.find((known) => known.toLowerCase() === chain?.toLowerCase())
    return network === undefined
      ? Effect.fail(new SchemaIssue.InvalidValue({ expected: "a channel id" }, text, options))
      : Effect.succeed({ issuedBlock: Number(issuedBlock), network, channelId: Number(channelId) })
  }),
  encode: SchemaGetter.forbiddenEncoding,
}))

/** The channel. The last three members come only from upstreams before 2.2 (chainflip/wire.md 3.7). */
const WireChannel = Schema.Struct({
  id: WireChannelId,
  createdAt: Millis,
  depositAddress: Address,
  srcChainExpiryBlock: Count,
  estimatedExpiryTime: maybe(Millis),
  expectedDepositAmount: maybe(Amount),
  isExpired: Schema.Boolean,
  openedThroughBackend: Schema.Boolean,
  dcaParams: maybe(WireDca),
  brokerCommissionBps: maybe(BasisPoints),
  affiliateBrokers: maybe(Schema.Array(WireBroker)),
  fillOrKillParams: maybe(WireFillOrKill),
})
type WireChannel = typeof WireChannel.Type

const WireBoost = Schema.Struct({
  maxBoostFeeBps: BasisPoints,
  effectiveBoostFeeBps: maybe(BasisPoints),
  boostedAt: maybe(Millis),
  boostedBlockIndex: maybe(BlockIndex),
  skippedAt: maybe(Millis),
  skippedBlockIndex: maybe(BlockIndex),
})
type WireBoost = typeof WireBoost.Type

/** `GET /v2/swaps/:id` (chainflip/wire.md 3.7). Each asset has two members; destination and address may be missing. */
export const WireSwap = Schema.Struct({
  state: Schema.String,
  swapId: maybe(Text),
  srcChain: Schema.String,
  srcAsset: Schema.String,
  destChain: maybe(Schema.String),
  destAsset: maybe(Schema.String),
  destAddress: maybe(Address),
  srcChainRequiredBlockConfirmations: maybe(Count),
  estimatedDurationSeconds: ShownSeconds,
  brokers: maybe(Schema.Array(WireBroker)),
  brokerCommissionBps: maybe(BasisPoints),
  affiliateBrokers: maybe(Schema.Array(WireBroker)),
  fees: maybe(Schema.Array(WireFee)),
  depositChannel: maybe(WireChannel),
  deposit: maybe(WireDeposit),
  swap: maybe(WireProgress),
  swapEgress: maybe(WireEgress),
  refundEgress: maybe(WireEgress),
  fallbackEgress: maybe(WireEgress),
  ccmParams: maybe(Schema.Struct({ gasBudget: Amount, message: Schema.String })),
  fillOrKillParams: maybe(WireFillOrKill),
  dcaParams: maybe(WireDca),
  boost: maybe(WireBoost),
  lastStatechainUpdateAt: maybe(Millis),
})

export type WireSwap = typeof WireSwap.Type

/** The commissions of a channel: one list since 2.2, two members before. Our account may be its own affiliate, too. */
const toCommissions = (wire: WireChannel, brokers: ReadonlyArray<Affiliate>, ourAccount: BrokerAccount) => {
  const ours = brokers.findIndex(({ account }) => account === ourAccount)
  return {
    brokerCommissionBps: wire.brokerCommissionBps ?? brokers[ours]?.commissionBps ?? noBps,
    affiliateBrokers: wire.affiliateBrokers ?? brokers.filter((_, index) => index !== ours),
  }
}

/** The channel's record (chainflip/wire.md 3.7). `brokers` are those of the swap. */
export const toChannelRecord = (
  wire: WireChannel,
  brokers: ReadonlyArray<Affiliate>,
  ourAccount: BrokerAccount,
): Swap.ChannelRecord => ({
  id: wire.id,
  createdAt: wire.createdAt,
  ...toCommissions(wire, brokers, ourAccount),
  depositAddress: toDepositAddress(wire.id.network, wire.depositAddress),
  sourceChainExpiryBlock: wire.srcChainExpiryBlock,
  estimatedExpiryTime: wire.estimatedExpiryTime ?? nominalExpiry(wire.createdAt),
  isExpired: wire.isExpired,
  openedThroughBackend: wire.openedThroughBackend,
  ...Struct.pick(wire, ["expectedDepositAmount"]),
})

// The wire's members mostly have the domain's names; the others are renamed here. Absent members stay absent.

const toFailure = ({ reason, ...failure }: WireFailure): Swap.Failure => ({
  ...failure,
  reason: { code: reason.name ?? reason.code ?? "Unknown", message: reason.message },
})

const withFailure = <A extends { readonly failure?: WireFailure }>({ failure, ...rest }: A) => ({
  ...rest,
  ...optionalMembers(failure, (failure) => ({ failure: toFailure(failure) })),
})

export const toDeposit = (wire: WireDeposit): Swap.Deposit =>
  Struct.renameKeys(withFailure(wire), {
    txRef: "transactionReference",
    txConfirmations: "transactionConfirmations",
  })

/** EgressInfo: a payout, a refund or a fallback. */
export const toEgress = (wire: WireEgress): Swap.Egress =>
  Struct.renameKeys(withFailure(wire), { txRef: "transactionReference" })

export const toBoost = (wire: WireBoost): Swap.Boost =>
  Struct.renameKeys(wire, { maxBoostFeeBps: "maximumBoostFeeBps" })

export const toFillOrKill = (wire: WireFillOrKill): Swap.FillOrKillParameters =>
  Struct.renameKeys(wire, {
    minPrice: "minimumPrice",
    maxOraclePriceSlippage: "maximumOraclePriceSlippageBps",
  })

const toExecution = ({ regular, dca }: WireProgress): Swap.Execution | undefined => {
  if (regular !== undefined) return { _tag: "regular", chunk: regular }
  return dca === undefined ? undefined : { _tag: "dca", ...dca }
}

/** The fees that a swap from USDC pays before its input is swapped, by type. */
const feesOfInput: ReadonlyArray<string> = ["network", "broker"]

/** The totals and chunks. A swap from USDC has paid network and broker fee of what remains (chainflip/wire.md 3.7). */
export const toProgress = (
  wire: WireProgress,
  sourceAsset: AssetId,
  fees: ReadonlyArray<Fee>,
): Swap.SwapProgress => {
  const paid = fees.filter(({ asset, type }) => asset === sourceAsset && feesOfInput.includes(type))
    .reduce((sum, { amount }) => sum + amount, 0n)
  const remaining = wire.remainingInputAmount - paid
  return {
    ...Struct.omit(wire, ["regular", "dca"]),
    remainingInputAmount: remaining > 0n ? NativeAmount.make(remaining) : noAmount,
    ...optionalMembers(toExecution(wire), (execution) => ({ execution })),
  }
}
