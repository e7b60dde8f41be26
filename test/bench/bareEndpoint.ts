/**
 * Quotes with nothing around them, as the library has it: an endpoint that reads its parameters, asks the upstream
 * (`UPSTREAM`), checks what that answers and writes it, all of it by schemas. It has no keys, no limits, no circuit,
 * no deadline, and no domain: what a distinct amount takes in the service at the least.
 */
import "#infrastructure/platform/plainFibers.ts"
import "effect/schema/SchemaJITCompiler/enable"
import { Context, Effect, Layer, Schema } from "effect"
import { FetchHttpClient, HttpClient, HttpClientResponse, HttpRouter, HttpServer } from "effect/http"
import { HttpApi, HttpApiBuilder, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { fromHuman } from "#domain/money/Amount.ts"
import { AssetId } from "#domain/chains/Asset.ts"
import { quotePath } from "./quotePath.ts"
import { WireQuote } from "#providers/chainflip/quotes.ts"

const upstream = Deno.env.get("UPSTREAM") ?? ""

const Quotes = Schema.Array(WireQuote)

const QuotesGroup = HttpApiGroup.make("quotes").add(
  HttpApiEndpoint.get("quotes", "/quotes", {
    query: { sourceAsset: AssetId, destinationAsset: AssetId, amount: Schema.BigDecimal },
    success: Quotes,
  }),
)

class Api extends HttpApi.make("bare").add(QuotesGroup) {}

const Handlers = HttpApiBuilder.group(
  Api,
  "quotes",
  Effect.fnUntraced(function* (handlers) {
    const client = yield* HttpClient.HttpClient
    return handlers.handleAll({
      quotes: ({ query: { amount, sourceAsset } }) =>
        client.get(`${upstream}${quotePath}${fromHuman(sourceAsset, amount)}`).pipe(
          Effect.flatMap(HttpClientResponse.schemaBodyJson(Quotes)),
          Effect.orDie,
        ),
    })
  }),
)

const { handler } = HttpRouter.toWebHandler(
  HttpApiBuilder.layer(Api).pipe(
    Layer.provide(Handlers),
    Layer.provide([FetchHttpClient.layer, HttpServer.layerServices]),
  ),
  { disableLogger: true },
)

Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  onListen: ({ hostname, port }) => console.log(`Listening on http://${hostname}:${port}`),
}, (request) => handler(request, Context.empty()))
