import { AssetId, factsOf, findAsset, type ProviderErrorReason } from "@swap-broker/core/domain"
import { type Heard, makeRest, type Query } from "@swap-broker/core/provider"
import { Effect, Option, Schema, SchemaGetter, SchemaIssue } from "effect"
import { type HttpClient, HttpClientRequest } from "effect/http"
import { answerReason, type Asked } from "./errors.ts"
import type { Options } from "./settings.ts"

const endpoint = "exchange"

/** The upstream's endpoints, with bodies parsed but not decoded. No request is ever repeated. */
export interface Client {
  readonly get: (
    path: string,
    query?: Query,
    sourceAsset?: AssetId,
  ) => Effect.Effect<unknown, ProviderErrorReason>
  /** Looks a thing up; nothing where the exchange does not know it, else the body with its text. */
  readonly find: (path: string) => Effect.Effect<Option.Option<Heard>, ProviderErrorReason>
  /** Sends a request that begins a swap, so that a failure may have had an effect. */
  readonly post: (
    path: string,
    body: Schema.Json,
    sourceAsset: AssetId,
  ) => Effect.Effect<unknown, ProviderErrorReason>
}

export const makeClient = (client: HttpClient.HttpClient, { url, apiKey }: Options): Client => {
  const { find, get, post } = makeRest<Asked>({
    client,
    url,
    endpoint,
    reasonOf: answerReason,
    credential: { key: Option.some(apiKey), authorise: HttpClientRequest.bearerToken },
    // Whatever the exchange says with it.
    isUnknown: ({ status }) => status === 404,
  })
  return {
    get: (path, query, sourceAsset) =>
      Effect.map(
        get(path, { endpoint, opening: false, sourceAsset, general: sourceAsset === undefined }, query),
        ({ body }) => body,
      ),
    find: (path) => find(path, { endpoint, opening: false, sourceAsset: undefined }),
    post: (path, asked, sourceAsset) =>
      Effect.map(post(path, asked, { endpoint, opening: true, sourceAsset }), ({ body }) => body),
  }
}

/** An asset as the exchange writes it: `Bitcoin/BTC`. */
export const writeAsset = (asset: AssetId): string => `${factsOf(asset).chain}/${factsOf(asset).ticker}`

/** The asset of a text of the exchange, if it is one of ours. */
export const readAsset = (text: string): AssetId | undefined => {
  const [chain = "", ticker = ""] = text.split("/")
  return findAsset(chain, ticker)
}

/** The schema of an asset of ours, as the exchange writes it. */
export const WireAsset = Schema.String.pipe(
  Schema.decodeTo(AssetId, {
    decode: SchemaGetter.transformEffect((text, options) => {
      const asset = readAsset(text)
      return asset === undefined
        ? Effect.fail(new SchemaIssue.InvalidValue({ expected: "a known asset" }, text, options))
        : Effect.succeed(asset)
    }),
    encode: SchemaGetter.forbiddenEncoding,
  }),
)
