import { Cause, Effect, Exit, Result } from "effect"
import { chainOf } from "../domain/Asset.ts"
import { hasIssues, issueAbout } from "../domain/Issues.ts"
import { OtherStart, ProviderError, RequestRefused, TimedOut } from "../domain/ProviderError.ts"
import type { ProviderName } from "../domain/ProviderName.ts"
import type { QuoteRequest } from "../domain/Quote.ts"
import { notQuotable } from "../providers/Capabilities.ts"
import { type Start, startPaths, startsWanted, type StartWish } from "../domain/Start.ts"
import { type Provider, startsOf } from "../providers/Provider.ts"
import type { Answer } from "./Outcome.ts"
import type { Waiter } from "./SharedCalls.ts"

/** The time until which shared calls answer a request, in epoch milliseconds; undefined where it began a call itself. */
export const sharedUntil = (waiters: ReadonlyArray<Waiter>): number | undefined => {
  const times = waiters.flatMap((waiter) => waiter.sharedUntil() ?? [])
  return waiters.length > 0 && times.length === waiters.length ? Math.min(...times) : undefined
}

export const cancelAll = (waiters: ReadonlyArray<Waiter>) =>
  Effect.sync(() => {
    for (const waiter of waiters) waiter.cancel()
  })

/** The answer of a provider; a call that ended neither in quotes nor in a `ProviderError` ends the whole request. */
export const answerOf = (waiter: Waiter | undefined, provider: ProviderName): Effect.Effect<Answer> => {
  const exit = waiter?.ended()
  if (exit === undefined) return Effect.succeed(Result.fail(tooLate(provider)))
  return Exit.isSuccess(exit)
    ? Effect.succeed(Result.succeed(exit.value))
    : Result.match(Cause.findError(exit.cause), {
      onSuccess: (error) => Effect.succeed(Result.fail(error)),
      onFailure: Effect.failCause,
    })
}

export const quotesOf = (answer: Answer) => Result.isSuccess(answer) ? answer.success : []

export const failureOf = (answer: Answer): ReadonlyArray<ProviderError> =>
  Result.isFailure(answer) ? [answer.failure] : []

/** The key of a quote call: the same for every account that asks for the same quote. */
export const keyOf = (
  { name }: Provider,
  { amount, commissionBps, destinationAsset, recipient, sender, sourceAsset }: QuoteRequest,
) =>
  `${name} ${sourceAsset} ${destinationAsset} ${amount} ${commissionBps} ${sender ?? ""} ${recipient ?? ""}`

/** Why a provider cannot take the commission; it is passed over then. */
export const cannotQuote = (
  { name, capabilities }: Provider,
  request: QuoteRequest,
): ProviderError | undefined => {
  const errors = notQuotable(name, capabilities, request)
  return hasIssues(errors)
    ? new ProviderError({ provider: name, operation: "quote", reason: new RequestRefused({ errors }) })
    : undefined
}

/** The ways in which a provider begins a swap, the wanted one first; empty where its offers are left out. */
export const beginningsOf = (
  provider: Provider,
  { sourceAsset }: QuoteRequest,
  start: StartWish,
): ReadonlyArray<Start> => startsWanted(startsOf(provider, chainOf(sourceAsset)), start)

/** Why the offers of a provider are left out where it begins a swap otherwise (decision 18). */
export const leftOut = (provider: Provider, { sourceAsset }: QuoteRequest): ProviderError => {
  const chain = chainOf(sourceAsset)
  const [path] = startPaths(startsOf(provider, chain), chain)
  const sentence = path === undefined
    ? `is none at ${provider.name}, which begins no swaps from ${chain}`
    : `is ${path} alone at ${provider.name}: ask with start=${
      path === "/swap" ? "channel" : "transaction"
    } for its offers`
  return new ProviderError({
    provider: provider.name,
    operation: "quote",
    reason: new OtherStart({ errors: issueAbout("start", sentence) }),
  })
}

const tooLate = (provider: ProviderName): ProviderError =>
  new ProviderError({
    provider,
    operation: "quote",
    reason: new TimedOut({ detail: `no quote from ${provider} in time`, reached: true }),
  })
