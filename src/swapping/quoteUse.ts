import { Effect, identity } from "effect"
import type { Caller } from "../domain/Account.ts"
import { TooManyOpenChannels } from "../domain/Channel.ts"
import { mayHaveOpened, ProviderError } from "../domain/ProviderError.ts"
import type { StoreUnavailable } from "../domain/StoreError.ts"
import type { SwapRequest } from "../domain/SwapRequest.ts"
import { currentMillis } from "../platform/currentMillis.ts"
import type { IdempotencyRepo } from "../store/swaps/IdempotencyRepo.ts"
import type { UsedQuote } from "../store/swaps/IdempotencyRepo.ts"
import type { KeyTaken } from "./Claim.ts"
import type { OpeningNotRecorded } from "./OpeningRecord.ts"
import { QuoteOver } from "./QuoteBinding.ts"

/** Why an opening that has begun failed. */
type Failed = TooManyOpenChannels | ProviderError | OpeningNotRecorded | StoreUnavailable | KeyTaken

/** The quote that an opening uses up, if it is by one. */
export const usedQuote = (
  { id: accountId }: Caller,
  { quote }: SwapRequest,
  key: string | undefined,
): UsedQuote | undefined =>
  quote?.id === undefined ? undefined : { accountId, id: quote.id, expiresAt: quote.expiresAt, key }

/** Whether an opening that failed has provably opened nothing. */
const hasOpenedNothing = (error: Failed): boolean =>
  error instanceof ProviderError ? !mayHaveOpened(error.reason) : error instanceof TooManyOpenChannels

/** Opens by a quote that opens nothing else; it is given back where provably nothing was opened. */
export const byUnusedQuote = <A, E extends Failed>(
  keys: IdempotencyRepo["Service"],
  quote: UsedQuote | undefined,
  opening: Effect.Effect<A, E>,
): Effect.Effect<A, E | QuoteOver | StoreUnavailable> => {
  if (quote === undefined) return opening
  const use = Effect.flatMap(currentMillis, (now) => keys.useQuote(quote, now)).pipe(
    Effect.filterOrFail(identity, () => new QuoteOver({ expiresAt: quote.expiresAt, isUsed: true })),
  )
  const giveBack = Effect.catch(
    keys.giveQuoteBack(quote),
    (error) => Effect.logWarning("A quote stays used up, though nothing was opened by it", error),
  )
  return Effect.andThen(
    use,
    Effect.tapError(opening, (error) => hasOpenedNothing(error) ? giveBack : Effect.void),
  )
}
