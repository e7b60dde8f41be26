import { Duration, Effect, Result } from "effect"
import { NativeAmount } from "#domain/money/Amount.ts"
import { DepositBelowMinimum, type ProviderError } from "#domain/ProviderError.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import { rankOf } from "#domain/reasonFacts.ts"
import type { DepositLimits } from "#domain/swaps/Channel.ts"
import type { Start } from "#domain/swaps/Start.ts"
import { defined } from "#infrastructure/platform/optionalMembers.ts"
import type { Provider } from "#providers/Provider.ts"
import { type AskedProviders, beginningsOf, type CallOptions, makeCalls } from "./calls.ts"

/** The limits of a pair at one provider, each where its upstream tells it; native units of the source asset. */
export interface PairLimits extends DepositLimits {
  readonly platform: ProviderName
  /** The ways in which it begins swaps, that which the caller wants first. */
  readonly starts: ReadonlyArray<Start>
}

/** How long an answer is reused, whoever asks: limits follow prices and fees. */
const reusedFor = Duration.seconds(30)

/** What a refusal of too little names; unknown where it names nothing. Any other failure stays one. */
const leastIn = (error: ProviderError) => {
  const { reason } = error
  if (reason instanceof DepositBelowMinimum) return Effect.succeed(reason.minimum)
  return rankOf(reason) <= rankOf({ _tag: "DepositAboveMaximum" }) ? Effect.undefined : Effect.fail(error)
}

/** Makes the question for the limits of a pair at a provider, which is one call for a quote. */
export const makePairLimits = Effect.fnUntraced(function* (options: CallOptions) {
  const { ask } = yield* makeCalls({ ...options, reuse: { quotes: reusedFor, refusals: reusedFor } })

  return Effect.fnUntraced(function* (
    provider: Provider,
    asked: AskedProviders,
  ): Effect.fn.Return<PairLimits, ProviderError> {
    // A provider that cannot list its assets is asked all the same.
    const assets = yield* Effect.orElseSucceed(provider.assets, () => [])
    const listed = assets.find(({ asset }) => asset === asked.request.sourceAsset)
    const amount = listed?.sampleDeposit ?? (listed?.minimumDeposit || NativeAmount.make(1n))
    const { answers } = yield* ask({ ...asked, providers: [provider], request: { ...asked.request, amount } })
    const minimum = yield* Effect.fromResult(Result.all(answers)).pipe(
      Effect.map((quotes) => quotes.flat().map(({ minimumDeposit = amount }) => minimumDeposit)[0]),
      Effect.catch(leastIn),
    )
    const { name: platform } = provider
    const starts = beginningsOf(provider, asked)
    return { platform, starts, ...defined({ minimum, maximum: listed?.maximumDeposit }) }
  })
})
