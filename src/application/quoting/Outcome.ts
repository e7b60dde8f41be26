import { Array, Effect, Order, Result, Schema } from "effect"
import { lowestMinimum, NoExactOutput, OtherStart, ProviderError, waitOf } from "#domain/ProviderError.ts"
import { combineIssues } from "#domain/Issues.ts"
import { rankOf } from "#domain/reasonFacts.ts"
import type { TimedQuote } from "#domain/quotes/Quote.ts"

/** One provider's answer: its quotes, or why it has none. */
export type Answer = Result.Result<ReadonlyArray<TimedQuote>, ProviderError>

export const quotesOf = (answer: Answer) => Result.isSuccess(answer) ? answer.success : []

export const failureOf = (answer: Answer): ReadonlyArray<ProviderError> =>
  Result.isFailure(answer) ? [answer.failure] : []

/** Orders failures by what they tell the caller: the first is reported where no provider has a quote. */
export const mostTellingFailure: Order.Order<ProviderError> = Order.combineAll([
  Order.mapInput(Order.Number, (error: ProviderError) => rankOf(error.reason)),
  lowestMinimum,
  // The shortest wait counts, as one of the providers can be asked again then (decision 17).
  Order.mapInput(Order.Number, waitOf),
])

/** Where none promises an output, what is told names each of them. */
const whole = (told: ProviderError, failures: ReadonlyArray<ProviderError>): ProviderError => {
  if (!(told.reason instanceof NoExactOutput)) return told
  const errors = failures.flatMap(({ reason }) => reason instanceof NoExactOutput ? [reason.errors] : [])
  return new ProviderError({ ...told, reason: new NoExactOutput({ errors: combineIssues(errors) }) })
}

/**
 * The answer of all providers together, independent of the order in which theirs arrived (decision 17): all quotes, if
 * there are any; else no quotes, if a provider succeeded; else the failure that tells the caller most. Where those whose offers are
 * left out are the only ones with the pair there are no quotes, which is no failure. `answers` are in the operator's order
 * of providers and not empty.
 */
export const outcome = (answers: Array.NonEmptyReadonlyArray<Answer>): Answer => {
  const [successes, failures] = Array.partition(answers, (answer) => answer)
  if (successes.length > 0 || !Array.isReadonlyArrayNonEmpty(failures)) {
    return Result.succeed(successes.flat())
  }
  const told = whole(Array.min(failures, mostTellingFailure), failures)
  return told.reason instanceof OtherStart ? Result.succeed([]) : Result.fail(told)
}

/** No provider could be asked. Code `provider_unavailable`. */
export class NoProviderAvailable extends Schema.TaggedError<NoProviderAvailable>()("NoProviderAvailable", {
  detail: Schema.String,
  /** Seconds until a provider may be asked again. */
  retryAfterSeconds: Schema.Int,
}) {}

/** No provider had an answer: the failure that tells the caller most, and the failure of each provider. */
export class QuotesFailed extends Schema.TaggedError<QuotesFailed>()("QuotesFailed", {
  failure: ProviderError,
  providers: Schema.Array(ProviderError),
}) {}

/** Fails with what tells the caller most where none of the providers has an answer. */
export const orWhyNone = (
  answers: ReadonlyArray<Answer>,
): Effect.Effect<void, QuotesFailed | NoProviderAvailable> => {
  if (!Array.isReadonlyArrayNonEmpty(answers)) return Effect.fail(noProvider)
  const whole = outcome(answers)
  return Result.isSuccess(whole)
    ? Effect.void
    : Effect.fail(new QuotesFailed({ failure: whole.failure, providers: answers.flatMap(failureOf) }))
}

/** The seconds that callers are asked to wait when nothing tells how long the providers will be out. */
const defaultRetryAfterSeconds = 5

const unavailable = (detail: string) =>
  new NoProviderAvailable({ detail, retryAfterSeconds: defaultRetryAfterSeconds })

export const noProvider = unavailable("No quote provider is enabled")

export const noOffer = unavailable("No provider that can open this swap has a quote for it now")
