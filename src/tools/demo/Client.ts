import { Effect, Schema } from "effect"
import { service } from "#infrastructure/platform/service.ts"
import { HttpBody, HttpClient, HttpClientRequest } from "effect/http"
import { AssetId } from "#domain/chains/Asset.ts"
import type { StartPath } from "#domain/swaps/Start.ts"
import { SwapState } from "#domain/swaps/Swap.ts"

/** The service did not answer as the contract says. */
export class CallFailed extends Schema.TaggedError<CallFailed>()("CallFailed", {
  call: Schema.String,
  detail: Schema.String,
}) {
  override get message(): string {
    return `${this.call}: ${this.detail}`
  }
}

export const QuoteSeen = Schema.Struct({
  type: Schema.Literals(["regular", "dca"]),
  platform: Schema.String,
  egressAsset: AssetId,
  egressAmountNative: Schema.BigIntFromString,
  estimatedPrice: Schema.Finite,
  estimatedDurationSeconds: Schema.Finite,
  numberOfChunks: Schema.optionalKey(Schema.Int),
  boostQuote: Schema.optionalKey(
    Schema.Struct({ estimatedBoostFeeBps: Schema.Int, estimatedDurationSeconds: Schema.Finite }),
  ),
})
export type QuoteSeen = typeof QuoteSeen.Type

export const ChannelSeen = Schema.Struct({
  id: Schema.Int,
  address: Schema.String,
  issuedBlock: Schema.Int,
  network: Schema.String,
  channelId: Schema.Int,
})
export type ChannelSeen = typeof ChannelSeen.Type

/** The answer of `/tx-payload/*`, of which the demo reads who made it; a wallet reads all of it. */
export const PayloadSeen = Schema.StructWithRest(
  Schema.Struct({ platform: Schema.String, network: Schema.String }),
  [Schema.Record(Schema.String, Schema.Json)],
)
export type PayloadSeen = typeof PayloadSeen.Type

const SentSeen = Schema.Struct({ transactionHash: Schema.String })

const EgressSeen = Schema.Struct({
  amountNative: Schema.BigIntFromString,
  transactionReference: Schema.optionalKey(Schema.String),
})

export const SwapSeen = Schema.Struct({
  id: Schema.Int,
  status: Schema.Struct({
    state: SwapState,
    sourceAsset: AssetId,
    destinationAsset: AssetId,
    boost: Schema.optionalKey(Schema.Struct({ effectiveBoostFeeBps: Schema.optionalKey(Schema.Int) })),
    swap: Schema.optionalKey(Schema.Struct({
      regular: Schema.optionalKey(Schema.Struct({ retryCount: Schema.Int })),
      dca: Schema.optionalKey(Schema.Struct({ executedChunks: Schema.Int, remainingChunks: Schema.Int })),
    })),
    swapEgress: Schema.optionalKey(EgressSeen),
    refundEgress: Schema.optionalKey(EgressSeen),
  }),
})
export type SwapSeen = typeof SwapSeen.Type

const Time = Schema.Struct({ time: Schema.String })

type Parameters = Readonly<Record<string, string>>
type Call<A> = Effect.Effect<A, CallFailed>

/** The service as an integrator sees it: over HTTP, by its contract. */
export class Client extends service<Client>()(
  "swap-broker/demo/Client",
  (options: { readonly url: URL; readonly apiKey: string }) =>
    Effect.gen(function* () {
      const http = yield* HttpClient.HttpClient

      const send = <A>(
        request: HttpClientRequest.HttpClientRequest,
        schema: Schema.ConstraintDecoder<A>,
      ): Call<A> =>
        http.execute(HttpClientRequest.setHeader(request, "x-api-key", options.apiKey)).pipe(
          Effect.flatMap((response) =>
            Effect.flatMap(
              response.text,
              (body) =>
                response.status < 400
                  ? Schema.decodeUnknownEffect(Schema.fromJsonString(schema))(body)
                  : Effect.fail(new Error(`${response.status} ${body}`)),
            )
          ),
          Effect.mapError((cause) =>
            new CallFailed({
              call: `${request.method} ${new URL(request.url).pathname}`,
              detail: cause.message,
            })
          ),
        )

      const get = <A>(path: string, parameters: Parameters, schema: Schema.ConstraintDecoder<A>) =>
        send(
          HttpClientRequest.setUrlParams(HttpClientRequest.get(new URL(path, options.url)), parameters),
          schema,
        )

      const post = <A>(path: string, body: object, schema: Schema.ConstraintDecoder<A>) =>
        send(HttpClientRequest.post(new URL(path, options.url), { body: HttpBody.jsonUnsafe(body) }), schema)

      return {
        quotes: (parameters: Parameters) => get("/quotes", parameters, Schema.Array(QuoteSeen)),
        open: (parameters: Parameters) => get("/swap", parameters, ChannelSeen),
        deposit: (address: string, amount: string) =>
          Effect.asVoid(post("/sandbox/deposits", { address, amount }, Schema.Unknown)),
        /** A payload from one of the paths of `/tx-payload/*`. */
        payload: (path: StartPath, parameters: Parameters) => get(path, parameters, PayloadSeen),
        /** Makes the transaction of a payload; gives its hash. */
        send: (payload: PayloadSeen) =>
          Effect.map(
            post("/sandbox/vault-swaps", { payload }, SentSeen),
            ({ transactionHash }) => transactionHash,
          ),
        /** Lets simulated time pass. */
        wait: (advanceSeconds: number) => Effect.asVoid(post("/sandbox/time", { advanceSeconds }, Time)),
        status: (id: number) => get("/status-by-id", { swapId: `${id}` }, SwapSeen),
        /** The swap of a transaction, as soon as its provider knows it. */
        find: (transactionHash: string) => get("/status-by-transaction-hash", { transactionHash }, SwapSeen),
        history: get("/swaps", { limit: "10" }, Schema.Array(SwapSeen)),
      }
    }),
) {}
