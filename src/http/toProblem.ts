import { Match } from "effect"
import type { AccountExists, AccountUnknown, KeyUnknown, LastOperator } from "../accounts/failures.ts"
import type { RouteDenied } from "../accounts/RouteAccess.ts"
import type { LimitReached, LimitState } from "../limits/RateLimits.ts"
import type { InvalidRequest } from "../domain/Issues.ts"
import type { ProviderError } from "../domain/ProviderError.ts"
import type { TooManyOpenChannels } from "../domain/OpenChannels.ts"
import type { StoreUnavailable } from "../domain/StoreError.ts"
import type { SwapNotFound } from "../domain/SwapRecord.ts"
import type { TooManyStreams } from "../events/EventStreams.ts"
import type { NotReady } from "../ops/Health.ts"
import type { NoProviderAvailable, QuotesFailed } from "../quoting/Quoting.ts"
import type { PairNotServed } from "../swapping/candidates.ts"
import type { AnswerStale, KeyInUse, KeyReused, OutcomeUnknown } from "../swapping/Claim.ts"
import type { OpeningNotRecorded } from "../swapping/OpeningEntry.ts"
import type {
  DeliveryUnknown,
  TooManySecrets,
  TooManyWebhooks,
  WebhookDisabled,
  WebhookUnknown,
} from "../webhooks/failures.ts"
import { toIsoDate } from "../domain/Time.ts"
import { limitHeaders } from "../limits/headers.ts"
import type {
  AccountSuspended,
  BodyIncomplete,
  BodyNotJson,
  BodyTooLarge,
  MethodNotAllowed,
  OriginDenied,
  PathUnknown,
  ProviderUnknown,
  SandboxUnreachable,
  ScopeMissing,
  Unauthenticated,
  Unexpected,
  UrlTooLong,
} from "./HttpFailure.ts"
import { coded, faulty, type Problem, retryAfter, temporary, unclassifiedRetrySeconds } from "./Problem.ts"
import { providerStatus, providerStatusHeader } from "./present/providerStatus.ts"
import { outcomeUnknown, providerAnswer, providerProblem } from "./providerProblem.ts"

/** Everything that a request can fail with. */
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
  | InvalidRequest
  | Unauthenticated
  | LimitReached
  | ScopeMissing
  | AccountSuspended
  | OriginDenied
  | RouteDenied
  | AccountUnknown
  | AccountExists
  | KeyUnknown
  | LastOperator
  | WebhookUnknown
  | DeliveryUnknown
  | WebhookDisabled
  | TooManyWebhooks
  | TooManySecrets
  | ProviderUnknown
  | PathUnknown
  | MethodNotAllowed
  | UrlTooLong
  | BodyTooLarge
  | BodyIncomplete
  | BodyNotJson
  | SandboxUnreachable
  | Unexpected

/** What was asked for too often, in words of the caller. */
const tooOften = ({ limit, quota: { tokens, windowMillis } }: LimitState): string => {
  const often = `more than ${tokens} in ${Math.ceil(windowMillis / 1_000)} seconds`
  return {
    default: `This API key is used too often: ${often}`,
    swap: `This API key is used too often for requests that open or prepare a swap: ${often}`,
    account: `The API keys of this account are used too often, all together: ${often}`,
    accountSwap:
      `The API keys of this account are used too often, all together, for requests that open or prepare a swap: ${often}`,
    credentials: `Too many wrong API keys came from this address: ${often}`,
  }[limit]
}

