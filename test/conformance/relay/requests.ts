import { BigDecimal } from "effect"
import { Address } from "../../../src/domain/Address.ts"
import { NativeAmount } from "../../../src/domain/Amount.ts"
import { Bps, noBps } from "../../../src/domain/Bps.ts"
import { Price } from "../../../src/domain/Price.ts"
import type { SwapRequest } from "../../../src/domain/SwapRequest.ts"
import { bitcoinAddress, ethereumAddress } from "../../sandbox/support.ts"
import type { Offer } from "../Fixtures.ts"

/** Bitcoin to Ether: the pair that everything but quotes is tried with. */
export const offer: Offer = {
  sourceAsset: "btc.btc",
  destinationAsset: "eth.eth",
  amount: NativeAmount.make(25_000_001n),
  tooLittle: NativeAmount.make(999n),
}

/** One BTC is worth about 33.9 ETH in the sandbox. */
export const request: SwapRequest = {
  sourceAsset: offer.sourceAsset,
  destinationAsset: offer.destinationAsset,
  destinationAddress: Address.make(ethereumAddress),
  refundAddress: Address.make(bitcoinAddress),
  minimumPrice: Price.make(BigDecimal.fromStringUnsafe("30.12345678901234567")),
  // Relay waits for no price, and is never asked to.
  retryDurationBlocks: 0,
  maximumBoostFeeBps: noBps,
  commissionBps: Bps.make(25),
  affiliates: [],
  amount: offer.amount,
}
