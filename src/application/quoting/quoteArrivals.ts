import { Array, Data, Exit, Result, Stream } from "effect"
import type { ProviderError } from "#domain/ProviderError.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import type { Provider } from "#providers/Provider.ts"
import { type Answer, outcome } from "./Outcome.ts"

/** An event of an answer `A` that is told as it comes. */
export type QuotesArrival<A> = Data.TaggedEnum<{
  /** A provider has quotes: the answer as it is so far. */
  Quotes: { readonly answer: A }
  /** A provider has none; `failure` says why, and is absent where it succeeded without a quote. */
  Refusal: { readonly provider: ProviderName; readonly failure: ProviderError | undefined }
  /** Nobody is waited for any more. `failure` stands for all where no provider succeeded (decision 17). */
  Done: { readonly quoteCount: number; readonly failure: ProviderError | undefined }
}>

interface Definition extends Data.TaggedEnum.WithGenerics<1> {
  readonly taggedEnum: QuotesArrival<this["A"]>
}
export const QuotesArrival = Data.taggedEnum<Definition>()

/** What answers are told from as they come. */
export interface Arriving<A> {
  /** The providers that were asked or left out, in the operator's order. */
  readonly providers: ReadonlyArray<Provider>
  /** The providers as they answer, until all have or nobody is waited for any more. */
  readonly answered: Stream.Stream<Provider>
  /** The answer of a provider; of one that has not answered, that it is too late, or left out. */
  readonly answerOf: (provider: Provider) => Exit.Exit<Answer>
  /** One answer of those that there are so far, which are in the operator's order. */
  readonly together: (answers: ReadonlyArray<Answer>) => A
}

const hasQuotes = (answer: Answer): boolean => Result.isSuccess(answer) && answer.success.length > 0

const refusal = ({ name: provider }: Provider, answer: Answer) =>
  QuotesArrival.Refusal({ provider, failure: Result.isFailure(answer) ? answer.failure : undefined })

const done = (answers: ReadonlyArray<Answer>) => {
  const whole = Array.isReadonlyArrayNonEmpty(answers) ? outcome(answers) : Result.succeed([])
  return QuotesArrival.Done(
    Result.isFailure(whole)
      ? { quoteCount: 0, failure: whole.failure }
      : { quoteCount: whole.success.length, failure: undefined },
  )
}

/** Every answer as it comes, those that do not come in time, and the end. */
export const quoteArrivals = <A>(
  { answerOf, answered, providers, together }: Arriving<A>,
): Stream.Stream<QuotesArrival<A>> =>
  Stream.suspend(() => {
    const answers = new Map<Provider, Answer>()
    const soFar = () => providers.flatMap((provider) => answers.get(provider) ?? [])

    const tell = (provider: Provider) =>
      Exit.map(answerOf(provider), (answer): QuotesArrival<A> => {
        answers.set(provider, answer)
        return hasQuotes(answer)
          ? QuotesArrival.Quotes({ answer: together(soFar()) })
          : refusal(provider, answer)
      })

    return answered.pipe(
      Stream.concat(
        Stream.suspend(() => Stream.fromIterable(providers.filter((provider) => !answers.has(provider)))),
      ),
      Stream.mapEffect(tell),
      Stream.concat(Stream.sync(() => done(soFar()))),
    )
  })

/** Calls `use` with the last answer of the arrivals, if there is any, once they are done. */
export const tapLast =
  <B>(use: (answer: B) => void) => <A extends B>(arriving: Stream.Stream<QuotesArrival<A>>) =>
    Stream.suspend(() => {
      let last: A | undefined
      return Stream.map(arriving, (arrival) => {
        if (arrival._tag === "Quotes") last = arrival.answer
        else if (arrival._tag === "Done" && last !== undefined) use(last)
        return arrival
      })
    })
