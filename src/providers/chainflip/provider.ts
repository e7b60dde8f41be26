import { Clock, Effect, Option, Redacted, Result } from "effect"
import { HttpClient } from "effect/http"
import { checkAddress } from "../../domain/Address.ts"
import { Network } from "../../domain/Chain.ts"
import { type DepositChannel, formatChannelId } from "../../domain/Channel.ts"
import { MalformedBody } from "../../domain/ProviderError.ts"
import type { SwapRequest } from "../../domain/SwapRequest.ts"
import { EpochMillis } from "../../domain/Time.ts"
import { lightSpan } from "../../platform/lightSpan.ts"
import type { Capabilities } from "../Capabilities.ts"
import type { Provider } from "../Provider.ts"
import { beforeOpening, failAs as failuresOf } from "../upstream/failures.ts"
import { logged } from "../upstream/notices.ts"
import * as Backend from "./client/Backend.ts"
import * as forward from "./client/forward.ts"
import * as JsonRpc from "./client/JsonRpc.ts"
import * as Conditions from "./Conditions.ts"
import { openingReason } from "./errors/openingError.ts"
import { checkOpening, checkQuote } from "./limits.ts"
import { name } from "./name.ts"
import type { Options } from "./Options.ts"
import { toChannelParameters, toOpenedChannel } from "./transform/opening.ts"
import { readQuotes, toQuoteQuery } from "./transform/quote.ts"
import { readStatus } from "./transform/status.ts"
import * as Transactions from "./transactions.ts"
import * as VaultSwaps from "./vaultSwaps.ts"
import { WireOpenedChannel } from "./wire/channel.ts"
import { decode } from "../upstream/decode.ts"

export { name }

/** Everything that the contract offers was shaped by this network. */
const capabilities: Capabilities = {
  maximumCommissionBps: 1_000,
  affiliates: true,
  boost: true,
  dca: true,
  ccm: true,
  needsAmount: false,
}

const failAs = failuresOf(name)

/** Funds sent to an address of another network would be lost, so such a one is never handed out. */
const checkDepositAddress = (
  { id, depositAddress }: DepositChannel,
  networks: ReadonlyArray<Network>,
): Result.Result<unknown, MalformedBody> =>
  Result.mapError(
    checkAddress(id.network, networks, depositAddress),
    (sentence) => new MalformedBody({ detail: `result.address: ${sentence}`, reached: true }),
  )

/** The adapter: the port's operations over the upstream's three endpoints. */
export const make = Effect.fnUntraced(
  function* (options: Options): Effect.fn.Return<Provider, never, HttpClient.HttpClient> {
    const client = yield* HttpClient.HttpClient
    const backend = Backend.make(client, options.backendUrl)
    const node = JsonRpc.make(client, options.nodeUrl)
    const forwardToNode = forward.make(client, options.nodeUrl)
    const broker = JsonRpc.make(client, Redacted.value(options.brokerUrl))
    const conditions = yield* Conditions.make(
      backend,
      node,
      options.environmentMaxAge ?? "60 seconds",
      options.lookupTimeout,
    )

    const transactions = Transactions.make(backend, options)

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
      capabilities,
      assets: Effect.map(conditions, Conditions.assetSupport).pipe(
        failAs("assets"),
        Effect.withSpan("Chainflip.assets"),
      ),
      quotes: Effect.fnUntraced(
        function* (request) {
          const current = yield* conditions
          yield* Effect.fromResult(checkQuote(current, request))
          const body = yield* backend.quotes(toQuoteQuery(request, options.brokerAccount), request)
          const { quotes } = yield* logged(readQuotes(body, request, name))
          return quotes
        },
        failAs("quote"),
        lightSpan("Chainflip.quotes"),
      ),
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
      status: Effect.fnUntraced(
        function* (channel, known) {
          const heard = yield* backend.swap(formatChannelId(channel))
          if (Option.isNone(heard)) return Option.none()
          const { body, text } = heard.value
          const context = { lastKnown: known.state, ourAccount: options.brokerAccount }
          const { status } = yield* logged(readStatus(body, context))
          return Option.some({ status, body: text })
        },
        failAs("status"),
        lightSpan("Chainflip.status"),
      ),
      findTransaction: transactions.find,
      vaultSwaps: VaultSwaps.make({ broker, conditions, transactions }, options),
      node: Effect.fn("Chainflip.node")(forwardToNode, failAs("node")),
    }
  },
)
