import { Address } from "#domain/chains/Address.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { Bps } from "#domain/money/Bps.ts"
import { anyPrice } from "#domain/money/Price.ts"
import type { QuoteRequest } from "#domain/quotes/Quote.ts"
import type { SwapRequest } from "#domain/swaps/SwapRequest.ts"

/** A tenth of a Bitcoin to Ether. */
export const quoteRequest: QuoteRequest = {
  sourceAsset: "btc.btc",
  destinationAsset: "eth.eth",
  amount: NativeAmount.make(10_000_000n),
  commissionBps: Bps.make(25),
}

/** The same at any price. */
export const swapRequest = {
  sourceAsset: "btc.btc",
  destinationAsset: "eth.eth",
  destinationAddress: Address.make("0xcac3C41676deF4FE375E57118f3eB83A99105577"),
  refundAddress: Address.make("bc1q6mte80265ghwq4vsrpm9lnaz46uvdreu9z8wly"),
  minimumPrice: anyPrice,
  retryDurationBlocks: 150,
  maximumBoostFeeBps: Bps.make(0),
  commissionBps: Bps.make(25),
  affiliates: [],
  amount: quoteRequest.amount,
} satisfies SwapRequest
