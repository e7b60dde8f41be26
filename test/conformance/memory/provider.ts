import { unitsOf } from "#domain/quotes/ExactOutput.ts"
import { Effect, Option } from "effect"
import { NativeAmount } from "#domain/money/Amount.ts"
import { formatChannelId } from "#domain/swaps/Channel.ts"
import {
  mayHaveOpened,
  ProviderError,
  type ProviderErrorReason,
  RequestRefused,
} from "#domain/ProviderError.ts"
import type { QuoteRequest } from "#domain/quotes/Quote.ts"
import { SwapState } from "#domain/swaps/Swap.ts"
import type { SwapRequest } from "#domain/swaps/SwapRequest.ts"
import { type Capabilities, notHonoured } from "#providers/Capabilities.ts"
import { type Channels, type OpenedChannel, OpeningTrace, type Provider } from "#providers/Provider.ts"
import { MemoryUpstream } from "./MemoryUpstream.ts"
import { assets, name, type Offer, offerFor } from "./offers.ts"
import { type Order, recordOf } from "./orders.ts"
import { failAs } from "#providers/upstream/failures.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { plainVault, type ToldApartBy, type Traits } from "./traits.ts"
import { makeVaultSwaps } from "./vaultSwaps.ts"

export { name }

/** The opposite of what Chainflip honours. */
const capabilitiesOf = ({ retry, vault: { features } = plainVault }: Traits): Capabilities => ({
  maximumCommissionBps: 200,
  affiliates: features,
  boost: features,
  dca: features,
  ccm: features,
  needsAmount: true,
  retry,
  lateDeposit: "untold",
  ends: { limit: "on arrival", deposit: "ordered", paysByDeposit: false, pays: "several" },
})

const fail = failAs(name)

const refuse = (reason: ProviderErrorReason | undefined): Effect.Effect<void, ProviderErrorReason> =>
  reason === undefined ? Effect.void : Effect.fail(reason)

const quote = (request: QuoteRequest): Effect.Effect<Offer, ProviderErrorReason> =>
  Effect.fromResult(offerFor(name, request))

const toQuoteRequest = (
  capabilities: Capabilities,
  request: SwapRequest,
): Effect.Effect<QuoteRequest, RequestRefused> =>
  request.amount === undefined
    ? Effect.fail(new RequestRefused({ errors: notHonoured(name, capabilities, request) }))
    : Effect.succeed({ ...request, amount: request.amount })

type Refusal = (operation: ProviderError["operation"]) => Effect.Effect<void, ProviderErrorReason>

/** One unit more for each order, so that no two amounts are the same. */
const distinct = (request: QuoteRequest, openings: number): QuoteRequest => ({
  ...request,
  amount: NativeAmount.make(unitsOf(request.amount) + BigInt(openings) + 1n),
})

const toOpened = (order: Order): OpenedChannel => ({
  channel: order.channel,
  status: recordOf(order, order.createdAt),
  refundsTo: "address",
})

const findOpening =
  (upstream: MemoryUpstream["Service"]): NonNullable<Channels["findOpening"]> => (request, requestedAt) =>
    Effect.map(upstream.openedFor(request, requestedAt), ([first, ...others]) => {
      if (first === undefined) return OpeningTrace.NothingOpened()
      return others.length > 0 ? OpeningTrace.NotKnown() : OpeningTrace.Found({ opened: toOpened(first) })
    })

const makeChannels = (
  by: ToldApartBy,
  traces: boolean,
  capabilities: Capabilities,
  upstream: MemoryUpstream["Service"],
  refusal: Refusal,
): Channels => ({
  open: (request) =>
    Effect.gen(function* () {
      const reason = upstream.refusal("open")
      if (reason !== undefined && !mayHaveOpened(reason)) return yield* Effect.fail(reason)
      const asked = yield* toQuoteRequest(capabilities, request)
      yield* quote(asked)
      const quoted = by === "amount" ? distinct(asked, yield* upstream.openings) : asked
      const offer = yield* quote(quoted)
      const order = yield* upstream.open({ ...request, amount: quoted.amount }, offer, by)
      // The answer is lost only after the deed.
      yield* refuse(reason)
      return toOpened(order)
    }).pipe(fail("open")),
  ...(traces ? { findOpening: findOpening(upstream) } : {}),
  status: (channel, known) =>
    Effect.gen(function* () {
      yield* refusal("status")
      const reference = known.depositChannel?.reference
      const record = yield* upstream.record((own) =>
        reference === undefined
          ? formatChannelId(own.id) === formatChannelId(channel)
          : own.reference === reference
      )
      return Option.map(Option.fromUndefinedOr(record), (record) => {
        const state = SwapState.literals.find((state) => state === record.state) ?? known.state
        return { status: { ...record, state }, body: JSON.stringify({ state: record.state }) }
      })
    }).pipe(fail("status")),
})

/** The adapter of the network in memory: as whole as any, only without a wire. */
export const makeWith = (traits: Traits): Effect.Effect<Provider, never, MemoryUpstream> =>
  Effect.map(MemoryUpstream, (upstream) => {
    const capabilities = capabilitiesOf(traits)
    const refusal: Refusal = (operation) => Effect.suspend(() => refuse(upstream.refusal(operation)))
    return {
      name,
      capabilities,
      assets: Effect.as(refusal("assets"), assets).pipe(fail("assets")),
      quotes: (request) =>
        Effect.andThen(refusal("quote"), quote(request)).pipe(
          Effect.map(({ quote }) => [quote]),
          fail("quote"),
        ),
      ...optionalMembers(
        traits.channels,
        (by) => ({ channels: makeChannels(by, traits.traces === true, capabilities, upstream, refusal) }),
      ),
      ...optionalMembers(traits.vault, (vault) => ({ vaultSwaps: makeVaultSwaps(vault, upstream, refusal) })),
    }
  })

/** The network in memory as it usually is: with an address for each channel, and without vaults. */
export const make = makeWith({ channels: "address", retry: true })
