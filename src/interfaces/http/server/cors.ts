import { Effect } from "effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { PathFacts } from "../../requests/knownPath.ts"

/** The headers that scripts of a page may read (decision 28). */
const exposedHeaders: ReadonlyArray<string> = (
  "Retry-After RateLimit RateLimit-Policy Deprecation Link X-Request-Id Idempotent-Replayed ETag " +
  "Provider-Status Ignored-Parameters Content-Digest Signature Signature-Input Swap-Key-Id " +
  "Swap-Request-Digest Swap-Signature"
).split(" ")

/** The headers that scripts of a page may send, beside those that every page may. */
const requestHeaders: ReadonlyArray<string> = (
  "X-API-Key Authorization Content-Type Idempotency-Key If-None-Match Last-Event-ID traceparent " +
  "tracestate"
).split(" ")

/** The seconds for which browsers may remember a preflight: the most that all of them accept. */
const preflightSeconds = 7_200

/**
 * Headers for every origin and for requests without one, so that a cached answer fits each next caller. There are no
 * cookies here, so credentials are not allowed.
 */
const openHeaders = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": exposedHeaders.join(", "),
}

/** The CORS headers of every answer under a path, problems included. */
export const corsHeaders = (facts: PathFacts | undefined): Readonly<Record<string, string>> =>
  facts?.isClosed === true ? {} : openHeaders

/**
 * Answers the preflight in which a browser asks whether a page may send a request. Everything else is left to
 * `routed`, including an OPTIONS that no browser sent.
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
  // A preflight does not name the account, so every origin gets this answer; the request itself may be refused.
  return Effect.succeed(HttpServerResponse.empty({
    status: 204,
    headers: {
      "access-control-allow-methods": facts.methods.join(", "),
      "access-control-allow-headers": requestHeaders.join(", "),
      "access-control-max-age": `${preflightSeconds}`,
    },
  }))
}
