import { Effect } from "effect"
import { HttpEffect, HttpServerResponse, ProblemDetails } from "effect/http"
import type { AnyProblem } from "#api/Problems.ts"
import type { WrittenAnswer } from "#domain/swaps/Idempotency.ts"
import { providerTitle } from "#providers/Contacts.ts"
import { beginsSwap, carriesText, type ProviderError } from "#domain/ProviderError.ts"
import { noIssues } from "#domain/Issues.ts"
import { warnSparsely } from "#infrastructure/platform/rateLimitedLog.ts"
import { NoteFailure } from "./failedRequests.ts"
import { type Failure, type Failures, type Tagged, toProblem } from "./problems.ts"
import { unlessAway } from "#infrastructure/platform/outages.ts"

const idBytes = new Uint8Array(16)
const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"))

/** A new trace id, for a trace that begins here. */
export const newTraceId = (): string => {
  crypto.getRandomValues(idBytes)
  let id = ""
  for (const byte of idBytes) id += hex[byte]
  return id
}

/** The W3C trace id of the current request: 32 hex digits (decision 14). */
export const traceId: Effect.Effect<string> = Effect.currentParentSpan.pipe(
  Effect.map((span) => span.traceId),
  Effect.orDie,
)

/** The most log lines a second about one kind of failure; calls that were not made have one, and metrics. */
const linesPerSecond = 10

/** Logs the failure of a call to a provider. An answer that was refused, and a defect, have their line already. */
const logProviderError = ({ message, operation, provider, reason }: ProviderError) => {
  if (reason._tag === "MalformedBody" || reason._tag === "ProviderDefect") return Effect.void
  const text = `${message}${"detail" in reason ? `: ${reason.detail}` : ""}`
  return reason._tag === "NotCalled"
    ? warnSparsely(`${provider} ${beginsSwap(operation) ? "open" : operation} not called`, 1, text)
    : warnSparsely(`${provider} ${operation} ${reason._tag}`, linesPerSecond, text)
}

/** Logs the details that the caller is not told, under the trace id that the caller has. */
export const logFailure = (failure: Failure): Effect.Effect<void> => {
  if (failure._tag === "ProviderError") return logProviderError(failure)
  if (failure._tag === "QuotesFailed") return logProviderError(failure.failure)
  if (failure._tag === "Unexpected") return Effect.void
  const text = failure.message === "" ? failure._tag : failure.message
  return unlessAway(failure, warnSparsely(failure._tag, linesPerSecond, text))
}

export const writeProblem = (failure: Failure, id: string): WrittenAnswer => {
  const { problem } = toProblem(failure, { traceId: id })
  return { status: problem.status, body: JSON.stringify(problem) }
}

/** The name of a failure; of a call to a provider, of its reason. */
const kindOf = (failure: Failure): string => providerErrorOf(failure)?.reason._tag ?? failure._tag

/** The failure of a provider, if one failed. */
const providerErrorOf = (failure: Failure): ProviderError | undefined => {
  if (failure._tag === "ProviderError") return failure
  return failure._tag === "QuotesFailed" ? failure.failure : undefined
}

/** Counts a failure for the account of the request, with the name of an upstream in place of its words. */
const noteFailure = Effect.fnUntraced(function* (failure: Failure, problem: AnyProblem) {
  const note = yield* NoteFailure
  const error = providerErrorOf(failure)
  const { code, errors } = { code: undefined, errors: noIssues, ...problem }
  yield* note({
    kind: kindOf(failure),
    status: problem.status,
    code,
    parameters: Object.keys(errors),
    detail: problem.detail,
    provider: error !== undefined && carriesText(error.reason) ? providerTitle(error.provider) : undefined,
  })
})

/** The problem of a failure of the current request. A failure with 500 or above is logged, and each is counted. */
const tell = Effect.fnUntraced(function* <Tag extends keyof Failures>(failure: Tagged<Tag>) {
  const { problem, headers } = toProblem(failure, { traceId: yield* traceId })
  if (problem.status >= 500) yield* logFailure(failure)
  yield* noteFailure(failure, problem)
  return { problem, headers }
})

/** Turns failures of a handler into the problems that its endpoint declares. */
export const failAsProblem = <A, Tag extends keyof Failures, R>(effect: Effect.Effect<A, Tagged<Tag>, R>) =>
  Effect.catch(effect, (failure) =>
    Effect.flatMap(tell(failure), ({ problem, headers }) =>
      Effect.andThen(
        HttpEffect.appendPreResponseHandler((_, response) =>
          Effect.succeed(HttpServerResponse.setHeaders(response, headers))
        ),
        Effect.fail(problem),
      )))

/** Answers with a problem outside endpoints: before the route is found, or where a schema refused the request. */
export const problemResponse = <Tag extends keyof Failures>(failure: Tagged<Tag>) =>
  Effect.map(tell(failure), ({ problem, headers }) =>
    HttpServerResponse.text(JSON.stringify(problem), {
      status: problem.status,
      contentType: ProblemDetails.contentType,
      headers,
    }))
