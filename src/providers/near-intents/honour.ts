import { Option, Result } from "effect"
import type { NativeAmount } from "../../domain/Amount.ts"
import { hasIssues, issueAbout, type Issues, noIssues } from "../../domain/Issues.ts"
import { RequestRefused } from "../../domain/ProviderError.ts"
import type { ProviderName } from "../../domain/ProviderName.ts"
import type { QuoteRequest } from "../../domain/Quote.ts"
import type { SwapRequest } from "../../domain/SwapRequest.ts"
import { type Capabilities, notHonoured } from "../Capabilities.ts"
import type { Options } from "./Options.ts"

/** What 1Click can do (near-intents/wire.md 1); every order is for an amount that it prices. */
export const capabilities: Capabilities = {
  maximumCommissionBps: 500,
  affiliates: false,
  boost: false,
  dca: false,
  ccm: false,
  needsAmount: true,
}

type FeeAccount = Options["feeAccount"]

const unpayable = (platform: ProviderName, commissionBps: number, feeAccount: FeeAccount): Issues =>
  commissionBps > 0 && Option.isNone(feeAccount)
    ? issueAbout("commissionBps", `cannot be paid by ${platform}: the operator has no account there`)
    : noIssues

const refuse = (errors: Issues): Result.Result<void, RequestRefused> =>
  hasIssues(errors) ? Result.fail(new RequestRefused({ errors })) : Result.void

/** A quote whose commission could not be taken is refused rather than made without it. */
export const checkQuote = (
  platform: ProviderName,
  { commissionBps }: QuoteRequest,
  feeAccount: FeeAccount,
): Result.Result<void, RequestRefused> => {
  const most = capabilities.maximumCommissionBps
  return commissionBps > most
    ? refuse(issueAbout("commissionBps", `is more than ${platform} takes: at most ${most} basis points`))
    : refuse(unpayable(platform, commissionBps, feeAccount))
}

/** The amount of an opening all of which can be honoured. */
export const checkOpening = (
  platform: ProviderName,
  request: SwapRequest,
  feeAccount: FeeAccount,
): Result.Result<NativeAmount, RequestRefused> =>
  refuse(notHonoured(platform, capabilities, request)).pipe(
    Result.andThen(() => refuse(unpayable(platform, request.commissionBps, feeAccount))),
    Result.flatMap(() =>
      request.amount === undefined
        ? Result.fail(new RequestRefused({ errors: issueAbout("amount", `is required by ${platform}`) }))
        : Result.succeed(request.amount)
    ),
  )
