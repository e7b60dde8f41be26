import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { NativeAmount } from "#domain/money/Amount.ts"
import { AssetId } from "#domain/chains/Asset.ts"
import { Chain } from "#domain/chains/Chain.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { ParameterFaults } from "./Authorization.ts"
import { about, cacheHeaders, SvgBody } from "./endpoint.ts"
import { IsoDate, maybe, member, StartPaths } from "./shape.ts"
import { InternalServerError, NotFound } from "./Problems.ts"
import { optional } from "#domain/optional.ts"

export const AssetBody = Schema.Struct({
  id: AssetId,
  enabled: member.yesOrNo(
    "At least one provider swaps the asset now. Otherwise quotes and openings of it fail with 503.",
  ),
  direction: Schema.Literals(["both", "ingress", "egress"]).annotate({
    description:
      "Whether it can be swapped from (`ingress`), to (`egress`) or both. `both` where not enabled.",
  }),
  ticker: member.text("Symbol, which several networks may share."),
  name: Schema.String,
  network: Chain,
  contractAddress: maybe.text(
    "Token contract, mint or asset number on mainnet; absent for a network's own coin.",
  ),
  decimals: Schema.Int,
  ...member.amount("minimalAmount", "The lowest minimum deposit of all providers."),
  usdPrice: maybe.decimal("Price in US dollars, some minutes old."),
  usdPriceNative: optional(
    Schema.String.annotate({
      description: "The price in millionths of a dollar.",
      examples: ["1904000000"],
    }).check(Schema.isPattern(/^[0-9]{1,39}$/)).pipe(
      Schema.decodeTo(Schema.BigIntFromString),
      Schema.decodeTo(NativeAmount),
    ),
  ),
  usdPriceAt: maybe.time("When the price was learnt, in epoch milliseconds."),
  usdPriceAtDate: optional(IsoDate),
  assetLogo: Schema.String.annotate({
    description: "URL of a picture of the asset.",
    examples: ["https://broker.example/logos/btc.btc.svg"],
  }),
  networkLogo: Schema.String.annotate({
    description: "URL of a picture of the network.",
    examples: ["https://broker.example/logos/btc.svg"],
  }),
  platforms: Schema.Array(ProviderName).annotate({
    description: "Its providers now, the preferred one first; empty if the asset is not enabled.",
  }),
  startPaths: StartPaths,
}).annotate({
  identifier: "Asset",
  description:
    "`minimalAmount` is the lowest minimum deposit of every pair that a provider states which begins swaps by the first " +
    "of `startPaths`: what is refused below it there. Others have a minimum for each pair, which /limits, their refusals and " +
    "`effectiveMinimum` of /quotes/compare tell; it may be lower, and fees may ask for more. `usdPrice` is what a provider states, or " +
    "what a quote brings in usdc.eth: for display, some minutes old, and absent while there is neither.",
})
export type AssetBody = typeof AssetBody.Type

export const AssetsBody = Schema.Struct({ assets: Schema.Array(AssetBody) }).annotate({
  identifier: "Assets",
})

export const NetworkBody = Schema.Struct({
  id: Schema.String.annotate({ description: "The part of an asset's id after the dot.", examples: ["btc"] }),
  name: Chain.annotate({ description: "The `network` of assets, channels and requests." }),
  logo: Schema.String.annotate({
    description: "URL of a picture of the network.",
    examples: ["https://broker.example/logos/btc.svg"],
  }),
  kind: Schema.Literals(["evm", "utxo", "solana", "tron", "substrate", "xrpl"]).annotate({
    description: "Kind of its addresses and transactions. Values may be added.",
  }),
  nativeAsset: AssetId.annotate({ description: "The network's own coin." }),
  blockSeconds: member.decimal("Average time between two blocks."),
  chainId: maybe.count("EVM chain ID (EIP-155)."),
  caip2: maybe.text("Name in CAIP-2, such as `eip155:1`."),
  explorerUrl: maybe.text("Home page of a block explorer."),
  transactionUrlTemplate: maybe.text(
    "The explorer's page of a transaction: replace `{transactionReference}`. No explorer has simulated ones.",
  ),
  addressUrlTemplate: maybe.text("The explorer's page of an address: replace `{address}`."),
}).annotate({
  identifier: "Network",
  description: "A service for test networks has their IDs and explorers. What is unknown is absent.",
})
export type NetworkBody = typeof NetworkBody.Type

export const NetworksBody = Schema.Struct({
  networks: member.of(Schema.Array(NetworkBody), "Every known network."),
}).annotate({ identifier: "Networks" })

/** A body with the headers of an answer that may be cached. */
const kept = <S extends Schema.Top>(body: S) =>
  HttpApiSchema.WithHeaders(body, {
    etag: member.text("Send it as If-None-Match: 304 while nothing has changed."),
    "cache-control": member.text("`public, max-age=…`, in seconds."),
  })

const notModified = HttpApiSchema.Empty(304).annotate({ description: "The list has not changed since." })

/** The assets and networks, for anyone and for caches. No key needed. */
export class AssetsGroup extends HttpApiGroup.make("assets").add(
  HttpApiEndpoint.get("assets", "/assets", {
    headers: cacheHeaders,
    success: [kept(AssetsBody), notModified],
    error: InternalServerError,
  }).annotateMerge(about(
    "listAssets",
    "List assets",
    "What can be swapped, with minimum deposits and prices: each asset that a provider here has named, also while none " +
      "serves it. Needs no key and may be cached: send the `ETag` as `If-None-Match`.",
  )),
  HttpApiEndpoint.get("networks", "/networks", {
    headers: cacheHeaders,
    success: [kept(NetworksBody), notModified],
    error: InternalServerError,
  }).annotateMerge(about(
    "listNetworks",
    "List networks",
    "The networks that assets are on. Needs no key and may be cached: send the `ETag` as `If-None-Match`.",
  )),
  HttpApiEndpoint.get("logo", "/logos/:name", {
    params: {
      name: Schema.String.annotate({
        description: "Id of an asset or a network, and `.svg`.",
        examples: ["btc.btc.svg"],
      }),
    },
    headers: cacheHeaders,
    success: [kept(SvgBody), notModified],
    error: [NotFound, InternalServerError],
  }).annotateMerge(about(
    "getLogo",
    "Get a logo",
    "An SVG with its letters, for lists that need some picture. Needs no key and may be cached.",
  )),
).middleware(ParameterFaults).annotateMerge(
  OpenApi.annotations({ title: "Assets", description: "Assets and networks." }),
) {}
