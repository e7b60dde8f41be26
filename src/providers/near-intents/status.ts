import { Effect, Option, Result, Schema } from "effect"
import type { MalformedBody } from "#domain/ProviderError.ts"
import { Address } from "#domain/chains/Address.ts"
import type { AssetId } from "#domain/chains/Asset.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import type { Fee } from "#domain/money/Fee.ts"
import { isSettled, type SwapStatus } from "#domain/swaps/Swap.ts"
import { lightSpan } from "#infrastructure/platform/lightSpan.ts"
import type { Channels } from "../Provider.ts"
import { Amount, decode, IsoTime, logged, maybe, type Noticed, ShownSeconds } from "../upstream/values.ts"
import { upstreamText } from "../upstream/failures.ts"
import {
  depositTransactions,
  isStillExpected,
  keptOfSurplus,
  type OrderFacts,
  positive,
  type Stage,
  stage,
  type StatusContext,
  termsAsSaid,
  toStatus,
} from "../upstream/orderRecord.ts"
import { type Client, failAs } from "./client.ts"
import { type Conditions, isIdOf, type Tokens } from "./conditions.ts"
import { type Charged, chargedBy, toFees, usuallyCharged, WireFees } from "./fees.ts"
import { askedFor, type Options } from "./settings.ts"

const Transactions = maybe(Schema.Array(Schema.Struct({ hash: Schema.NonEmptyString })))

/** The details of the deposit so far; empty before there is one. */
const WireDetails = Schema.Struct({
  amountIn: maybe(Amount),
  amountOut: maybe(Amount),
  originChainTxHashes: Transactions,
  destinationChainTxHashes: Transactions,
  depositedAmount: maybe(Amount),
  refundedAmount: maybe(Amount),
  refundReason: maybe(Schema.String),
  withdrawFee: maybe(Amount),
})

/** The answer of `GET /v0/status` (near-intents/wire.md 1). */
export const WireStatus = Schema.Struct({
  status: Schema.String,
  updatedAt: IsoTime,
  quoteResponse: Schema.Struct({
    quoteRequest: Schema.Struct({
      originAsset: Schema.String,
      destinationAsset: Schema.String,
      recipient: Address,
      refundTo: Address,
      appFees: WireFees,
    }),
    quote: Schema.Struct({
      depositAddress: Address,
      amountIn: Amount,
      timeEstimate: ShownSeconds,
      withdrawFee: maybe(Amount),
      refundFee: maybe(Amount),
    }),
  }),
  swapDetails: maybe(WireDetails),
})
export type WireStatus = typeof WireStatus.Type

interface IntentsOrder extends OrderFacts {
  readonly withdrawFee: NativeAmount | undefined
  readonly refundFee: NativeAmount | undefined
  readonly charged: Charged
  /** Milliseconds from the deposit to the payout. */
  readonly estimate: number | undefined
}

/** The facts of an answer (near-intents/wire.md 1, `swapDetails`). */
export const toOrderFacts = (
  wire: WireStatus,
  { depositChannel, known }: StatusContext,
  house: Pick<Options, "feeAccount" | "commissionBasis">,
): IntentsOrder => {
  const details = wire.swapDetails ?? {}
  const { quote, quoteRequest: { appFees } } = wire.quoteResponse
  // Before the end a 0 says nothing, and after it that nothing came.
  const depositedAmount = wire.status === "SUCCESS"
    ? details.depositedAmount
    : positive(details.depositedAmount)
  const transactions = depositTransactions((details.originChainTxHashes ?? []).map(({ hash }) => hash), known)
  const amountIn = wire.status === "SUCCESS" ? details.amountIn : positive(details.amountIn)
  return {
    status: wire.status,
    updatedAt: wire.updatedAt,
    hasDeposit: depositedAmount !== undefined || transactions.depositTransaction !== undefined ||
      known.deposit !== undefined,
    depositedAmount,
    depositAmount: depositedAmount ?? amountIn ?? known.deposit?.amount ?? quote.amountIn,
    isDepositExpected: isStillExpected(depositedAmount ?? amountIn, known),
    ...transactions,
    amountIn: amountIn ?? depositedAmount ?? known.deposit?.amount ?? quote.amountIn,
    amountOut: positive(details.amountOut),
    payoutTransaction: details.destinationChainTxHashes?.[0]?.hash,
    refundedAmount: positive(details.refundedAmount),
    refundReason: details.refundReason,
    withdrawFee: details.withdrawFee ?? quote.withdrawFee,
    refundFee: positive(quote.refundFee),
    charged: appFees === undefined
      ? usuallyCharged(askedFor(depositChannel.brokerCommissionBps, house))
      : chargedBy(appFees, house.feeAccount),
    estimate: known.estimatedDuration ?? quote.timeEstimate,
  }
}

type Read = (order: IntentsOrder, context: StatusContext) => Stage

/** A deposit that is too little waits for more, until the service has sent it back. */
const incomplete: Read = ({ refundedAmount }) =>
  refundedAmount === undefined ? stage("receiving", "none") : stage("completed", "refund")

/** What has gone back of a swap that failed is told; the rest stays where it is. */
const failed: Read = ({ refundedAmount }) =>
  stage(
    "failed",
    "lost",
    refundedAmount === undefined ? undefined : "1Click reports FAILED for a swap that was partly refunded",
  )

/** A waiting order. A confirmed deposit can stay unnoticed (near-intents/wire.md 2): the operator is warned. */
const waiting: Read = (order, { now }) => {
  const overdue = order.hasDeposit && order.estimate !== undefined && now > order.updatedAt + order.estimate
  return stage(
    "waiting",
    "none",
    overdue ? "A deposit was seen, but 1Click still waits for it past its own estimate" : undefined,
  )
}

