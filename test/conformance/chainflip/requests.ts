import { type Array, BigDecimal } from "effect"
import { Address } from "../../../src/domain/Address.ts"
import { NativeAmount } from "../../../src/domain/Amount.ts"
import { Bps, noBps } from "../../../src/domain/Bps.ts"
import { Price } from "../../../src/domain/Price.ts"
import type { SwapRequest } from "../../../src/domain/SwapRequest.ts"
import { Seed, type VaultSwapRequest } from "../../../src/domain/VaultSwap.ts"
import { addressFor } from "../../contract/support/addresses.ts"
import { bitcoinAddress, ethereumAddress } from "../../sandbox/support.ts"
import type { Offer } from "../Fixtures.ts"

/** Bitcoin to Ether: the pair that everything but quotes is tried with. */
export const offer: Offer = {
  sourceAsset: "btc.btc",
  destinationAsset: "eth.eth",
  amount: NativeAmount.make(25_000_001n),
  tooLittle: NativeAmount.make(39_999n),
}

/** One BTC is worth about 33.9 ETH in the sandbox. */
export const request: SwapRequest = {
  sourceAsset: offer.sourceAsset,
  destinationAsset: offer.destinationAsset,
  destinationAddress: Address.make(ethereumAddress),
  refundAddress: Address.make(bitcoinAddress),
  minimumPrice: Price.make(BigDecimal.fromStringUnsafe("32.12345678901234567")),
  retryDurationBlocks: 10,
  maximumBoostFeeBps: noBps,
  commissionBps: Bps.make(25),
  affiliates: [],
  amount: offer.amount,
}

const priced = (price: string): Price => Price.make(BigDecimal.fromStringUnsafe(price))

/** From each chain whose transactions are encoded for; coins and tokens, with a price that the sandbox beats. */
export const payloadRequests: Array.NonEmptyReadonlyArray<VaultSwapRequest> = [
  { ...request, amount: offer.amount, sender: { _tag: "bitcoin" } },
  {
    ...request,
    sourceAsset: "eth.eth",
    destinationAsset: "btc.btc",
    destinationAddress: request.refundAddress,
    refundAddress: request.destinationAddress,
    minimumPrice: priced("0.02123456789012345"),
    amount: NativeAmount.make(12_345_678_901_234_567_891n),
    sender: { _tag: "evm" },
  },
  {
    ...request,
    sourceAsset: "usdc.arb",
    destinationAsset: "sol.sol",
    destinationAddress: Address.make(addressFor("sol.sol")),
    refundAddress: request.destinationAddress,
    minimumPrice: priced("0.001234567890123456"),
    amount: NativeAmount.make(25_000_000_001n),
    sender: { _tag: "evm" },
  },
  {
    ...request,
    sourceAsset: "sol.sol",
    refundAddress: Address.make(addressFor("sol.sol")),
    minimumPrice: priced("0.001234567890123456"),
    amount: NativeAmount.make(12_345_678_901n),
    sender: {
      _tag: "solana",
      address: Address.make(addressFor("sol.sol")),
      seed: Seed.make(`0x${"0f".repeat(32)}`),
    },
  },
  {
    ...request,
    sourceAsset: "usdt.tron",
    refundAddress: Address.make(addressFor("usdt.tron")),
    minimumPrice: priced("0.0001234567890123456"),
    amount: NativeAmount.make(25_000_000_001n),
    sender: { _tag: "tron" },
  },
]
