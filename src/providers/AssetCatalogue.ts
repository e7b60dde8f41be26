import { type BigDecimal, Cause, Context, Duration, Effect, Fiber, Layer, type Scope } from "effect"
import { NativeAmount } from "../domain/Amount.ts"
import { type AssetId, assetIds, chainOf } from "../domain/Asset.ts"
import { OnBehalfOf } from "../platform/Bulkhead.ts"
import type { ProviderName } from "../domain/ProviderName.ts"
import { currentMillis } from "../platform/currentMillis.ts"
import { Guard } from "./Guard.ts"
import type { Start } from "../domain/Start.ts"
import { type AssetSupport, type Provider, startsOf } from "./Provider.ts"
import { Registry } from "./Registry.ts"

/** What one provider said of an asset, and whether the operator lets it be quoted and swapped there. */
export interface AssetStanding extends AssetSupport {
  readonly provider: ProviderName
  readonly switchedOn: boolean
  /** How swaps from it begin there. */
  readonly starts: ReadonlyArray<Start>
}

/** What the providers together make of one asset. */
export interface ListedAsset {
  readonly asset: AssetId
  /** Those that serve it at present, the preferred first; none where nobody does. */
  readonly providers: ReadonlyArray<ProviderName>
  /** One of them takes deposits of it. */
  readonly ingress: boolean
  /** One of them pays it out. */
  readonly egress: boolean
  /** How swaps from it begin at one of them at least. */
  readonly starts: ReadonlyArray<Start>
  /**
   * The lowest minimum that is stated by those that take deposits of it, or, where none does, by those that
   * know it. Native units; 1 where nobody states any.
   */
  readonly minimumDeposit: NativeAmount
  /** US dollars for one whole unit; absent where no provider that serves it states a price. */
  readonly usdPrice?: BigDecimal.BigDecimal
}

/** The least amount that there is. A minimum deposit of it, or of nothing, counts as no minimum. */
const leastAmount = NativeAmount.make(1n)

const lowest = (minimums: ReadonlyArray<NativeAmount>): NativeAmount => {
  const [first = leastAmount, ...others] = minimums.filter((minimum) => minimum > leastAmount)
  return others.reduce((least, minimum) => minimum < least ? minimum : least, first)
}

const allStarts: ReadonlyArray<Start> = ["channel", "transaction"]

const listed = (asset: AssetId, standings: ReadonlyArray<AssetStanding>): ListedAsset => {
  const serving = standings.filter(({ switchedOn, ingress, egress }) => switchedOn && (ingress || egress))
  const takingDeposits = serving.filter(({ ingress }) => ingress)
  const usdPrice = serving.find((standing) => standing.usdPrice !== undefined)?.usdPrice
  return {
    asset,
    providers: serving.map(({ provider }) => provider),
    ingress: takingDeposits.length > 0,
    egress: serving.some(({ egress }) => egress),
    starts: allStarts.filter((start) => takingDeposits.some(({ starts }) => starts.includes(start))),
    minimumDeposit: lowest(
      (takingDeposits.length > 0 ? takingDeposits : standings).flatMap(({ minimumDeposit }) =>
        minimumDeposit === undefined ? [] : [minimumDeposit]
      ),
    ),
    ...(usdPrice === undefined ? {} : { usdPrice }),
  }
}

/**
 * Every known asset, in the order of the table, from what was said of each by the providers in order of
 * preference. An asset that nobody serves is listed too: the service knows it, and answers `asset_disabled` to it
 * (decision 10).
 */
export const listAssets = (standings: ReadonlyArray<AssetStanding>): ReadonlyArray<ListedAsset> =>
  assetIds.map((id) => listed(id, standings.filter(({ asset }) => asset === id)))

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
const rememberAssets = (
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
        // The call is made for everybody, not on behalf of the account that asks first.
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
      // Asked in the background, so that a caller who leaves does not end it.
      const asking = yield* Effect.forkIn(memory.ask, scope, { startImmediately: true })
      const now = yield* currentMillis
      const longest = memory.heard === undefined ? firstPatience : patience
      // Counted from when the provider was asked: of a slow one only the first callers wait.
      const left = memory.askedAt + Duration.toMillis(longest) - now
      if (left > 0) yield* Effect.timeoutOption(Fiber.join(asking), left)
      return believed(memory, now)?.assets ?? []
    })
  })

/** How the catalogue is kept. */
interface AssetCatalogueOptions {
  /** For how long what a provider said is used without asking it again. */
  readonly maxAge: Duration.Duration
}

/**
 * Every known asset with what the enabled providers say of it (decision 27). What the operator has switched
 * off is off at once. Circuits change nothing: a provider in trouble for some seconds still deals in its assets,
 * and says `provider_unavailable`, not `asset_disabled` (decision 10).
 */
export class AssetCatalogue extends Context.Service<AssetCatalogue, {
  /** Waits a moment for a slow provider at most, and never for the database. */
  readonly list: Effect.Effect<ReadonlyArray<ListedAsset>>
  /** For how long a list may be reused. */
  readonly maxAge: Duration.Duration
}>()("swap-broker/providers/AssetCatalogue") {
  static readonly layer = (
    { maxAge }: AssetCatalogueOptions,
  ): Layer.Layer<AssetCatalogue, never, Registry | Guard> =>
    Layer.effect(
      AssetCatalogue,
      Effect.gen(function* () {
        const registry = yield* Registry
        const assetsOf = yield* rememberAssets(yield* Guard, maxAge)

        /** Only what can be both quoted and opened is of use to a caller. */
        const isSwitchedOn = (provider: ProviderName, asset: AssetId): Effect.Effect<boolean> =>
          Effect.isSuccess(Effect.andThen(
            registry.mayCall(provider, "quote", [asset]),
            registry.mayCall(provider, "open", [asset]),
          ))

        const standingsOf = Effect.fnUntraced(function* (provider: Provider) {
          const { name } = provider
          return yield* Effect.forEach(yield* assetsOf(provider), (support) =>
            Effect.map(
              isSwitchedOn(name, support.asset),
              (switchedOn): AssetStanding => ({
                ...support,
                provider: name,
                switchedOn,
                starts: startsOf(provider, chainOf(support.asset)),
              }),
            ))
        })

        const list = Effect.gen(function* () {
          const providers = yield* registry.enabled
          const standings = yield* Effect.forEach(providers, standingsOf, { concurrency: "unbounded" })
          return listAssets(standings.flat())
        })

        return AssetCatalogue.of({
          list: Effect.withSpan(list, "AssetCatalogue.list"),
          maxAge,
        })
      }),
    )
}
