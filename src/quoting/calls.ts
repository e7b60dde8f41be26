import { BigDecimal, Cause, Effect, Exit, Result } from "effect"
import { hasIssues } from "../domain/Issues.ts"
import { ProviderError, RequestRefused, TimedOut } from "../domain/ProviderError.ts"
import type { ProviderName } from "../domain/ProviderName.ts"
import { type Quote, type QuoteRequest, type TimedQuote, toleranceWithin } from "../domain/Quote.ts"
import type { EpochMillis } from "../domain/Time.ts"
import { spread } from "../platform/spread.ts"
import { notQuotable } from "../providers/Capabilities.ts"
import type { Provider } from "../providers/Provider.ts"
import type { Answer } from "./Outcome.ts"
import type { Waiter } from "./SharedCalls.ts"

/** The time until which shared calls answer a request, in epoch milliseconds; undefined where it began a call itself. */
export const sharedUntil = (waiters: ReadonlyArray<Waiter>): number | undefined => {
  const times = waiters.flatMap((waiter) => waiter.sharedUntil() ?? [])
  return waiters.length > 0 && times.length === waiters.length ? Math.min(...times) : undefined
}

export const cancelAll = (waiters: ReadonlyArray<Waiter>) =>
  Effect.sync(() => {
    for (const waiter of waiters) waiter.cancel()
  })

/** The answer of a provider; a call that ended neither in quotes nor in a `ProviderError` ends the whole request. */
export const answerOf = (waiter: Waiter | undefined, provider: ProviderName): Effect.Effect<Answer> => {
  const exit = waiter?.ended()
  if (exit === undefined) return Effect.succeed(Result.fail(tooLate(provider)))
  return Exit.isSuccess(exit)
    ? Effect.succeed(Result.succeed(exit.value))
    : Result.match(Cause.findError(exit.cause), {
      onSuccess: (error) => Effect.succeed(Result.fail(error)),
      onFailure: Effect.failCause,
    })
}

export const quotesOf = (answer: Answer) => Result.isSuccess(answer) ? answer.success : []

export const failureOf = (answer: Answer): ReadonlyArray<ProviderError> =>
  Result.isFailure(answer) ? [answer.failure] : []

/** The key of a quote call: the same for every account that asks for the same quote. */
export const keyOf = (
  { name }: Provider,
  { amount, commissionBps, destinationAsset, recipient, sender, sourceAsset }: QuoteRequest,
) =>
  `${name} ${sourceAsset} ${destinationAsset} ${amount} ${commissionBps} ${sender ?? ""} ${recipient ?? ""}`

/** Why a provider cannot take the commission; it is passed over then. */
export const cannotQuote = (
  { name, capabilities }: Provider,
  request: QuoteRequest,
): ProviderError | undefined => {
  const errors = notQuotable(name, capabilities, request)
  return hasIssues(errors)
    ? new ProviderError({ provider: name, operation: "quote", reason: new RequestRefused({ errors }) })
    : undefined
}

const tooLate = (provider: ProviderName): ProviderError =>
  new ProviderError({
    provider,
    operation: "quote",
    reason: new TimedOut({ detail: `no quote from ${provider} in time`, reached: true }),
  })

/** The impact on the price above which liquidity is low, in percent, whoever quotes. */
const mostImpact = BigDecimal.fromBigInt(5n)

const isLow = ({ lowLiquidityWarning, priceImpactPercent }: Quote): boolean =>
  lowLiquidityWarning ||
  priceImpactPercent !== undefined && BigDecimal.isGreaterThan(priceImpactPercent, mostImpact)

/** The quote with what the service adds: its end, where its provider states none, its tolerance, and the one rule of low liquidity. */
export const completed =
  (end: EpochMillis, toleranceMost: BigDecimal.BigDecimal) => (quote: Quote): TimedQuote => ({
    ...quote,
    lowLiquidityWarning: isLow(quote),
    expiresAt: quote.expiresAt ?? end,
    slippageTolerancePercent: toleranceWithin(toleranceMost, quote.recommendedSlippageTolerancePercent),
    ...spread(
      quote.boostQuote,
      (boost) => ({ boostQuote: { ...boost, lowLiquidityWarning: isLow({ ...quote, ...boost }) } }),
    ),
  })
