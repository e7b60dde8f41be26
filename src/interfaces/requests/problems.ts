import type { CaseFilesOff } from "#application/cases/CaseKeys.ts"
import * as Problem from "#api/Problems.ts"
import type * as Accounts from "#application/accounts/failures.ts"
import type { RouteDenied } from "#application/accounts/RouteRules.ts"
import { limitHeaders, type LimitReached } from "#application/limits/RateLimits.ts"
import { type InvalidRequest, issueAbout } from "#domain/Issues.ts"
import type { NoPaymentCode, NothingToPay } from "#domain/swaps/payment/failures.ts"
import type { TooManyOpenChannels } from "#domain/swaps/Channel.ts"
import type { DailyVolumeReached, VolumeUnpriced } from "#application/swapping/opening/dailyVolume.ts"
import type { StoreUnavailable } from "#domain/StoreError.ts"
import type { SwapNotFound } from "#domain/swaps/SwapRecord.ts"
import type { TooManyStreams } from "#application/events/EventStreams.ts"
import type { NotReady } from "#infrastructure/ops/Health.ts"
import type { NoProviderAvailable, QuotesFailed } from "#application/quoting/Quoting.ts"
import type { PairNotServed } from "#application/swapping/opening/candidates.ts"
import type * as Openings from "#application/swapping/opening/OpeningRecord.ts"
import type { QuoteExpired } from "#application/swapping/opening/QuoteBinding.ts"
import type { LookupNotMade } from "#application/swapping/following/statusResult.ts"
import type { NoDisputedResult } from "#application/swapping/following/DisputedEnds.ts"
import type { CannotRepair } from "#application/swapping/following/Reindexing.ts"
import type * as Treasury from "#application/treasury/failures.ts"
import type * as Webhooks from "#application/webhooks/failures.ts"
import { toIsoDate } from "#domain/Time.ts"
import type * as Refused from "./authorise.ts"
import type { BodyIncomplete, BodyTooLarge, HostInvalid, Refusal, UrlTooLong } from "./RequestMeta.ts"
import { providerStatus, providerStatusHeader } from "./present/providerStatus.ts"
import {
  badRequest,
  codedProblem,
  type OfRequest,
  outcomeUnknownOf,
  type ProblemReply,
  problemReply,
  providerAnswer,
  providerProblem,
  quoteOver,
  retryAfter,
  serviceUnavailable,
  tooOften,
  unclassifiedRetrySeconds,
} from "./providerProblem.ts"
import { Data, type Effect, Schema } from "effect"
import type { QuoteBody } from "#api/QuoteBodies.ts"
import { unknownTransaction } from "#application/guidance/guidanceOf.ts"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"

/** Makes the writer of the problems of a class. */
const saying =
  <P>(Class: new (members: OfRequest & { readonly detail: string }) => P) =>
  (detail: string, request: OfRequest, headers: Readonly<Record<string, string>> = {}) =>
    problemReply(new Class({ detail, ...request }), headers)
const notFound = saying(Problem.NotFound)
const conflict = saying(Problem.Conflict)
const forbidden = saying(Problem.Forbidden)
const gone = saying(Problem.Gone)
const unprocessable = saying(Problem.UnprocessableContent)
const tooMany = saying(Problem.TooManyRequests)
const failed = saying(Problem.InternalServerError)
const unavailable = (detail: string, request: OfRequest) =>
  serviceUnavailable(detail, unclassifiedRetrySeconds, request)

/** Tells failures in their own words. */
const inItsWords =
  <P>(tell: (detail: string, request: OfRequest) => ProblemReply<P>) =>
  <Failure extends { readonly message: string }>({ message }: Failure, request: OfRequest): ProblemReply<P> =>
    tell(message, request)
const asNotFound = inItsWords(notFound)
const asConflict = inItsWords(conflict)
const asUnavailable = inItsWords(unavailable)
const asGone = inItsWords(gone)
const asForbidden = inItsWords(forbidden)
const asUnprocessable = inItsWords(unprocessable)

/** No provider of this name is enabled (setting `PROVIDERS`). */
export class ProviderUnknown extends Schema.TaggedError<ProviderUnknown>()("ProviderUnknown", {}) {}

