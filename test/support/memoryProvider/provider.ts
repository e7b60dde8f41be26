import { Effect, Option } from "effect"
import {
  mayHaveOpened,
  ProviderError,
  type ProviderErrorReason,
  RequestRefused,
} from "../../../src/domain/ProviderError.ts"
import { ProviderName } from "../../../src/domain/ProviderName.ts"
import type { QuoteRequest } from "../../../src/domain/Quote.ts"
import { SwapState } from "../../../src/domain/Swap.ts"
import type { SwapRequest } from "../../../src/domain/SwapRequest.ts"
import { type Capabilities, notHonoured } from "../../../src/providers/Capabilities.ts"
import type { Provider } from "../../../src/providers/Provider.ts"
import { MemoryUpstream } from "./MemoryUpstream.ts"
import { assets, type Offer, offerFor } from "./offers.ts"
import { recordOf } from "./orders.ts"
import { failAs } from "../../../src/providers/upstream/failures.ts"

export const name = ProviderName.make("memory")

/** The opposite of what Chainflip honours. */
const capabilities: Capabilities = {
  maximumCommissionBps: 200,
  affiliates: false,
  boost: false,
  dca: false,
  ccm: false,
  needsAmount: true,
  retry: true,
  lateDeposit: "untold",
}

const fail = failAs(name)

const refuse = (reason: ProviderErrorReason | undefined): Effect.Effect<void, ProviderErrorReason> =>
  reason === undefined ? Effect.void : Effect.fail(reason)

const quote = (request: QuoteRequest): Effect.Effect<Offer, ProviderErrorReason> =>
  Effect.fromResult(offerFor(name, request))

const toQuoteRequest = (request: SwapRequest): Effect.Effect<QuoteRequest, RequestRefused> =>
  request.amount === undefined
    ? Effect.fail(new RequestRefused({ errors: notHonoured(name, capabilities, request) }))
    : Effect.succeed({ ...request, amount: request.amount })

/** The adapter of the network in memory: as whole as any, only without a wire. */
export const make: Effect.Effect<Provider, never, MemoryUpstream> = Effect.gen(function* () {
  const upstream = yield* MemoryUpstream
  const refusal = (operation: ProviderError["operation"]) =>
    Effect.suspend(() => refuse(upstream.refusal(operation)))

  return {
    name,
    capabilities,
    assets: Effect.as(refusal("assets"), assets).pipe(fail("assets")),
    quotes: (request) =>
      Effect.andThen(refusal("quote"), quote(request)).pipe(
        Effect.map(({ quote }) => [quote]),
        fail("quote"),
      ),
    channels: {
      open: (request) =>
        Effect.gen(function* () {
          const reason = upstream.refusal("open")
          if (reason !== undefined && !mayHaveOpened(reason)) return yield* Effect.fail(reason)
          const offer = yield* Effect.flatMap(toQuoteRequest(request), quote)
          const order = yield* upstream.open(request, offer)
          // The answer is lost only after the deed.
          yield* refuse(reason)
          return { channel: order.channel, status: recordOf(order, order.createdAt) }
        }).pipe(fail("open")),
      status: (channel, known) =>
        Effect.andThen(refusal("status"), upstream.record(channel)).pipe(
          Effect.map((record) =>
            Option.map(Option.fromUndefinedOr(record), (record) => {
              const state = SwapState.literals.find((state) => state === record.state) ?? known.state
              return { status: { ...record, state }, body: JSON.stringify({ state: record.state }) }
            })
          ),
          fail("status"),
        ),
    },
  }
})