/** The one place where failures become problems (decisions 14 to 16): total, and without a default. */
export const toProblem = (failure: Failure): Problem =>
  Match.value(failure).pipe(
    Match.tagsExhaustive({
      ProviderError: providerProblem,
      QuotesFailed: ({ failure, providers }): Problem => {
        const problem = providerProblem(failure)
        const status = providerStatus(providers.map(({ provider }) => provider), providers)
        return {
          ...problem,
          providers: providers.map(providerAnswer),
          headers: { ...problem.headers, [providerStatusHeader]: status },
        }
      },
      NoProviderAvailable: ({ detail, retryAfterSeconds }) =>
        temporary("provider_unavailable", detail, retryAfterSeconds),
      PairNotServed: ({ message }) => temporary("asset_disabled", message),
      TooManyOpenChannels: ({ message }) => temporary("too_many_channels", message),
      OpeningNotRecorded: () => outcomeUnknown,
      KeyInUse: ({ retryAfterSeconds }): Problem => ({
        status: 409,
        detail: "The first request with this Idempotency-Key is still in progress; try again for its answer",
        ...retryAfter(retryAfterSeconds),
      }),
      KeyReused: (): Problem => ({
        status: 422,
        detail:
          "This Idempotency-Key was used for another request: its method, path or parameters differ. Use a " +
          "new key for a new request",
      }),
      AnswerStale: ({ staleAt }): Problem => ({
        status: 410,
        detail:
          `What this Idempotency-Key was answered with went stale at ${toIsoDate(staleAt)}: nobody should ` +
          "send it any more. Use a new key for a new one",
      }),
      OutcomeUnknown: (): Problem => ({
        status: 500,
        detail: "The outcome of the request with this Idempotency-Key is unknown: a deposit channel may or " +
          "may not have been opened, and nobody can tell. It is not repeated, and no funds have moved. Use a " +
          "new key to open a channel",
      }),
      StoreUnavailable: (): Problem => ({
        status: 503,
        detail: "The service cannot reach its database; try again",
        ...retryAfter(unclassifiedRetrySeconds),
      }),
      NotReady: ({ message }): Problem => ({
        status: 503,
        detail: `${message}; send requests elsewhere`,
        ...retryAfter(unclassifiedRetrySeconds),
      }),
      SwapNotFound: (): Problem => ({ status: 404, detail: "There is no such swap" }),
      InvalidRequest: ({ errors }) => faulty(errors),
      Unauthenticated: (): Problem => ({
        status: 401,
        detail: "A valid API key is required: ?apiKey=…, X-API-Key, or Authorization: Bearer",
        headers: { "www-authenticate": "ApiKey" },
      }),
      LimitReached: ({ standing }): Problem => {
        const { headers } = retryAfter(standing.seconds)
        return {
          status: 429,
          detail: tooOften(standing),
          headers: { ...headers, ...limitHeaders(standing) },
        }
      },
      TooManyStreams: ({ most }): Problem => ({
        status: 429,
        detail: `This account has ${most} streams of events open, and may have no more. End one first`,
        ...retryAfter(unclassifiedRetrySeconds),
      }),
      ScopeMissing: ({ scope }): Problem => ({
        status: 403,
        detail: `This API key has no scope "${scope}", which this endpoint needs`,
      }),
      AccountSuspended: (): Problem => ({
        status: 403,
        detail: "This account is suspended: it can only look at the swaps that it has",
      }),
      OriginDenied: (): Problem => ({
        status: 403,
        detail: "This account does not allow calls from pages of this origin",
      }),
      RouteDenied: ({ message, operation }): Problem =>
        operation === "quote" ? coded("route_disabled", message) : { status: 403, detail: message },
      AccountUnknown: ({ message }): Problem => ({ status: 404, detail: message }),
      AccountExists: ({ message }): Problem => ({ status: 409, detail: message }),
      KeyUnknown: ({ message }): Problem => ({ status: 404, detail: message }),
      LastOperator: ({ message }): Problem => ({ status: 409, detail: message }),
      WebhookUnknown: ({ message }): Problem => ({ status: 404, detail: message }),
      DeliveryUnknown: ({ message }): Problem => ({ status: 404, detail: message }),
      WebhookDisabled: ({ message }): Problem => ({ status: 409, detail: message }),
      TooManyWebhooks: ({ message }): Problem => ({ status: 409, detail: message }),
      TooManySecrets: ({ message }): Problem => ({ status: 409, detail: message }),
      ProviderUnknown: (): Problem => ({ status: 404, detail: "There is no such provider" }),
      PathUnknown: (): Problem => ({ status: 404, detail: "There is nothing under this path; see /docs" }),
      MethodNotAllowed: ({ allowed }): Problem => ({
        status: 405,
        detail: `This path takes ${allowed.join(", ")}`,
        headers: { allow: allowed.join(", ") },
      }),
      UrlTooLong: ({ maximumBytes }): Problem => ({
        status: 414,
        detail: `The URL is longer than ${maximumBytes} bytes`,
      }),
      BodyTooLarge: ({ maximumBytes }): Problem => ({
        status: 413,
        detail: `The body is longer than ${maximumBytes} bytes`,
      }),
      BodyIncomplete: (): Problem => ({
        status: 408,
        detail: "The body did not arrive in full",
        headers: { connection: "close" },
      }),
      BodyNotJson: (): Problem => ({ status: 415, detail: "The body has to be application/json" }),
      SandboxUnreachable: (): Problem => ({
        status: 503,
        detail: "The sandbox does not answer; see its log",
        ...retryAfter(unclassifiedRetrySeconds),
      }),
      Unexpected: (): Problem => ({
        status: 500,
        detail: "Something unexpected happened; the operator finds it in the log by the trace id",
      }),
    }),
  )