/** No swap with the transaction is known (yet), or it belongs to another account: both look the same from outside. */
export class TransactionUnknown extends Schema.TaggedError<TransactionUnknown>()("TransactionUnknown", {
  /** Whether no chain names transactions like this. */
  isMalformed: Schema.Boolean,
}) {
  override get message(): string {
    return this.isMalformed
      ? "This is not a transaction hash of any chain. Hashes have 64 hex digits (after 0x on EVM chains) or, on Solana, 64 to " +
        "90 letters and digits; Polkadot's chains use a block and a number, such as 123-4"
      : [unknownTransaction.text, ...unknownTransaction.whatYouCanDo].join(" ")
  }
}

/** No quote with this id was given to this account, or its order is explained by another process. */
export class QuoteUnknown
  extends Schema.TaggedError<QuoteUnknown>()("QuoteUnknown", { detail: Schema.String }) {}

/** The order of this quote's answer is not explained any more. */
export class ExplanationExpired extends Schema.TaggedError<ExplanationExpired>()("ExplanationExpired", {}) {}

/** The quote of an opening is over or used up; beside it a fresh one for the same request, if there is one. */
export class QuoteReplaced extends Data.TaggedError("QuoteReplaced")<{
  readonly over: QuoteExpired
  readonly quote: QuoteBody | undefined
}> {}

/** The contract has no endpoint under this path. */
export class PathUnknown extends Schema.TaggedError<PathUnknown>()("PathUnknown", {}) {}

/** The path exists, but not with this method. */
export class MethodNotAllowed extends Schema.TaggedError<MethodNotAllowed>()("MethodNotAllowed", {
  /** The methods that the path takes. */
  allowed: Schema.Array(Schema.String),
}) {}

/** The `Content-Type` of the body is not JSON. */
export class BodyNotJson extends Schema.TaggedError<BodyNotJson>()("BodyNotJson", {}) {}

/** A defect of this service. Its cause is in the log under the same trace id. */
export class Unexpected extends Schema.TaggedError<Unexpected>()("Unexpected", {}) {}

/** The sandbox's controls do not answer, or answer something that cannot be read. */
export class SandboxUnreachable extends Schema.TaggedError<SandboxUnreachable>()("SandboxUnreachable", {}) {}

/** A failure that is found before any endpoint, or because one has a defect. */
export type FailureOfServer =
  | PathUnknown
  | MethodNotAllowed
  | Unexpected
  | Refusal

/** Another way to tell failures than by problems, for a path and all below it: as pages for people. */
export interface FailureRenderer {
  readonly below: string
  readonly tell: (failure: FailureOfServer) => Effect.Effect<HttpServerResponse>
}

/**
 * The problem of each failure (decisions 14 to 16), without a default. The classes are those that endpoints declare,
 * so that a handler does not compile when it fails in a way that its endpoint does not declare.
 */
