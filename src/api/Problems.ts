import { Schema } from "effect"
import * as HttpApiError from "effect/http-api/HttpApiError"
import { Issues } from "../domain/Issues.ts"
import { ProblemCode } from "../domain/ProblemCode.ts"
import { ProviderName } from "../domain/ProviderName.ts"

/** The URL of each status's definition and its phrase (decision 14). */
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

/** Every status that a problem can have. */
export type ProblemStatus = keyof typeof statusDefinitions

/** The status that each code goes with (decision 33). */
export const problemCodes: Readonly<Record<ProblemCode, ProblemStatus>> = {
  amount_below_minimum: 400,
  egress_below_minimum: 400,
  egress_fee_not_covered: 400,
  insufficient_liquidity: 400,
  quoting_maintenance: 503,
  swapping_maintenance: 503,
  deposit_channel_failed: 503,
  too_many_channels: 503,
  asset_disabled: 503,
  upstream_error: 500,
  provider_unavailable: 503,
  request_cancelled: 500,
  route_disabled: 403,
}

const members = {
  detail: Schema.String.annotate({ description: "For people; wording can change, never branch on it." }),
  traceId: Schema.String.annotate({ description: "Trace identifier, also sent as X-Request-Id." }),
}

const providers = {
  providers: Schema.optionalKey(
    Schema.Array(Schema.Struct({
      platform: ProviderName,
      code: Schema.optionalKey(ProblemCode),
      detail: Schema.String,
      minimumAmountNative: Schema.optionalKey(Schema.String),
    })).annotate({ description: "On quotes: what each provider that was asked said." }),
  ),
}

const code = <const Codes extends ReadonlyArray<ProblemCode>>(codes: Codes) => ({
  code: Schema.optionalKey(
    Schema.Literals(codes).annotate({ description: "Only on failures from upstream." }),
  ),
})

/** The request as sent will not succeed: either `errors` says what is wrong with it, or `code` why. */
export class BadRequest extends HttpApiError.Problem<BadRequest>()("BadRequest", {
  ...statusDefinitions[400],
  status: 400,
}, {
  ...members,
  ...code([
    "amount_below_minimum",
    "egress_below_minimum",
    "egress_fee_not_covered",
    "insufficient_liquidity",
  ]),
  errors: Schema.optionalKey(
    Issues.annotate({ description: "From a parameter's name to what is wrong with it. Never with a code." }),
  ),
  ...providers,
}) {}

/** No API key, or one that is unknown, revoked or expired. */
export class Unauthorized extends HttpApiError.Problem<Unauthorized>()("Unauthorized", {
  ...statusDefinitions[401],
  status: 401,
}, members) {}

/** The account may not do this. */
export class Forbidden extends HttpApiError.Problem<Forbidden>()("Forbidden", {
  ...statusDefinitions[403],
  status: 403,
}, { ...members, ...code(["route_disabled"]), ...providers }) {}

/** Nothing here, or nothing that this account may see. */
export class NotFound extends HttpApiError.Problem<NotFound>()("NotFound", {
  ...statusDefinitions[404],
  status: 404,
}, members) {}

/** It cannot be as things stand; for an Idempotency-Key in progress, try again after Retry-After. */
export class Conflict extends HttpApiError.Problem<Conflict>()("Conflict", {
  ...statusDefinitions[409],
  status: 409,
}, members) {}

/** What this Idempotency-Key stands for has gone stale: use a new key. */
export class Gone extends HttpApiError.Problem<Gone>()("Gone", {
  ...statusDefinitions[410],
  status: 410,
}, members) {}

/** The body is over 64 KiB. */
export class ContentTooLarge extends HttpApiError.Problem<ContentTooLarge>()("ContentTooLarge", {
  ...statusDefinitions[413],
  status: 413,
}, members) {}

/** The body is not JSON. */
export class UnsupportedMediaType
  extends HttpApiError.Problem<UnsupportedMediaType>()("UnsupportedMediaType", {
    ...statusDefinitions[415],
    status: 415,
  }, members) {}

/** This Idempotency-Key stands for another request. */
export class UnprocessableContent
  extends HttpApiError.Problem<UnprocessableContent>()("UnprocessableContent", {
    ...statusDefinitions[422],
    status: 422,
  }, members) {}
/** A limit is reached: `RateLimit` says which, and `Retry-After` when to go on. */
export class TooManyRequests extends HttpApiError.Problem<TooManyRequests>()("TooManyRequests", {
  ...statusDefinitions[429],
  status: 429,
}, members) {}

/** An unexpected failure; on an opening without a code, its outcome is unknown. */
export class InternalServerError extends HttpApiError.Problem<InternalServerError>()("InternalServerError", {
  ...statusDefinitions[500],
  status: 500,
}, { ...members, ...code(["upstream_error", "request_cancelled"]), ...providers }) {}

/** Temporary: safe to retry with backoff, after Retry-After where it is given. */
export class ServiceUnavailable extends HttpApiError.Problem<ServiceUnavailable>()("ServiceUnavailable", {
  ...statusDefinitions[503],
  status: 503,
}, {
  ...members,
  ...code([
    "quoting_maintenance",
    "swapping_maintenance",
    "deposit_channel_failed",
    "too_many_channels",
    "asset_disabled",
    "provider_unavailable",
  ]),
  ...providers,
}) {}

/** What every endpoint that reads parameters and calls upstreams can answer with. */
export const upstreamProblems = [
  BadRequest,
  Forbidden,
  InternalServerError,
  ServiceUnavailable,
] as const
