import {
  chainFacts,
  chainOf,
  type Egress,
  type MalformedBody,
  type NativeAmount,
  noAmount,
  type ProviderErrorReason,
  type SwapRequest,
  type SwapState,
  type SwapStatus,
} from "@swap-broker/core/domain"
import {
  addressAt,
  againstRecord,
  type Channels,
  currentMillis,
  decode,
  malformed,
  minimumOutput,
  type Observed,
  type OpenedChannel,
  optionalMembers,
  sentAmount,
  toOpenedChannel,
} from "@swap-broker/core/provider"
import { Effect, Option, Result } from "effect"
import { asking, type Client, failAs, name, WireOrder, writeToken } from "./wire.ts"

/** Text members of a request, which its answer has to repeat. */
type Terms = Readonly<Record<string, string>>

/** The terms of quotes, and of orders too. */
export const toTerms = (
  { commissionBps, destinationAsset, sourceAsset }: Pick<
    SwapRequest,
    "commissionBps" | "destinationAsset" | "sourceAsset"
  >,
  amount: NativeAmount,
): Terms => ({
  from: writeToken(sourceAsset),
  to: writeToken(destinationAsset),
  amount: `${amount}`,
  commissionBps: `${commissionBps}`,
})

/** What an order is made of: a request, or a record of one. */
type OrderRequest = Pick<
  SwapRequest,
  | "commissionBps"
  | "destinationAddress"
  | "destinationAsset"
  | "minimumPrice"
  | "refundAddress"
  | "sourceAsset"
>

const toOrderTerms = (request: OrderRequest, amount: NativeAmount): Terms => ({
  ...toTerms(request, amount),
  recipient: request.destinationAddress,
  refundTo: request.refundAddress,
  minimumOut: `${minimumOutput(request, amount, request.minimumPrice)}`,
})

/** The terms of an order that is on record, with what was answered to its opening. */
const recordedTerms = ({ depositChannel, fillOrKill, ...swap }: SwapStatus): Terms =>
  depositChannel?.expectedDepositAmount === undefined || fillOrKill === undefined ? {} : {
    ...toOrderTerms(
      { ...swap, ...fillOrKill, commissionBps: depositChannel.brokerCommissionBps },
      depositChannel.expectedDepositAmount,
    ),
    number: depositChannel.reference ?? "",
    depositAddress: depositChannel.depositAddress,
  }

/** Each term has to come back as it was sent: an answer with another is one to another request. */
export const checkRepeated = (
  terms: Terms,
  answer: Readonly<Record<string, unknown>>,
): Result.Result<void, MalformedBody> => {
  const [other] = Object.keys(terms).filter((term) => answer[term] !== terms[term])
  return other === undefined
    ? Result.void
    : malformed(`${other}: expected ${terms[other]}, got ${answer[other]}`)
}

/** An address is shown only after it is known to be one, of the source chain, and of this very order. */
const toOpened = (
  order: WireOrder,
  request: SwapRequest,
  amount: NativeAmount,
): Result.Result<OpenedChannel, MalformedBody> =>
  Result.gen(function* () {
    yield* checkRepeated(toOrderTerms(request, amount), order)
    const chain = chainOf(request.sourceAsset)
    const depositAddress = yield* addressAt("depositAddress", chain, order.depositAddress)
    return toOpenedChannel({
      request,
      amount,
      depositAddress,
      openedAt: order.createdAt,
      expiry: order.expiresAt,
      reference: order.number,
      estimatedDuration: order.seconds,
      confirmations: chainFacts(chain).confirmations,
      payee: request.commissionBps === 0 ? Option.none() : Option.some("example-operator"),
      explorerUrl: "https://example.test/orders/{channelId}",
    })
  })

/** The upstream's words. Where money went is said by `payout` and `refund`. */
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

/** A swap is completed only with the transaction that paid. */
const stateOf = ({ payout, refund, status }: WireOrder, known: SwapStatus): SwapState => {
  const isUnproven = (status === "done" && payout === undefined) ||
    (status === "refunded" && refund === undefined)
  return isUnproven ? known.state : states.get(status) ?? known.state
}

/** The record of an order; what the upstream does not repeat stays as it is known. */
const toStatus = (order: WireOrder, known: SwapStatus, now: number): SwapStatus => ({
  ...known,
  state: stateOf(order, known),
  ...optionalMembers(known.depositChannel, (channel) => ({
    depositChannel: { ...channel, isExpired: now >= order.expiresAt },
  })),
  ...optionalMembers(order.deposit, (deposit) => ({ deposit: toEgress(deposit) })),
  ...optionalMembers(order.refund, (refund) => ({ refundEgress: toEgress(refund) })),
  ...optionalMembers(order.payout, (payout) => ({ swapEgress: toEgress(payout) })),
})

const observed = Effect.fnUntraced(function* (body: unknown, text: string, known: SwapStatus) {
  const order = yield* Effect.fromResult(decode(WireOrder, body))
  yield* againstRecord(Effect.fromResult(checkRepeated(recordedTerms(known), order)))
  if (!states.has(order.status)) {
    yield* Effect.logWarning(`Kept the state ${known.state}: ${order.status} is unknown`)
  }
  return { status: toStatus(order, known, yield* currentMillis), body: text } satisfies Observed
})

/** Deposit channels: orders of the upstream. */
export const makeChannels = ({ find, post }: Client): Channels => ({
  open: Effect.fn("Example.open")(function* (request): Effect.fn.Return<OpenedChannel, ProviderErrorReason> {
    const amount = yield* Effect.fromResult(sentAmount(name, request.amount ?? noAmount))
    const terms = toOrderTerms(request, amount)
    const { body } = yield* post("/v1/orders", terms, asking(request.sourceAsset, true))
    const order = yield* Effect.fromResult(decode(WireOrder, body))
    return yield* Effect.fromResult(toOpened(order, request, amount))
  }, failAs("open")),
  status: Effect.fn("Example.status")(function* (_channel, known) {
    const heard = yield* find(`/v1/orders/${known.depositChannel?.reference}`, asking())
    return Option.isNone(heard)
      ? Option.none()
      : Option.some(yield* observed(heard.value.body, heard.value.text, known))
  }, failAs("status")),
})
