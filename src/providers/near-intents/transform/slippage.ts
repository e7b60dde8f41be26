import { Option } from "effect"

/** Basis points of everything: whatever is paid out is accepted. */
export const anySlippageBps = 10_000

/**
 * The tolerance, in basis points, that lets the output fall from `quoted` to `minimum` and not below:
 * floor(10 000 × (1 − minimum / quoted)). None where even the quoted output is too little.
 */
export const slippageTolerance = (minimum: bigint, quoted: bigint): Option.Option<number> =>
  minimum > quoted || quoted === 0n
    ? Option.none()
    : Option.some(Number(BigInt(anySlippageBps) * (quoted - minimum) / quoted))
