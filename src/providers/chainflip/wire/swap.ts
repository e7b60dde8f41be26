import { Effect, Schema, SchemaGetter, SchemaIssue } from "effect"
import { Address, BrokerAccount } from "../../../domain/Address.ts"
import { Chain } from "../../../domain/Chain.ts"
import { ChannelId } from "../../../domain/Channel.ts"
import { BlockIndex } from "../../../domain/Time.ts"
import { WireDca } from "./quotes.ts"
import { Amount, BasisPoints, Count, maybe, Millis, Seconds, Text, WirePrice } from "../../upstream/values.ts"
import { WireFee } from "./assets.ts"

const failureReason = Schema.Struct({ name: maybe(Text), code: maybe(Text), message: Text })

/** The wire says `reason.name`, the upstream's own types say `reason.code` (chainflip/wire.md 3.7). */
const WireFailure = Schema.Struct({
  failedAt: Millis,
  failedBlockIndex: BlockIndex,
  mode: Schema.String,
  reason: failureReason,
})
export type WireFailure = typeof WireFailure.Type

const failureMembers = {
  failure: maybe(WireFailure),
  failedAt: maybe(Millis),
  failedBlockIndex: maybe(BlockIndex),
}

/** ChunkInfo; its members have the domain's names. */
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
export type WireProgress = typeof WireProgress.Type

const WireDeposit = Schema.Struct({
  amount: Amount,
  txRef: maybe(Schema.String),
  txConfirmations: maybe(Count),
  witnessedAt: maybe(Millis),
  witnessedBlockIndex: maybe(BlockIndex),
  ...failureMembers,
})
export type WireDeposit = typeof WireDeposit.Type

/** EgressInfo. */
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
export type WireEgress = typeof WireEgress.Type

const WireFillOrKill = Schema.Struct({
  refundAddress: Address,
  minPrice: WirePrice,
  retryDurationBlocks: Count,
  maxOraclePriceSlippage: maybe(BasisPoints),
})
export type WireFillOrKill = typeof WireFillOrKill.Type

const WireBroker = Schema.Struct({ account: BrokerAccount, commissionBps: BasisPoints })

/** `<issuedBlock>-<Chain>-<channelId>`. */
const WireChannelId = Schema.String.pipe(
  Schema.decodeTo(ChannelId, {
    decode: SchemaGetter.transformEffect((text, options) => {
      const [, issuedBlock, chain, channelId] = /^([0-9]{1,15})-([A-Za-z]+)-([0-9]{1,15})$/.exec(text) ?? []
      const network = Chain.literals.find((known) => known.toLowerCase() === chain?.toLowerCase())
      return network === undefined
        ? Effect.fail(new SchemaIssue.InvalidValue({ expected: "a channel id" }, text, options))
        : Effect.succeed({ issuedBlock: Number(issuedBlock), network, channelId: Number(channelId) })
    }),
    encode: SchemaGetter.forbiddenEncoding,
  }),
)

/** The channel; the last three members only come from upstreams before 2.2 (chainflip/wire.md 3.7). */
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
export type WireChannel = typeof WireChannel.Type

const WireBoost = Schema.Struct({
  maxBoostFeeBps: BasisPoints,
  effectiveBoostFeeBps: maybe(BasisPoints),
  boostedAt: maybe(Millis),
  boostedBlockIndex: maybe(BlockIndex),
  skippedAt: maybe(Millis),
  skippedBlockIndex: maybe(BlockIndex),
})
export type WireBoost = typeof WireBoost.Type

/** The answer of `GET /v2/swaps/:id` (chainflip/wire.md 3.7); each asset is in two members. */
export const WireSwap = Schema.Struct({
  state: Schema.String,
  swapId: maybe(Text),
  srcChain: Schema.String,
  srcAsset: Schema.String,
  destChain: Schema.String,
  destAsset: Schema.String,
  destAddress: Address,
  srcChainRequiredBlockConfirmations: maybe(Count),
  estimatedDurationSeconds: maybe(Seconds),
  brokers: maybe(Schema.Array(WireBroker)),
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
