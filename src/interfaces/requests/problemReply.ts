import {
  BadRequest,
  InternalServerError,
  problemCodes,
  QuoteConflict,
  ServiceUnavailable,
} from "#api/Problems.ts"
import type { QuoteBody } from "#api/QuoteBodies.ts"
import type { ProviderAnswer } from "#api/Problems.ts"
import type { Issues } from "#domain/Issues.ts"
import type { ProblemCode } from "#domain/ProblemCode.ts"
import type { LimitState } from "#application/limits/RateLimits.ts"
import { toIsoDate } from "#domain/Time.ts"
import type { QuoteExpired } from "#application/swapping/opening/QuoteBinding.ts"
import { defined } from "#infrastructure/platform/optionalMembers.ts"

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
export const isRefusal = isOf(problemCodes[400])
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
