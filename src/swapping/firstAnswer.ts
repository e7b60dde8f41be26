import { Array, Effect, Result } from "effect"
import { mayHaveOpened, type ProviderError } from "../domain/ProviderError.ts"
import { mostTelling } from "./Opening.ts"

/**
 * The answer of the first that gives one. The next is asked only when the one before provably did nothing
 * (decision 16); where none answers, the refusal that says most is told.
 */
export const firstAnswer = Effect.fnUntraced(function* <Asked, A>(
  [preferred, ...others]: Array.NonEmptyReadonlyArray<Asked>,
  ask: (asked: Asked) => Effect.Effect<A, ProviderError>,
): Effect.fn.Return<{ readonly asked: Asked; readonly answer: A }, ProviderError> {
  let asked = preferred
  let answer = yield* Effect.result(ask(asked))
  const refusals: Array<ProviderError> = []
  for (const next of others) {
    if (Result.isSuccess(answer) || mayHaveOpened(answer.failure.reason)) break
    refusals.push(answer.failure)
    asked = next
    answer = yield* Effect.result(ask(asked))
  }
  if (Result.isSuccess(answer)) return { asked, answer: answer.success }
  return yield* mayHaveOpened(answer.failure.reason)
    ? answer.failure
    : Array.min(Array.append(refusals, answer.failure), mostTelling)
})
