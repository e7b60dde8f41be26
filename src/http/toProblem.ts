import { Match } from "effect"
import type { AccountExists, AccountUnknown, KeyUnknown, LastOperator } from "../accounts/failures.ts"
import type { RouteDenied } from "../accounts/RouteAccess.ts"
import type { LimitReached, Standing } from "../accounts/RateLimits.ts"
import { problemCodes, type ProblemStatus } from "../api/Problems.ts"
import { type NativeAmount, toHuman } from "../domain/Amount.ts"
import { type AssetId } from "../domain/Asset.ts"
import { formatDecimal } from "../domain/Decimal.ts"
import type { Faults, InvalidRequest } from "../domain/Faults.ts"
import { fault, wrong } from "../domain/Faults.ts"
import type { ProblemCode } from "../domain/ProblemCode.ts"
import { beginsSwap, type ProviderError, type ProviderErrorReason } from "../domain/ProviderError.ts"
import type { ProviderName } from "../domain/ProviderName.ts"
import type { StoreUnavailable } from "../domain/StoreError.ts"
import type { SwapNotFound } from "../domain/SwapRecord.ts"
import type { NotReady } from "../ops/Health.ts"
import type { NoProviderAvailable, QuotesFailed } from "../quoting/Quoting.ts"
import type { PairNotServed } from "../swapping/candidates.ts"
import type { KeyInUse, KeyReused, OutcomeUnknown } from "../swapping/Claim.ts"
import type { OpeningNotRecorded } from "../swapping/OpeningEntry.ts"
import type {
  DeliveryUnknown,
  TooManyWebhooks,
  WebhookDisabled,
  WebhookUnknown,
} from "../webhooks/failures.ts"
import { limitHeaders } from "./limitHeaders.ts"
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

/** Everything that a request can fail with. */
export type Failure =
  | ProviderError
  | QuotesFailed
  | NoProviderAvailable
  | PairNotServed
  | OpeningNotRecorded
  | KeyInUse
  | KeyReused
  | OutcomeUnknown
  | StoreUnavailable
  | NotReady
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
  | ProviderUnknown
  | PathUnknown
  | MethodNotAllowed
  | UrlTooLong
  | BodyTooLarge
  | BodyIncomplete
  | BodyNotJson
  | SandboxUnreachable
  | Unexpected

/** A problem before it is written: RFC 7807 without what follows from its status (api.md 7). */
export interface Problem {
  readonly status: ProblemStatus
  readonly detail: string
  readonly code?: ProblemCode
  readonly errors?: Faults
  /** What each provider said, where several were asked for a quote. */
  readonly providers?: ReadonlyArray<ProviderAnswer>
  readonly headers?: Readonly<Record<string, string>>
}

/** Why one provider had no quote. */
export interface ProviderAnswer {
  readonly platform: ProviderName
  readonly code?: ProblemCode
  readonly detail: string
  readonly minimumAmountNative?: string
}

/** How long to wait before trying again when nothing better is known. */
const unclassifiedRetrySeconds = 5
const maintenanceRetrySeconds = 60

const retryAfter = (seconds: number) => ({ headers: { "retry-after": `${Math.max(1, Math.ceil(seconds))}` } })

const coded = (code: ProblemCode, detail: string): Problem => ({ status: problemCodes[code], detail, code })

const temporary = (
  code: ProblemCode,
  detail: string,
  seconds: number = maintenanceRetrySeconds,
): Problem => ({
  ...coded(code, detail),
  ...retryAfter(seconds),
})

const invalid = (detail: string, errors: Faults): Problem => ({ status: 400, detail, errors })

/** The form that clients of such services read (decision 15). */
const belowMinimum = (asset: AssetId, minimum: NativeAmount): Problem => {
  const human = formatDecimal(toHuman(asset, minimum))
  return invalid(`Amount below minimum. Min: ${human}`, {
    minimalAmount: [human],
    minimalAmountNative: [`${minimum}`],
  })
}

const aboveMaximum = (asset: AssetId, maximum: NativeAmount): Problem => {
  const human = formatDecimal(toHuman(asset, maximum))
  return invalid(
    `Amount above maximum. Max: ${human}`,
    wrong("amount", `is above what can be swapped at once, which is ${human} (${maximum} native units)`),
  )
}

/** An opening that may have happened, which nobody may repeat blindly. */
const outcomeUnknown: Problem = {
  status: 500,
  detail:
    "The outcome is unknown: a deposit channel may or may not have been opened, and its address is not " +
    "known. No funds have moved. Sent again with the same Idempotency-Key, the request never opens a second " +
    "channel",
}

/** A payload that was asked for and did not come. */
const payloadUnknown: Problem = {
  status: 500,
  detail:
    "The outcome is unknown: the provider was asked for the payload and did not answer as it should. Nothing " +
    "was opened, and no funds have moved",
}

/** What is told where an operation that begins a swap may have happened; nothing of any other operation. */
const unknownOutcomes: Readonly<Partial<Record<ProviderError["operation"], Problem>>> = {
  open: outcomeUnknown,
  encode: payloadUnknown,
}

