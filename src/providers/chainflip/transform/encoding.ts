import { Match, Schema } from "effect"
import { chainOf } from "../../../domain/Asset.ts"
import { outputAt } from "../../../domain/Price.ts"
import type { VaultSwapRequest } from "../../../domain/VaultSwap.ts"
import {
  toHex,
  wireAffiliates,
  wireAsset,
  wireBoost,
  wireDca,
  wireMessage,
  wireRefund,
} from "./parameters.ts"

/** The least output of a Bitcoin transaction, whose payload has a limit on that instead of on the price. */
export const minimumOutput = (request: VaultSwapRequest): bigint =>
  outputAt(request.minimumPrice, request.amount, request.sourceAsset, request.destinationAsset)

const amounts = (request: VaultSwapRequest) => ({
  chain: chainOf(request.sourceAsset),
  input_amount: toHex(request.amount),
  refund_parameters: wireRefund(request),
})

const extraParameters = (request: VaultSwapRequest): Schema.Json =>
  Match.value(request.sender).pipe(
    Match.withReturnType<Schema.Json>(),
    Match.tagsExhaustive({
      bitcoin: () => ({
        chain: "Bitcoin",
        min_output_amount: toHex(minimumOutput(request)),
        retry_duration: request.retryDurationBlocks,
        max_oracle_price_slippage: request.maximumOraclePriceSlippageBps ?? null,
      }),
      evm: () => amounts(request),
      solana: ({ address, seed, tokenAccount }) => ({
        ...amounts(request),
        from: address,
        seed,
        ...(tokenAccount === undefined ? {} : { from_token_account: tokenAccount }),
      }),
      tron: () => amounts(request),
    }),
  )

/** The positional parameters of `broker_request_swap_parameter_encoding` (chainflip/wire.md 2.3). */
export const toEncodingParameters = (request: VaultSwapRequest): ReadonlyArray<Schema.Json> => [
  wireAsset(request.sourceAsset),
  wireAsset(request.destinationAsset),
  request.destinationAddress,
  request.commissionBps,
  extraParameters(request),
  wireMessage(request),
  wireBoost(request),
  wireAffiliates(request),
  wireDca(request),
]
