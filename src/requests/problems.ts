import type { CaseFilesOff } from "../cases/CaseKeys.ts"
import * as Problem from "../api/Problems.ts"
import type { AccountExists, AccountUnknown, KeyRefusal } from "../accounts/failures.ts"
import type { RouteDenied } from "../accounts/terms.ts"
import { limitHeaders, type LimitReached } from "../limits/RateLimits.ts"
import { type InvalidRequest, issueAbout } from "../domain/Issues.ts"
import type { NoPaymentCode, NothingToPay } from "../domain/payment/failures.ts"
import type { ProviderError } from "../domain/ProviderError.ts"
import type { TooManyOpenChannels } from "../domain/Channel.ts"
import type { StoreUnavailable } from "../domain/StoreError.ts"
import type { SwapNotFound } from "../domain/SwapRecord.ts"
import type { TooManyStreams } from "../events/EventStreams.ts"
import type { NotReady } from "../ops/Health.ts"
import type { NoProviderAvailable, QuotesFailed } from "../quoting/Quoting.ts"
import type { PairNotServed } from "../swapping/candidates.ts"
import type { AnswerStale, KeyInUse, KeyReused, OutcomeUnknown } from "../swapping/Claim.ts"
import type { QuoteOver } from "../swapping/QuoteBinding.ts"
import type { NotLookedUp } from "../swapping/answers.ts"
import type { OpeningNotRecorded } from "../swapping/OpeningRecord.ts"
import type { EndNotHeld } from "../swapping/DisputedEnds.ts"
import type { CannotRepair } from "../swapping/Repairs.ts"
import type {
  AccountUnseen,
  AffiliateUnknown,
  CannotOrder,
  OrderKeyReused,
  TreasuryUnknown,
  WithdrawalOpen,
  WithdrawalUnknown,
} from "../treasury/failures.ts"
import type { WebhookRefusal } from "../webhooks/failures.ts"
import { toIsoDate } from "../domain/Time.ts"
import type {
  BodyNotJson,
  ExplanationOver,
  MethodNotAllowed,
  PathUnknown,
  ProviderUnknown,
  QuoteReplaced,
  QuoteUnknown,
  SandboxUnreachable,
  TransactionUnknown,
  Unexpected,
} from "./HttpFailure.ts"
import type { Denial, Unauthenticated } from "./authorise.ts"
import type { Refusal } from "./RequestMeta.ts"
import { providerStatus, providerStatusHeader } from "./present/providerStatus.ts"
import { outcomeUnknownOf, providerAnswer, providerProblem } from "./providerProblem.ts"
import {
  coded,
  type OfRequest,
  quoteOver,
  refused,
  retryAfter,
  temporary,
  type Told,
  told,
  tooOften,
  unclassifiedRetrySeconds,
} from "./told.ts"

/** All failures of a request. */
export type Failure =
  | ProviderError
  | QuotesFailed
  | NoProviderAvailable
  | PairNotServed
  | TooManyOpenChannels
  | OpeningNotRecorded
  | KeyInUse
  | KeyReused
  | AnswerStale
  | OutcomeUnknown
  | StoreUnavailable
  | NotReady
  | TooManyStreams
  | SwapNotFound
  | NotLookedUp
  | NothingToPay
  | NoPaymentCode
  | TransactionUnknown
  | CaseFilesOff
  | InvalidRequest
  | Unauthenticated
  | LimitReached
  | Denial
  | RouteDenied
  | AccountUnknown
  | AccountExists
  | KeyRefusal
  | WebhookRefusal
  | AccountUnseen
  | AffiliateUnknown
  | CannotOrder
  | OrderKeyReused
  | TreasuryUnknown
  | WithdrawalOpen
  | WithdrawalUnknown
  | ProviderUnknown
  | CannotRepair
  | EndNotHeld
  | QuoteUnknown
  | QuoteOver
  | QuoteReplaced
  | ExplanationOver
  | PathUnknown
  | MethodNotAllowed
  | Refusal
  | BodyNotJson
  | SandboxUnreachable
  | Unexpected

export type Failures = { readonly [Tag in Failure["_tag"]]: Extract<Failure, { readonly _tag: Tag }> }

const notFound = (detail: string, request: OfRequest) => told(new Problem.NotFound({ detail, ...request }))
const conflict = (detail: string, request: OfRequest) => told(new Problem.Conflict({ detail, ...request }))
const forbidden = (detail: string, request: OfRequest) => told(new Problem.Forbidden({ detail, ...request }))
const failed = (detail: string, request: OfRequest) =>
  told(new Problem.InternalServerError({ detail, ...request }))
