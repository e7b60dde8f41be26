import { BigDecimal } from "effect"
import { Address } from "#domain/chains/Address.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import type { AssetId } from "#domain/chains/Asset.ts"
import { Bps, noBps } from "#domain/money/Bps.ts"
import { Price } from "#domain/money/Price.ts"
import type { SwapRequest } from "#domain/swaps/SwapRequest.ts"
import type { VaultSwapRequest } from "#domain/swaps/VaultSwap.ts"
import { bitcoinAddress, ethereumAddress } from "#test/sandbox/support.ts"
import { addressFor } from "#test/contract/support/addresses.ts"
import type { Offer } from "../Fixtures.ts"

/** A pair with the native units that are swapped, and those that are not enough. */
export const offerOf = (
  sourceAsset: AssetId,
  destinationAsset: AssetId,
  amount: bigint,
  tooLittle: bigint,
): Offer => ({
  sourceAsset,
  destinationAsset,
  amount: NativeAmount.make(amount),
  tooLittle: NativeAmount.make(tooLittle),
})

/** Bitcoin to Ether: the pair that everything but quotes is tried with. */
export const bitcoinToEther = (tooLittle: bigint): Offer =>
  offerOf("btc.btc", "eth.eth", 25_000_001n, tooLittle)

export const priced = (price: string): Price => Price.make(BigDecimal.fromStringUnsafe(price))

/** The same as a request. One BTC is worth about 33.9 ETH in the sandbox. */
export const requestAt = (minimumPrice: string, retryDurationBlocks = 10): SwapRequest => ({
  sourceAsset: "btc.btc",
  destinationAsset: "eth.eth",
  destinationAddress: Address.make(ethereumAddress),
  refundAddress: Address.make(bitcoinAddress),
  minimumPrice: priced(minimumPrice),
  retryDurationBlocks,
  maximumBoostFeeBps: noBps,
  commissionBps: Bps.make(25),
  affiliates: [],
  amount: NativeAmount.make(25_000_001n),
})

/** An offer as a request, between addresses that a client may have. */
export const requestOf = (
  { amount, destinationAsset, sourceAsset }: Offer,
  minimumPrice: string,
): SwapRequest => ({
  ...requestAt(minimumPrice),
  sourceAsset,
  destinationAsset,
  destinationAddress: Address.make(addressFor(destinationAsset)),
  refundAddress: Address.make(addressFor(sourceAsset)),
  amount,
})

/** The way back by a payload: Ether to Bitcoin, with a digit in every place. */
export const fromEtherBy = (request: SwapRequest): VaultSwapRequest => ({
  ...request,
  sourceAsset: "eth.eth",
  destinationAsset: "btc.btc",
  destinationAddress: request.refundAddress,
  refundAddress: request.destinationAddress,
  minimumPrice: priced("0.02123456789012345"),
  amount: NativeAmount.make(12_345_678_901_234_567_891n),
  sender: { _tag: "evm" },
})
