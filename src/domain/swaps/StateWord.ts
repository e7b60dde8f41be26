import { SwapResult, type SwapState } from "./Swap.ts"

export const statesUnderWay = ["receiving", "swapping", "sending", "sent"] as const

/** The words in pages, filters and the CLI for a swap's state. `unknown` is an opening without a swap. */
export const stateWords = [
  "waiting",
  ...statesUnderWay,
  ...SwapResult.literals,
  "expired",
  "stalled",
  "disputed",
  "unknown",
] as const
export type StateWord = typeof stateWords[number]

/** The one word of a swap: what is wrong with it comes before its result, and that before its state. */
export const stateWordOf = (
  { isDisputed = false, isExpired = false, isStalled = false, result, state }: {
    readonly state: SwapState
    readonly result?: SwapResult | undefined
    /** Whether its channel has expired. */
    readonly isExpired?: boolean | undefined
    readonly isStalled?: boolean
    readonly isDisputed?: boolean
  },
): StateWord => {
  if (isDisputed) return "disputed"
  if (isStalled) return "stalled"
  return result ?? (state === "waiting" && isExpired ? "expired" : state)
}
