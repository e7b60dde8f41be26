import { Context, Effect, Layer } from "effect"
import { type NativeAmount, noAmount } from "../../../src/domain/Amount.ts"
import { chainOf } from "../../../src/domain/Asset.ts"
import { chainFacts, stateChainBlockMillis } from "../../../src/domain/Chain.ts"
import { type ChannelId, formatChannelId } from "../../../src/domain/Channel.ts"
import type { ProviderErrorReason, ProviderOperation } from "../../../src/domain/ProviderError.ts"
import type { SwapStatus } from "../../../src/domain/Swap.ts"
import type { SwapRequest } from "../../../src/domain/SwapRequest.ts"
import { EpochMillis } from "../../../src/domain/Time.ts"
import { currentMillis } from "../../../src/platform/currentMillis.ts"
import { depositAddress } from "../../../src/sandbox/engine/identifiers.ts"
import type { Offer } from "./offers.ts"
import { type Order, recordOf } from "./orders.ts"

const lifetimeMillis = 24 * 60 * 60 * 1_000

/** The block at the time 0, so that no channel is opened in a block 0. */
const firstBlock = 1_000

/** A record as the network tells it: its state can be one that nobody has heard of. */
export type WireRecord = Omit<SwapStatus, "state"> & { readonly state: string }

/** A network that lives in memory, in the time of the clock. */
export class MemoryUpstream extends Context.Service<MemoryUpstream, {
  readonly open: (request: SwapRequest, offer: Offer) => Effect.Effect<Order>
  readonly record: (channel: ChannelId) => Effect.Effect<WireRecord | undefined>
  /** What it refuses an operation for at present. */
  readonly refusal: (operation: ProviderOperation) => ProviderErrorReason | undefined
  readonly openings: Effect.Effect<number>
  readonly deposit: (channel: ChannelId, amount: NativeAmount) => Effect.Effect<void>
  /** Refuses an operation until it heals. */
  readonly refuse: (operation: ProviderOperation, reason: ProviderErrorReason) => Effect.Effect<void>
  /** Says until it heals that swaps are in a state that nobody has heard of. */
  readonly inventStates: Effect.Effect<void>
  readonly heal: Effect.Effect<void>
}>()("swap-broker/test/support/memoryProvider/MemoryUpstream") {
  static readonly layer: Layer.Layer<MemoryUpstream> = Layer.sync(MemoryUpstream, () => {
    const orders = new Map<string, Order>()
    const refusals = new Map<ProviderOperation, ProviderErrorReason>()
    let inventing = false

    const toOrder = (request: SwapRequest, offer: Offer, now: EpochMillis): Order => {
      const network = chainOf(request.sourceAsset)
      const channelId = orders.size + 1
      const expiresAt = EpochMillis.make(now + lifetimeMillis)
      return {
        request,
        offer,
        createdAt: now,
        expiresAt,
        channel: {
          id: { issuedBlock: firstBlock + Math.floor(now / stateChainBlockMillis), network, channelId },
          depositAddress: depositAddress("memory", network, channelId),
          sourceExpiryBlock: Math.floor(expiresAt / chainFacts[network].blockMillis),
          openingFee: noAmount,
          explorerUrl: `https://explorer.test/${channelId}`,
        },
      }
    }

    return MemoryUpstream.of({
      open: (request, offer) =>
        Effect.map(currentMillis, (now) => {
          const order = toOrder(request, offer, now)
          orders.set(formatChannelId(order.channel.id), order)
          return order
        }),
      record: (channel) =>
        Effect.map(currentMillis, (now) => {
          const order = orders.get(formatChannelId(channel))
          if (order === undefined) return undefined
          const record = recordOf(order, now)
          return inventing ? { ...record, state: "rebalancing" } : record
        }),
      refusal: (operation) => refusals.get(operation),
      openings: Effect.sync(() => orders.size),
      deposit: (channel, amount) =>
        Effect.map(currentMillis, (at) => {
          const order = orders.get(formatChannelId(channel))
          if (order !== undefined) orders.set(formatChannelId(channel), { ...order, arrival: { amount, at } })
        }),
      refuse: (operation, reason) => Effect.sync(() => refusals.set(operation, reason)),
      inventStates: Effect.sync(() => inventing = true),
      heal: Effect.sync(() => {
        refusals.clear()
        inventing = false
      }),
    })
  })
}
