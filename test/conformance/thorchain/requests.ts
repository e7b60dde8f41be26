import { type Array, BigDecimal } from "effect"
import { Address } from "../../../src/domain/Address.ts"
import { NativeAmount } from "../../../src/domain/Amount.ts"
import { Bps, noBps } from "../../../src/domain/Bps.ts"
import { Price } from "../../../src/domain/Price.ts"
import type { SwapRequest } from "../../../src/domain/SwapRequest.ts"
import type { VaultSwapRequest } from "../../../src/domain/VaultSwap.ts"
import { addressFor } from "../../contract/support/addresses.ts"
import { bitcoinAddress, ethereumAddress } from "../../sandbox/support.ts"
import type { Offer } from "../Fixtures.ts"

/** Bitcoin to Ether: the pair that everything but quotes is tried with. */
export const offer: Offer = {
  sourceAsset: "btc.btc",
  destinationAsset: "eth.eth",
  amount: NativeAmount.make(25_000_001n),
  tooLittle: NativeAmount.make(9_999n),
}

const priced = (price: string): Price => Price.make(BigDecimal.fromStringUnsafe(price))

/** One BTC is worth about 33.9 ETH in the sandbox; the pools of these networks are thin. */
export const request: SwapRequest = {
  sourceAsset: offer.sourceAsset,
  destinationAsset: offer.destinationAsset,
  destinationAddress: Address.make(ethereumAddress),
  refundAddress: Address.make(bitcoinAddress),
  minimumPrice: priced("29.12345678901234567"),
  retryDurationBlocks: 10,
  maximumBoostFeeBps: noBps,
  commissionBps: Bps.make(25),
  affiliates: [],
  amount: offer.amount,
}

const fromBitcoin: VaultSwapRequest = { ...request, amount: offer.amount, sender: { _tag: "bitcoin" } }

/** Ether to Bitcoin, with a digit in every place. */
export const fromEther: VaultSwapRequest = {
  ...request,
  sourceAsset: "eth.eth",
  destinationAsset: "btc.btc",
  destinationAddress: request.refundAddress,
  refundAddress: request.destinationAddress,
  minimumPrice: priced("0.02123456789012345"),
  amount: NativeAmount.make(12_345_678_901_234_567_891n),
  sender: { _tag: "evm" },
}

const fromToken: VaultSwapRequest = {
  ...fromEther,
  sourceAsset: "usdc.eth",
  minimumPrice: priced("0.0000121234567890"),
  amount: NativeAmount.make(25_000_000_001n),
}

/** THORChain's, from each chain, coins and tokens. */
export const thorchainRequests: Array.NonEmptyReadonlyArray<VaultSwapRequest> = [
  fromBitcoin,
  fromEther,
  fromToken,
  { ...fromBitcoin, destinationAsset: "usdt.eth", minimumPrice: priced("50000.123456789") },
  {
    ...fromEther,
    sourceAsset: "usdt.bsc",
    destinationAsset: "sol.sol",
    destinationAddress: Address.make(addressFor("sol.sol")),
    minimumPrice: priced("0.005123456789"),
    amount: NativeAmount.make(25_000_000_001_234_567_891_234n),
  },
  { ...fromEther, sourceAsset: "bnb.bsc", minimumPrice: priced("0.007123456789") },
  {
    ...fromEther,
    sourceAsset: "usdt.tron",
    refundAddress: Address.make(addressFor("usdt.tron")),
    minimumPrice: priced("0.0000121234567890"),
    amount: NativeAmount.make(25_000_000_001n),
    sender: { _tag: "tron" },
  },
  {
    ...fromEther,
    sourceAsset: "trx.tron",
    destinationAsset: "usdc.eth",
    destinationAddress: request.destinationAddress,
    refundAddress: Address.make(addressFor("usdt.tron")),
    minimumPrice: priced("0.2123456789"),
    amount: NativeAmount.make(25_000_000_001n),
    sender: { _tag: "tron" },
  },
]

/** Maya's. */
export const mayaRequests: Array.NonEmptyReadonlyArray<VaultSwapRequest> = [
  { ...fromBitcoin, destinationAsset: "eth.arb" },
  {
    ...fromEther,
    destinationAsset: "usdc.arb",
    destinationAddress: request.destinationAddress,
    minimumPrice: priced("1700.123456789"),
  },
  fromToken,
  { ...fromEther, sourceAsset: "eth.arb" },
  {
    ...fromToken,
    sourceAsset: "usdc.arb",
    destinationAsset: "eth.eth",
    destinationAddress: request.destinationAddress,
    minimumPrice: priced("0.00040123456789"),
  },
]
