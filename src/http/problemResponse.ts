import { Effect } from "effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { statusDefinitions } from "../api/Problems.ts"
import { type Failure, toProblem } from "./toProblem.ts"
import { traceId } from "./traceId.ts"

/** What the caller is not told stands in the log, under the trace id that the caller has. */
export const logFailure = (failure: Failure) =>
  failure._tag === "ProviderError"
    ? Effect.logWarning(`${failure.message}${"detail" in failure.reason ? `: ${failure.reason.detail}` : ""}`)
    : failure._tag === "Unexpected"
    ? Effect.void
    : Effect.logWarning(failure.message === "" ? failure._tag : failure.message)

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