const unavailable = (detail: string, request: OfRequest) =>
  temporary(detail, unclassifiedRetrySeconds, request)

/**
 * The problem of each failure (decisions 14 to 16), without a default. The classes are those that endpoints declare,
 * so that a handler does not compile when it fails in a way that its endpoint does not declare.
 */
const table = {
  ProviderError: providerProblem,
  QuotesFailed: ({ failure, providers }, request) => {
    const { problem, headers } = providerProblem(failure, {
      ...request,
      providers: providers.map(providerAnswer(request)),
    })
    const status = providerStatus(providers.map(({ provider }) => provider), providers)
    return told(problem, { ...headers, [providerStatusHeader]: status })
  },
  NoProviderAvailable: ({ detail, retryAfterSeconds }, request) =>
    coded("provider_unavailable", detail, request, retryAfterSeconds),
  PairNotServed: ({ message }, request) => coded("asset_disabled", message, request),
  TooManyOpenChannels: ({ message }, request) => coded("too_many_channels", message, request),
  OpeningNotRecorded: ({ id }, request) => failed(outcomeUnknownOf(id), request),
  KeyInUse: ({ retryAfterSeconds }, request) => {
    const detail =
      "The first request with this Idempotency-Key is still in progress; try again for its answer"
    return told(new Problem.Conflict({ detail, ...request }), retryAfter(retryAfterSeconds))
  },
  KeyReused: (_, request) =>
    told(
      new Problem.UnprocessableContent({
        detail:
          "This Idempotency-Key was used for another request: its method, path or parameters differ. Use a " +
          "new key for a new request",
        ...request,
      }),
    ),
  AnswerStale: ({ staleAt }, request) =>
    told(
      new Problem.Gone({
        detail:
          `What this Idempotency-Key was answered with went stale at ${toIsoDate(staleAt)}: nobody should ` +
          "send it any more. Use a new key for a new one",
        ...request,
      }),
    ),
  OutcomeUnknown: ({ id }, request) =>
    failed(
      "The outcome of the request with this Idempotency-Key is unknown: a deposit channel may or " +
        "may not have been opened, and nobody can tell. It is not repeated, and no funds have moved. Use a " +
        `new key to open a channel. It is on record as swap ${id}`,
      request,
    ),
  StoreUnavailable: (_, request) => unavailable("The service cannot reach its database; try again", request),
  NotReady: ({ message }, request) => unavailable(`${message}; send requests elsewhere`, request),
  SwapNotFound: (failure, request) => notFound(failure.message, request),
  NotLookedUp: ({ message, retryAfterSeconds }, request) =>
    coded("lookup_not_made", message, request, retryAfterSeconds),
  NothingToPay: ({ message: detail }, request) => told(new Problem.Gone({ detail, ...request })),
  NoPaymentCode: ({ message }, request) => conflict(message, request),
  CaseFilesOff: ({ message }, request) => unavailable(message, request),
  TransactionUnknown: ({ message }, request) => notFound(message, request),
  InvalidRequest: ({ errors }, request) => refused(errors, request),
  Unauthenticated: (_, request) =>
    told(
      new Problem.Unauthorized({
        detail: "A valid API key is required: ?apiKey=…, X-API-Key, or Authorization: Bearer",
        ...request,
      }),
      { "www-authenticate": "ApiKey" },
    ),
  LimitReached: ({ standing }, request) =>
    told(new Problem.TooManyRequests({ detail: tooOften(standing), ...request }), {
      ...retryAfter(standing.seconds),
      ...limitHeaders(standing),
    }),
  TooManyStreams: ({ most }, request) =>
    told(
      new Problem.TooManyRequests({
        detail: `This account has ${most} such streams open, and may have no more. End one first`,
        ...request,
      }),
      retryAfter(unclassifiedRetrySeconds),
    ),
  ScopeMissing: ({ scope }, request) =>
    forbidden(`This API key has no scope "${scope}", which this endpoint needs`, request),
  ScopesNotHeld: ({ message }, request) => forbidden(message, request),
  AccountSuspended: (_, request) =>
    forbidden("This account is suspended: it can only look at the swaps that it has", request),
  McpDenied: (_, request) =>
    forbidden(
      "MCP is turned off for this account: no agent can call it until the operator allows it",
      request,
    ),
  OriginDenied: (_, request) =>
    forbidden("This account does not allow calls from pages of this origin", request),
  PageUnnamed: (_, request) =>
    forbidden("This account's keys begin swaps for its listed pages alone: send their Origin", request),
  RouteDenied: ({ message: detail, operation }, request) =>
    operation === "quote"
      ? told(new Problem.Forbidden({ detail, code: "route_disabled", ...request }))
      : forbidden(detail, request),
  AccountUnknown: ({ message }, request) => notFound(message, request),
  AccountExists: ({ message }, request) => conflict(message, request),
  KeyUnknown: ({ message }, request) => notFound(message, request),
  LastOperator: ({ message }, request) => conflict(message, request),
  WebhookUnknown: ({ message }, request) => notFound(message, request),
  DeliveryUnknown: ({ message }, request) => notFound(message, request),
  WebhookDisabled: ({ message }, request) => conflict(message, request),
  TooManyWebhooks: ({ message }, request) => conflict(message, request),
  TooManySecrets: ({ message }, request) => conflict(message, request),
  CannotRepair: ({ detail }, request) => conflict(detail, request),
  EndNotHeld: ({ detail }, request) => conflict(detail, request),
  AccountUnseen: ({ message }, request) => unavailable(message, request),
  AffiliateUnknown: ({ message }, request) => notFound(message, request),
  CannotOrder: ({ message }, request) => conflict(message, request),
  OrderKeyReused: ({ message: detail }, request) =>
    told(new Problem.UnprocessableContent({ detail, ...request })),
  TreasuryUnknown: ({ message }, request) => notFound(message, request),
  WithdrawalOpen: ({ message }, request) => conflict(message, request),
  WithdrawalUnknown: ({ message }, request) => notFound(message, request),
  ProviderUnknown: (_, request) => notFound("There is no such provider", request),
  QuoteUnknown: ({ detail }, request) => notFound(detail, request),
  ExplanationOver: (_, request) =>
    told(new Problem.Gone({ detail: "The order of this answer is not explained any more", ...request })),
  QuoteOver: (over, request) => quoteOver(over, undefined, request),
  QuoteReplaced: ({ over, quote }, request) => quoteOver(over, quote, request),
  PathUnknown: (_, request) => notFound("There is nothing under this path; see /docs", request),
  MethodNotAllowed: ({ allowed }, request) =>
    told(
      new Problem.MethodNotAllowed({ detail: `This path takes ${allowed.join(", ")}`, ...request }),
      { allow: allowed.join(", ") },
    ),
  HostInvalid: (_, request) =>
    refused(issueAbout("Host", "must be a host, with or without a port, and no more"), request),
  UrlTooLong: ({ maximumBytes }, request) =>
    told(new Problem.UriTooLong({ detail: `The URL is longer than ${maximumBytes} bytes`, ...request })),
  BodyTooLarge: ({ maximumBytes }, request) =>
    told(
      new Problem.ContentTooLarge({ detail: `The body is longer than ${maximumBytes} bytes`, ...request }),
    ),
  BodyIncomplete: (_, request) =>
    told(new Problem.RequestTimeout({ detail: "The body did not arrive in full", ...request }), {
      connection: "close",
    }),
  BodyNotJson: (_, request) =>
    told(new Problem.UnsupportedMediaType({ detail: "The body has to be application/json", ...request })),
  SandboxUnreachable: (_, request) => unavailable("The sandbox does not answer; see its log", request),
  Unexpected: (_, request) =>
    failed("Something unexpected happened; the operator finds it in the log by the trace id", request),
} as const satisfies {
  readonly [Tag in keyof Failures]: (failure: Failures[Tag], request: OfRequest) => Told<Problem.AnyProblem>
}

type Problems = { readonly [Tag in keyof typeof table]: ReturnType<typeof table[Tag]>["problem"] }

/** The problem classes of failures, which an endpoint declares whose handler may fail with them. */
export type ProblemOf<E extends Failure> = Problems[E["_tag"]]

/** The table with a type in which the compiler can look up the problem of a tag. */
const problems: {
  readonly [Tag in keyof Failures]: (failure: Failures[Tag], request: OfRequest) => Told<Problems[Tag]>
} = table

/** The failures that have one of these tags. */
export type Tagged<Tag extends keyof Failures> = { [Own in Tag]: Failures[Own] & { readonly _tag: Own } }[Tag]

/** The problem of a failure, and its headers. */
export const toProblem = <Tag extends keyof Failures>(
  failure: Tagged<Tag>,
  request: OfRequest,
): Told<Problems[Tag]> => problems[failure._tag](failure, request)