const tryAgain: Problem = {
  status: 503,
  detail: "The provider did not answer as it should; try again",
  ...retryAfter(unclassifiedRetrySeconds),
}

/** A failure that nobody classified (decision 16): of an opening that may have happened, or of anything else. */
const unclassified = (
  reason: Extract<ProviderErrorReason, { readonly reached: boolean }>,
  operation: ProviderError["operation"],
): Problem => (reason.reached ? unknownOutcomes[operation] : undefined) ?? tryAgain

/** The codes that an opening or a payload may answer with (api.md 7, "Applies to"). */
const openingCodes: ReadonlyArray<ProblemCode> = [
  "quoting_maintenance",
  "swapping_maintenance",
  "deposit_channel_failed",
  "too_many_channels",
  "asset_disabled",
  "upstream_error",
]

/** Where a swap begins, what only quotes may say has no code; a 400 then names the amount that it is about. */
const withoutQuoteCode = (problem: Problem): Problem => {
  const { code, ...rest } = problem
  if (code === undefined || openingCodes.includes(code)) return problem
  return rest.status === 400 ? { ...rest, errors: fault("amount", rest.detail) } : rest
}

const providerProblem = (error: ProviderError): Problem =>
  beginsSwap(error.operation) ? withoutQuoteCode(reasonProblem(error)) : reasonProblem(error)

const reasonProblem = ({ reason, operation }: ProviderError): Problem =>
  Match.value(reason).pipe(
    Match.tagsExhaustive({
      AmountBelowMinimum: ({ detail }) => coded("amount_below_minimum", detail),
      EgressBelowMinimum: ({ detail }) => coded("egress_below_minimum", detail),
      EgressFeeNotCovered: ({ detail }) => coded("egress_fee_not_covered", detail),
      InsufficientLiquidity: ({ detail }) => coded("insufficient_liquidity", detail),
      DepositBelowMinimum: ({ asset, minimum }) => belowMinimum(asset, minimum),
      DepositAboveMaximum: ({ asset, maximum }) => aboveMaximum(asset, maximum),
      RequestRefused: ({ errors }) => invalid("The provider cannot serve this request", errors),
      QuotingMaintenance: ({ detail }) => temporary("quoting_maintenance", detail),
      SwappingMaintenance: ({ detail }) => temporary("swapping_maintenance", detail),
      DepositChannelFailed: ({ detail }) => temporary("deposit_channel_failed", detail),
      TooManyChannels: ({ detail }) => temporary("too_many_channels", detail),
      AssetDisabled: ({ detail }) => temporary("asset_disabled", detail),
      RouteDisabled: ({ detail }) => coded("route_disabled", detail),
      UpstreamFailed: ({ detail }) => coded("upstream_error", detail),
      RequestCancelled: ({ detail }) => unknownOutcomes[operation] ?? coded("request_cancelled", detail),
      RateLimited: ({ detail, retryAfterSeconds }) =>
        temporary("provider_unavailable", detail, retryAfterSeconds ?? unclassifiedRetrySeconds),
      NotCalled: ({ detail, retryAfterSeconds }) =>
        temporary("provider_unavailable", detail, retryAfterSeconds),
      TimedOut: (timedOut) => unclassified(timedOut, operation),
      Unreachable: (unreachable) => unclassified(unreachable, operation),
      MalformedBody: (malformed) => unclassified(malformed, operation),
    }),
  )

/** What one provider said, beside the problem that stands for all. */
const providerAnswer = (error: ProviderError): ProviderAnswer => {
  const { code, detail } = providerProblem(error)
  return {
    platform: error.provider,
    ...(code === undefined ? {} : { code }),
    detail,
    ...(error.reason._tag === "DepositBelowMinimum"
      ? { minimumAmountNative: `${error.reason.minimum}` }
      : {}),
  }
}

/** What was asked for too often, in words of the caller. */
const tooOften = ({ limit, quota: { tokens, windowMillis } }: Standing): string => {
  const often = `more than ${tokens} in ${Math.ceil(windowMillis / 1_000)} seconds`
  return {
    default: `This API key is used too often: ${often}`,
    swap: `This API key is used too often for requests that open or prepare a swap: ${often}`,
    credentials: `Too many wrong API keys came from this address: ${often}`,
  }[limit]
}

/** The one place where failures become problems (decisions 14 to 16): total, and without a default. */
export const toProblem = (failure: Failure): Problem =>
  Match.value(failure).pipe(
    Match.tagsExhaustive({
      ProviderError: providerProblem,
      QuotesFailed: ({ failure, providers }): Problem => ({
        ...providerProblem(failure),
        providers: providers.map(providerAnswer),
      }),
      NoProviderAvailable: ({ detail, retryAfterSeconds }) =>
        temporary("provider_unavailable", detail, retryAfterSeconds),
      PairNotServed: ({ message }) => temporary("asset_disabled", message),
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
      InvalidRequest: ({ errors }) => invalid("The request has parameters that do not fit", errors),
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
