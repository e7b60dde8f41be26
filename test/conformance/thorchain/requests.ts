import type { Array } from "effect"
import { Address, NativeAmount, type VaultSwapRequest } from "../../../src/exports/domain.ts"
import { addressFor } from "../../contract/support/addresses.ts"
import { bitcoinToEther, fromEtherBy, priced, requestAt } from "../sandbox/requests.ts"

export const offer = bitcoinToEther(9_999n)
/** The pools of these networks are thin. */
export const request = requestAt("29.12345678901234567")

const fromBitcoin: VaultSwapRequest = { ...request, amount: offer.amount, sender: { _tag: "bitcoin" } }

export const fromEther = fromEtherBy(request)

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
