import type { SwapParameters } from "./client.ts"

/** A swap to open, and what to deposit for it. */
export interface SwapPlan {
  readonly parameters: SwapParameters
  /** Human units of the source asset. */
  readonly amount: string
}

const bitcoinAddress = "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq"
const evmAddress = "0x1111111111111111111111111111111111111111"

/** One of each kind: through two pools, through one, boosted, and in chunks. */
export const plans: readonly [SwapPlan, ...ReadonlyArray<SwapPlan>] = [
  {
    parameters: { sourceAsset: "eth.eth", destinationAsset: "btc.btc", destinationAddress: bitcoinAddress },
    amount: "1",
  },
  {
    parameters: { sourceAsset: "usdc.eth", destinationAsset: "eth.arb", destinationAddress: evmAddress },
    amount: "1000",
  },
  {
    parameters: {
      sourceAsset: "btc.btc",
      destinationAsset: "eth.eth",
      destinationAddress: evmAddress,
      boostFee: "100",
    },
    amount: "0.1",
  },
  {
    parameters: {
      sourceAsset: "eth.arb",
      destinationAsset: "usdt.eth",
      destinationAddress: evmAddress,
      numberOfChunks: "3",
      chunkIntervalBlocks: "2",
    },
    amount: "2",
  },
]
