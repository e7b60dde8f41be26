import type { SwapStatus } from "./Swap.ts"

/** The payout that a swap was opened for, as far as it is known: of a request, a quote, the opening, or prices of the hour. */
export const promiseOf = ({ deposit, depositChannel, quote }: SwapStatus) => {
  const { estimatedOutput, exactOutput, expectedDepositAmount, expectedOutputAmount } = depositChannel ?? {}
  if (exactOutput !== undefined) return { from: "request", native: exactOutput.amount } as const
  // Another amount than was quoted for brings another output.
  const isFor = (amount: bigint | undefined) => deposit === undefined || deposit.amount === amount
  if (quote !== undefined && isFor(quote.amount)) {
    return { from: "quote", native: quote.quoted, least: quote.promised } as const
  }
  if (!isFor(expectedDepositAmount)) return undefined
  if (expectedOutputAmount !== undefined) return { from: "opening", native: expectedOutputAmount } as const
  return estimatedOutput === undefined ? undefined : { from: "prices", native: estimatedOutput } as const
}
