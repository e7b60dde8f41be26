import { Effect } from "effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { statusDefinitions } from "../api/Problems.ts"
import { beginsSwap, type ProviderError } from "../domain/ProviderError.ts"
import { warnSparsely } from "../platform/sparseLog.ts"
import { type Failure, toProblem } from "./toProblem.ts"
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

/** A failure as an RFC 7807 problem, to the last character, with the trace id of its request. */
export const writeProblem = (failure: Failure, id: string) => {
  const { headers = {}, ...problem } = toProblem(failure)
  const { type, title } = statusDefinitions[problem.status]
  const { status, detail, ...rest } = problem
  return { status, headers, body: JSON.stringify({ type, title, status, detail, traceId: id, ...rest }) }
}

/** What every problem travels as. */
export const problemContentType = "application/problem+json"

/** Answers with a failure. */
export const problemResponse = Effect.fnUntraced(function* (failure: Failure) {
  const { body, headers, status } = writeProblem(failure, yield* traceId)
  if (status >= 500) yield* logFailure(failure)
  return HttpServerResponse.text(body, { status, contentType: problemContentType, headers })
})

/** An answer in any case: what it fails with is written as a problem. */
export const orProblem = <A, R>(effect: Effect.Effect<A, Failure, R>) => Effect.catch(effect, problemResponse)
