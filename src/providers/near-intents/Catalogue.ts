import { Duration, Effect, Option, Ref } from "effect"
import { currentMillis } from "../../platform/currentMillis.ts"
import type { ProviderErrorReason } from "../../domain/ProviderError.ts"
import { withLookupTimeout } from "../upstream/lookupTimeout.ts"
import { logged } from "../upstream/notices.ts"
import { endpoint } from "./errors/answerReason.ts"
import type { OneClick } from "./client/OneClick.ts"
import { readTokens, type Tokens } from "./transform/tokens.ts"

/** The upstream's tokens, found anew from time to time because their ids can change. */
export interface Catalogue {
  /** The last that were found; fetched when there are none yet, once for all who wait. */
  readonly tokens: Effect.Effect<Tokens, ProviderErrorReason>
  /** Whether they were found so recently that their prices still mean something. */
  readonly arePricesFresh: Effect.Effect<boolean>
  /** Fetches them now and again for ever. A failure is logged and tried again; the last ones stay. */
  readonly keepFresh: Effect.Effect<never>
}

/** The pause after a failure. */
const retryPause = Duration.seconds(10)
const leastMaxAge = Duration.seconds(1)
const defaultMaxAge = Duration.minutes(10)
/** Two fetches may fail before prices are not told any more. */
const pricesLast = Duration.minutes(30)

/** An empty catalogue. */
export const make = Effect.fnUntraced(function* (
  client: OneClick,
  maxAge: Duration.Input = defaultMaxAge,
  lookupTimeout?: Duration.Input,
): Effect.fn.Return<Catalogue> {
  const latest = yield* Ref.make(Option.none<{ readonly tokens: Tokens; readonly foundAt: number }>())
  const load = client.tokens.pipe(
    withLookupTimeout(endpoint, lookupTimeout),
    Effect.flatMap(({ body }) => logged(readTokens(body))),
    Effect.map(({ tokens }) => tokens),
    Effect.tap((tokens) =>
      Effect.flatMap(currentMillis, (foundAt) => Ref.set(latest, Option.some({ tokens, foundAt })))
    ),
  )
  // Kept for no time: callers only share a look-up that is under way.
  const shared = yield* Effect.cachedWithTTL(load, Duration.zero)
  const pause = Duration.max(Duration.fromInputUnsafe(maxAge), leastMaxAge)
  return {
    tokens: Effect.flatMap(
      Ref.get(latest),
      Option.match({ onNone: () => shared, onSome: ({ tokens }) => Effect.succeed(tokens) }),
    ),
    arePricesFresh: Effect.zipWith(
      Ref.get(latest),
      currentMillis,
      (found, now) => Option.exists(found, ({ foundAt }) => now - foundAt <= Duration.toMillis(pricesLast)),
    ),
    keepFresh: shared.pipe(
      Effect.as(pause),
      Effect.catch((reason) =>
        Effect.as(
          Effect.logWarning("The tokens of the 1Click service could not be fetched; trying again", reason),
          Duration.min(pause, retryPause),
        )
      ),
      Effect.flatMap(Effect.sleep),
      Effect.forever,
    ),
  }
})
