import type { SwappedChunk } from "./chunks.ts"
import { type Trade, wholeUnit } from "./pools.ts"
import type { Network, Terms } from "./State.ts"

/** Why a chunk is put off (chainflip/wire.md 3.7). */
export type RescheduleReason =
  | "PriceImpactLimit"
  | "MinPriceViolation"
  | "OraclePriceSlippageExceeded"
  | "SafeModeActive"

/** The commission of the broker and all affiliates together. */
export const commissionOf = ({ brokerCommissionBps, affiliates }: Terms): number =>
  affiliates.reduce<number>((sum, { commissionBps }) => sum + commissionBps, brokerCommissionBps)

const one = 2n ** 128n

/** A leg gave less than the oracle's price, which is the reference price, less the tolerance. */
const isUnderOracle = (network: Network, bps: number, { base, side, input, output }: Trade): boolean => {
  const { oracleProtectionBps, price } = network.assets[base]
  if (oracleProtectionBps === undefined) return false
  const [worthIn, worthOut] = side === "sell"
    ? [input * price, output * wholeUnit(base)]
    : [input * wholeUnit(base), output * price]
  return worthOut * 10_000n < worthIn * BigInt(10_000 - bps)
}

/**
 * What is wrong with a chunk's own rate: below the minimum price (what it gives before the egress
 * fee for what goes in), or, where the swap limits it, too far from the oracles (chainflip/wire.md 2.2).
 */
export const limitFault = (
  network: Network,
  { minimumPriceX128, maximumOraclePriceSlippageBps }: Terms,
  { input, output, trades }: SwappedChunk,
): RescheduleReason | undefined => {
  if (output * one < input * minimumPriceX128) return "MinPriceViolation"
  if (maximumOraclePriceSlippageBps === undefined) return undefined
  return trades.some((trade) => isUnderOracle(network, maximumOraclePriceSlippageBps, trade))
    ? "OraclePriceSlippageExceeded"
    : undefined
}
