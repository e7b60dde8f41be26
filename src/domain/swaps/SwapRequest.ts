import { Schema } from "effect"
import { Address, BrokerAccount } from "../chains/Address.ts"
import { NativeAmount } from "../money/Amount.ts"
import { AssetId } from "../chains/Asset.ts"
import { Bps } from "../money/Bps.ts"
import { SwapAmount } from "../quotes/ExactOutput.ts"
import { Price } from "../money/Price.ts"
import { RequestedQuote } from "../quotes/BoundQuote.ts"

/** How a swap is spread over time (DCA). */
export const DcaParameters = Schema.Struct({
  /** At least 2: a single chunk is a regular swap (decision 6). */
  numberOfChunks: Schema.Int,
  /** State-chain blocks between chunks. */
  chunkIntervalBlocks: Schema.Int,
})
export type DcaParameters = typeof DcaParameters.Type

/** A broker that shares in the commission; its part is added to the user's costs (decision 8). */
export const Affiliate = Schema.Struct({ account: BrokerAccount, commissionBps: Bps })
export type Affiliate = typeof Affiliate.Type

/** A message for the receiving contract; `message` is 0x-hex, `gasBudget` in the destination's gas asset. */
export const CcmPayload = Schema.Struct({ gasBudget: NativeAmount, message: Schema.String })
export type CcmPayload = typeof CcmPayload.Type

/** A channel request after all rules and defaults of decisions 2 to 11, as providers get and we keep it. */
export const SwapRequest = Schema.Struct({
  sourceAsset: AssetId,
  destinationAsset: AssetId,
  destinationAddress: Address,
  refundAddress: Address,
  /** 0 accepts every price. */
  minimumPrice: Price,
  /** How far the price may be below the network's own price feed; absent: as far as the network allows. */
  maximumOraclePriceSlippageBps: Schema.optionalKey(Bps),
  /** Blocks after which the deposit is refunded if the price limit cannot be met. */
  retryDurationBlocks: Schema.Int,
  dca: Schema.optionalKey(DcaParameters),
  /** The highest boost fee that the user accepts; 0 means no boost. */
  maximumBoostFeeBps: Bps,
  /** The broker's own commission; affiliates come on top. */
  commissionBps: Bps,
  affiliates: Schema.Array(Affiliate),
  ccm: Schema.optionalKey(CcmPayload),
  /** The amount that the user means to deposit, or wants to arrive, if one was given (decision 11). */
  amount: Schema.optionalKey(SwapAmount),
  /** The quote that the swap is opened by. No provider is told of it: it is in the limits above. */
  quote: Schema.optionalKey(RequestedQuote),
})
export type SwapRequest = typeof SwapRequest.Type

/** The commission of all brokers together, in bps. */
export const totalCommission = ({ affiliates, commissionBps }: SwapRequest): number =>
  affiliates.reduce<number>((sum, affiliate) => sum + affiliate.commissionBps, commissionBps)
