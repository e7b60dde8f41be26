import { BigDecimal, Match, Schema } from "effect"
import { Address } from "#domain/chains/Address.ts"
import { NativeAmount, toHuman } from "#domain/money/Amount.ts"
import type { AssetId } from "#domain/chains/Asset.ts"
import { Bps, noBps } from "#domain/money/Bps.ts"
import { Price } from "#domain/money/Price.ts"
import type { ProviderErrorReason } from "#domain/ProviderError.ts"
import type { Fee } from "#domain/money/Fee.ts"
import type { Quote, QuoteRequest } from "#domain/quotes/Quote.ts"
import type { Egress, SwapStatus } from "#domain/swaps/Swap.ts"
import type { SwapRequest } from "#domain/swaps/SwapRequest.ts"
import { readAsset, writeAsset } from "#test/outside/template/client.ts"
import type { WireRecord } from "#test/support/memoryProvider/MemoryUpstream.ts"

/** The other side of the template's wire: what the exchange reads and writes. */

/** A status and a body. */
export interface Reply {
  readonly status: number
  readonly body: unknown
}

/** An amount as the exchange writes it. */
export const digits = (amount: bigint): string => `${amount}`

const assetIn = (text: string): AssetId => {
  const asset = readAsset(text)
  if (asset === undefined) throw new Error(`The provider asked for the unknown asset ${text}`)
  return asset
}

/** The query of `GET /v1/quote`. */
export const readQuoteQuery = (query: URLSearchParams): QuoteRequest => ({
  sourceAsset: assetIn(query.get("from") ?? ""),
  destinationAsset: assetIn(query.get("to") ?? ""),
  amount: NativeAmount.make(BigInt(query.get("amount") ?? "")),
  commissionBps: Bps.make(Number(query.get("commissionBps"))),
})

const OrderBody = Schema.Struct({
  from: Schema.String,
  to: Schema.String,
  amount: Schema.String,
  commissionBps: Bps,
  recipient: Address,
  refundTo: Address,
  minimumOut: Schema.String,
  /** Payloads say it, orders do not. */
  retryBlocks: Schema.optionalKey(Schema.Int),
})

/** The body of `POST /v1/orders` or of `POST /v1/payloads`: the price limit is what the minimum makes of the amount. */
export const readOrderBody = (body: string): SwapRequest & QuoteRequest => {
  const order = Schema.decodeSync(Schema.fromJsonString(OrderBody))(body)
  const sourceAsset = assetIn(order.from)
  const destinationAsset = assetIn(order.to)
  const amount = NativeAmount.make(BigInt(order.amount))
  const minimum = toHuman(destinationAsset, NativeAmount.make(BigInt(order.minimumOut)))
  return {
    sourceAsset,
    destinationAsset,
    amount,
    commissionBps: order.commissionBps,
    destinationAddress: order.recipient,
    refundAddress: order.refundTo,
    minimumPrice: Price.make(BigDecimal.divideUnsafe(minimum, toHuman(sourceAsset, amount))),
    retryDurationBlocks: order.retryBlocks ?? 0,
    maximumBoostFeeBps: noBps,
    affiliates: [],
  }
}

const feeOf = (quote: Quote, type: Fee["type"]): string =>
  digits(quote.fees.find((fee) => fee.type === type)?.amount ?? 0n)

/** The parts of a swap, in seconds. */
export const writeSeconds = ({ durations }: Quote) => ({
  deposit: durations.deposit / 1_000,
  swap: durations.swap / 1_000,
  payout: durations.egress / 1_000,
})

/** The answer of `GET /v1/quote`. */
export const writeQuote = (quote: Quote): Reply => ({
  status: 200,
  body: {
    amountIn: digits(quote.ingress.amount),
    amountOut: digits(quote.egress.amount),
    commission: feeOf(quote, "broker"),
    payoutFee: feeOf(quote, "egress"),
    seconds: writeSeconds(quote),
  },
})

/** The exchange's words for the states of a swap; a new one comes through as it is. */
const statuses: Readonly<Record<string, string>> = {
  waiting: "awaiting-deposit",
  receiving: "confirming",
  swapping: "swapping",
  sending: "paying",
  sent: "paid",
  failed: "failed",
}

const writeStatus = ({ state, refundEgress }: WireRecord): string =>
  state === "completed" ? (refundEgress === undefined ? "done" : "refunded") : statuses[state] ?? state

const writeTransfer = (transfer: Egress | SwapStatus["deposit"]) =>
  transfer === undefined
    ? null
    : { amount: digits(transfer.amount), hash: transfer.transactionReference ?? null }

/** How far a swap has come, however it began. */
export const writeProgress = (record: WireRecord) => {
  const { deposit } = record
  return {
    status: writeStatus(record),
    from: writeAsset(record.sourceAsset),
    to: writeAsset(record.destinationAsset),
    recipient: record.destinationAddress,
    deposit: writeTransfer(deposit),
    payout: writeTransfer(record.swapEgress),
    refund: writeTransfer(record.refundEgress),
    failure: deposit?.failure === undefined
      ? null
      : { reason: deposit.failure.reason.message, at: deposit.failure.failedAt },
  }
}

/** An order, as both of its endpoints answer it. */
export const writeOrder = (status: number, record: WireRecord, quote: Quote): Reply => {
  const { depositChannel } = record
  return {
    status,
    body: {
      ...writeProgress(record),
      number: depositChannel?.id.channelId,
      block: depositChannel?.id.issuedBlock,
      depositAddress: depositChannel?.depositAddress,
      createdAt: depositChannel?.createdAt,
      expiresAt: depositChannel?.estimatedExpiryTime,
      expiryBlock: depositChannel?.sourceChainExpiryBlock,
      seconds: writeSeconds(quote),
    },
  }
}

const failure = (status: number, code: string, limit: bigint | null = null): Reply => ({
  status,
  body: { code, message: `the exchange says ${code}`, limit: limit === null ? null : digits(limit) },
})

/** What it answers where it offers nothing. */
export const writeRefusal = (reason: ProviderErrorReason): Reply =>
  Match.value(reason).pipe(
    Match.tag("DepositBelowMinimum", ({ minimum }) => failure(400, "amount_too_small", minimum)),
    Match.tag("EgressFeeNotCovered", () => failure(400, "payout_too_small")),
    Match.tag("AssetDisabled", () => failure(400, "asset_not_served")),
    Match.orElse(() => failure(500, "unknown")),
  )
