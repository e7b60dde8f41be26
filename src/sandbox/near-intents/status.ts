import { base58 } from "@scure/base"
import { Effect, Match, Result, Schema } from "effect"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { digest } from "../engine/identifiers.ts"
import type { UnusableLog } from "../EventLog.ts"
import { Faults } from "../Faults.ts"
import { json, type Reply } from "../Wire.ts"
import { World } from "../World.ts"
import * as Intents from "./engine/Intents.ts"
import type { Order, Payout } from "./engine/State.ts"
import { amountMembers, isoTime, noAmountMembers } from "./encode.ts"
import { intentsMessage, intentsRefusal } from "./refusals.ts"
import { correlationIdOfOrder, manner, pricedSides, readAddress, writeOrderInStatus } from "./quote.ts"

/** `GET /v0/status` and `POST /v0/deposit/submit` (near-intents/wire.md 1). */

const refundedAs = (trap: Order["trap"]): string => {
  if (trap === "successThatIsRefund") return "SUCCESS"
  if (trap === "incompleteThatIsRefund") return "INCOMPLETE_DEPOSIT"
  return trap === "failedInPart" ? "FAILED" : "REFUNDED"
}

/** The order's state, in 1Click's words. */
export const statusOf = ({ progress, trap }: Order): string =>
  Match.valueTags(progress, {
    PendingDeposit: () => "PENDING_DEPOSIT",
    KnownDeposit: () => "KNOWN_DEPOSIT_TX",
    IncompleteDeposit: () => "INCOMPLETE_DEPOSIT",
    Processing: () => "PROCESSING",
    Success: () => "SUCCESS",
    // Traps (near-intents/wire.md 1, states): a refund, whole or in part, under the name of another state.
    Refunded: () => refundedAs(trap),
    Failed: () => "FAILED",
  })

/** The solver's input and, once it has paid, its payout. */
const swapped = ({ progress }: Order): { readonly input?: bigint; readonly payout?: Payout } =>
  progress._tag === "Processing" || progress._tag === "Success" ? progress : {}

/** How far the output is below the offer's rate, in bps rounded down; never below 0. */
const slippageOf = ({ offer }: Order, input: bigint, output: bigint): number => {
  const offered = offer.grossOut * input / offer.amountIn - offer.withdrawFee
  return output >= offered ? 0 : Number((offered - output) * 10_000n / offered)
}

const transaction = (blockchain: string, hash: string, hasExplorer: boolean) => ({
  hash,
  explorerUrl: hasExplorer ? `https://explorer.invalid/${blockchain}/${hash}` : "",
})

/** How an order is told: without hashes, with the quote's figures of a refund, with a fee of it. */
interface Manner {
  readonly areHashesEmpty: boolean
  readonly hasQuotedRefunds: boolean
  readonly hasRefundFees: boolean
}

/** The part of a refund that its fee takes. */
const refundFeePart = 1_000n

const writeDetails = (
  seed: string,
  order: Order,
  { areHashesEmpty, hasQuotedRefunds, hasRefundFees }: Manner,
) => {
  const { offer, refund, request, terms } = order
  const { destination, origin } = pricedSides(order)
  const { input, payout } = swapped(order)
  const isQuoted = hasQuotedRefunds && statusOf(order) === "REFUNDED"
  const [amountIn, amountOut] = isQuoted ? [offer.amountIn, offer.amountOut] : [input, payout?.amount]
  const refundFee = hasRefundFees && refund !== undefined ? refund.amount / refundFeePart : undefined
  const deposited = order.deposits.reduce(
    (sum, { amount, isConfirmed }) => isConfirmed ? sum + amount : sum,
    0n,
  )
  const hashes = (kind: string) =>
    input === undefined ? [] : [base58.encode(digest(seed, kind, order.number))]
  return {
    intentHashes: hashes("near-intents intent"),
    nearTxHashes: hashes("near-intents transfer"),
    ...(amountIn === undefined ? noAmountMembers("amountIn") : amountMembers("amountIn", origin, amountIn)),
    ...(amountOut === undefined
      ? noAmountMembers("amountOut")
      : amountMembers("amountOut", destination, amountOut)),
    slippage: input === undefined || payout === undefined ? null : slippageOf(order, input, payout.amount),
    originChainTxHashes: areHashesEmpty
      ? []
      : order.deposits.flatMap(({ isIncluded, transactionReference }) =>
        isIncluded ? [transaction(terms.origin.blockchain, transactionReference, true)] : []
      ),
    destinationChainTxHashes: payout === undefined
      ? []
      : [transaction(terms.destination.blockchain, payout.transactionReference, !areHashesEmpty)],
    // 1Click reports 0 where nothing was refunded.
    ...amountMembers("refundedAmount", origin, (refund?.amount ?? 0n) - (refundFee ?? 0n)),
    ...optionalMembers(refundFee, (fee) => ({ refundFee: `${fee}` })),
    refundReason: refund?.reason ?? null,
    ...(deposited === 0n
      ? noAmountMembers("depositedAmount")
      : amountMembers("depositedAmount", origin, deposited)),
    withdrawFee: payout === undefined ? null : `${offer.withdrawFee}`,
    referral: request.referral ?? null,
  }
}

const find = Effect.fnUntraced(function* (
  address: string,
  success: number,
): Effect.fn.Return<Reply, never, World | Faults> {
  const { seed } = yield* World
  const written = yield* manner
  const details = {
    areHashesEmpty: yield* Faults.does("emptyHashes"),
    hasQuotedRefunds: yield* Faults.does("quotedRefunds"),
    hasRefundFees: yield* Faults.does("refundFees"),
  }
  return yield* World.read(({ intents }) => {
    const whole = readAddress(address, written)
    const found = whole === undefined ? undefined : Intents.findOrder(intents, whole)
    return found === undefined ? intentsRefusal(404, intentsMessage.unknownAddress(address)) : json(success, {
      correlationId: correlationIdOfOrder(seed, found.order),
      quoteResponse: writeOrderInStatus(seed, found, written),
      status: statusOf(found.order),
      updatedAt: isoTime(found.order.updatedAt),
      swapDetails: writeDetails(seed, found.order, details),
    })
  })
})

/** Answers a look-up by deposit address. */
export const getStatus = Effect.fn("sandbox.nearIntents.status")(function* (
  query: URLSearchParams,
): Effect.fn.Return<Reply, never, World | Faults> {
  const address = query.get("depositAddress")
  return address === null || address === ""
    ? intentsRefusal(400, "depositAddress: Required")
    : yield* find(address, 200)
})

const Submission = Schema.fromJsonString(
  Schema.Struct({ txHash: Schema.NonEmptyString, depositAddress: Schema.NonEmptyString }),
)
const readSubmission = Schema.decodeUnknownResult(Submission)

/** Takes a client's report of its deposit transaction, if the order has that transaction. */
export const submitDeposit = Effect.fn("sandbox.nearIntents.submitDeposit")(function* (
  body: string,
): Effect.fn.Return<Reply, UnusableLog, World | Faults> {
  const read = readSubmission(body)
  if (Result.isFailure(read)) return intentsRefusal(400, "txHash and depositAddress are required")
  const { depositAddress, txHash } = read.success
  const submitted = yield* World.perform({
    _tag: "SubmitDeposit",
    address: readAddress(depositAddress, yield* manner) ?? depositAddress,
    transactionReference: txHash,
  })
  return Result.isFailure(submitted)
    ? intentsRefusal(404, intentsMessage.unknownAddress(depositAddress))
    : yield* find(depositAddress, 201)
})
