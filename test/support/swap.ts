import { BigDecimal } from "effect"
import { Address } from "#domain/chains/Address.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { Bps, noBps } from "#domain/money/Bps.ts"
import type { DepositChannel } from "#domain/swaps/Channel.ts"
import { Price } from "#domain/money/Price.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import type { Egress, SwapState, SwapStatus } from "#domain/swaps/Swap.ts"
import type { SwapStanding } from "#domain/swaps/SwapRecord.ts"
import type { SwapRequest } from "#domain/swaps/SwapRequest.ts"
import { EpochMillis } from "#domain/Time.ts"

/** Far beyond any time that a test clock reaches. */
export const expiry = EpochMillis.make(86_400_000)

/** A request in which every number would be wrong if it went through a double. */
export const swapRequest: SwapRequest = {
  sourceAsset: "btc.btc",
  destinationAsset: "eth.eth",
  destinationAddress: Address.make("0x1111111111111111111111111111111111111111"),
  refundAddress: Address.make("bc1qrefund"),
  minimumPrice: Price.make(BigDecimal.fromStringUnsafe("32.12345678901234567890123456789")),
  retryDurationBlocks: 150,
  maximumBoostFeeBps: noBps,
  commissionBps: Bps.make(10),
  affiliates: [],
  amount: NativeAmount.make(340_282_366_920_938_463_463_374_607_431_768_211_455n),
}

/** The order of that request, from one provider where it is named. */
export const openingRequest = (platform?: ProviderName) => ({ request: swapRequest, platform })

/** The status that a channel starts with. */
export const waitingStatus = (request: SwapRequest, channel: DepositChannel): SwapStatus => ({
  state: "waiting",
  sourceAsset: request.sourceAsset,
  destinationAsset: request.destinationAsset,
  destinationAddress: request.destinationAddress,
  depositChannel: {
    id: channel.id,
    createdAt: EpochMillis.make(0),
    brokerCommissionBps: request.commissionBps,
    affiliateBrokers: request.affiliates,
    depositAddress: channel.depositAddress,
    sourceChainExpiryBlock: channel.sourceExpiryBlock,
    estimatedExpiryTime: expiry,
    isExpired: false,
    openedThroughBackend: false,
  },
  fees: [],
  brokers: [],
  fillOrKill: {
    retryDurationBlocks: request.retryDurationBlocks,
    refundAddress: request.refundAddress,
    minimumPrice: request.minimumPrice,
  },
})

/** Stands for the channel that a swap was opened with, whichever that is. */
export const anyChannel: DepositChannel = {
  id: { issuedBlock: 1, network: "Bitcoin", channelId: 1 },
  depositAddress: Address.make("deposit"),
  sourceExpiryBlock: 1_000,
  openingFee: NativeAmount.make(0n),
  explorerUrl: "https://explorer.test/1",
}

/** A payment that has arrived. */
export const paid: Egress = {
  amount: NativeAmount.make(33_000_000_000_000_000_000n),
  transactionReference: "0xpaid",
}

/** A status in a state, with more members where a test cares about them; what is completed is paid. */
export const statusIn = (state: SwapState, more: Partial<SwapStatus> = {}): SwapStatus => ({
  ...waitingStatus(swapRequest, anyChannel),
  state,
  ...state === "completed" ? { swapEgress: paid } : {},
  ...more,
})

/** The same with a deposit by this transaction. */
export const statusWithDeposit = (
  state: SwapState,
  transactionReference: string,
  more: Partial<SwapStatus> = {},
): SwapStatus =>
  statusIn(state, {
    deposit: { amount: NativeAmount.make(100_000_000n), transactionReference },
    ...more,
  })

/** How a swap goes on of which nothing is known yet. */
export const freshStanding: SwapStanding = {
  createdAt: EpochMillis.make(0),
  changedAt: EpochMillis.make(0),
  lookedUpAt: EpochMillis.make(0),
  lookupFailures: 0,
}

/** The same after the channel has expired. */
export const expired = (status: SwapStatus): SwapStatus =>
  status.depositChannel === undefined
    ? status
    : { ...status, depositChannel: { ...status.depositChannel, isExpired: true } }
