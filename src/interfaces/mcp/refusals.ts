import { Data, Match, Schema } from "effect"
import { QuoteId } from "#domain/quotes/BoundQuote.ts"
import { formatDecimal } from "#domain/money/Decimal.ts"
import { isKept } from "#domain/swaps/Idempotency.ts"
import { combineIssues, hasIssues, issueAbout, Issues, noIssues } from "#domain/Issues.ts"
import {
  carriesText,
  mayHaveOpened,
  type ProviderError,
  type ProviderErrorReason,
} from "#domain/ProviderError.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { reasonFactsOf } from "#domain/reasonFacts.ts"
import type { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { EpochMillis } from "#domain/Time.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { type Failure, toProblem } from "../requests/problems.ts"
import { confirmationLength } from "./Confirmations.ts"

/** Why a tool did not do what it was called for, in words of ours alone. */
export const Refusal = Schema.Struct({
  status: Schema.Int,
  detail: Schema.String,
  errors: Schema.optionalKey(Issues),
  providers: Schema.optionalKey(Schema.Array(Schema.Struct({
    platform: ProviderName,
    detail: Schema.String,
    minimumAmountNative: Schema.optionalKey(Schema.String),
  }))),
  /** A fresh quote in place of one that is over or used. */
  quote: Schema.optionalKey(Schema.Struct({
    quoteId: QuoteId,
    platform: ProviderName,
    egressAmount: Schema.String,
    estimatedPrice: Schema.String,
    expiresAt: EpochMillis,
  })),
  traceId: Schema.String,
  retryable: Schema.Boolean,
  retryAfterSeconds: Schema.optionalKey(Schema.Int),
  nextStep: Schema.String,
})
export type Refusal = typeof Refusal.Type

/** A confirmation of `prepare_swap` cannot be opened, or a human did not agree. Nothing was opened. */
export class NotConfirmed extends Data.TaggedError("NotConfirmed")<{
  readonly reason: keyof typeof notConfirmed
}> {}

const prepareAgain = "Call prepare_swap again, and show its summary to the human."

/** What the caller can do where a quote is over or used. */
const afterQuote =
  "Call prepare_swap with the quoteId of `quote`, or without a quoteId if there is none, and show its summary to the human."

/** The statuses and sentences of confirmations that open nothing. */
export const notConfirmed = {
  invalid: {
    status: 400,
    detail:
      `This is no confirmation of this API key. It was not copied whole (${confirmationLength} characters), is of another ` +
      "key, or expired over an hour ago",
    nextStep:
      "Call open_swap with the confirmation copied again, unchanged. Only if that is refused, too, and no open_swap with it " +
      "was ever sent: call prepare_swap again. If one was sent, list_swaps shows what it opened.",
  },
  expired: { status: 410, detail: "This confirmation has expired", nextStep: prepareAgain },
  changed: {
    status: 409,
    detail: "The account's terms have changed since the confirmation, so another swap would be opened",
    nextStep: prepareAgain,
  },
  declined: {
    status: 409,
    detail: "The human declined this swap, so this confirmation is no longer valid",
    nextStep: "Ask the human what to change; prepare another swap only if they want one.",
  },
  unanswered: {
    status: 409,
    detail: "The human did not reply about this swap. Nothing was opened",
    nextStep: "Ask the human whether they still want the swap. " + prepareAgain,
  },
  unasked: {
    status: 400,
    detail: "The reply does not belong to a question about this confirmation",
    nextStep: "Call open_swap with the confirmation alone, and answer what it asks.",
  },
} as const satisfies Readonly<
  Record<string, { readonly status: number; readonly detail: string; readonly nextStep: string }>
>

/** A refusal that is written already: one that a confirmation stands for, or that is told otherwise than in general. */
export class Refused extends Data.TaggedError("Refused")<{ readonly refusal: Refusal }> {}

export type ToolFailure = Failure | NotConfirmed | Refused

const ofProvider = ({ provider, reason }: ProviderError) => ({
  platform: provider,
  detail: wordsFor(reason),
  ...(reason._tag === "DepositBelowMinimum" ? { minimumAmountNative: `${reason.minimum}` } : {}),
})

/** What is wrong with a least price, whoever says so: it is the one parameter that an upstream refuses for one reason. */
const priceTooHigh = "is above the current price; use the estimatedPrice of a new quote, less a tolerance"

/** The names that an upstream has something against, without its words. */
const withoutWords = (errors: Issues): Issues =>
  combineIssues(
    Object.keys(errors).map((name) =>
      issueAbout(name, name === "minimumPrice" ? priceTooHigh : "was rejected by the provider")
    ),
  )

/** A provider's reason in our words, with the least amount that it names, and the least price where it is that alone. */
const wordsFor = (reason: ProviderErrorReason): string => {
  if (reason._tag === "RequestRefused" && Object.keys(reason.errors).join() === "minimumPrice") {
    return "The minimum price is above the current price"
  }
  if (reason._tag === "AmountBelowMinimum" && reason.least !== undefined) {
    return `The provider's minimum is ${reason.least}`
  }
  return reason._tag === "UpstreamFailed" && reason.isOfRequest === true
    ? "The provider rejected this request; other requests are not affected"
    : reasonFactsOf(reason).agents
}

/** The provider's failure behind a failure, if there is one. */
const providerErrorOf = (failure: Failure): ProviderError | undefined =>
  failure._tag === "ProviderError" ? failure : failure._tag === "QuotesFailed" ? failure.failure : undefined

const nextSteps = Match.type<number>().pipe(
  Match.when(
    400,
    () => "Correct what `errors` or `detail` names, with the human where it is about money, and call again.",
  ),
  Match.when(401, () => "Tell the human: this broker needs another API key."),
  Match.when(403, () => "Tell the human: the operator of this broker decides what this API key may do."),
  Match.when(404, () => "Check the number or hash with the human; list_swaps lists what there is."),
  Match.when(410, () => prepareAgain),
  Match.when(429, () => "Wait as long as retryAfterSeconds says, then call again."),
  Match.whenOr(409, 503, () => "Wait as long as retryAfterSeconds says, then repeat the very same call."),
  Match.orElse(() => "Do not repeat it blindly. Tell the human the traceId, for the operator's log."),
)

/** The statuses after which the same call may succeed later. */
const retryableStatuses: ReadonlyArray<number> = [409, 429, 503]

/** What the caller can do where the outcome of an opening is unknown. */
const afterUnknown =
  "Do not prepare the swap again. Call open_swap once more with the same confirmation, or ask the operator with the swap ID."

const unknownToAgents =
  "A deposit channel may have been opened with this confirmation. Its address is unknown, and no funds have moved"

/** The number that the operator finds an opening with an unknown outcome by. */
const onRecord = (swap: SwapRecordId | undefined): string =>
  swap === undefined ? unknownToAgents : `${unknownToAgents}. The record is swap ${swap}`

/** What agents are told otherwise than callers of REST: they have a confirmation and no `Idempotency-Key`. */
const agentDetail = (failure: Failure): string | undefined => {
  switch (failure._tag) {
    case "KeyInUse":
      return "open_swap is already running with this confirmation"
    case "OpeningNotRecorded":
      return onRecord(failure.id)
    case "OutcomeUnknown":
      return `${onRecord(failure.id)}. The provider does not know either`
    case "ProviderError":
      return mayExistAfter(failure) ? onRecord(failure.swap) : undefined
    case "Unauthenticated":
      return "This API key is no longer valid"
    default:
      return undefined
  }
}

/** What the caller can do where even the provider cannot tell. */
const afterUndecidable =
  "Do not prepare the swap again unless the human wants it, knowing that a channel may be open. Tell them the swap ID and " +
  "the traceId for the operator of this broker."

const mayExistAfter = (failure: Failure): boolean =>
  failure._tag === "OpeningNotRecorded" || failure._tag === "OutcomeUnknown" ||
  (failure._tag === "ProviderError" && failure.operation === "open" && mayHaveOpened(failure.reason))

const isOfQuote = ({ _tag }: Failure): boolean => _tag === "QuoteExpired" || _tag === "QuoteReplaced"

const nextStepAfter = (failure: Failure, status: number): string => {
  if (failure._tag === "OutcomeUnknown") return afterUndecidable
  if (isOfQuote(failure)) return afterQuote
  return mayExistAfter(failure) ? afterUnknown : nextSteps(status)
}

const errorsIn = (problem: object): Issues => {
  const { errors } = { errors: undefined, ...problem }
  return Schema.is(Issues)(errors) ? errors : noIssues
}

/** The sentences about a failure: ours as they are, a provider's in our words. */
const wordsOf = (failure: Failure, problem: { readonly detail: string }) => {
  const error = providerErrorOf(failure)
  const errors = errorsIn(problem)
  const own = agentDetail(failure)
  if (own !== undefined) return { detail: own, errors }
  if (error === undefined || !carriesText(error.reason)) return { detail: problem.detail, errors }
  return { detail: wordsFor(error.reason), errors: withoutWords(errors) }
}

/** The fresh quote beside a failure, with its amounts as text. */
const quoteIn = (failure: Failure): Pick<Refusal, "quote"> => {
  if (failure._tag !== "QuoteReplaced" || failure.quote === undefined) return {}
  const { egressAmount, estimatedPrice, expiresAt, platform, quoteId } = failure.quote
  return {
    quote: {
      quoteId,
      platform,
      egressAmount: formatDecimal(egressAmount),
      estimatedPrice: formatDecimal(estimatedPrice),
      expiresAt,
    },
  }
}

const refusalOfProblem = (failure: Failure, traceId: string): Refusal => {
  const { headers, problem } = toProblem(failure, { traceId })
  const { detail, errors } = wordsOf(failure, problem)
  return {
    status: problem.status,
    detail,
    ...(hasIssues(errors) ? { errors } : {}),
    ...(failure._tag === "QuotesFailed" ? { providers: failure.providers.map(ofProvider) } : {}),
    ...(failure._tag === "ProviderError" ? { providers: [ofProvider(failure)] } : {}),
    ...quoteIn(failure),
    traceId,
    retryable: retryableStatuses.includes(problem.status) && !isOfQuote(failure),
    ...optionalMembers(headers["retry-after"], (seconds) => ({ retryAfterSeconds: Number(seconds) })),
    nextStep: nextStepAfter(failure, problem.status),
  }
}

export const refusalOf = (failure: ToolFailure, traceId: string): Refusal => {
  if (failure._tag === "Refused") return failure.refusal
  return failure._tag === "NotConfirmed"
    ? { ...notConfirmed[failure.reason], traceId, retryable: false }
    : refusalOfProblem(failure, traceId)
}

/** What an opening is refused with, which its confirmation then stands for unless the status leaves it unused. */
export const openingRefusalOf = (failure: Failure, traceId: string): Refusal => {
  const refusal = refusalOfProblem(failure, traceId)
  const isSpent = isKept({ status: refusal.status, body: "" }) && failure._tag !== "StoreUnavailable" &&
    failure._tag !== "KeyInUse"
  if (!isSpent || mayExistAfter(failure)) return refusal
  const when = refusal.retryAfterSeconds === undefined ? "" : "Wait retryAfterSeconds. Then: "
  const again = isOfQuote(failure) ? afterQuote : prepareAgain
  return {
    ...refusal,
    retryable: false,
    nextStep: `Nothing was opened, and preparing again costs nothing. ${when}${again}`,
  }
}

const RefusalText = Schema.fromJsonString(Refusal)

export const encodeRefusal = Schema.encodeSync(Refusal)

/** The text of a refusal, which is kept for its confirmation. */
export const writeRefusal = Schema.encodeSync(RefusalText)

export const readRefusal = Schema.decodeUnknownEffect(RefusalText)
