import {
  BadRequest,
  InternalServerError,
  problemCodes,
  type ProviderAnswer,
  QuoteConflict,
  ServiceUnavailable,
} from "#api/Problems.ts"
import { type NativeAmount, toHuman } from "#domain/money/Amount.ts"
import type { AssetId } from "#domain/chains/Asset.ts"
import { formatDecimal } from "#domain/money/Decimal.ts"
import { issueAbout, type Issues } from "#domain/Issues.ts"
import { codes, type ProblemCode } from "#domain/ProblemCode.ts"
import { beginsSwap, mayHaveOpened, type ProviderError } from "#domain/ProviderError.ts"
import { reasonFactsOf } from "#domain/reasonFacts.ts"
import { defined } from "#infrastructure/platform/optionalMembers.ts"
import type { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import type { QuoteBody } from "#api/QuoteBodies.ts"
import type { LimitState } from "#application/limits/RateLimits.ts"
import { toIsoDate } from "#domain/Time.ts"
import type { QuoteExpired } from "#application/swapping/opening/QuoteBinding.ts"

/** The answer to a failure: the problem, and the headers that belong to it alone. */
export interface ProblemReply<Problem> {
  readonly problem: Problem
  readonly headers: Readonly<Record<string, string>>
}

/** The trace id of a request, and each provider's answer where several were asked for a quote. */
export interface OfRequest {
  readonly traceId: string
  readonly providers?: ReadonlyArray<ProviderAnswer>
}

export const problemReply = <Problem>(
  problem: Problem,
  headers: ProblemReply<Problem>["headers"] = {},
): ProblemReply<Problem> => ({ problem, headers })

/** Seconds to wait before trying again when nothing better is known. */
export const unclassifiedRetrySeconds = 5
const maintenanceRetrySeconds = 60

export const retryAfter = (seconds: number) => ({ "retry-after": `${Math.max(1, Math.ceil(seconds))}` })

/** A 400 with these issues, whose detail is the first sentence and how many more there are (decision 15). */
export const badRequest = (errors: Issues, request: OfRequest): ProblemReply<BadRequest> => {
  const [first = "The request has invalid parameters", ...others] = Object.values(errors).flat()
  const detail = others.length === 0 ? first : `${first} (and ${others.length} more)`
  return problemReply(new BadRequest({ detail, errors, ...request }))
}

/** A 503 that is safe to retry after so many seconds. */
export const serviceUnavailable = (
  detail: string,
  seconds: number,
  request: OfRequest,
): ProblemReply<ServiceUnavailable> =>
  problemReply(new ServiceUnavailable({ detail, ...request }), retryAfter(seconds))

/** The codes with which a quote, an opening or a payload fails. */
type Code = Exclude<ProblemCode, typeof problemCodes[403][number]>

const isOf = <Own extends Code>(codes: ReadonlyArray<Own>) => (code: Code): code is Own =>
  codes.some((own) => own === code)

/** The codes that mean: this request, sent again unchanged, will not succeed. */
const isRefusal = isOf(problemCodes[400])
const isUpstreamFailure = isOf(problemCodes[500])

/** A problem with a code, in the status of that code. `seconds` is when to try again, where trying again may help. */
export const codedProblem = (
  code: Code,
  detail: string,
  request: OfRequest,
  seconds: number = maintenanceRetrySeconds,
): ProblemReply<BadRequest | InternalServerError | ServiceUnavailable> => {
  if (isRefusal(code)) return problemReply(new BadRequest({ detail, code, ...request }))
  if (isUpstreamFailure(code)) return problemReply(new InternalServerError({ detail, code, ...request }))
  return problemReply(new ServiceUnavailable({ detail, code, ...request }), retryAfter(seconds))
}

/** A 409 about a quote that is over or used up, with a fresh one where there is one. */
export const quoteOver = (
  { expiresAt, isUsed }: QuoteExpired,
  quote: QuoteBody | undefined,
  request: OfRequest,
) =>
  problemReply(
    new QuoteConflict({
      detail: `${
        isUsed
          ? "This quote has already opened a swap, and nothing more was opened"
          : `The quote expired at ${toIsoDate(expiresAt)}, and nothing was opened`
      }. ${
        quote === undefined ? "Request another" : "A new one is in `quote`. Open the swap with its quoteId"
      }`,
      ...(isUsed ? {} : { expiredAt: expiresAt }),
      ...defined({ quote }),
      ...request,
    }),
  )

/** The sentence about a limit that is used up. */
export const tooOften = ({ limit, quota: { tokens, windowMillis } }: LimitState): string => {
  const often = `more than ${tokens} in ${Math.ceil(windowMillis / 1_000)} seconds`
  return {
    default: `Too many requests with this API key: ${often}`,
    swap: `Too many requests with this API key to open or prepare a swap: ${often}`,
    account: `Too many requests of this account: ${often}`,
    accountSwap: `Too many requests of this account to open or prepare a swap: ${often}`,
    credentials: `Too many invalid API keys from this address: ${often}`,
    payer: `This page was opened too often: ${often}`,
  }[limit]
}

type ProviderProblem = ProblemReply<BadRequest | InternalServerError | ServiceUnavailable>

/** The problem of a deposit below the minimum, in the form that clients of such services read (decision 15). */
const belowMinimum = (asset: AssetId, minimum: NativeAmount, request: OfRequest) => {
  const human = formatDecimal(toHuman(asset, minimum))
  return problemReply(
    new BadRequest({
      detail: `Amount below minimum. Min: ${human}`,
      errors: { minimalAmount: [human], minimalAmountNative: [`${minimum}`] },
      ...request,
    }),
  )
}

const aboveMaximum = (asset: AssetId, maximum: NativeAmount, request: OfRequest) => {
  const human = formatDecimal(toHuman(asset, maximum))
  const issue = `is above the maximum of ${human} (${maximum} native units)`
  return badRequest(issueAbout("amount", issue), request)
}

/** The sentence about an opening that may have happened, and must not be repeated blindly. */
export const outcomeUnknown =
  "The outcome is unknown: a deposit channel may have been opened, and its address is unknown. No funds have moved. " +
  "A retry with the same Idempotency-Key never opens a second channel"

/** The same, with the number that the operator finds the opening by. */
export const outcomeUnknownOf = (swap: SwapRecordId | undefined): string =>
  swap === undefined ? outcomeUnknown : `${outcomeUnknown}. The record is swap ${swap}`

/** The sentence about a payload that was asked for and did not come. */
const payloadUnknown =
  "The outcome is unknown: the provider returned no valid payload. Nothing was opened, and no funds have moved"

/**
 * The problem of an operation that begins a swap and may have happened (decision 16): of every reason that may have reached
 * the upstream, by the table of reasons alone. A code of openings stays beside it. Nothing for other failures.
 */
const unknownOutcome = (error: ProviderError, request: OfRequest): ProviderProblem | undefined => {
  const { operation, reason, swap } = error
  if (!beginsSwap(operation) || !mayHaveOpened(reason)) return undefined
  const detail = operation === "open" ? outcomeUnknownOf(swap) : payloadUnknown
  const code = codeOf(error)
  return code !== undefined && codes[code].isOfOpenings
    ? codedProblem(code, detail, request)
    : problemReply(new InternalServerError({ detail, ...request }))
}

/** The problem of an unclassified failure that began no swap. */
const unclassified = (request: OfRequest): ProviderProblem =>
  serviceUnavailable("The provider's response was invalid. Try again", unclassifiedRetrySeconds, request)

/** Codes are of quotes and of what begins a swap (decision 33): not of look-ups, lists and the operator's accounts. */
const hasCodes = (operation: ProviderError["operation"]): boolean =>
  operation === "quote" || beginsSwap(operation)

/** The coded problem of an operation. Where a swap begins, codes of quotes are not told; a 400 names the amount. */
const codedFor =
  (operation: ProviderError["operation"], request: OfRequest) =>
  (code: Parameters<typeof codedProblem>[0], detail: string, seconds?: number): ProviderProblem => {
    if (operation === "quote" || (hasCodes(operation) && codes[code].isOfOpenings)) {
      return codedProblem(code, detail, request, seconds)
    }
    return isRefusal(code) && hasCodes(operation)
      ? badRequest(issueAbout("amount", `was rejected by the provider. ${detail}`), request)
      : serviceUnavailable(detail, seconds ?? unclassifiedRetrySeconds, request)
  }

/** The problem of a provider's failure (decisions 15 and 16). */
export const providerProblem = (error: ProviderError, request: OfRequest): ProviderProblem => {
  const unknown = unknownOutcome(error, request)
  if (unknown !== undefined) return unknown
  const { reason } = error
  if (reason._tag === "DepositBelowMinimum") return belowMinimum(reason.asset, reason.minimum, request)
  if (reason._tag === "DepositAboveMaximum") return aboveMaximum(reason.asset, reason.maximum, request)
  if ("errors" in reason) return badRequest(reason.errors, request)
  const { code } = reasonFactsOf(reason)
  if (code === undefined) return unclassified(request)
  const seconds = reason._tag === "RateLimited" || reason._tag === "NotCalled"
    ? reason.retryAfterSeconds ?? unclassifiedRetrySeconds
    : undefined
  return codedFor(error.operation, request)(code, reason.detail, seconds)
}

/** The code of a failure, if any, where nothing else is told of it. */
export const codeOf = ({ reason }: ProviderError) => {
  const { code, kind } = reasonFactsOf(reason)
  return kind === undefined ? code : undefined
}

/** The answer of one provider to a quote, for the list beside the problem that stands for all. */
export const providerAnswer = (request: OfRequest) => (error: ProviderError): ProviderAnswer => {
  const code = codeOf(error)
  return {
    platform: error.provider,
    ...defined({ code }),
    detail: providerProblem(error, request).problem.detail,
    ...(error.reason._tag === "DepositBelowMinimum"
      ? { minimumAmountNative: `${error.reason.minimum}` }
      : {}),
  }
}
