import { Cause, Duration, Effect, Fiber, type Scope } from "effect"
import { OnBehalfOf } from "../domain/OnBehalfOf.ts"
import type { ProviderName } from "../domain/ProviderName.ts"
import { currentMillis } from "../platform/currentMillis.ts"
import type { Guard } from "./Guard.ts"
import type { AssetSupport, Provider } from "./Provider.ts"

/** How long a caller waits for a provider of which nothing is known yet. */
const firstPatience = Duration.seconds(2)

/** How long a caller waits where the last word of the provider is at hand. */
const patience = Duration.millis(250)

/** What a provider said longer ago than this is no longer claimed. */
const believedFor = Duration.hours(1)

/** What was last heard of a provider. */
interface Heard {
  readonly assets: ReadonlyArray<AssetSupport>
  readonly at: number
}

/** What is known of a provider, and how to come to know more. */
interface Memory {
  heard: Heard | undefined
  askedAt: number
  /** Asks the provider, unless that was done a moment ago, or shares an asking under way. Never fails. */
  readonly ask: Effect.Effect<void>
}

const believed = ({ heard }: Memory, now: number): Heard | undefined =>
  heard !== undefined && now - heard.at <= Duration.toMillis(believedFor) ? heard : undefined

/**
 * Gives what a provider last said of its assets; nothing while that is not known. A provider is asked when
 * somebody wants to know and its word is older than `maxAge`; a caller waits a moment for it at most, and one
 * that is slow or fails is as it last was.
 */
export const rememberAssets = (
  guard: Guard["Service"],
  maxAge: Duration.Duration,
): Effect.Effect<(provider: Provider) => Effect.Effect<ReadonlyArray<AssetSupport>>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const memories = new WeakMap<Provider, Memory>()

    /**
     * A circuit that is not closed is for real calls to try: this answer may come from a provider's own
     * memory, and would close it although the upstream is still down.
     */
    const rests = (provider: ProviderName) =>
      Effect.map(guard.view(provider), ({ quote }) => quote.circuit._tag !== "Closed")

    const hear = Effect.fnUntraced(function* (provider: Provider, memory: Memory) {
      const now = yield* currentMillis
      memory.askedAt = now
      if (believed(memory, now) !== undefined && (yield* rests(provider.name))) return
      const assets = yield* provider.assets
      memory.heard = { assets, at: yield* currentMillis }
    })

    const begin = Effect.fnUntraced(function* (provider: Provider) {
      const hearing: Effect.Effect<void> = Effect.suspend(() => hear(provider, memory)).pipe(
        // For everybody, whoever asks first.
        Effect.provideService(OnBehalfOf, undefined),
        Effect.catchCause((cause) =>
          Cause.hasInterruptsOnly(cause)
            ? Effect.void
            : Effect.logInfo(`Not known at present what ${provider.name} serves`, cause)
        ),
      )
      const memory: Memory = {
        heard: undefined,
        askedAt: 0,
        ask: yield* Effect.cachedWithTTL(hearing, maxAge),
      }
      memories.set(provider, memory)
      return memory
    })

    return Effect.fnUntraced(function* (provider: Provider) {
      const memory = memories.get(provider) ?? (yield* begin(provider))
      // In the background, where nobody's leaving ends it.
      const asking = yield* Effect.forkIn(memory.ask, scope, { startImmediately: true })
      const now = yield* currentMillis
      const longest = memory.heard === undefined ? firstPatience : patience
      // Counted from when the provider was asked: of a slow one only the first callers wait.
      const left = memory.askedAt + Duration.toMillis(longest) - now
      if (left > 0) yield* Effect.timeoutOption(Fiber.join(asking), left)
      return believed(memory, now)?.assets ?? []
    })
  })
