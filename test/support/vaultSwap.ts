import { Address, BrokerAccount } from "#domain/chains/Address.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import type { SwapState, SwapStatus } from "#domain/swaps/Swap.ts"
import type { VaultSwapRequest } from "#domain/swaps/VaultSwap.ts"
import { paid, swapRequest } from "./swap.ts"

/** A request for a payload on Ethereum. */
export const vaultSwapRequest: VaultSwapRequest = {
  ...swapRequest,
  sourceAsset: "eth.eth",
  destinationAsset: "usdc.arb",
  refundAddress: Address.make("0x2222222222222222222222222222222222222222"),
  amount: NativeAmount.make(1_000_000_000_000_000_001n),
  sender: { _tag: "evm" },
}

const ourAccount = BrokerAccount.make("cFours")

/** The record of a swap that was made of the payload for a request, in a state, by a transaction. */
export const vaultSwapStatus = (
  request: VaultSwapRequest,
  state: SwapState,
  transactionReference: string,
  more: Partial<SwapStatus> = {},
): SwapStatus => ({
  state,
  sourceAsset: request.sourceAsset,
  destinationAsset: request.destinationAsset,
  destinationAddress: request.destinationAddress,
  fees: [],
  brokers: [{ account: ourAccount, commissionBps: request.commissionBps }, ...request.affiliates],
  deposit: { amount: request.amount, transactionReference },
  ...state === "completed" ? { swapEgress: paid } : {},
  fillOrKill: {
    retryDurationBlocks: request.retryDurationBlocks,
    refundAddress: request.refundAddress,
    minimumPrice: request.minimumPrice,
  },
  ...more,
})
