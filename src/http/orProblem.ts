import { Effect } from "effect"
import * as HttpEffect from "effect/http/HttpEffect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as ProblemDetails from "effect/http/ProblemDetails"
import type { WrittenAnswer } from "../domain/Idempotency.ts"
import { beginsSwap, type ProviderError } from "../domain/ProviderError.ts"
import { warnSparsely } from "../platform/sparseLog.ts"
import { type Failure, type Failures, type Tagged, toProblem } from "./problems.ts"
import { traceId } from "./traceId.ts"

/** Lines a second of one kind of failure; of calls that were not even made, which the metrics count, one. */
const linesPerSecond = 10

/** What is in the way of a call of a provider, in the words of the log. */
const logProviderError = ({ message, operation, provider, reason }: ProviderError) => {
  const text = `${message}${"detail" in reason ? `: ${reason.detail}` : ""}`
  return reason._tag === "NotCalled"
    ? warnSparsely(`${provider} ${beginsSwap(operation) ? "open" : operation} not called`, 1, text)
    : warnSparsely(`${provider} ${operation} ${reason._tag}`, linesPerSecond, text)
}

/** What the caller is not told stands in the log, under the trace id that the caller has. */
export const logFailure = (failure: Failure): Effect.Effect<void> => {
  if (failure._tag === "ProviderError") return logProviderError(failure)
  if (failure._tag === "QuotesFailed") return logProviderError(failure.failure)
  if (failure._tag === "Unexpected") return Effect.void
  return warnSparsely(failure._tag, linesPerSecond, failure.message === "" ? failure._tag : failure.message)
}

/** A problem to the last character. */
export const writeProblem = (failure: Failure, id: string): WrittenAnswer => {
  const { problem } = toProblem(failure, { traceId: id })
  return { status: problem.status, body: JSON.stringify(problem) }
}

/** What a failure of the request in hand is told as; it stands in the log where it is not the caller's doing. */
const tell = Effect.fnUntraced(function* <Tag extends keyof Failures>(failure: Tagged<Tag>) {
  const { problem, headers } = toProblem(failure, { traceId: yield* traceId })
  if (problem.status >= 500) yield* logFailure(failure)
  return { problem, headers }
})

/** Fails with the problems of failures, which are those that the endpoint declares. */
export const orProblem = <A, Tag extends keyof Failures, R>(effect: Effect.Effect<A, Tagged<Tag>, R>) =>
  Effect.catch(effect, (failure) =>
    Effect.flatMap(tell(failure), ({ problem, headers }) =>
      Effect.andThen(
        HttpEffect.appendPreResponseHandler((_, response) =>
          Effect.succeed(HttpServerResponse.setHeaders(response, headers))
        ),
        Effect.fail(problem),
      )))

/** Answers with a failure where no endpoint does: before one is found, and where nothing is to be answered after it. */
export const problemResponse = <Tag extends keyof Failures>(failure: Tagged<Tag>) =>
  Effect.map(tell(failure), ({ problem, headers }) =>
    HttpServerResponse.text(JSON.stringify(problem), {
      status: problem.status,
      contentType: ProblemDetails.contentType,
      headers,
    }))
