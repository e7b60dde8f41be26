import { Clock, Effect, Match, Option, Redacted, Result } from "effect"
import { HttpClient } from "effect/http"
import { checkAddress } from "../../domain/Address.ts"
import { Network } from "../../domain/Chain.ts"
import { type DepositChannel, formatChannelId } from "../../domain/Channel.ts"
import {
  MalformedBody,
  ProviderError,
  type ProviderErrorReason,
  type ProviderOperation,
  TimedOut,
  Unreachable,
} from "../../domain/ProviderError.ts"
import { ProviderName } from "../../domain/ProviderName.ts"
import type { SwapRequest } from "../../domain/SwapRequest.ts"
import { EpochMillis } from "../../domain/Time.ts"
import type { Provider } from "../Provider.ts"
import * as Backend from "./client/Backend.ts"
import * as JsonRpc from "./client/JsonRpc.ts"
import * as Conditions from "./Conditions.ts"
import { openingReason } from "./errors/openingError.ts"
import { checkOpening, checkQuote } from "./limits.ts"
import type { Options } from "./Options.ts"
import { toChannelParameters, toOpenedChannel } from "./transform/opening.ts"
import { readQuotes, toQuoteQuery } from "./transform/quote.ts"
import { readStatus } from "./transform/status.ts"
import { WireOpenedChannel } from "./wire/channel.ts"
import { decode } from "./wire/decode.ts"

/** The neutral name of the provider, as in `platform`. */
export const name = ProviderName.make("chainflip")

const failAs = (operation: ProviderOperation) =>
  Effect.mapError((reason: ProviderErrorReason) => new ProviderError({ provider: name, operation, reason }))

/** What failed before the broker was called has opened nothing, whatever it reached. */
const beforeOpening = Effect.mapError((reason: ProviderErrorReason): ProviderErrorReason =>
  Match.value(reason).pipe(
    Match.tag("Unreachable", ({ detail }) => new Unreachable({ detail, reached: false })),
    Match.tag("MalformedBody", ({ detail }) => new MalformedBody({ detail, reached: false })),
    Match.tag("TimedOut", ({ detail }) => new TimedOut({ detail, reached: false })),
    Match.orElse((other) => other),
  )
)

/** Funds sent to an address of another network would be lost, so such a one is never handed out. */
const checkDepositAddress = (
  { id, depositAddress }: DepositChannel,
  networks: ReadonlyArray<Network>,
): Result.Result<unknown, MalformedBody> =>
  Result.mapError(
    checkAddress(id.network, networks, depositAddress),
    (sentence) => new MalformedBody({ detail: `result.address: ${sentence}`, reached: true }),
  )

/** The value, after a line in the log about each thing that was left out of it. */
const logged = <A extends { readonly notices: ReadonlyArray<string> }, E>(
  read: Result.Result<A, E>,
): Effect.Effect<A, E> =>
  Effect.tap(
    Effect.fromResult(read),
    ({ notices }) => Effect.forEach(notices, (notice) => Effect.logWarning(notice), { discard: true }),
  )

/** The adapter: the port's operations over the upstream's three endpoints. */
export const make = Effect.fnUntraced(
  function* (options: Options): Effect.fn.Return<Provider, never, HttpClient.HttpClient> {
    const client = yield* HttpClient.HttpClient
    const backend = Backend.make(client, options.backendUrl)
    const node = JsonRpc.make(client, options.nodeUrl)
    const broker = JsonRpc.make(client, Redacted.value(options.brokerUrl))
    const conditions = yield* Conditions.make(backend, node, options.environmentMaxAge ?? "60 seconds")

    const openAtBroker = (request: SwapRequest, limits: Conditions.Limits) =>
      broker.call("broker_request_swap_deposit_address", toChannelParameters(request), {
        endpoint: "broker",
        opening: true,
        pair: request,
      }).pipe(
        Effect.catchTag("RpcError", (error) => Effect.fail(openingReason(error, request, limits))),
        Effect.flatMap((result) => Effect.fromResult(decode(WireOpenedChannel, result, ["result"]))),
      )

    return {
      name,
      assets: Effect.map(conditions, Conditions.assetSupport).pipe(
        failAs("assets"),
        Effect.withSpan("Chainflip.assets"),
      ),
      quotes: Effect.fn("Chainflip.quotes")(function* (request) {
        const current = yield* conditions
        yield* Effect.fromResult(checkQuote(current, request))
        const body = yield* backend.quotes(toQuoteQuery(request, options.brokerAccount), request)
        const { quotes } = yield* logged(readQuotes(body, request, name))
        return quotes
      }, failAs("quote")),
      open: Effect.fn("Chainflip.open")(function* (request) {
        const current = yield* beforeOpening(conditions)
        yield* Effect.fromResult(checkOpening(current, request))
        const wire = yield* openAtBroker(request, Conditions.limitsOf(current))
        const opened = toOpenedChannel(wire, {
          request,
          conditions: current,
          now: EpochMillis.make(yield* Clock.currentTimeMillis),
          ourAccount: options.brokerAccount,
          explorerUrl: options.explorerUrl,
        })
        yield* Effect.fromResult(checkDepositAddress(opened.channel, options.networks ?? Network.literals))
        return opened
      }, failAs("open")),
      status: Effect.fn("Chainflip.status")(function* (channel, lastKnown) {
        const body = yield* backend.swap(formatChannelId(channel))
        if (Option.isNone(body)) return Option.none()
        const context = { channel, lastKnown, ourAccount: options.brokerAccount }
        const { status } = yield* logged(readStatus(body.value, context))
        return Option.some(status)
      }, failAs("status")),
    }
  },
)
