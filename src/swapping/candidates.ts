import { Array, Effect, Option, Result, Schema } from "effect"
import { AssetId } from "../domain/Asset.ts"
import { combineFaults, hasFaults, InvalidRequest } from "../domain/Faults.ts"
import type { ProviderName } from "../domain/ProviderName.ts"
import type { SwapRequest } from "../domain/SwapRequest.ts"
import { notHonoured } from "../providers/Capabilities.ts"
import type { AssetSupport, Provider } from "../providers/Provider.ts"
import type { Registry } from "../providers/Registry.ts"

/** No enabled provider takes the one asset and pays out the other at present (decision 10). */
export class PairNotServed extends Schema.TaggedError<PairNotServed>()("PairNotServed", {
  sourceAsset: AssetId,
  destinationAsset: AssetId,
}) {
  override get message(): string {
    return `No provider swaps ${this.sourceAsset} to ${this.destinationAsset} at present`
  }
}

const servesPair = (assets: ReadonlyArray<AssetSupport>, request: SwapRequest): boolean =>
  assets.some(({ asset, ingress }) => asset === request.sourceAsset && ingress) &&
  assets.some(({ asset, egress }) => asset === request.destinationAsset && egress)

/** A provider that cannot say what it serves stays in: its answer to the request itself decides. */
const mayServe = (provider: Provider, request: SwapRequest): Effect.Effect<boolean> =>
  provider.assets.pipe(
    Effect.map((assets) => servesPair(assets, request)),
    Effect.catch((error) =>
      Effect.as(
        Effect.logDebug(`Not known what ${provider.name} serves; asking it all the same`, error),
        true,
      )
    ),
  )

/** The providers to ask for a channel, the preferred first; only the named one where one is named. */
export const candidatesFor = Effect.fnUntraced(function* (
  registry: Registry["Service"],
  request: SwapRequest,
  platform: Option.Option<ProviderName>,
) {
  const providers = yield* Option.match(platform, {
    onNone: () => registry.enabled,
    onSome: (name) => Effect.map(registry.find(name), Option.toArray),
  })
  const serving = yield* Effect.filter(providers, (provider) => mayServe(provider, request), {
    concurrency: "unbounded",
  })
  const [able, passedOver] = Array.partition(serving, (provider) => {
    const faults = notHonoured(provider.name, provider.capabilities, request)
    return hasFaults(faults) ? Result.fail(faults) : Result.succeed(provider)
  })
  if (passedOver.length > 0) yield* Effect.logInfo("Providers were passed over", ...passedOver)
  if (Array.isReadonlyArrayNonEmpty(able)) return able
  if (passedOver.length > 0) return yield* new InvalidRequest({ errors: combineFaults(passedOver) })
  return yield* new PairNotServed({
    sourceAsset: request.sourceAsset,
    destinationAsset: request.destinationAsset,
  })
})
