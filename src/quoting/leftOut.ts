import { Array, Effect, Result } from "effect"
import type { AccountId } from "../domain/Account.ts"
import { chainOf } from "../domain/Asset.ts"
import { issueAbout } from "../domain/Issues.ts"
import { AssetNotListed, OtherStart, ProviderError } from "../domain/ProviderError.ts"
import type { ProviderName } from "../domain/ProviderName.ts"
import type { QuoteRequest } from "../domain/Quote.ts"
import { type Start, startPaths, startsWanted, type StartWish } from "../domain/Start.ts"
import { OnBehalfOf } from "../platform/Bulkhead.ts"
import { type Provider, servesPair, startsOf } from "../providers/Provider.ts"
import { answerOf } from "./calls.ts"
import type { Answer } from "./Outcome.ts"
import type { Waiter } from "./SharedCalls.ts"

/** A request, the providers that it is for, and how its swaps have to begin. */
export interface Asked {
  readonly request: QuoteRequest
  readonly providers: ReadonlyArray<Provider>
  readonly start: StartWish
  /** Why providers would open no channel for the caller at present. */
  readonly barred: Barred
}

export type Barred = ReadonlyMap<ProviderName, ProviderError>
export const noneBarred: Barred = new Map()

/** The providers that would open no channel for an account at present: no offer of a channel of theirs is shown to it. */
export const barredFor = (
  account: AccountId,
  { providers, request: { sourceAsset } }: Omit<Asked, "barred">,
): Effect.Effect<Barred> =>
  Effect.map(
    Effect.forEach(
      providers,
      ({ channels, name }) =>
        Effect.match(channels?.mayOpen?.(sourceAsset) ?? Effect.void, {
          onSuccess: () => [],
          onFailure: (error) => [[name, error] as const],
        }),
      { concurrency: "unbounded" },
    ),
    (errors) => new Map(errors.flat()),
  ).pipe(Effect.provideService(OnBehalfOf, account))

/** The ways in which a provider begins a swap, the wanted one first; empty where its offers are left out. */
export const beginningsOf = (
  provider: Provider,
  { barred, request: { sourceAsset }, start }: Omit<Asked, "providers">,
): ReadonlyArray<Start> => {
  const starts = startsOf(provider, chainOf(sourceAsset))
  return startsWanted(
    barred.has(provider.name) ? starts.filter((way) => way !== "channel") : starts,
    start,
  )
}

/** Why the offers of a provider are left out where it begins a swap otherwise, or not for the caller (decision 18). */
const leftOut = (provider: Provider, { barred, request: { sourceAsset }, start }: Asked): ProviderError => {
  const chain = chainOf(sourceAsset)
  const isWanted = startsWanted(startsOf(provider, chain), start).length > 0
  const bar = isWanted ? barred.get(provider.name) : undefined
  if (bar !== undefined) return bar
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

/** Whether a provider has no say because it is left out, or does not deal in the pair. */
const hasNoSay = (answer: Answer): boolean =>
  Result.isFailure(answer) &&
  (answer.failure.reason instanceof OtherStart || answer.failure.reason instanceof AssetNotListed)

/**
 * The answers in which a provider that does not list the pair is not called left out. Their lists are looked at only where
 * nobody has a say, as it makes no difference elsewhere.
 */
export const withoutUnlisted = (
  answers: ReadonlyArray<Answer>,
  { providers, request }: Asked,
): Effect.Effect<ReadonlyArray<Answer>> =>
  answers.every(hasNoSay)
    ? Effect.forEach(
      Array.zip(answers, providers),
      ([answer, { assets, name: provider }]) =>
        Effect.match(assets, {
          onSuccess: (listed) => servesPair(listed, request) ? answer : notListed(provider, request),
          onFailure: () => answer,
        }),
    )
    : Effect.succeed(answers)

const notListed = (provider: ProviderName, { destinationAsset, sourceAsset }: QuoteRequest): Answer => {
  const reason = new AssetNotListed({ detail: `${sourceAsset} to ${destinationAsset} is not swapped there` })
  return Result.fail(new ProviderError({ provider, operation: "quote", reason }))
}

/** The calls of a request, by the providers that are asked. */
export type Waiters = ReadonlyMap<Provider, Waiter>

/** The answer of a provider; of one that was not asked, that it is left out. */
export const answerFrom = (
  waiters: Waiters,
  provider: Provider,
  asked: Asked,
): Effect.Effect<Answer> => {
  const waiter = waiters.get(provider)
  return waiter === undefined
    ? Effect.succeed(Result.fail(leftOut(provider, asked)))
    : answerOf(waiter, provider.name)
}
