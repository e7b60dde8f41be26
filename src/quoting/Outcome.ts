import { Array, Order, Result } from "effect"
import { consequences, DepositBelowMinimum, ProviderError, waitOf } from "../domain/ProviderError.ts"
import type { ProviderName } from "../domain/ProviderName.ts"
import type { Quote } from "../domain/Quote.ts"

/** One provider's answer: its quotes, or why it has none. */
export type Answer = Result.Result<ReadonlyArray<Quote>, ProviderError>

/** Orders failures by their minimum: the lowest is reported (decision 15). */
const minimumOf = (error: ProviderError): bigint =>
  error.reason instanceof DepositBelowMinimum ? error.reason.minimum : 0n

const mostTelling: Order.Order<ProviderError> = Order.combineAll([
  Order.mapInput(Order.Number, (error: ProviderError) => consequences[error.reason._tag].tells),
  Order.mapInput(Order.BigInt, minimumOf),
  // The shortest wait counts, as one of the providers can be asked again then (decision 17).
  Order.mapInput(Order.Number, waitOf),
])

/**
 * The answer of all providers together, independent of the order in which theirs arrived (decision 17): all quotes, if
 * there are any; else no quotes, if a provider succeeded; else the failure that tells the caller most. `answers` are in
 * the operator's order of providers and not empty.
 */
export const outcome = (answers: Array.NonEmptyReadonlyArray<Answer>): Answer => {
  const [successes, failures] = Array.partition(answers, (answer) => answer)
  if (successes.length > 0 || !Array.isReadonlyArrayNonEmpty(failures)) {
    return Result.succeed(successes.flat())
  }
  return Result.fail(Array.min(failures, mostTelling))
}

const kind = (quote: Quote): number => quote.dca === undefined ? 0 : 1

/**
 * The order of quotes in an answer: most output first, then regular before DCA, then the operator's order
 * of providers (decision 18).
 */
export const ranking = (preference: ReadonlyArray<ProviderName>): Order.Order<Quote> =>
  Order.combineAll([
    Order.flip(Order.mapInput(Order.BigInt, (quote: Quote) => quote.egress.amount)),
    Order.mapInput(Order.Number, kind),
    Order.mapInput(Order.Number, (quote: Quote) => preference.indexOf(quote.platform)),
  ])
