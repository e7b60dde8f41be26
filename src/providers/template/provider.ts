import { Effect, Option } from "effect"
import { HttpClient } from "effect/http"
import { AssetDisabled, RequestRefused } from "../../domain/ProviderError.ts"
import { ProviderName } from "../../domain/ProviderName.ts"
import { currentMillis } from "../../platform/currentMillis.ts"
import { type Capabilities, notHonoured } from "../Capabilities.ts"
import type { Provider, VaultSwaps } from "../Provider.ts"
import { spread } from "../../platform/spread.ts"
import * as Client from "./client.ts"
import type { Options } from "./Options.ts"
import { readOpening, toOrderBody } from "./transform/opening.ts"
import { readQuote, toAssets, toQuoteQuery } from "./transform/quote.ts"
import { readStatus } from "./transform/status.ts"
import { readPayload, readVaultSwap, toPayloadBody } from "./transform/vaultSwap.ts"
import { logged } from "../upstream/decode.ts"
import { failAs } from "../upstream/failures.ts"

/** The neutral name of the provider, as in `platform`. */
export const name = ProviderName.make("template")

/** The broker passes over a provider for a request that it cannot honour, and says why. */
const capabilities: Capabilities = {
  maximumCommissionBps: 300,
  affiliates: false,
  boost: false,
  dca: false,
  ccm: false,
  needsAmount: true,
}

const fail = failAs(name)

/** The exchange makes payloads on Ethereum, and for Ether alone. */
const vaultSwaps = (exchange: Client.Client): VaultSwaps => ({
  chains: ["Ethereum"],
  encode: Effect.fn("Template.encode")(function* (request) {
    if (request.sourceAsset !== "eth.eth") {
      return yield* Effect.fail(new AssetDisabled({ detail: "The exchange makes payloads for Ether alone" }))
    }
    const wire = yield* exchange.payload(toPayloadBody(request), request)
    return yield* Effect.fromResult(readPayload(wire, request))
  }, fail("encode")),
  status: Effect.fn("Template.vaultSwapStatus")(function* (transaction, known) {
    const found = yield* exchange.transaction(transaction)
    if (Option.isNone(found)) return Option.none()
    const last = Option.match(known, { onNone: () => "receiving" as const, onSome: ({ state }) => state })
    const { text, wire } = found.value
    const { status } = yield* logged(readVaultSwap(wire, last))
    return Option.some({ status, body: text, ...spread(wire.memo, (mark) => ({ mark })) })
  }, fail("status")),
})

/** The adapter: the port's operations over the upstream's endpoints. */
export const make = Effect.fnUntraced(
  function* (options: Options): Effect.fn.Return<Provider, never, HttpClient.HttpClient> {
    const exchange = Client.make(yield* HttpClient.HttpClient, options)

    return {
      name,
      capabilities,
      assets: Effect.map(exchange.assets, toAssets).pipe(fail("assets"), Effect.withSpan("Template.assets")),
      quotes: Effect.fn("Template.quotes")(function* (request) {
        const wire = yield* exchange.quote(toQuoteQuery(request), request)
        return [yield* Effect.fromResult(readQuote(wire, request, name))]
      }, fail("quote")),
      open: Effect.fn("Template.open")(function* (request) {
        const { amount } = request
        if (amount === undefined) {
          return yield* Effect.fail(new RequestRefused({ errors: notHonoured(name, capabilities, request) }))
        }
        const order = yield* exchange.open(toOrderBody(request, amount), request)
        return yield* Effect.fromResult(readOpening(order, request, options.explorerUrl))
      }, fail("open")),
      status: Effect.fn("Template.status")(function* (channel, known) {
        const order = yield* exchange.order(channel.channelId)
        if (Option.isNone(order)) return Option.none()
        const now = yield* currentMillis
        const { status } = yield* logged(readStatus(order.value.wire, channel, known, now))
        return Option.some({ status, body: order.value.text })
      }, fail("status")),
      vaultSwaps: vaultSwaps(exchange),
    }
  },
)
