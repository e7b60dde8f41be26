import { Effect } from "effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { PathFacts } from "./knownPath.ts"

/** What scripts of a page may read of an answer (decision 28). */
const exposedHeaders: ReadonlyArray<string> = [
  "Retry-After",
  "RateLimit",
  "RateLimit-Policy",
  "Deprecation",
  "Link",
  "X-Request-Id",
  "Idempotent-Replayed",
  "ETag",
  "Provider-Status",
  "Ignored-Parameters",
]

/** What scripts of a page may say in a request, beside what every page may. */
const requestHeaders: ReadonlyArray<string> = [
  "X-API-Key",
  "Authorization",
  "Content-Type",
  "Idempotency-Key",
  "If-None-Match",
  "Last-Event-ID",
  "traceparent",
  "tracestate",
]

/** For how long a browser may remember a preflight: the longest that all of them do. */
const preflightSeconds = 7_200

/**
 * The same for every origin and without one, so that a kept answer fits whoever asks next. There are no
 * cookies here, so no credentials are allowed.
 */
const openHeaders = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": exposedHeaders.join(", "),
}

/** What every answer of a path of the contract says to browsers, problems included. */
export const corsHeaders = (facts: PathFacts | undefined): Readonly<Record<string, string>> =>
  facts?.isClosed === true ? {} : openHeaders

/**
 * Answers a browser that asks whether a page may send a request (a preflight); everything else is left to
 * `routed`, OPTIONS that no browser sent included.
 */
export const preflightOr = <E, R>(
  request: HttpServerRequest.HttpServerRequest,
  facts: PathFacts | undefined,
  routed: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
): Effect.Effect<HttpServerResponse.HttpServerResponse, E, R> => {
  const { origin, "access-control-request-method": wanted } = request.headers
  if (
    request.method !== "OPTIONS" || origin === undefined || wanted === undefined || facts === undefined ||
    facts.isClosed === true
  ) return routed
  // Which account it will be for is not said, so every origin may ask; the request itself may be refused.
  return Effect.succeed(HttpServerResponse.empty({
    status: 204,
    headers: {
      "access-control-allow-methods": facts.methods.join(", "),
      "access-control-allow-headers": requestHeaders.join(", "),
      "access-control-max-age": `${preflightSeconds}`,
    },
  }))
}
