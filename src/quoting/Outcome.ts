import { Array, Order, Result } from "effect"
import {
  DepositBelowMinimum,
  ProviderError,
  type ProviderErrorReason,
  waitOf,
} from "../domain/ProviderError.ts"
import type { Quote } from "../domain/Quote.ts"

/** What one provider said: its quotes, or why there are none. */
export type Answer = Result.Result<ReadonlyArray<Quote>, ProviderError>

/**
 * Which failure stands for all when no provider succeeded (decision 17): the lower, the more it tells the
 * caller about the request. The minimum deposit goes first, as it names the amount that would do.
 */
const precedence: Readonly<Record<ProviderErrorReason["_tag"], number>> = {
  DepositBelowMinimum: 0,
  AmountBelowMinimum: 1,
  EgressFeeNotCovered: 2,
  EgressBelowMinimum: 3,
  InsufficientLiquidity: 4,
  DepositAboveMaximum: 5,
  RequestRefused: 6,
  AssetDisabled: 7,
  SwappingMaintenance: 8,
  QuotingMaintenance: 9,
  DepositChannelFailed: 10,
  TooManyChannels: 11,
  UpstreamFailed: 12,
  RequestCancelled: 13,
  TimedOut: 14,
  Unreachable: 15,
  MalformedBody: 16,
  // Told to the caller alike, so that the shorter wait decides between them.
  RateLimited: 17,
  NotCalled: 17,
  // Whoever does not deal in an asset has no say while another does.
  AssetNotListed: 18,
}

/** Of several minimums the lowest is the one to name (decision 15). */
const minimumOf = (error: ProviderError): bigint =>
  error.reason instanceof DepositBelowMinimum ? error.reason.minimum : 0n

const mostTelling: Order.Order<ProviderError> = Order.combineAll([
  Order.mapInput(Order.Number, (error: ProviderError) => precedence[error.reason._tag]),
  Order.mapInput(Order.BigInt, minimumOf),
  // Of several waits the shortest counts: then one of the providers can be asked again (decision 17).
  Order.mapInput(Order.Number, waitOf),
])

/**
 * The answer of all providers together, whatever the order in which theirs arrived (decision 17): all
 * quotes of those that have some; else none, if any succeeded; else the failure that tells most. `answers`
 * are in the operator's order of providers and not empty.
 */
export const outcome = (answers: Array.NonEmptyReadonlyArray<Answer>): Answer => {
  const [successes, failures] = Array.partition(answers, (answer) => answer)
  if (successes.length > 0 || !Array.isReadonlyArrayNonEmpty(failures)) {
    return Result.succeed(successes.flat())
  }
  return Result.fail(Array.min(failures, mostTelling))
}
