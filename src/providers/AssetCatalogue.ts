import { type BigDecimal, Cause, Duration, Effect, Fiber, type Scope } from "effect"
import { service } from "#infrastructure/platform/service.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { type AssetId, assetIds, chainOf } from "#domain/chains/Asset.ts"
import { OnBehalfOf } from "#infrastructure/platform/Bulkhead.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { defined } from "#infrastructure/platform/optionalMembers.ts"
import { Guard } from "./guard/Guard.ts"
import type { Start } from "#domain/swaps/Start.ts"
import { type AssetSupport, type Provider, startsOf } from "./Provider.ts"
import { Registry } from "./Registry.ts"

export interface AssetStanding extends AssetSupport {
  readonly provider: ProviderName
  readonly switchedOn: boolean
  readonly starts: ReadonlyArray<Start>
}

/** An asset with the support of all providers together. */
export interface ListedAsset {
  readonly asset: AssetId
  /** The providers that serve the asset now, the preferred first; may be empty. */
  readonly providers: ReadonlyArray<ProviderName>
  readonly ingress: boolean
  readonly egress: boolean
  /** The ways in which swaps from the asset begin, at one provider at least. */
  readonly starts: ReadonlyArray<Start>
  /** The lowest minimum of the providers that open for the asset, else of those that know it. Native units; 1: none. */
  readonly minimumDeposit: NativeAmount
  /** US dollars for a whole unit; absent where no provider that serves the asset states a price. */
  readonly usdPrice?: BigDecimal.BigDecimal
  /** When that price was learnt. */
  readonly usdPriceAt?: EpochMillis
}

/** The least amount. A minimum deposit of this much, or of 0, counts as no minimum. */
const leastAmount = NativeAmount.make(1n)

const lowest = (minimums: ReadonlyArray<NativeAmount>): NativeAmount => {
  const [first = leastAmount, ...others] = minimums.filter((minimum) => minimum > leastAmount)
  return others.reduce((least, minimum) => minimum < least ? minimum : least, first)
}

const allStarts: ReadonlyArray<Start> = ["channel", "transaction"]

const listed = (asset: AssetId, standings: ReadonlyArray<AssetStanding>): ListedAsset => {
  const serving = standings.filter(({ switchedOn, ingress, egress }) => switchedOn && (ingress || egress))
  const takingDeposits = serving.filter(({ ingress }) => ingress)
  const starts = allStarts.filter((start) => takingDeposits.some(({ starts }) => starts.includes(start)))
  const beginning = takingDeposits.filter((standing) =>
    starts[0] === undefined || standing.starts.includes(starts[0])
  )
  const { usdPrice, usdPriceAt } = serving.find(({ usdPrice }) => usdPrice !== undefined) ?? {}
  return {
    asset,
    providers: serving.map(({ provider }) => provider),
    ingress: takingDeposits.length > 0,
    egress: serving.some(({ egress }) => egress),
    starts,
    minimumDeposit: lowest(
      (beginning.length > 0 ? beginning : standings).flatMap(({ minimumDeposit }) =>
        minimumDeposit === undefined ? [] : [minimumDeposit]
      ),
    ),
    ...defined({ usdPrice, usdPriceAt }),
  }
}

/** Every known asset in table order, also where no provider serves it now (`asset_disabled`, decision 10). */
export const listAssets = (standings: ReadonlyArray<AssetStanding>): ReadonlyArray<ListedAsset> =>
  assetIds().map((id) => listed(id, standings.filter(({ asset }) => asset === id)))

/** How long a caller waits for a provider that has not answered yet. */
const firstPatience = Duration.seconds(2)

/** How long a caller waits for a provider whose last answer is known. */
const patience = Duration.millis(250)

/** The age from which a provider's last answer is not used any more. */
const believedFor = Duration.hours(1)

interface Heard {
  readonly assets: ReadonlyArray<AssetSupport>
  readonly at: number
}

/** The last answer of a provider, and the way to a new one. */
interface Memory {
  heard: Heard | undefined
  askedAt: number
  /** Asks the provider, unless it was asked a moment ago; shares a call under way. Never fails. */
  readonly ask: Effect.Effect<void>
}

