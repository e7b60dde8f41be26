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

/** Writes a failure as an RFC 7807 problem with the trace id of the request. */
export const problemResponse = Effect.fnUntraced(function* (failure: Failure) {
  const { headers, ...problem } = toProblem(failure)
  const { type, title } = statusDefinitions[problem.status]
  const { status, detail, ...rest } = problem
  if (status >= 500) yield* logFailure(failure)
  const body = JSON.stringify({ type, title, status, detail, traceId: yield* traceId, ...rest })
  return HttpServerResponse.text(body, {
    status,
    contentType: "application/problem+json",
    headers: headers ?? {},
  })
})

/** An answer in any case: what it fails with is written as a problem. */
export const orProblem = <A, R>(effect: Effect.Effect<A, Failure, R>) => Effect.catch(effect, problemResponse)
