import { Result } from "effect"
import { formatUnits, type NativeAmount, noAmount } from "#domain/money/Amount.ts"
import { DepositBelowMinimum, EgressBelowMinimum } from "#domain/ProviderError.ts"
import { servedChains } from "./chains.ts"
import type { Pair } from "./conditions.ts"

/** The least deposit to an order: the service's own, or what the source chain needs where that is more. */
export const leastDeposit = (own: NativeAmount, { source }: Pair): NativeAmount => {
  const { deposit = noAmount } = servedChains[source.chain].least ?? {}
  return own > deposit ? own : deposit
}

/** Refuses figures below what the chains need: a deposit would be lost there, or its payout refused. */
export const withinLimits = (
  { amountIn, amountOut }: { readonly amountIn: NativeAmount; readonly amountOut: NativeAmount },
  { destination, source }: Pair,
): Result.Result<void, DepositBelowMinimum | EgressBelowMinimum> => {
  const minimum = leastDeposit(noAmount, { destination, source })
  const { payout = noAmount } = servedChains[destination.chain].least ?? {}
  if (amountIn < minimum) return Result.fail(new DepositBelowMinimum({ asset: source.asset, minimum }))
  return amountOut >= payout ? Result.void : Result.fail(
    new EgressBelowMinimum({
      detail: `The output is below ${formatUnits(destination.asset, payout)} ${destination.asset}, ` +
        "the least that can be paid out: swap more",
    }),
  )
}
