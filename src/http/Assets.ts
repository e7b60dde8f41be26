import { Duration, Effect, Exit, Schema } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import { Api } from "../api/Api.ts"
import { AssetsBody, NetworksBody } from "../api/Assets.ts"
import { Prices } from "../quoting/Prices.ts"
import { PathUnknown } from "./HttpFailure.ts"
import { answerKeepable, type Keepable, keepable } from "./keepable.ts"
import { logoNamed } from "./logos.ts"
import { LogoUrls } from "./LogoUrls.ts"
import { presentAsset, presentNetworks } from "./present/assets.ts"
import { problemResponse } from "./orProblem.ts"
import { AssetCatalogue } from "../providers/AssetCatalogue.ts"

const assetsJson = Schema.encodeSync(Schema.fromJsonString(AssetsBody))
const networksJson = Schema.encodeSync(Schema.fromJsonString(NetworksBody))

/** How long a written list is sent to all who ask: anybody may, as often as they like. */
const rewriteAfter = Duration.seconds(1)

/** Change only with the build. */
const ofTheBuild = Duration.hours(1)

/** Callers use few names of the service; who makes many up has each list written anew. */
const mostHosts = 16

/** Keeps the latest text for each of some hosts, while what it is made of is the same. */
const byHost = <A extends object>(write: (of: A, host: string | undefined) => Keepable) => {
  const kept = new Map<string | undefined, { readonly of: A; readonly text: Keepable }>()
  return (of: A, host: string | undefined): Keepable => {
    const found = kept.get(host)
    if (found !== undefined && found.of === of) return found.text
    if (kept.size >= mostHosts) kept.clear()
    const text = write(of, host)
    kept.set(host, { of, text })
    return text
  }
}

const hostOf = Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) => headers.host)

const logo = (name: string) => {
  const svg = logoNamed(name)
  return svg === undefined
    ? problemResponse(new PathUnknown())
    : answerKeepable(keepable(svg, ofTheBuild, "image/svg+xml"))
}

export const AssetsHandlers = HttpApiBuilder.group(
  Api,
  "assets",
  Effect.fnUntraced(function* (handlers) {
    const { list, maxAge } = yield* AssetCatalogue
    const prices = yield* Prices
    const logoUrls = yield* LogoUrls
    const found = Effect.flatMap(
      list,
      (assets) => Effect.map(prices.known(assets), (prices) => ({ assets, prices })),
    )
    const sentFor = Duration.min(rewriteAfter, maxAge)
    const current = yield* Effect.cachedWithTTL(
      found,
      (exit: Exit.Exit<unknown>) => Exit.isSuccess(exit) ? sentFor : Duration.zero,
    )
    const assets = byHost<Effect.Success<typeof found>>(({ assets, prices }, host) =>
      keepable(
        assetsJson({ assets: assets.map(presentAsset({ prices, logoUrl: logoUrls.forHost(host) })) }),
        maxAge,
      )
    )
    const networks = byHost<typeof handlers>((_, host) =>
      keepable(networksJson({ networks: presentNetworks(logoUrls.forHost(host)) }), ofTheBuild)
    )
    return handlers.handleAll({
      assets: () =>
        Effect.flatMap(
          current,
          (found) => Effect.flatMap(hostOf, (host) => answerKeepable(assets(found, host))),
        ),
      networks: () => Effect.flatMap(hostOf, (host) => answerKeepable(networks(handlers, host))),
      logo: ({ params }) => logo(params.name),
    })
  }),
)
