import { Cause, Clock, type Context, Effect, Metric, Option } from "effect"
import { isHttpServerError } from "effect/http/HttpServerError"
import { HttpServerRequest, HttpServerResponse, HttpTraceContext } from "effect/http"
import { externalSpan } from "effect/Tracer"
import { knownPath, type PathFacts, type Paths, RequestMeta } from "../../requests/RequestMeta.ts"
import {
  type FailureOfServer,
  type FailureRenderer,
  MethodNotAllowed,
  PathUnknown,
  Unexpected,
} from "../../requests/problems.ts"
import type { KeyId } from "#domain/accounts/Key.ts"
import { newTraceId, problemResponse, traceId } from "../../requests/failedRequests.ts"
import type { Sign } from "./signature.ts"
import { whereTraced } from "#infrastructure/platform/lightSpan.ts"
import { metrics } from "#infrastructure/ops/Metrics.ts"

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

/** Headers that fit every origin, so that a cached response does; without cookies, so no credentials. */
const openHeaders = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": exposedHeaders.join(", "),
}

/** The CORS headers of every answer under a path, problems included. */
export const corsHeaders = (facts: PathFacts | undefined): Readonly<Record<string, string>> =>
  facts?.isClosed === true ? {} : openHeaders

/** Answers a browser's preflight; everything else goes to `routed`, other OPTIONS included. */
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

/** The methods with a label of their own. Callers can make methods up, and labels must not grow with them. */
const namedMethods: ReadonlyArray<string> = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

const nanosPerSecond = 1e9

/** Measures how long an answer takes. `route` is a path of the contract, never the path as it came. */
const measured = <E, R>(
  method: string,
  route: string,
  answered: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
): Effect.Effect<HttpServerResponse.HttpServerResponse, E, R> =>
  Effect.flatMap(
    Clock.currentTimeNanos,
    (started) =>
      Effect.tap(answered, ({ status }) =>
        Effect.flatMap(Clock.currentTimeNanos, (now) =>
          Metric.update(
            metrics.requestSeconds({
              method: namedMethods.includes(method) ? method : "other",
              route,
              status: `${status}`,
            }),
            Number(now - started) / nanosPerSecond,
          ))),
  )

export interface AnswerOptions {
  readonly paths: Paths
  readonly tellsOtherwise?: ReadonlyArray<FailureRenderer>
  readonly headers: Readonly<Record<string, string>>
  /** Signs the answers of paths where swaps begin. */
  readonly sign?: Sign
}

