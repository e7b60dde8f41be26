import { Context, type Duration, Effect, Layer } from "effect"
import type { AssetId } from "../domain/Asset.ts"
import type { ProviderName } from "../domain/ProviderName.ts"
import { Guard } from "./Guard.ts"
import { type AssetStanding, listAssets, type ListedAsset } from "./listAssets.ts"
import type { Provider } from "./Provider.ts"
import { Registry } from "./Registry.ts"
import { rememberAssets } from "./rememberAssets.ts"

/** How the catalogue is kept. */
export interface AssetCatalogueOptions {
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
              (switchedOn): AssetStanding => ({ ...support, platform: name, switchedOn }),
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
