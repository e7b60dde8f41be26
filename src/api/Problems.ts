import { Effect, Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { ProblemDetails } from "effect/http"
import { Issues } from "#domain/Issues.ts"
import { codesOf, ProblemCode } from "#domain/ProblemCode.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { QuoteBody } from "./QuoteBodies.ts"
import { maybe, member } from "./shape.ts"

/** Each status with its phrase and the URL of its definition (decision 14). */
export const statusDefinitions = {
  400: { type: "https://tools.ietf.org/html/rfc9110#section-15.5.1", title: "Bad Request" },
  401: { type: "https://tools.ietf.org/html/rfc9110#section-15.5.2", title: "Unauthorized" },
  403: { type: "https://tools.ietf.org/html/rfc9110#section-15.5.4", title: "Forbidden" },
  404: { type: "https://tools.ietf.org/html/rfc9110#section-15.5.5", title: "Not Found" },
  405: { type: "https://tools.ietf.org/html/rfc9110#section-15.5.6", title: "Method Not Allowed" },
  408: { type: "https://tools.ietf.org/html/rfc9110#section-15.5.9", title: "Request Timeout" },
  409: { type: "https://tools.ietf.org/html/rfc9110#section-15.5.10", title: "Conflict" },
  410: { type: "https://tools.ietf.org/html/rfc9110#section-15.5.11", title: "Gone" },
  413: { type: "https://tools.ietf.org/html/rfc9110#section-15.5.14", title: "Content Too Large" },
  414: { type: "https://tools.ietf.org/html/rfc9110#section-15.5.15", title: "URI Too Long" },
  415: { type: "https://tools.ietf.org/html/rfc9110#section-15.5.16", title: "Unsupported Media Type" },
  422: { type: "https://tools.ietf.org/html/rfc9110#section-15.5.21", title: "Unprocessable Content" },
  429: { type: "https://tools.ietf.org/html/rfc6585#section-4", title: "Too Many Requests" },
  500: { type: "https://tools.ietf.org/html/rfc9110#section-15.6.1", title: "Internal Server Error" },
  503: { type: "https://tools.ietf.org/html/rfc9110#section-15.6.4", title: "Service Unavailable" },
} as const

/** The codes of problems by status (decision 33); the class of a status accepts no other code. */
export const problemCodes = { 400: codesOf(400), 403: codesOf(403), 500: codesOf(500), 503: codesOf(503) }

const members = {
  detail: member.text("For people; wording can change, never branch on it."),
  traceId: member.text("Trace identifier, also sent as X-Request-Id."),
}

export const ProviderAnswer = Schema.Struct({
  platform: ProviderName,
  code: Schema.optionalKey(ProblemCode),
  detail: Schema.String,
  minimumAmountNative: maybe.text("The minimum that was not met, in the smallest unit."),
}).annotate({ identifier: "ProviderAnswer", description: "Why a provider has no quote." })
export type ProviderAnswer = typeof ProviderAnswer.Type

const providers = {
  providers: Schema.optionalKey(
    Schema.Array(ProviderAnswer).annotate({
      description: "On quotes: the response of each provider that was asked.",
    }),
  ),
}

const codeOf = <const Status extends keyof typeof problemCodes>(status: Status) => ({
  code: Schema.optionalKey(
    Schema.Literals(problemCodes[status]).annotate({
      description: "The stable code of the failure: branch on it. Absent of some failures.",
    }),
  ),
})

/** The annotations of an answer in `application/problem+json`. */
const { annotations: asProblem } = Schema.Unknown.pipe(
  HttpApiSchema.asJson({ contentType: ProblemDetails.contentType }),
).ast

/** A member with the same value in every problem of a status. */
const fixed = <const Value extends string | number>(value: Value) =>
  Schema.tag(value).pipe(Schema.withDecodingDefaultKey(Effect.succeed(value)))

/**
 * The class of a problem (RFC 9457). `HttpApiError.Problem` is equivalent, but writes `type`, `title` and `status`
 * after all other members: people read a problem from its beginning, and clients have recorded this order.
 */
const problem = <Self>() =>
<
  const Tag extends string,
  const Status extends keyof typeof statusDefinitions,
  const Fields extends Schema.Struct.Fields,
>(tag: Tag, status: Status, fields: Fields) => {
  const { title, type } = statusDefinitions[status]
  return Schema.Error<Self, { readonly _tag: Tag }>(tag)({
    type: Schema.tag(type),
    title: fixed(title),
    status: fixed(status),
    ...members,
    ...fields,
    instance: Schema.optionalKey(Schema.String),
  }, { ...asProblem, description: title, httpApiStatus: status })
}

/** The request cannot succeed as it was sent: either `errors` names its faults, or `code` the reason. */
export class BadRequest extends problem<BadRequest>()("BadRequest", 400, {
  ...codeOf(400),
  errors: Schema.optionalKey(
    Issues.annotate({ description: "The issues, by parameter. Never with a code." }),
  ),
  ...providers,
}) {}

/** The API key is missing, unknown, revoked or expired. */
export class Unauthorized extends problem<Unauthorized>()("Unauthorized", 401, {}) {}

/** The account is not allowed to do this. */
export class Forbidden extends problem<Forbidden>()("Forbidden", 403, { ...codeOf(403), ...providers }) {}

/** The resource does not exist, or the account must not see it. */
export class NotFound extends problem<NotFound>()("NotFound", 404, {}) {}

/** The path has only other methods, which `Allow` lists. Answered before any endpoint. */
export class MethodNotAllowed extends problem<MethodNotAllowed>()("MethodNotAllowed", 405, {}) {}

/** The body did not arrive. Answered before any endpoint. */
export class RequestTimeout extends problem<RequestTimeout>()("RequestTimeout", 408, {}) {}

/** The request conflicts with the present state; for an Idempotency-Key in progress, retry after Retry-After. */
export class Conflict extends problem<Conflict>()("Conflict", 409, {}) {}

/** The quote of an opening is over, or a swap was opened by it already, and nothing was opened: `quote` is a fresh one for the same request. */
export class QuoteConflict extends problem<QuoteConflict>()("QuoteConflict", 409, {
  expiredAt: maybe.time(
    "When the quote was over, in epoch milliseconds; absent where a swap was opened by it before.",
  ),
  quote: Schema.optionalKey(QuoteBody.annotate({
    description:
      "A fresh quote of the same kind for the same request; absent where its provider gives none now.",
  })),
}) {}

/** What was there is over: the answer of this Idempotency-Key is stale, or the channel takes no more deposits. */
export class Gone extends problem<Gone>()("Gone", 410, {}) {}

/** The body is over 64 KiB. */
export class ContentTooLarge extends problem<ContentTooLarge>()("ContentTooLarge", 413, {}) {}

/** The URL is over 8 KiB. Answered before any endpoint. */
export class UriTooLong extends problem<UriTooLong>()("UriTooLong", 414, {}) {}

/** The body is not JSON. */
export class UnsupportedMediaType extends problem<UnsupportedMediaType>()("UnsupportedMediaType", 415, {}) {}

/** The Idempotency-Key belongs to another request. */
export class UnprocessableContent extends problem<UnprocessableContent>()("UnprocessableContent", 422, {}) {}
/** A limit is reached: `RateLimit` names it, and `Retry-After` says when to go on. */
export class TooManyRequests extends problem<TooManyRequests>()("TooManyRequests", 429, {}) {}

/** An unexpected failure; on an opening without a code, the outcome is unknown. */
export class InternalServerError
  extends problem<InternalServerError>()("InternalServerError", 500, { ...codeOf(500), ...providers }) {}

/** A temporary failure: safe to retry with backoff, after Retry-After if it is given. */
export class ServiceUnavailable extends problem<ServiceUnavailable>()("ServiceUnavailable", 503, {
  ...codeOf(503),
  ...providers,
}) {}

/** The problems of every endpoint that reads parameters and calls upstreams. */
export const upstreamProblems = [BadRequest, Forbidden, InternalServerError, ServiceUnavailable] as const

const classes = [
  BadRequest,
  Unauthorized,
  Forbidden,
  NotFound,
  MethodNotAllowed,
  RequestTimeout,
  Conflict,
  QuoteConflict,
  Gone,
  ContentTooLarge,
  UriTooLong,
  UnsupportedMediaType,
  UnprocessableContent,
  TooManyRequests,
  InternalServerError,
  ServiceUnavailable,
]

/** Every problem that a request can be answered with. */
export type AnyProblem = InstanceType<typeof classes[number]>

// The tag by which code tells problems apart is no member of their bodies, so it is set on the prototypes.
for (const { identifier, prototype } of classes) Object.assign(prototype, { _tag: identifier })
