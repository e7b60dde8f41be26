import { Match } from "effect"
import { problemCodes } from "../api/Problems.ts"
import { type NativeAmount, toHuman } from "../domain/Amount.ts"
import type { AssetId } from "../domain/Asset.ts"
import { formatDecimal } from "../domain/Decimal.ts"
import { issueAbout, issueWith } from "../domain/Issues.ts"
import type { ProblemCode } from "../domain/ProblemCode.ts"
import {
  beginsSwap,
  consequences,
  type ProviderError,
  type ProviderErrorReason,
} from "../domain/ProviderError.ts"
import {
  coded,
  faulty,
  invalid,
  type Problem,
  type ProviderAnswer,
  retryAfter,
  temporary,
  unclassifiedRetrySeconds,
} from "./Problem.ts"

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
  return faulty(
    issueAbout("amount", `is above what can be swapped at once, which is ${human} (${maximum} native units)`),
  )
}

/** An opening that may have happened, which nobody may repeat blindly. */
export const outcomeUnknown: Problem = {
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

/** The codes that an opening or a payload may answer with (decision 33). */
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
  return rest.status === 400 ? faulty(issueWith("amount", rest.detail)) : rest
}

/** A failure of a provider (decisions 15 and 16). */
export const providerProblem = (error: ProviderError): Problem =>
  beginsSwap(error.operation) ? withoutQuoteCode(reasonProblem(error)) : reasonProblem(error)

const reasonProblem = ({ reason, operation }: ProviderError): Problem =>
  Match.value(reason).pipe(
    Match.tags({
      DepositBelowMinimum: ({ asset, minimum }) => belowMinimum(asset, minimum),
      DepositAboveMaximum: ({ asset, maximum }) => aboveMaximum(asset, maximum),
      RequestRefused: ({ errors }) => faulty(errors),
      RequestCancelled: ({ _tag, detail }) =>
        unknownOutcomes[operation] ?? coded(consequences[_tag].code, detail),
      TimedOut: (timedOut) => unclassified(timedOut, operation),
      Unreachable: (unreachable) => unclassified(unreachable, operation),
      MalformedBody: (malformed) => unclassified(malformed, operation),
      RateLimited: ({ _tag, detail, retryAfterSeconds }) =>
        temporary(consequences[_tag].code, detail, retryAfterSeconds ?? unclassifiedRetrySeconds),
      NotCalled: ({ _tag, detail, retryAfterSeconds }) =>
        temporary(consequences[_tag].code, detail, retryAfterSeconds),
    }),
    Match.orElse(({ _tag, detail }) => {
      const { code } = consequences[_tag]
      return problemCodes[code] === 503 ? temporary(code, detail) : coded(code, detail)
    }),
  )

/** What one provider said, beside the problem that stands for all. */
export const providerAnswer = (error: ProviderError): ProviderAnswer => {
  const { code, detail } = providerProblem(error)
  return {
    platform: error.provider,
    // Nothing is switched off where an asset was never dealt in.
    ...(code === undefined || error.reason._tag === "AssetNotListed" ? {} : { code }),
    detail,
    ...(error.reason._tag === "DepositBelowMinimum"
      ? { minimumAmountNative: `${error.reason.minimum}` }
      : {}),
  }
}
