import type { Array } from "effect"
import { Address, type AssetId, NativeAmount, type VaultSwapRequest } from "#exports/domain.ts"
import type { PayloadSender } from "#domain/swaps/VaultSwap.ts"
import { addressFor } from "#test/contract/support/addresses.ts"
import { bitcoinToEther, fromEtherBy, priced, requestAt } from "../sandbox/requests.ts"

export const offer = bitcoinToEther(999n)
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

/** From another chain than Ethereum, to an address of the other's. */
const between = (
  sourceAsset: AssetId,
  destinationAsset: AssetId,
  minimumPrice: string,
  amount: bigint,
  sender: PayloadSender,
): VaultSwapRequest => ({
  ...fromEther,
  sourceAsset,
  destinationAsset,
  destinationAddress: Address.make(addressFor(destinationAsset)),
  refundAddress: Address.make(addressFor(sourceAsset)),
  minimumPrice: priced(minimumPrice),
  amount: NativeAmount.make(amount),
  sender,
})

const utxo = { _tag: "bitcoin" } as const
const evm = { _tag: "evm" } as const
const tron = { _tag: "tron" } as const

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
  between("ltc.ltc", "eth.base", "0.0451234567", 25_000_000_001n, utxo),
  between("doge.doge", "xrp.xrp", "0.0741234567", 10_000_000_000_001n, utxo),
  between("bch.bch", "avax.avax", "22.9123456789", 5_000_000_001n, utxo),
  between("xrp.xrp", "bch.bch", "0.0039123456789", 10_000_000_001n, { _tag: "xrpl" }),
  between("eth.base", "doge.doge", "9500.123456789", 12_345_678_901_234_567_891n, evm),
  between("usdc.base", "ltc.ltc", "0.0092123456789", 25_000_000_001n, evm),
  between("cbbtc.base", "usdc.avax", "56000.123456789", 40_000_001n, evm),
  between("avax.avax", "usdc.base", "16.5123456789", 1_234_567_890_123_456_789_012n, evm),
  between("usdc.avax", "usdt.avax", "0.95123456789", 25_000_000_001n, evm),
  between("usdt.avax", "cbbtc.base", "0.0000138123456789", 25_000_000_001n, evm),
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
  between("dash.dash", "eth.arb", "0.0241234567", 20_000_000_001n, utxo),
  between("eth.arb", "dash.dash", "31.5123456789", 5_345_678_901_234_567_891n, evm),
  between("bnb.bsc", "trx.tron", "0.0123456789", 25_345_678_901_234_567_891n, evm),
  between("usdt.bsc", "bch.bch", "0.0000123456789", 25_000_000_001_234_567_891_234n, evm),
  between("bch.bch", "sol.sol", "0.0123456789", 5_000_000_001n, utxo),
  between("trx.tron", "bnb.bsc", "0.0000123456789", 25_000_000_001n, tron),
  between("usdt.tron", "usdt.bsc", "0.9123456789", 25_000_000_001n, tron),
]
