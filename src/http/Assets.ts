import { Duration, Effect, Exit, Schema } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Api } from "../api/Api.ts"
import { AssetsBody, NetworksBody } from "../api/Assets.ts"
import { Chain, chainFacts } from "../domain/Chain.ts"
import { AssetCatalogue } from "../providers/AssetCatalogue.ts"
import { answerKeepable, type Keepable, keepable } from "./keepable.ts"
import { presentAsset } from "./present/assets.ts"

const assetsJson = Schema.encodeSync(Schema.fromJsonString(AssetsBody))
const networksJson = Schema.encodeSync(Schema.fromJsonString(NetworksBody))

/** Changes only with the build. */
const networks = keepable(
  networksJson(Chain.literals.map((name) => ({ id: chainFacts[name].suffix, name }))),
  Duration.hours(1),
)

/** How long a written list is sent to all who ask: anybody may, as often as they like. */
const rewriteAfter = Duration.seconds(1)

export const AssetsHandlers = HttpApiBuilder.group(
  Api,
  "assets",
  Effect.fnUntraced(function* (handlers) {
    const { list, maxAge } = yield* AssetCatalogue
    const written = Effect.map(
      list,
      (assets) => keepable(assetsJson({ assets: assets.map(presentAsset) }), maxAge),
    )
    const sentFor = Duration.min(rewriteAfter, maxAge)
    const assets = yield* Effect.cachedWithTTL(
      written,
      (exit: Exit.Exit<Keepable>) => Exit.isSuccess(exit) ? sentFor : Duration.zero,
    )
    return handlers.handleAll({
      assets: () => Effect.flatMap(assets, answerKeepable),
      networks: () => answerKeepable(networks),
    })
  }),
)