const believed = ({ heard }: Memory, now: number): Heard | undefined =>
  heard !== undefined && now - heard.at <= Duration.toMillis(believedFor) ? heard : undefined

/** A provider's assets from its last answer; empty where there is none. One older than `maxAge` is asked for again. */
const rememberAssets = (
  guard: Guard["Service"],
  maxAge: Duration.Duration,
): Effect.Effect<(provider: Provider) => Effect.Effect<ReadonlyArray<AssetSupport>>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const memories = new WeakMap<Provider, Memory>()

    /** Only real calls try a circuit that is not closed: a remembered answer would close it too early. */
    const rests = (provider: ProviderName) =>
      Effect.map(guard.view(provider), ({ quote }) => quote.circuit._tag !== "Closed")

    const hear = Effect.fnUntraced(function* (provider: Provider, memory: Memory) {
      const now = yield* currentMillis
      memory.askedAt = now
      if (believed(memory, now) !== undefined && (yield* rests(provider.name))) return
      const assets = yield* provider.assets
      const at = yield* currentMillis
      memory.heard = { assets: assets.map((support) => ({ usdPriceAt: at, ...support })), at }
    })

    const begin = Effect.fnUntraced(function* (provider: Provider) {
      const hearing: Effect.Effect<void> = Effect.suspend(() => hear(provider, memory)).pipe(
        // The call is made for all accounts, not on behalf of the one that asks first.
        Effect.provideService(OnBehalfOf, undefined),
        Effect.catchCause((cause) =>
          Cause.hasInterruptsOnly(cause)
            ? Effect.void
            : Effect.logInfo(`The assets of ${provider.name} could not be read`, cause)
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
      // The provider is asked in the background, so that a caller who leaves does not end the call.
      const asking = yield* Effect.forkIn(memory.ask, scope, { startImmediately: true })
      const now = yield* currentMillis
      const longest = memory.heard === undefined ? firstPatience : patience
      // The wait counts from the start of the call: only the first callers wait for a slow provider.
      const left = memory.askedAt + Duration.toMillis(longest) - now
      if (left > 0) yield* Effect.timeoutOption(Fiber.join(asking), left)
      return believed(memory, now)?.assets ?? []
    })
  })

/** Every known asset with its enabled providers (decisions 10, 27). Switches count at once, circuits do not. */
export class AssetCatalogue extends service<AssetCatalogue>()(
  "swap-broker/providers/AssetCatalogue",
  ({ maxAge }: { readonly maxAge: Duration.Duration }) =>
    Effect.gen(function* () {
      const registry = yield* Registry
      const assetsOf = yield* rememberAssets(yield* Guard, maxAge)

      /** Whether an asset can be both quoted and opened: only then is it of use to a caller. */
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

      /** What each provider says of each asset; nothing of a provider that cannot be asked. Waits as `list` does. */
      const standings = Effect.gen(function* () {
        const providers = yield* registry.enabled
        return (yield* Effect.forEach(providers, standingsOf, { concurrency: "unbounded" })).flat()
      })

      /** What each provider has named since the start, on or off. */
      const named = new Map<ProviderName, Set<AssetId>>()

      /**
       * All assets until each provider has named its own, then none that no provider ever named: some wallets reject a
       * list with unpriced rows. Waits a moment at most for a slow provider.
       */
      const list = Effect.gen(function* () {
        const providers = yield* registry.enabled
        const found = yield* standings
        for (const { asset, provider } of found) {
          const before = named.get(provider)
          if (before === undefined) named.set(provider, new Set([asset]))
          else before.add(asset)
        }
        const hasHeardAll = providers.every(({ name }) => named.has(name))
        const ofSomebody = new Set([...named.values()].flatMap((assets) => [...assets]))
        return listAssets(found).filter(({ asset }) => !hasHeardAll || ofSomebody.has(asset))
      })

      return { list: Effect.withSpan(list, "AssetCatalogue.list"), standings, maxAge }
    }),
) {}
