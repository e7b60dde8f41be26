import type { Array } from "effect"
import { Address, NativeAmount, Seed, type VaultSwapRequest } from "#exports/domain.ts"
import { addressFor } from "#test/contract/support/addresses.ts"
import { bitcoinToEther, fromEtherBy, priced, requestAt } from "../sandbox/requests.ts"

export const offer = bitcoinToEther(39_999n)
export const request = requestAt("32.12345678901234567")

/** From each chain whose transactions are encoded for; coins and tokens, with a price that the sandbox beats. */
export const payloadRequests: Array.NonEmptyReadonlyArray<VaultSwapRequest> = [
  { ...request, amount: offer.amount, sender: { _tag: "bitcoin" } },
  fromEtherBy(request),
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
