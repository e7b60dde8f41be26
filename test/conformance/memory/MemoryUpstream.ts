import { unitsOf } from "#domain/quotes/ExactOutput.ts"
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import { Context, Effect, Equal, Layer } from "effect"
import { type NativeAmount, noAmount } from "#domain/money/Amount.ts"
import { chainOf } from "#domain/chains/Asset.ts"
import { chainFacts, stateChainBlockMillis } from "#domain/chains/Chain.ts"
import type { DepositChannel } from "#domain/swaps/Channel.ts"
import type { ProviderErrorReason, ProviderOperation } from "#domain/ProviderError.ts"
import type { SwapStatus } from "#domain/swaps/Swap.ts"
import type { SwapRequest } from "#domain/swaps/SwapRequest.ts"
import { EpochMillis } from "#domain/Time.ts"
import { PayloadMark, type VaultSwapRequest } from "#domain/swaps/VaultSwap.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { depositAddress, transactionReference } from "#sandbox/engine/identifiers.ts"
import type { Offer } from "./offers.ts"
import { type Order, recordOf } from "./orders.ts"
import type { ToldApartBy } from "./traits.ts"

const lifetimeMillis = 24 * 60 * 60 * 1_000

/** The block at the time 0, so that no channel is opened in a block 0. */
const firstBlock = 1_000

/** A record as the network tells it: its state can be one that nobody has heard of. */
export type WireRecord = Omit<SwapStatus, "state"> & { readonly state: string }

/** A swap that a transaction began. */
export interface SentSwap {
  readonly swapId: string
  readonly transaction: string
  readonly mark: PayloadMark
  readonly request: VaultSwapRequest
  readonly record: WireRecord
}

interface SentOrder extends Omit<SentSwap, "record"> {
  readonly order: Order
}

/** A request for a payload, with the offer for it. */
interface Encoding {
  readonly request: VaultSwapRequest
  readonly offer: Offer
}

/** What the network knows a request by: the same for two that are the same. */
const markOf = (request: VaultSwapRequest): PayloadMark => {
  const text = JSON.stringify(request, (_, value) => typeof value === "bigint" ? `${value}` : value)
  return PayloadMark.make(`=:${bytesToHex(sha256(utf8ToBytes(text))).slice(0, 32)}`)
}

/** The members of a channel that tell its deposits from those to others. */
const toldApart = (by: ToldApartBy, request: SwapRequest, number: number): Partial<DepositChannel> => {
  if (by === "address") return {}
  const reference = `order-${number}`
  if (by === "memo") return { reference, memo: `memo-${number}` }
  return request.amount === undefined ? { reference } : { reference, exactAmount: unitsOf(request.amount) }
}

const channelOf = (
  request: SwapRequest,
  number: number,
  by: ToldApartBy,
  now: number,
  expiresAt: number,
): DepositChannel => {
  const network = chainOf(request.sourceAsset)
  return {
    id: { issuedBlock: firstBlock + Math.floor(now / stateChainBlockMillis), network, channelId: number },
    depositAddress: depositAddress("memory", network, by === "address" ? number : 0),
    sourceExpiryBlock: Math.floor(expiresAt / chainFacts(network).blockMillis),
    openingFee: noAmount,
    explorerUrl: `https://explorer.test/${number}`,
    ...toldApart(by, request, number),
  }
}

