import { Context, Effect, Layer, Result } from "effect"
import { HttpClient, HttpClientError, type HttpClientRequest, HttpClientResponse } from "effect/http"
import { type DepositChannel, type EvmPayload, ProviderName } from "#exports/domain.ts"
import { writeAsset } from "#test/outside/template/client.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { MemoryUpstream } from "#test/support/memoryProvider/MemoryUpstream.ts"
import { assets, offerFor } from "#test/support/memoryProvider/offers.ts"
import { type Order, recordOf } from "#test/support/memoryProvider/orders.ts"
import { readCalldata, type SentCall, writePayload, writeVaultSwap } from "./exchangeVault.ts"
import {
  readOrderBody,
  readQuoteQuery,
  type Reply,
  writeOrder,
  writeQuote,
  writeRefusal,
} from "./exchangeWire.ts"

/** What happens to every request until it heals. */
export type Trouble =
  /** Something is answered instead of being done. */
  | { readonly _tag: "Answers"; readonly status: number; readonly body: unknown }
  /** What was asked is done, then the connection is cut. */
  | { readonly _tag: "Cut" }
  /** Nobody listens. */
  | { readonly _tag: "Refused" }

/** The imaginary API of the template (its README) over the network in memory, without a socket. */
export class FakeExchange extends Context.Service<FakeExchange, {
  readonly trouble: (trouble: Trouble) => Effect.Effect<void>
  readonly heal: Effect.Effect<void>
  /** A transaction that calls what a payload says; its hash. */
  readonly send: (payload: EvmPayload) => Effect.Effect<string>
}>()("swap-broker/test/providers/template/FakeExchange") {
  static readonly layer: Layer.Layer<FakeExchange | HttpClient.HttpClient, never, MemoryUpstream> = Layer
    .effectContext(
      Effect.gen(function* () {
        const { send, serve } = yield* makeRoutes
        let trouble: Trouble | undefined
        const client = HttpClient.make((request, url) => meet(request, trouble, serve(request, url)))
        return Context.make(HttpClient.HttpClient, client).pipe(
          Context.add(FakeExchange, {
            trouble: (next) => Effect.sync(() => trouble = next),
            heal: Effect.sync(() => trouble = undefined),
            send,
          }),
        )
      }),
    )
}

type Request = HttpClientRequest.HttpClientRequest

const platform = ProviderName.make("template")

const textOf = ({ body }: Request): string =>
  body._tag === "Uint8Array" ? new TextDecoder().decode(body.body) : ""

const listing: Reply = {
  status: 200,
  body: assets.map(({ asset, ingress, egress, minimumDeposit }) => ({
    asset: writeAsset(asset),
    deposits: ingress,
    payouts: egress,
    minimum: `${minimumDeposit}`,
  })),
}

const notFound: Reply = { status: 404, body: { code: "not_found", message: "there is no such thing" } }

const isOf = (order: Order) => ({ id }: DepositChannel): boolean =>
  id.channelId === order.channel.id.channelId

/** An order that a transaction brought. */
interface VaultSwap extends SentCall {
  readonly order: Order
}

const makeRoutes = Effect.map(MemoryUpstream, (upstream) => {
  const orders = new Map<string, Order>()
  const vaultSwaps = new Map<string, VaultSwap>()

  const quote = (url: URL): Reply =>
    Result.match(offerFor(platform, readQuoteQuery(url.searchParams)), {
      onFailure: writeRefusal,
      onSuccess: ({ quote }) => writeQuote(quote),
    })

  const open = (request: Request): Effect.Effect<Reply> => {
    const order = readOrderBody(textOf(request))
    return Result.match(offerFor(platform, order), {
      onFailure: (reason) => Effect.succeed(writeRefusal(reason)),
      onSuccess: (offer) =>
        Effect.map(upstream.open(order, offer), (opened) => {
          orders.set(`${opened.channel.id.channelId}`, opened)
          return writeOrder(201, recordOf(opened, opened.createdAt), offer.quote)
        }),
    })
  }

  const find = (number: string): Effect.Effect<Reply> => {
    const order = orders.get(number)
    return order === undefined
      ? Effect.succeed(notFound)
      : Effect.map(upstream.record(isOf(order)), (record) =>
        record === undefined ? notFound : writeOrder(200, record, order.offer.quote))
  }

  const encode = (body: string): Effect.Effect<Reply> =>
    Effect.map(currentMillis, (now) =>
      Result.match(offerFor(platform, readOrderBody(body)), {
        onFailure: writeRefusal,
        onSuccess: (offer) => writePayload(body, offer, now),
      }))

  const send = ({ calldata, value }: EvmPayload): Effect.Effect<string> =>
    Effect.gen(function* () {
      const request = readOrderBody(readCalldata(calldata))
      const offer = yield* Effect.fromResult(offerFor(platform, request)).pipe(Effect.orDie)
      const order = yield* upstream.open(request, offer)
      const transaction = `0x${`${order.channel.id.channelId}`.padStart(64, "0")}`
      vaultSwaps.set(transaction, { calldata, order, request })
      yield* upstream.deposit(order.channel, value)
      return transaction
    })

  const findVaultSwap = Effect.fnUntraced(function* (transaction: string) {
    const swap = vaultSwaps.get(transaction)
    const record = swap === undefined ? undefined : yield* upstream.record(isOf(swap.order))
    return swap === undefined || record === undefined ? notFound : writeVaultSwap(transaction, record, swap)
  })

  const serve = (request: Request, url: URL): Effect.Effect<Reply> => {
    if (request.headers["authorization"] !== "Bearer top-secret") {
      return Effect.succeed({ status: 401, body: { code: "unauthorized", message: "the key is wrong" } })
    }
    if (url.pathname === "/v1/assets") return Effect.succeed(listing)
    if (url.pathname === "/v1/quote") return Effect.sync(() => quote(url))
    if (url.pathname === "/v1/orders") return open(request)
    if (url.pathname === "/v1/payloads") return encode(textOf(request))
    if (url.pathname === "/v1/transactions") {
      return Effect.sync(() => ({ status: 200, body: [...vaultSwaps.keys()] }))
    }
    const [collection, key = ""] = url.pathname.replace("/v1/", "").split("/")
    return collection === "orders" ? find(key) : findVaultSwap(key)
  }
  return { send, serve }
})

const respond = (request: Request, { status, body }: Reply) =>
  HttpClientResponse.fromWeb(request, Response.json(body, { status }))

const transportError = (request: Request, cause: unknown) =>
  new HttpClientError.HttpClientError({ reason: new HttpClientError.TransportError({ request, cause }) })

const meet = (
  request: Request,
  trouble: Trouble | undefined,
  act: Effect.Effect<Reply>,
): Effect.Effect<HttpClientResponse.HttpClientResponse, HttpClientError.HttpClientError> => {
  if (trouble === undefined) return Effect.map(act, (reply) => respond(request, reply))
  if (trouble._tag === "Answers") return Effect.succeed(respond(request, trouble))
  return trouble._tag === "Cut"
    ? Effect.andThen(act, Effect.fail(transportError(request, { code: "ECONNRESET" })))
    : Effect.fail(transportError(request, { code: "ECONNREFUSED" }))
}
