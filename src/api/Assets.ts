import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { AssetId } from "../domain/Asset.ts"
import { Chain } from "../domain/Chain.ts"
import { ProviderName } from "../domain/ProviderName.ts"
import { about } from "./about.ts"
import { ExactDecimal } from "./ExactDecimal.ts"
import { InternalServerError } from "./Problems.ts"
import { NativeText } from "./Quotes.ts"

const optional = Schema.optionalKey

/** One asset of `/assets` (decision 27). */
export const AssetBody = Schema.Struct({
  id: AssetId,
  enabled: Schema.Boolean.annotate({
    description:
      "Some provider swaps it at present. Where none does, quotes and openings of it fail with 503.",
  }),
  direction: Schema.Literals(["both", "ingress", "egress"]).annotate({
    description:
      "Whether it can be swapped from (`ingress`), to (`egress`) or both. `both` where not enabled.",
  }),
  ticker: Schema.String.annotate({ description: "Symbol, which several networks may share." }),
  name: Schema.String,
  network: Chain,
  contractAddress: optional(Schema.String.annotate({
    description: "Token contract, mint or asset number on mainnet; absent for a network's own coin.",
  })),
  decimals: Schema.Int,
  minimalAmount: ExactDecimal,
  minimalAmountNative: NativeText,
  usdPrice: optional(ExactDecimal),
  platforms: Schema.Array(ProviderName).annotate({
    description: "The providers that swap it at present, the preferred first; empty where not enabled.",
  }),
}).annotate({
  identifier: "Asset",
  description:
    "`minimalAmount` is the lowest minimum deposit that a provider states; one that states none may " +
    "take less, and any may refuse what does not cover its fees. `usdPrice` is there only where a provider " +
    "states one: for display, some minutes old.",
})
export type AssetBody = typeof AssetBody.Type

/** The answer of `/assets`. */
export const AssetsBody = Schema.Struct({ assets: Schema.Array(AssetBody) }).annotate({
  identifier: "Assets",
})

/** The answer of `/networks`. */
export const NetworksBody = Schema.Array(
  Schema.Struct({
    id: Schema.String.annotate({
      description: "What stands behind the dot of an asset's id.",
      examples: ["btc"],
    }),
    name: Chain.annotate({ description: "The `network` of assets, channels and requests." }),
  }).annotate({ identifier: "Network" }),
)

/** What an answer that may be kept says of that. */
const kept = <S extends Schema.Top>(body: S) =>
  HttpApiSchema.WithHeaders(body, {
    etag: Schema.String.annotate({ description: "Send it as If-None-Match: 304 while nothing has changed." }),
    "cache-control": Schema.String.annotate({ description: "`public, max-age=…`, in seconds." }),
  })

/** What a request for such an answer may say. */
const headers = Schema.Struct({
  "if-none-match": optional(Schema.String.annotate({
    description: "Entity tags of earlier answers, weak or strong, with commas between them; or `*`.",
    examples: ['"2jmj7l5rSw0yVb_vlWAYkK_YBwk"'],
  })),
})

const notModified = HttpApiSchema.Empty(304).annotate({ description: "Nothing has changed since." })

/** What can be swapped, for anybody and for caches. No key needed. */
export class AssetsGroup extends HttpApiGroup.make("assets").add(
  HttpApiEndpoint.get("assets", "/assets", {
    headers,
    success: [kept(AssetsBody), notModified],
    error: InternalServerError,
  }).annotateMerge(
    about(
      "listAssets",
      "Every known asset, with what the providers make of it",
      "What can be swapped, with minimum deposits and prices. Needs no key and may be cached: send the " +
        "`ETag` as `If-None-Match`.",
    ),
  ),
  HttpApiEndpoint.get("networks", "/networks", {
    headers,
    success: [kept(NetworksBody), notModified],
    error: InternalServerError,
  }).annotateMerge(
    about(
      "listNetworks",
      "Every known network",
      "The networks that assets are on. Needs no key and may be cached: send the `ETag` as `If-None-Match`.",
    ),
  ),
).annotateMerge(OpenApi.annotations({ title: "Assets", description: "What can be swapped, and where." })) {}
