import { Effect, Option, Redacted, Result, type Schema } from "effect"
import { type HttpClient, HttpClientRequest } from "effect/http"
import type { ProviderErrorReason } from "../../domain/ProviderError.ts"
import { answerReason, type Asked } from "./errors.ts"
import type { Options } from "./Options.ts"
import { WireAssets, WireOrder, WirePayload, WireQuote, WireVaultSwap } from "./wire.ts"
import { decode } from "../upstream/decode.ts"
import { type Answer, hideSecrets, isOk, parseJson, send, under } from "../upstream/transport.ts"

const endpoint = "exchange"

/** What an order is asked for, in the upstream's words. */
export interface OrderBody {
  readonly from: string
  readonly to: string
  readonly amount: string
  readonly commissionBps: number
  readonly recipient: string
  readonly refundTo: string
  readonly minimumOut: string
}

/** A payload has to say itself how often its swap is retried. */
export interface PayloadBody extends OrderBody {
  readonly retryBlocks: number
}

/** What the upstream has on record, and its own text of it. */
export interface Found<A> {
  readonly wire: A
  readonly text: string
}

/** The upstream's endpoints; nothing is ever repeated. */
export interface Client {
  readonly assets: Effect.Effect<WireAssets, ProviderErrorReason>
  readonly quote: (
    query: Readonly<Record<string, string>>,
    asked: Pick<Asked, "sourceAsset">,
  ) => Effect.Effect<WireQuote, ProviderErrorReason>
  readonly open: (
    body: OrderBody,
    asked: Pick<Asked, "sourceAsset">,
  ) => Effect.Effect<WireOrder, ProviderErrorReason>
  /** Nothing when the upstream does not know the number. */
  readonly order: (number: number) => Effect.Effect<Option.Option<Found<WireOrder>>, ProviderErrorReason>
  readonly payload: (
    body: PayloadBody,
    asked: Pick<Asked, "sourceAsset">,
  ) => Effect.Effect<WirePayload, ProviderErrorReason>
  /** Nothing when the upstream does not know the transaction, or not as one of its own. */
  readonly transaction: (
    hash: string,
  ) => Effect.Effect<Option.Option<Found<WireVaultSwap>>, ProviderErrorReason>
}

/** The body of a success, or the reason that the answer stands for. */
const read = <A, I>(
  schema: Schema.Codec<A, I>,
  answer: Answer,
  asked: Asked,
): Effect.Effect<A, ProviderErrorReason> =>
  Effect.fromResult<A, ProviderErrorReason>(
    isOk(answer)
      ? Result.flatMap(parseJson(endpoint, answer), (body) => decode(schema, body))
      : Result.fail(answerReason(answer, asked)),
  )

/** The client of the exchange at `url`. */
export const make = (client: HttpClient.HttpClient, { url, apiKey }: Options): Client => {
  const hide = hideSecrets(url, Redacted.value(apiKey))
  const ask = (request: HttpClientRequest.HttpClientRequest) =>
    send(client, endpoint, HttpClientRequest.bearerToken(request, Redacted.value(apiKey)), hide)
  const get = (path: string, urlParams: Readonly<Record<string, string>> = {}) =>
    ask(HttpClientRequest.get(under(url, path), { urlParams, acceptJson: true }))
  const asking: Asked = { endpoint, opening: false }
  const begin = <A, I>(
    path: string,
    schema: Schema.Codec<A, I>,
    body: OrderBody,
    asked: Pick<Asked, "sourceAsset">,
  ) =>
    HttpClientRequest.post(under(url, path)).pipe(
      HttpClientRequest.bodyJsonUnsafe(body),
      ask,
      Effect.flatMap((answer) => read(schema, answer, { endpoint, opening: true, ...asked })),
    )
  const find = <A, I>(path: string, schema: Schema.Codec<A, I>) =>
    Effect.flatMap(
      get(path),
      (answer) =>
        answer.status === 404 ? Effect.succeedNone : Effect.map(
          read(schema, answer, asking),
          (wire) => Option.some({ wire, text: answer.body }),
        ),
    )

  return {
    assets: Effect.flatMap(get("/v1/assets"), (answer) => read(WireAssets, answer, asking)),
    quote: (query, asked) =>
      Effect.flatMap(get("/v1/quote", query), (answer) => read(WireQuote, answer, { ...asking, ...asked })),
    open: (body, asked) => begin("/v1/orders", WireOrder, body, asked),
    order: (number) => find(`/v1/orders/${number}`, WireOrder),
    payload: (body, asked) => begin("/v1/payloads", WirePayload, body, asked),
    transaction: (hash) => find(`/v1/transactions/${encodeURIComponent(hash)}`, WireVaultSwap),
  }
}
