import {
  type Address,
  chainFacts,
  chainOf,
  type Egress,
  type MalformedBody,
  type NativeAmount,
  noAmount,
  type Price,
  type ProviderErrorReason,
  type SwapRequest,
  type SwapState,
  type SwapStatus,
} from "@swap-broker/core/domain"
import {
  addressAt,
  againstRecord,
  type Assets,
  type Channels,
  currentMillis,
  decode,
  malformed,
  minimumOutput,
  type Observed,
  type OpenedChannel,
  optionalMembers,
  sentAmount,
  toChannelId,
  toOpenedChannel,
  TransactionTrace,
} from "@swap-broker/core/provider"
import { Effect, Option, Result } from "effect"
import { asking, type Client, failAs, name, readToken, WireOrder, writeToken } from "./wire.ts"

const page = "https://harbour.example/orders/{channelId}"

/** What an order is made of: a request, or a record of one. */
interface OrderTerms extends Assets {
  readonly amount: NativeAmount
  readonly commissionBps: number
  readonly destinationAddress: Address
  readonly refundAddress: Address
  readonly minimumPrice: Price
}

/** The terms as they are sent, each of which every answer about the order repeats. */
const toBody = (terms: OrderTerms) => ({
  from: writeToken(terms.sourceAsset),
  to: writeToken(terms.destinationAsset),
  amount: `${terms.amount}`,
  commissionBps: terms.commissionBps,
  recipient: terms.destinationAddress,
  refundTo: terms.refundAddress,
  minimumOut: `${minimumOutput(terms, terms.amount, terms.minimumPrice)}`,
})

/** The terms of an order that is on record. */
const recorded = ({ depositChannel, fillOrKill, ...swap }: SwapStatus): OrderTerms | undefined =>
  depositChannel?.expectedDepositAmount === undefined || fillOrKill === undefined ? undefined : {
    ...swap,
    ...fillOrKill,
    amount: depositChannel.expectedDepositAmount,
    commissionBps: depositChannel.brokerCommissionBps,
  }

/** An order that says another term than was sent is the answer to another request. */
const checkTerms = (order: WireOrder, terms: OrderTerms): Result.Result<void, MalformedBody> => {
  const answered = new Map<string, unknown>(Object.entries(order))
  const other = Object.entries(toBody(terms)).find(([term, sent]) => `${answered.get(term)}` !== `${sent}`)
  return other === undefined ? Result.void : malformed(`${other[0]}: expected ${other[1]}`)
}

const toOpened = (
  order: WireOrder,
  request: SwapRequest,
  amount: NativeAmount,
): Result.Result<OpenedChannel, MalformedBody> =>
  Result.gen(function* () {
    yield* checkTerms(order, { ...request, amount })
    const chain = chainOf(request.sourceAsset)
    const depositAddress = yield* addressAt("depositAddress", chain, order.depositAddress)
    return toOpenedChannel({
      request,
      amount,
      depositAddress,
      openedAt: order.createdAt,
      expiry: order.expiresAt,
      reference: `${order.number}`,
      estimatedDuration: 300_000,
      confirmations: chainFacts(chain).confirmations,
      payee: request.commissionBps === 0 ? Option.none() : Option.some("harbour-operator"),
      explorerUrl: page,
    })
  })

const states: ReadonlyMap<string, SwapState> = new Map<string, SwapState>([
  ["awaiting-deposit", "waiting"],
  ["confirming", "receiving"],
  ["done", "completed"],
  ["refunded", "completed"],
])

const toEgress = ({ amount, hash }: NonNullable<WireOrder["refund"]>): Egress => ({
  amount,
  transactionReference: hash,
})

/** The record of an order; what the exchange does not repeat stays as it is known. */
const toStatus = (order: WireOrder, known: SwapStatus, isExpired: boolean): SwapStatus => ({
  ...known,
  state: states.get(order.status) ?? known.state,
  ...optionalMembers(known.depositChannel, (channel) => ({ depositChannel: { ...channel, isExpired } })),
  ...optionalMembers(order.deposit, (deposit) => ({ deposit: toEgress(deposit) })),
  ...optionalMembers(order.refund, (refund) => ({ refundEgress: toEgress(refund) })),
  ...optionalMembers(order.payout, (payout) => ({
    swapEgress: toEgress(payout),
    fees: payout.commission === noAmount
      ? []
      : [{ type: "broker" as const, asset: known.destinationAsset, amount: payout.commission }],
  })),
})

const checkRecorded = (order: WireOrder, known: SwapStatus): Result.Result<void, MalformedBody> => {
  const terms = recorded(known)
  if (terms === undefined) return malformed("the order of a record without terms")
  if (`${order.number}` !== known.depositChannel?.reference) {
    return malformed("number: expected that of the record")
  }
  return order.depositAddress === known.depositChannel.depositAddress
    ? checkTerms(order, terms)
    : malformed("depositAddress: expected the one that was given out")
}

const observed = Effect.fnUntraced(function* (body: unknown, text: string, known: SwapStatus) {
  const order = yield* Effect.fromResult(decode(WireOrder, body))
  yield* againstRecord(Effect.fromResult(checkRecorded(order, known)))
  if (!states.has(order.status)) {
    yield* Effect.logWarning(`Kept the state ${known.state}: ${order.status} is unknown`)
  }
  const isExpired = (yield* currentMillis) >= order.expiresAt
  return { status: toStatus(order, known, isExpired), body: text } satisfies Observed
})

/** Deposit channels: orders of the exchange. */
export const makeChannels = (client: Client): Channels => ({
  open: Effect.fn("Harbour.open")(function* (request): Effect.fn.Return<OpenedChannel, ProviderErrorReason> {
    const amount = yield* Effect.fromResult(sentAmount(name, request.amount ?? noAmount))
    const terms = toBody({ ...request, amount })
    const { body } = yield* client.post("/v1/orders", terms, asking(request.sourceAsset, true))
    const order = yield* Effect.fromResult(decode(WireOrder, body))
    return yield* Effect.fromResult(toOpened(order, request, amount))
  }, failAs("open")),
  status: Effect.fn("Harbour.status")(function* (_channel, known) {
    const heard = yield* client.find(`/v1/orders/${known.depositChannel?.reference}`, asking())
    return Option.isNone(heard)
      ? Option.none()
      : Option.some(yield* observed(heard.value.body, heard.value.text, known))
  }, failAs("status")),
  findTransaction: Effect.fn("Harbour.findTransaction")(function* (transaction) {
    const heard = yield* client.find(`/v1/transactions/${encodeURIComponent(transaction)}`, asking())
    if (Option.isNone(heard)) return Option.none()
    const order = yield* Effect.fromResult(decode(WireOrder, heard.value.body))
    const source = readToken(order.from)
    if (source === undefined) return Option.none()
    const chain = chainOf(source)
    const address = yield* Effect.fromResult(addressAt("depositAddress", chain, order.depositAddress))
    return Option.some(TransactionTrace.Deposit({ channel: toChannelId(chain, address, order.createdAt) }))
  }, failAs("status")),
})
