import { Address, BrokerAccount } from "../../domain/Address.ts"
import { Bps } from "../../domain/Bps.ts"
import { fromX128 } from "../../domain/Price.ts"
import type { RequestedSwap } from "./Command.ts"
import type { Terms } from "./State.ts"

const limitsOf = ({ refund, sourceAsset, destinationAsset }: RequestedSwap) => ({
  retryDurationBlocks: refund.retryDurationBlocks,
  refundAddress: Address.make(refund.refundAddress),
  minimumPriceX128: refund.minimumPriceX128,
  minimumPrice: fromX128(refund.minimumPriceX128, sourceAsset, destinationAsset),
  ...(refund.maximumOraclePriceSlippageBps === undefined
    ? {}
    : { maximumOraclePriceSlippageBps: Bps.make(refund.maximumOraclePriceSlippageBps) }),
})

/** What a request asks for, in the engine's terms. */
export const termsOf = (request: RequestedSwap): Terms => ({
  sourceAsset: request.sourceAsset,
  destinationAsset: request.destinationAsset,
  destinationAddress: Address.make(request.destinationAddress),
  brokerCommissionBps: Bps.make(request.brokerCommissionBps),
  affiliates: request.affiliates.map(({ account, commissionBps }) => ({
    account: BrokerAccount.make(account),
    commissionBps: Bps.make(commissionBps),
  })),
  maximumBoostFeeBps: Bps.make(request.boostFeeBps),
  ...limitsOf(request),
  ...(request.dca === undefined || request.dca.numberOfChunks === 1 ? {} : { dca: request.dca }),
  ...(request.ccm === undefined ? {} : { ccm: request.ccm }),
})
