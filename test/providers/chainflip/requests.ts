import { BigDecimal } from "effect"
import { Address, BrokerAccount } from "#domain/chains/Address.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { Bps } from "#domain/money/Bps.ts"
import { Price } from "#domain/money/Price.ts"
import type { AssetAmount, QuoteRequest } from "#domain/quotes/Quote.ts"
import type { SwapRequest } from "#domain/swaps/SwapRequest.ts"
import { affiliate } from "./fixtures/swaps.ts"

/** A quarter of a Bitcoin to Ether. */
export const quoteRequest: QuoteRequest & Pick<AssetAmount, "amount"> = {
  sourceAsset: "btc.btc",
  destinationAsset: "eth.eth",
  amount: NativeAmount.make(25_000_000n),
  commissionBps: Bps.make(25),
}

/** Bitcoin to Ether with a price limit and an affiliate. */
export const swapRequest: SwapRequest = {
  sourceAsset: "btc.btc",
  destinationAsset: "eth.eth",
  destinationAddress: Address.make("0x1111111111111111111111111111111111111111"),
  refundAddress: Address.make("bc1qrefund"),
  minimumPrice: Price.make(BigDecimal.fromStringUnsafe("32.5")),
  retryDurationBlocks: 150,
  maximumBoostFeeBps: Bps.make(0),
  commissionBps: Bps.make(25),
  affiliates: [{ account: BrokerAccount.make(affiliate), commissionBps: Bps.make(10) }],
}
