import { Address } from "../../../src/domain/Address.ts"
import { NativeAmount } from "../../../src/domain/Amount.ts"
import type { AssetId } from "../../../src/domain/Asset.ts"
import { type PayloadSender, Seed, type VaultSwapRequest } from "../../../src/domain/VaultSwap.ts"
import { swapRequest } from "./requests.ts"

export const solanaAddress = "9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin"
export const tronAddress = "TQNPGpohiZLiWQvc6wTWjHCae8VoxaXnej"
export const evmAddress = "0x1111111111111111111111111111111111111111"
export const bitcoinAddress = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"
export const seed = Seed.make(`0x${"0f".repeat(32)}`)

/** One and a half of a whole unit of an asset, from a sender of its chain, without a price limit's rounding. */
const from = (
  sourceAsset: AssetId,
  destinationAsset: AssetId,
  amount: bigint,
  sender: PayloadSender,
): VaultSwapRequest => ({
  ...swapRequest,
  sourceAsset,
  destinationAsset,
  amount: NativeAmount.make(amount),
  sender,
})

export const requests = {
  bitcoin: from("btc.btc", "eth.eth", 150_000_000n, { _tag: "bitcoin" }),
  ether: from("eth.eth", "usdc.arb", 1_500_000_000_000_000_000n, { _tag: "evm" }),
  token: from("usdc.arb", "eth.eth", 1_500_000_000n, { _tag: "evm" }),
  solana: from("sol.sol", "eth.eth", 1_500_000_000n, {
    _tag: "solana",
    address: Address.make(solanaAddress),
    seed,
  }),
  tron: from("trx.tron", "eth.eth", 150_000_000n, { _tag: "tron" }),
  tronToken: from("usdt.tron", "eth.eth", 150_000_000n, { _tag: "tron" }),
} as const satisfies Readonly<Record<string, VaultSwapRequest>>

/** What the broker answers to each, in the form of chainflip.md 2.3. */
export const encodings = {
  bitcoin: {
    chain: "Bitcoin",
    nulldata_payload: `0x0001${"11".repeat(46)}`,
    deposit_address: bitcoinAddress,
  },
  ether: {
    chain: "Ethereum",
    calldata: "0xdd687345",
    value: "0x14d1120d7b160000",
    to: "0xf5e10380213880111522dd0efd3dbb45b9f62bcc",
  },
  token: {
    chain: "Arbitrum",
    calldata: "0x04fc7da0",
    value: "0x0",
    to: "0x79001a5e762f3befc8e5871b42f6734e00498920",
    source_token_address: "0xaf88d065e77c8cc2239327c5edb3a432268e5831",
  },
  solana: {
    chain: "Solana",
    program_id: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
    data: "0xa3265ce2",
    accounts: [{ pubkey: solanaAddress, is_signer: true, is_writable: true }],
  },
  tron: { chain: "Tron", calldata: "0x", value: 150_000_000, to: tronAddress, note: "0x0001" },
  tronToken: {
    chain: "Tron",
    calldata: "0xa9059cbb",
    value: "0x0",
    to: tronAddress,
    note: "0x0001",
    source_token_address: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
  },
} as const
