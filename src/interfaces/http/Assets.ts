import { Duration, Effect, Exit, Schema } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { AssetsBody, NetworksBody } from "#api/Assets.ts"
import { SwapNetworks } from "#providers/SwapNetworks.ts"
import { Prices } from "#application/quoting/Prices.ts"
import { PathUnknown } from "../requests/problems.ts"
import { LogoUrls } from "../requests/PublicUrl.ts"
import { presentAsset, presentNetworks } from "../requests/present/assets.ts"
import { handlersOf, problemResponse } from "../requests/failedRequests.ts"
import { AssetCatalogue } from "#providers/AssetCatalogue.ts"
import { assetIds, factsOf } from "#domain/chains/Asset.ts"
import { chainFacts, chains } from "#domain/chains/Chain.ts"
import { coinDisc, letterDisc } from "./coinMarks.ts"
import { entityTag, isKnownTag } from "../requests/compressible.ts"

/** A body that any cache may keep for a while, with its headers. */
interface Cacheable {
  readonly text: string
  readonly contentType: string
  readonly headers: { readonly etag: string; readonly "cache-control": string }
}

/** Makes a body from a text, which is JSON by default. Caches may keep it for `maxAge`, in whole seconds. */
const cacheable = (text: string, maxAge: Duration.Duration, contentType = "application/json"): Cacheable => ({
  text,
  contentType,
  headers: {
    etag: entityTag(text),
    "cache-control": `public, max-age=${Math.floor(Duration.toSeconds(maxAge))}`,
  },
})

/** Answers with the body, or with an empty 304 where the caller's `If-None-Match` names it (RFC 9110 15.4.5). */
const answerCacheable = (
  { contentType, headers, text }: Cacheable,
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpServerRequest.HttpServerRequest> =>
  Effect.map(HttpServerRequest.HttpServerRequest, (request) => {
    const ifNoneMatch = request.headers["if-none-match"]
    return ifNoneMatch !== undefined && isKnownTag(ifNoneMatch, headers.etag)
      ? HttpServerResponse.empty({ status: 304, headers })
      : HttpServerResponse.text(text, { contentType, headers })
  })

/** A colour of its own for each chain, dark enough for white letters. Neighbours in the list are far apart. */
const chainColour = (index: number): string =>
  `hsl(${Math.round(index * 5 % 14 * 360 / 14)},55%,${38 - 11 * Math.floor(index / 14)}%)`

/** The SVG of each asset and network by file name. */
const logos: ReadonlyMap<string, string> = new Map([
  ...assetIds().map((id) => [`${id}.svg`, coinDisc(factsOf(id).ticker)] as const),
  ...chains().map((chain, index) => {
    const { suffix } = chainFacts(chain)
    return [`${suffix}.svg`, letterDisc(chainColour(index), suffix.toUpperCase())] as const
  }),
])

/** The SVG of an asset (`btc.btc.svg`) or a network (`btc.svg`), if one has this file name. */
const logoNamed = (name: string): string | undefined => logos.get(name)

const assetsJson = Schema.encodeSync(Schema.fromJsonString(AssetsBody))
const networksJson = Schema.encodeSync(Schema.fromJsonString(NetworksBody))

/** How long a list is sent before it is written anew. Its endpoint needs no key, so callers may ask at any rate. */
const rewriteAfter = Duration.seconds(1)

/** How long caches may keep answers that change only with the build. */
const ofTheBuild = Duration.hours(1)

/** The most hosts whose texts are kept. Honest callers use few names; more than these empty the cache. */
const mostHosts = 16

/** Keeps the latest text for each of `mostHosts` hosts, until it would be written from another object. */
const byHost = <A extends object>(write: (of: A, host: string | undefined) => Cacheable) => {
  const kept = new Map<string | undefined, { readonly of: A; readonly text: Cacheable }>()
  return (of: A, host: string | undefined): Cacheable => {
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
    : answerCacheable(cacheable(svg, ofTheBuild, "image/svg+xml"))
}

export const AssetsHandlers = handlersOf("assets")(Effect.fnUntraced(function* (handlers) {
  const { list, maxAge } = yield* AssetCatalogue
  const prices = yield* Prices
  const logoUrls = yield* LogoUrls
  const { realNetwork } = yield* SwapNetworks
  const found = Effect.flatMap(
    list,
    (assets) => Effect.map(prices.current(assets), (prices) => ({ assets, prices })),
  )
  const sentFor = Duration.min(rewriteAfter, maxAge)
  const current = yield* Effect.cachedWithTTL(
    found,
    (exit: Exit.Exit<unknown>) => Exit.isSuccess(exit) ? sentFor : Duration.zero,
  )
  const assets = byHost<Effect.Success<typeof found>>(({ assets, prices }, host) =>
    cacheable(
      assetsJson({ assets: assets.map(presentAsset({ prices, logoUrl: logoUrls.forHost(host) })) }),
      maxAge,
    )
  )
  const networks = byHost<typeof handlers>((_, host) =>
    cacheable(networksJson({ networks: presentNetworks(logoUrls.forHost(host), realNetwork) }), ofTheBuild)
  )
  return handlers.handleAll({
    assets: () =>
      Effect.flatMap(
        current,
        (found) => Effect.flatMap(hostOf, (host) => answerCacheable(assets(found, host))),
      ),
    networks: () => Effect.flatMap(hostOf, (host) => answerCacheable(networks(handlers, host))),
    logo: ({ params }) => logo(params.name),
  })
}))