const table = {
  ProviderError: providerProblem,
  QuotesFailed: ({ failure, providers }: QuotesFailed, request: OfRequest) => {
    const { problem, headers } = providerProblem(failure, {
      ...request,
      providers: providers.map(providerAnswer(request)),
    })
    const status = providerStatus(providers.map(({ provider }) => provider), providers)
    return problemReply(problem, { ...headers, [providerStatusHeader]: status })
  },
  NoProviderAvailable: ({ detail, retryAfterSeconds }: NoProviderAvailable, request: OfRequest) =>
    codedProblem("provider_unavailable", detail, request, retryAfterSeconds),
  PairNotServed: ({ message }: PairNotServed, request: OfRequest) =>
    codedProblem("asset_disabled", message, request),
  TooManyOpenChannels: ({ message }: TooManyOpenChannels, request: OfRequest) =>
    codedProblem("too_many_channels", message, request),
  DailyVolumeReached: ({ message, seconds }: DailyVolumeReached, request: OfRequest) =>
    tooMany(message, request, retryAfter(seconds)),
  VolumeUnpriced: ({ message }: VolumeUnpriced, request: OfRequest) =>
    serviceUnavailable(message, 900, request),
  OpeningNotRecorded: ({ id }: Openings.OpeningNotRecorded, request: OfRequest) =>
    failed(outcomeUnknownOf(id), request),
  KeyInUse: ({ retryAfterSeconds }: Openings.KeyInUse, request: OfRequest) => {
    const detail = `A request with this Idempotency-Key is in progress. Retry after ${retryAfterSeconds} s`
    return conflict(detail, request, retryAfter(retryAfterSeconds))
  },
  KeyReused: (_: Openings.KeyReused, request: OfRequest) =>
    unprocessable(
      "This Idempotency-Key was used with another method, path or parameters. Use a new key for a new request",
      request,
    ),
  AnswerStale: ({ staleAt }: Openings.AnswerStale, request: OfRequest) =>
    gone(
      `The response for this Idempotency-Key expired at ${toIsoDate(staleAt)} and must not be used. ` +
        "Use a new key for a new request",
      request,
    ),
  OutcomeUnknown: ({ id }: Openings.OutcomeUnknown, request: OfRequest) =>
    failed(
      `The outcome of this request is unknown: swap ${id} may have a deposit channel. Nothing was repeated, and no ` +
        "funds have moved. Use a new Idempotency-Key to open another channel",
      request,
    ),
  StoreUnavailable: (_: StoreUnavailable, request: OfRequest) =>
    unavailable("The service cannot reach its database. Try again", request),
  NotReady: ({ message }: NotReady, request: OfRequest) =>
    unavailable(`${message}. Send requests elsewhere`, request),
  SwapNotFound: asNotFound<SwapNotFound>,
  LookupNotMade: ({ message, retryAfterSeconds }: LookupNotMade, request: OfRequest) =>
    serviceUnavailable(message, retryAfterSeconds, request),
  NothingToPay: asGone<NothingToPay>,
  NoPaymentCode: asConflict<NoPaymentCode>,
  CaseFilesOff: asUnavailable<CaseFilesOff>,
  TransactionUnknown: asNotFound<TransactionUnknown>,
  InvalidRequest: ({ errors }: InvalidRequest, request: OfRequest) => badRequest(errors, request),
  Unauthenticated: (_: Refused.Unauthenticated, request: OfRequest) =>
    saying(Problem.Unauthorized)(
      "A valid API key is required: ?apiKey=…, X-API-Key, or Authorization: Bearer",
      request,
      { "www-authenticate": "ApiKey" },
    ),
  LimitReached: ({ standing }: LimitReached, request: OfRequest) =>
    tooMany(tooOften(standing), request, { ...retryAfter(standing.seconds), ...limitHeaders(standing) }),
  TooManyStreams: ({ most }: TooManyStreams, request: OfRequest) =>
    tooMany(
      `This account has ${most} such streams open, the maximum. Close one first`,
      request,
      retryAfter(unclassifiedRetrySeconds),
    ),
  ScopeMissing: ({ scope }: Refused.ScopeMissing, request: OfRequest) =>
    forbidden(`This endpoint needs the scope "${scope}", which this API key does not have`, request),
  ScopesNotHeld: asForbidden<Accounts.ScopesNotHeld>,
  AccountSuspended: (_: Refused.AccountSuspended, request: OfRequest) =>
    forbidden("This account is suspended. It can only read its existing swaps", request),
  McpDenied: (_: Refused.McpDenied, request: OfRequest) =>
    forbidden("MCP is switched off for this account. Ask the operator to allow it", request),
  OriginDenied: (_: Refused.OriginDenied, request: OfRequest) =>
    forbidden("This account does not allow requests from pages of this origin", request),
  OriginMissing: (_: Refused.OriginMissing, request: OfRequest) =>
    forbidden("This account opens swaps only for its listed origins. Send an Origin header", request),
  RouteDenied: ({ message: detail, operation }: RouteDenied, request: OfRequest) =>
    operation === "quote"
      ? problemReply(new Problem.Forbidden({ detail, code: "route_disabled", ...request }))
      : forbidden(detail, request),
  AccountUnknown: asNotFound<Accounts.AccountUnknown>,
  AccountExists: asConflict<Accounts.AccountExists>,
  KeyUnknown: asNotFound<Accounts.KeyUnknown>,
  LastOperator: asConflict<Accounts.LastOperator>,
  WebhookUnknown: asNotFound<Webhooks.WebhookUnknown>,
  DeliveryUnknown: asNotFound<Webhooks.DeliveryUnknown>,
  WebhookDisabled: asConflict<Webhooks.WebhookDisabled>,
  TooManyWebhooks: asConflict<Webhooks.TooManyWebhooks>,
  TooManySecrets: asConflict<Webhooks.TooManySecrets>,
  CannotRepair: ({ detail }: CannotRepair, request: OfRequest) => conflict(detail, request),
  NoDisputedResult: ({ detail }: NoDisputedResult, request: OfRequest) => conflict(detail, request),
  BalanceUnavailable: asUnavailable<Treasury.BalanceUnavailable>,
  AffiliateUnknown: asNotFound<Treasury.AffiliateUnknown>,
  CannotOrder: asConflict<Treasury.CannotOrder>,
  OrderKeyReused: asUnprocessable<Treasury.OrderKeyReused>,
  TreasuryUnknown: asNotFound<Treasury.TreasuryUnknown>,
  WithdrawalOpen: asConflict<Treasury.WithdrawalOpen>,
  WithdrawalUnknown: asNotFound<Treasury.WithdrawalUnknown>,
  ProviderUnknown: (_: ProviderUnknown, request: OfRequest) => notFound("No such provider", request),
  QuoteUnknown: ({ detail }: QuoteUnknown, request: OfRequest) => notFound(detail, request),
  ExplanationExpired: (_: ExplanationExpired, request: OfRequest) =>
    gone("The explanation of this ranking has expired", request),
  QuoteExpired: (over: QuoteExpired, request: OfRequest) => quoteOver(over, undefined, request),
  QuoteReplaced: ({ over, quote }: QuoteReplaced, request: OfRequest) => quoteOver(over, quote, request),
  PathUnknown: (_: PathUnknown, request: OfRequest) => notFound("No such endpoint. See /docs", request),
  MethodNotAllowed: ({ allowed }: MethodNotAllowed, request: OfRequest) =>
    saying(Problem.MethodNotAllowed)(`Method not allowed. Use ${allowed.join(" or ")}`, request, {
      allow: allowed.join(", "),
    }),
  HostInvalid: (_: HostInvalid, request: OfRequest) =>
    badRequest(issueAbout("Host", "must be a host with an optional port"), request),
  UrlTooLong: ({ maximumBytes }: UrlTooLong, request: OfRequest) =>
    saying(Problem.UriTooLong)(`The URL is longer than ${maximumBytes} bytes`, request),
  BodyTooLarge: ({ maximumBytes }: BodyTooLarge, request: OfRequest) =>
    saying(Problem.ContentTooLarge)(`The body is longer than ${maximumBytes} bytes`, request),
  BodyIncomplete: (_: BodyIncomplete, request: OfRequest) =>
    saying(Problem.RequestTimeout)("The body did not arrive in full", request, { connection: "close" }),
  BodyNotJson: (_: BodyNotJson, request: OfRequest) =>
    saying(Problem.UnsupportedMediaType)("The body must be application/json", request),
  SandboxUnreachable: (_: SandboxUnreachable, request: OfRequest) =>
    unavailable("The sandbox is not responding. See its log", request),
  Unexpected: (_: Unexpected, request: OfRequest) =>
    failed("Internal error. Give the trace ID to the operator", request),
} satisfies Readonly<Record<string, (failure: never, request: OfRequest) => ProblemReply<Problem.AnyProblem>>>

export type Failures = { readonly [Tag in keyof typeof table]: Parameters<typeof table[Tag]>[0] }

export type Failure = Failures[keyof Failures]

type Problems = { readonly [Tag in keyof typeof table]: ReturnType<typeof table[Tag]>["problem"] }

/** The problem classes of failures, which an endpoint declares whose handler may fail with them. */
export type ProblemOf<E extends Failure> = Problems[E["_tag"]]

/** The table with a type in which the compiler can look up the problem of a tag. */
const problems: {
  readonly [Tag in keyof Failures]: (
    failure: Failures[Tag],
    request: OfRequest,
  ) => ProblemReply<Problems[Tag]>
} = table

export type Tagged<Tag extends keyof Failures> = { [Own in Tag]: Failures[Own] & { readonly _tag: Own } }[Tag]

export const toProblem = <Tag extends keyof Failures>(
  failure: Tagged<Tag>,
  request: OfRequest,
): ProblemReply<Problems[Tag]> => problems[failure._tag](failure, request)