const afterPath = /[?#].*$/s

const pathOf = ({ url }: HttpServerRequest.HttpServerRequest): string => url.replace(afterPath, "")

/**
 * The contract's path for a request's path. What is closed to pages is closed to strangers by a proxy, too, whose rules
 * are the beginnings of paths: more slashes than one would get by them.
 */
const spelledPath = (
  request: HttpServerRequest.HttpServerRequest,
  { hasSlashesBefore }: Context.Service.Shape<typeof RequestMeta>,
  { paths }: AnswerOptions,
): string | undefined => {
  const known = knownPath(paths, pathOf(request))
  if (known === undefined || hasSlashesBefore !== true) return known
  return paths.get(known)?.isClosed === true ? undefined : known
}

/** The name of unknown paths in log, span and metrics: such a path may hold anything, even a key. */
const unknownPath = "(unknown path)"

/** Whether a path takes a method; where it takes a GET, a HEAD is answered by running it. */
const takes = (method: string, { beginsSwap, methods }: PathFacts): boolean =>
  methods.includes(method) || (method === "HEAD" && beginsSwap !== true && methods.includes("GET"))

/** Why a request has no route. Where its path takes the method, there is nothing under what stands in for a parameter. */
const unroutable = (method: string, facts: PathFacts | undefined): FailureOfServer =>
  facts === undefined || takes(method, facts)
    ? new PathUnknown()
    : new MethodNotAllowed({ allowed: facts.methods })

/** Whether a request may reach the router, which takes many spellings of a path; rights know one. */
const mayBeRouted = (method: string, facts: PathFacts | undefined): boolean =>
  facts !== undefined && !(method === "HEAD" && facts.beginsSwap === true)

/** How the failures of a path are told. */
const tellerOf = (path: string, { tellsOtherwise = [] }: AnswerOptions): FailureRenderer["tell"] =>
  tellsOtherwise.find(({ below }) => `${path}/`.startsWith(`${below}/`))?.tell ?? problemResponse

/** The policy of data. A browser that opens it as a page runs nothing and loads nothing. */
const dataPolicy = "default-src 'none'; frame-ancestors 'none'"

/** Security headers, the trace id, and no caching unless the answer says otherwise. */
const complete = (
  response: HttpServerResponse.HttpServerResponse,
  id: string,
  headers: Readonly<Record<string, string>>,
) =>
  HttpServerResponse.setHeaders(response, {
    "cache-control": response.headers["cache-control"] ?? "no-store",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    // Answers are data except the pages of the documentation, which bring a policy of their own.
    "content-security-policy": response.headers["content-security-policy"] ?? dataPolicy,
    "x-request-id": id,
    ...headers,
  })

/** The parent span id of a trace whose spans are not exported. */
const noSpanId = "0000000000000000"

/** Runs a request in its span, in the caller's trace (decision 14); unexported, it has a trace ID alone. */
const traced = <A, E, R>(
  request: HttpServerRequest.HttpServerRequest,
  path: string,
  effect: Effect.Effect<A, E, R>,
) => {
  const parent = Option.getOrUndefined(HttpTraceContext.w3c(request.headers))
  return whereTraced(
    () =>
      Effect.withSpan(effect, "http.request", {
        kind: "server",
        // The stack trace would be the same for every request, and takes longer than the span itself.
        captureStackTrace: false,
        attributes: { "http.request.method": request.method, "url.path": path },
        ...(parent === undefined ? {} : { parent }),
      }),
    () => Effect.withParentSpan(effect, parent ?? externalSpan({ traceId: newTraceId(), spanId: noSpanId })),
  )
}

/**
 * Answers every request, with the answer of its route or with a problem (decision 14). Each request has one log line,
 * and one span where spans are exported; neither holds the query, where addresses may stand.
 */
export const answer = <E, R>(
  routes: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
  options: AnswerOptions,
) =>
  Effect.flatMap(Effect.zip(HttpServerRequest.HttpServerRequest, RequestMeta), ([request, meta]) => {
    const path = spelledPath(request, meta, options) ?? unknownPath
    const facts = options.paths.get(path)
    const tell = (failure: FailureOfServer) => tellerOf(pathOf(request), options)(failure)
    const routed = Effect.catchCause(routes, (cause) => {
      const failure = Option.getOrUndefined(Cause.findErrorOption(cause))
      if (isHttpServerError(failure) && failure.reason._tag === "RouteNotFound") {
        return tell(unroutable(request.method, facts))
      }
      if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause)
      return Effect.andThen(Effect.logError("Internal error in a request", cause), tell(new Unexpected()))
    })

    const answered = Effect.gen(function* () {
      const { refusal } = meta
      let keyId: KeyId | undefined
      const knownAs = (id: KeyId) => {
        keyId = id
      }
      const response = yield* refusal !== undefined
        ? tell(refusal)
        : mayBeRouted(request.method, facts)
        ? preflightOr(
          request,
          facts,
          facts?.beginsSwap === true
            ? Effect.provideService(routed, RequestMeta, { ...meta, knownAs })
            : routed,
        )
        : tell(unroutable(request.method, facts))
      yield* Effect.logDebug(`${request.method} ${path} answered ${response.status}`)
      yield* Effect.annotateCurrentSpan("http.response.status_code", response.status)
      const whole = complete(response, yield* traceId, {
        ...options.headers,
        ...corsHeaders(facts),
        ...facts?.headers,
      })
      return facts?.beginsSwap !== true || options.sign === undefined || meta.sent === undefined
        ? whole
        : yield* options.sign(request, { ...meta.sent, keyId }, whole)
    })

    return traced(
      request,
      path,
      measured(
        request.method,
        path,
        Effect.flatMap(traceId, (id) => Effect.annotateLogs(answered, { traceId: id })),
      ),
    )
  })