/** A network that lives in memory, in the time of the clock. */
export class MemoryUpstream extends Context.Service<MemoryUpstream, {
  readonly open: (request: SwapRequest, offer: Offer, by?: ToldApartBy) => Effect.Effect<Order>
  readonly record: (is: (channel: DepositChannel) => boolean) => Effect.Effect<WireRecord | undefined>
  /** The channels that were opened for a request since then. */
  readonly openedFor: (request: SwapRequest, since: EpochMillis) => Effect.Effect<ReadonlyArray<Order>>
  /** Remembers what a payload is for; its transaction has the mark in it. */
  readonly encode: (encoding: Encoding) => Effect.Effect<PayloadMark>
  /** A transaction with a mark that moves an amount, now; its reference. */
  readonly send: (mark: string, amount: NativeAmount) => Effect.Effect<string>
  /** Swaps that transactions began. */
  readonly sent: (is: (swap: Omit<SentSwap, "record">) => boolean) => Effect.Effect<ReadonlyArray<SentSwap>>
  /** What it refuses an operation for now. */
  readonly refusal: (operation: ProviderOperation) => ProviderErrorReason | undefined
  readonly openings: Effect.Effect<number>
  /** A payment to a channel's address, with its memo. */
  readonly deposit: (channel: DepositChannel, amount: NativeAmount) => Effect.Effect<void>
  /** Refuses an operation until it heals. */
  readonly refuse: (operation: ProviderOperation, reason: ProviderErrorReason) => Effect.Effect<void>
  /** Says until it heals that swaps are in a state that nobody has heard of. */
  readonly inventStates: Effect.Effect<void>
  readonly heal: Effect.Effect<void>
}>()("swap-broker/test/conformance/memory/MemoryUpstream") {
  static readonly layer: Layer.Layer<MemoryUpstream> = Layer.sync(MemoryUpstream, () => {
    const orders = new Map<number, Order>()
    const encodings = new Map<string, Encoding>()
    const sent: Array<SentOrder> = []
    const refusals = new Map<ProviderOperation, ProviderErrorReason>()
    let inventing = false

    const toOrder = (
      { offer, request }: { readonly offer: Offer; readonly request: SwapRequest },
      now: EpochMillis,
      number: number,
      by: ToldApartBy,
    ): Order => {
      const expiresAt = EpochMillis.make(now + lifetimeMillis)
      const channel = channelOf(request, number, by, now, expiresAt)
      return { request, offer, createdAt: now, expiresAt, channel }
    }

    const written = (order: Order, now: EpochMillis): WireRecord => {
      const record = recordOf(order, now)
      return inventing ? { ...record, state: "rebalancing" } : record
    }

    return MemoryUpstream.of({
      open: (request, offer, by = "address") =>
        Effect.map(currentMillis, (now) => {
          const number = orders.size + 1
          const order = toOrder({ request, offer }, now, number, by)
          orders.set(number, order)
          return order
        }),
      record: (is) =>
        Effect.map(currentMillis, (now) => {
          const order = [...orders.values()].find(({ channel }) => is(channel))
          return order === undefined ? undefined : written(order, now)
        }),
      openedFor: (request, since) =>
        Effect.sync(() =>
          [...orders.values()].filter((order) =>
            order.createdAt >= since && Equal.equals(order.request, request)
          )
        ),
      encode: (encoding) =>
        Effect.sync(() => {
          const mark = markOf(encoding.request)
          encodings.set(mark, encoding)
          return mark
        }),
      send: (mark, amount) =>
        Effect.map(currentMillis, (now) => {
          const encoding = encodings.get(mark)
          if (encoding === undefined) throw new Error(`Nobody made a payload with ${mark}`)
          const number = sent.length + 1
          const order = toOrder(encoding, now, number, "address")
          const chain = chainOf(encoding.request.sourceAsset)
          const transaction = transactionReference(chain, { seed: "memory", block: firstBlock, number })
          sent.push({
            swapId: `${number}`,
            transaction,
            mark: PayloadMark.make(mark),
            request: encoding.request,
            order: { ...order, arrival: { amount, at: now } },
          })
          return transaction
        }),
      sent: (is) =>
        Effect.map(
          currentMillis,
          (now) => sent.filter(is).map(({ order, ...swap }) => ({ ...swap, record: written(order, now) })),
        ),
      refusal: (operation) => refusals.get(operation),
      openings: Effect.sync(() => orders.size),
      deposit: ({ depositAddress, memo }, amount) =>
        Effect.map(currentMillis, (at) => {
          for (const [number, order] of orders) {
            const { channel } = order
            const isFor = channel.depositAddress === depositAddress && channel.memo === memo &&
              (channel.exactAmount ?? amount) === amount
            if (isFor) orders.set(number, { ...order, arrival: { amount, at } })
          }
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
