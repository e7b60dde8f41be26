import { Match, Schema } from "effect"
import { type AssetId, chainOf, factsOf } from "#domain/chains/Asset.ts"
import { outputAt, toX128 } from "#domain/money/Price.ts"
import type { SwapRequest } from "#domain/swaps/SwapRequest.ts"
import type { VaultSwapRequest } from "#domain/swaps/VaultSwap.ts"

// The parameters of the broker's methods about swaps (chainflip/wire.md 2.2, 2.3). A null means "not given".

const toHex = (value: bigint): string => `0x${value.toString(16)}`

const wireAsset = (asset: AssetId) => {
  const { chain, ticker } = factsOf(asset)
  return { chain, asset: ticker }
}

const wireMessage = ({ ccm }: SwapRequest): Schema.Json =>
  ccm === undefined
    ? null
    : { message: ccm.message, gas_budget: toHex(ccm.gasBudget), ccm_additional_data: "0x" }

const wireBoost = ({ maximumBoostFeeBps }: SwapRequest): Schema.Json =>
  maximumBoostFeeBps === 0 ? null : maximumBoostFeeBps

const wireAffiliates = ({ affiliates }: SwapRequest): Schema.Json =>
  affiliates.length === 0
    ? null
    : affiliates.map(({ account, commissionBps }) => ({ account, bps: commissionBps }))

const wireRefund = (request: SwapRequest): Schema.Json => ({
  retry_duration: request.retryDurationBlocks,
  refund_address: request.refundAddress,
  min_price: toHex(toX128(request.minimumPrice, request.sourceAsset, request.destinationAsset)),
  refund_ccm_metadata: null,
  max_oracle_price_slippage: request.maximumOraclePriceSlippageBps ?? null,
})

const wireDca = ({ dca }: SwapRequest): Schema.Json =>
  dca === undefined ? null : { number_of_chunks: dca.numberOfChunks, chunk_interval: dca.chunkIntervalBlocks }

/** The least output of a Bitcoin transaction, whose payload limits the output instead of the price. */
export const minimumOutput = (request: VaultSwapRequest): bigint =>
  outputAt(request.minimumPrice, request.amount, request.sourceAsset, request.destinationAsset)

const amounts = (request: VaultSwapRequest) => ({
  chain: chainOf(request.sourceAsset),
  input_amount: toHex(request.amount),
  refund_parameters: wireRefund(request),
})

/** The positional parameters of `broker_request_swap_deposit_address` (chainflip/wire.md 2.2). */
export const toChannelParameters = (request: SwapRequest): ReadonlyArray<Schema.Json> => [
  wireAsset(request.sourceAsset),
  wireAsset(request.destinationAsset),
  request.destinationAddress,
  request.commissionBps,
  wireMessage(request),
  wireBoost(request),
  wireAffiliates(request),
  wireRefund(request),
  wireDca(request),
]

/** The positional parameters of `broker_request_swap_parameter_encoding` (chainflip/wire.md 2.3). */
export const toEncodingParameters = (request: VaultSwapRequest): ReadonlyArray<Schema.Json> => [
  wireAsset(request.sourceAsset),
  wireAsset(request.destinationAsset),
  request.destinationAddress,
  request.commissionBps,
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
      // A chain without a vault; the upstream refuses it.
      xrpl: () => amounts(request),
    }),
  ),
  wireMessage(request),
  wireBoost(request),
  wireAffiliates(request),
  wireDca(request),
]