/** An order in process: a known output is on its way, and sent once it has a transaction. NEAR's prove neither. */
const processing: Read = ({ payoutTransaction, amountOut }) => {
  if (payoutTransaction !== undefined) return stage("sent", "payout")
  return stage(amountOut === undefined ? "swapping" : "sending", "payout")
}

/** A success: only amount and transaction prove a payout, as 1Click calls a refund a success, too. */
const success: Read = ({ amountOut, payoutTransaction, refundedAmount }) => {
  if (amountOut !== undefined && payoutTransaction !== undefined) return stage("completed", "payout")
  if (amountOut === undefined && refundedAmount !== undefined) {
    return stage("completed", "refund", "1Click calls a refund SUCCESS; it is kept as a refund")
  }
  return stage(
    "sending",
    "payout",
    "1Click says SUCCESS without an amount and a transaction; not completed yet",
  )
}

const refunded: Read = ({ refundedAmount }) =>
  refundedAmount === undefined
    ? stage("failed", "lost", "1Click says REFUNDED without an amount; kept as failed")
    : stage("completed", "refund")

/** The stage of each state of the upstream (near-intents/wire.md 1, decision 23). */
const stages: ReadonlyMap<string, Read> = new Map<string, Read>([
  ["PENDING_DEPOSIT", waiting],
  ["KNOWN_DEPOSIT_TX", () => stage("receiving", "none")],
  ["INCOMPLETE_DEPOSIT", incomplete],
  ["PROCESSING", processing],
  ["SUCCESS", success],
  ["REFUNDED", refunded],
  ["FAILED", failed],
])

/** The stage of an order, or a notice of a state that is not known. */
export const readStage = (
  order: IntentsOrder,
  context: StatusContext,
): Stage | { readonly unknown: string } => {
  const read = stages.get(order.status)
  return read === undefined
    ? { unknown: `Kept the state ${context.known.state}: ${upstreamText(order.status)} is unknown` }
    : read(order, context)
}

/** The fee of a refund: the difference between deposit and refund where there is one, else the announced fee. */
const refundFee = ({ depositedAmount, refundedAmount, refundFee }: IntentsOrder): NativeAmount | undefined =>
  depositedAmount !== undefined && refundedAmount !== undefined && refundedAmount < depositedAmount
    ? NativeAmount.make(depositedAmount - refundedAmount)
    : refundFee

const feesOf = (order: IntentsOrder, stage: Stage, context: StatusContext): ReadonlyArray<Fee> => {
  const { course } = stage
  const { sourceAsset, destinationAsset } = context.known
  if (course === "payout") {
    const fees = toFees({ ...order, sourceAsset, destinationAsset })
    return [...fees, ...keptOfSurplus(order, stage, context)]
  }
  const refund = course === "refund" ? refundFee(order) : undefined
  return refund === undefined ? [] : [{ type: "refund", asset: sourceAsset, amount: refund }]
}

type House = Pick<Options, "feeAccount" | "commissionBasis">

/** The asset of an id, or the record's where the id is not known any more: ids have changed their form before. */
const assetOf = (tokens: Tokens, id: string, known: AssetId): AssetId =>
  [...tokens.values()].find((token) => isIdOf(token, id))?.asset ?? known

/** The order's terms in the answer; `swapping` compares them with the record, alike for every provider. */
const recordAsSaid = (
  { quoteResponse: { quote, quoteRequest } }: WireStatus,
  context: StatusContext,
  tokens: Tokens,
): SwapStatus => ({
  ...termsAsSaid(context, {
    destination: quoteRequest.recipient,
    deposit: quote.depositAddress,
    refund: quoteRequest.refundTo,
  }),
  sourceAsset: assetOf(tokens, quoteRequest.originAsset, context.known.sourceAsset),
  destinationAsset: assetOf(tokens, quoteRequest.destinationAsset, context.known.destinationAsset),
})

/** Reads the answer of `GET /v0/status` about a recorded channel, as it is. */
const readStatus = (
  body: unknown,
  { house, tokens, ...context }: StatusContext & { readonly house: House; readonly tokens: Tokens },
): Result.Result<Noticed & { readonly status: SwapStatus }, MalformedBody> =>
  Result.map(decode(WireStatus, body), (wire) => {
    // Members that the answer does not have stay as they were.
    const base = recordAsSaid(wire, context, tokens)
    const order = toOrderFacts(wire, context, house)
    const stage = readStage(order, context)
    return "unknown" in stage ? { status: base, notices: [stage.unknown] } : {
      status: toStatus(base, order, stage, context, feesOf(order, stage, context)),
      // A record that has ended says nothing new, however often it is looked at.
      notices: isSettled(context.known) ? [] : stage.notices,
    }
  })

/** Makes the operation. The upstream finds an order by its deposit address. */
export const makeStatus = (
  client: Pick<Client, "status">,
  conditions: Pick<Conditions, "tokens">,
  house: House,
): Channels["status"] =>
  Effect.fnUntraced(
    function* (_channel, known) {
      const { depositChannel } = known
      if (depositChannel === undefined) return Option.none()
      const tokens = yield* conditions.tokens
      const heard = yield* client.status(depositChannel.reference ?? depositChannel.depositAddress)
      if (Option.isNone(heard)) return Option.none()
      const { body, text, answeredAt } = heard.value
      const { status } = yield* logged(
        readStatus(body, { known, depositChannel, tokens, house, now: answeredAt }),
      )
      return Option.some({ status, body: text })
    },
    failAs("status"),
    lightSpan("NearIntents.status"),
  )
