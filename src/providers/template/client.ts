import { Effect, Option, Redacted, Result, Schema, SchemaGetter, SchemaIssue } from "effect"
import { type HttpClient, HttpClientRequest } from "effect/http"
import { AssetId, factsOf, findAsset } from "../../domain/Asset.ts"
import type { ProviderErrorReason } from "../../domain/ProviderError.ts"
import { type Answer, hear, type Heard, hideSecrets, isOk, send, under } from "../upstream/transport.ts"
import { answerReason, type Asked } from "./errors.ts"
import type { Options } from "./settings.ts"

const endpoint = "exchange"

/** The upstream's endpoints, with bodies parsed but not decoded. No request is ever repeated. */
export interface Client {
  readonly get: (
    path: string,
    query?: Readonly<Record<string, string>>,
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

const read = (answer: Answer, asked: Asked): Effect.Effect<Heard, ProviderErrorReason> =>
  Effect.fromResult<Heard, ProviderErrorReason>(
    isOk(answer) ? hear(endpoint, answer) : Result.fail(answerReason(answer, asked)),
  )

export const makeClient = (client: HttpClient.HttpClient, { url, apiKey }: Options): Client => {
  const hide = hideSecrets(url, Redacted.value(apiKey))
  const ask = (request: HttpClientRequest.HttpClientRequest) =>
    send(client, endpoint, HttpClientRequest.bearerToken(request, Redacted.value(apiKey)), hide)
  const get = (path: string, urlParams: Readonly<Record<string, string>> = {}) =>
    ask(HttpClientRequest.get(under(url, path), { urlParams, acceptJson: true }))
  return {
    get: (path, query, sourceAsset) =>
      Effect.flatMap(
        get(path, query),
        (answer) => Effect.map(read(answer, { endpoint, opening: false, sourceAsset }), ({ body }) => body),
      ),
    find: (path) =>
      Effect.flatMap(
        get(path),
        (answer) =>
          answer.status === 404
            ? Effect.succeedNone
            : Effect.asSome(read(answer, { endpoint, opening: false, sourceAsset: undefined })),
      ),
    post: (path, body, sourceAsset) =>
      Effect.flatMap(
        ask(HttpClientRequest.bodyJsonUnsafe(HttpClientRequest.post(under(url, path)), body)),
        (answer) => Effect.map(read(answer, { endpoint, opening: true, sourceAsset }), ({ body }) => body),
      ),
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
