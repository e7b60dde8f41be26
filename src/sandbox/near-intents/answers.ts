import { base58 } from "@scure/base"
import { bytesToHex } from "@noble/hashes/utils.js"
import { BigDecimal, Effect, Record, Schema } from "effect"
import { isSent } from "#domain/quotes/ExactOutput.ts"
import { EpochMillis } from "#domain/Time.ts"
import { inUsd, lessOf, priceDecimals } from "../engine/pools.ts"
import { digest, isAddressOn } from "../engine/identifiers.ts"
import type { OrderState } from "../engine/ledger.ts"
import { Faults } from "../Faults.ts"
import { follow, type Row } from "../follow.ts"
import * as Intents from "./engine/Intents.ts"
import type { IntentsOrder, Quoted } from "./engine/State.ts"
import { alwaysSigned, sign } from "./signature.ts"
import dryQuote from "./recorded/quote-dry-sol-usdc-zec-2026-10-02.json" with { type: "json" }
import orderQuote from "./recorded/quote-sol-usdc-zec-2026-10-02.json" with { type: "json" }
import failed from "./recorded/status-failed-built.json" with { type: "json" }
import incomplete from "./recorded/status-incomplete-deposit-built.json" with { type: "json" }
import known from "./recorded/status-known-deposit-tx-built.json" with { type: "json" }
import pending from "./recorded/status-pending-deposit-2026-10-02.json" with { type: "json" }
import processing from "./recorded/status-processing-xlm-usdc-2026-06-18.json" with { type: "json" }
import refunded from "./recorded/status-refunded-two-hashes-built.json" with { type: "json" }
import success from "./recorded/status-success-xlm-usdc-2026-06-18.json" with { type: "json" }
import { type AssetId, factsOf } from "#domain/chains/Asset.ts"
import { formatDecimal } from "#domain/money/Decimal.ts"

/** 1Click's answers: recorded ones, of which some members follow the order (near-intents/wire.md 1). */

/** How 1Click writes an answer, which its faults decide. */
export type Manner = Readonly<Record<keyof typeof faultOf, boolean>>

const faultOf = {
  /** With the newest ids of assets; otherwise with those that were asked with. */
  hasNewestIds: "newestIds",
  /** With an end of the address that is days after refunds begin. */
  hasColdAddress: "coldAddress",
  /** With an output a little below the one that was asked for. */
  hasLessOutput: "lessOutput",
  /** With addresses of Bitcoin Cash that lack their prefix. */
  hasBareAddresses: "bareAddresses",
  /** With a memo for the deposit. */
  hasMemo: "unaskedMemo",
  /** Without hashes of deposits, and without links to an explorer. */
  hasEmptyHashes: "emptyHashes",
  /** With the quote's figures in a refund. */
  hasQuotedRefunds: "quotedRefunds",
  /** With a refund that is less than announced. */
  hasRefundFees: "refundFees",
} as const

export const manner: Effect.Effect<Manner, never, Faults> = Effect.all(
  Record.map(faultOf, (behaviour) => Faults.does(behaviour)),
)

const cashPrefix = /^(?:bitcoincash|bchtest|bchreg):/i

const writeAddress = (address: string, { hasBareAddresses }: Manner): string =>
  hasBareAddresses ? address.replace(cashPrefix, "") : address

/** The address of an order that a text means; undefined where 1Click knows no order by a text of this form. */
export const readAddress = (text: string, { hasBareAddresses }: Manner): string | undefined => {
  if (!hasBareAddresses) return text
  if (cashPrefix.test(text)) return undefined
  const whole = `bchreg:${text}`
  return isAddressOn("BitcoinCash", whole) ? whole : text
}

/** An id in the form of a UUID, determined by the seed and the name. */
const correlationIdOf = (seed: string, ...name: ReadonlyArray<string | number>): string =>
  bytesToHex(digest(seed, "near-intents correlation", ...name).slice(0, 16))
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")

/** The two sides of a quote, with the prices that it is based on. */
const pricedSides = ({ offer: { prices }, terms: { destination, origin } }: Quoted) => ({
  origin: { asset: origin.asset, price: prices.origin },
  destination: { asset: destination.asset, price: prices.destination },
})

/** A request as it is repeated: with the newest ids and the fees that 1Click takes. */
const requestRows = (
  { request, terms: { destination, fees, origin } }: Quoted,
  written: Manner,
): ReadonlyArray<Row> => {
  const members = {
    referral: undefined,
    ...request,
    refundTo: writeAddress(request.refundTo, written),
    recipient: writeAddress(request.recipient, written),
    ...(written.hasNewestIds ? { originAsset: origin.assetId, destinationAsset: destination.assetId } : {}),
  }
  return [
    ...Object.entries(members).map(([name, value]) =>
      [`quoteRequest.${name}${alwaysSigned.includes(name) ? "" : "?"}`, value] as const
    ),
    ["quoteRequest.appFees", request.dry ? fees : fees.map((row) => ({ ...row, limitOrderId: null }))],
  ]
}

const figureRows = (quoted: Quoted, { hasLessOutput, hasMemo }: Manner): ReadonlyArray<Row> => {
  const { destination, origin } = pricedSides(quoted)
  const { offer, terms } = quoted
  const shown = (output: bigint) => hasLessOutput && !isSent(terms.amount) ? lessOf(output) : output
  return [
    ...amountRows("quote.amountIn", origin, offer.amountIn),
    ["quote.minAmountIn", `${offer.minimumAmountIn}`],
    ...amountRows("quote.amountOut", destination, shown(offer.amountOut)),
    ["quote.minAmountOut", `${shown(offer.minimumAmountOut)}`],
    ["quote.timeEstimate", offer.timeEstimateSeconds],
    ["quote.refundFee", `${offer.refundFee}`],
    ["quote.withdrawFee", `${offer.withdrawFee}`],
    ...(hasMemo ? [["quote.depositMemo?", "123456"]] as const : []),
  ]
}

const Members = Schema.Record(Schema.String, Schema.Unknown)
const readSignable = Schema.decodeUnknownSync(
  Schema.Struct({ quote: Members, quoteRequest: Members, timestamp: Schema.String }),
)

const signed = (answer: unknown, isBad: boolean): unknown =>
  follow(answer, [["signature", sign(readSignable(answer), isBad)]])

/** The forms in which 1Click writes values (near-intents/wire.md 1). */

/** `2026-11-21T05:00:00.000Z`. */
export const isoTime = (millis: EpochMillis): string => new Date(millis).toISOString()

/** An asset with the price of one whole unit, in native usdc.eth. */
interface Priced {
  readonly asset: AssetId
  readonly price: bigint
}

const formatted = ({ asset }: Priced, amount: bigint): string =>
  formatDecimal(BigDecimal.make(amount, factsOf(asset).decimals))

/** The places behind the point of a value in USD. */
const usdPlaces = 12

/** An amount as three members: digits of the smallest unit, human units and USD; all null where there is none yet. */
const amountRows = (path: string, priced: Priced, amount: bigint | undefined): ReadonlyArray<Row> => [
  [path, amount === undefined ? null : `${amount}`],
  [`${path}Formatted`, amount === undefined ? null : formatted(priced, amount)],
  [`${path}Usd`, amount === undefined ? null : inUsd(priced.asset, priced.price, amount, usdPlaces)],
]

/** A price in USD as a JSON number, for display only. */
export const usdNumber = (price: bigint): number =>
  BigDecimal.toNumberUnsafe(BigDecimal.make(price, priceDecimals))

/** The answer to a dry request: only figures. */
export const writeDryQuote = (
  quoted: Quoted,
  written: Manner,
  { seed, time }: { readonly seed: string; readonly time: EpochMillis },
): unknown =>
  signed(
    follow(dryQuote.body, [
      ["correlationId", correlationIdOf(seed, "dry", time, JSON.stringify(quoted.request))],
      ["timestamp", isoTime(time)],
      ...requestRows(quoted, written),
      ...figureRows(quoted, written),
    ]),
    false,
  )

/** The time between an order's deadline, from which deposits go back, and the end of its address. */
const coldMillis = 72 * 60 * 60 * 1_000

/** The request and the quote of an order; its deadline is by the simulated time, as all other times are. */
const orderRows = (
  { address, createdAt, deadline, terms }: IntentsOrder,
  written: Manner,
  shownAddress: string = address,
): ReadonlyArray<Row> => {
  const cold = isoTime(EpochMillis.make(deadline + (written.hasColdAddress ? coldMillis : 0)))
  return [
    ["timestamp", isoTime(createdAt)],
    ...requestRows(terms, written),
    ["quoteRequest.deadline", isoTime(deadline)],
    ...figureRows(terms, written),
    ["quote.deadline", cold],
    ["quote.timeWhenInactive", cold],
    ["quote.depositAddress", writeAddress(shownAddress, written)],
  ]
}

/** The id by which 1Click's support would find an order. */
const correlationRow = (seed: string, { number }: IntentsOrder): Row => [
  "correlationId",
  correlationIdOf(seed, "order", number),
]

export const writeOrder = (seed: string, order: IntentsOrder, written: Manner): unknown =>
  signed(
    follow(orderQuote.body, [correlationRow(seed, order), ...orderRows(order, written)]),
    order.trap === "badSignature",
  )

/** The signature of an order as its opening had it, whatever a look-up shows. */
const signatureOf = (seed: string, order: IntentsOrder, written: Manner): string =>
  readSignature(writeOrder(seed, order, written)).signature

const readSignature = Schema.decodeUnknownSync(Schema.Struct({ signature: Schema.String }))

const states = {
  waiting: ["PENDING_DEPOSIT", pending],
  seen: ["KNOWN_DEPOSIT_TX", known],
  incomplete: ["INCOMPLETE_DEPOSIT", incomplete],
  processing: ["PROCESSING", processing],
  paying: ["PROCESSING", processing],
  paid: ["SUCCESS", success],
  refunded: ["REFUNDED", refunded],
  failed: ["FAILED", failed],
} as const satisfies Readonly<Record<OrderState, readonly [status: string, recorded: object]>>

/** The state that is shown: traps (near-intents/wire.md 1, states) show a refund under the name of another one. */
const shownState = ({ state, trap }: IntentsOrder): OrderState => {
  if (state !== "refunded") return state
  if (trap === "successThatIsRefund") return "paid"
  if (trap === "incompleteThatIsRefund") return "incomplete"
  return trap === "failedInPart" ? "failed" : state
}

export const statusOf = (order: IntentsOrder): string => states[shownState(order)][0]

/** How far the output is below the offer's rate, in bps rounded down; never below 0. */
const slippageOf = ({ offer }: Quoted, input: bigint, output: bigint): number => {
  const offered = offer.grossOut * input / offer.amountIn - offer.withdrawFee
  return output >= offered ? 0 : Number((offered - output) * 10_000n / offered)
}

const transaction = (blockchain: string, hash: string, { hasEmptyHashes }: Manner) => ({
  hash,
  explorerUrl: hasEmptyHashes ? "" : `https://explorer.invalid/${blockchain}/${hash}`,
})

/** The part of a refund that its fee takes. */
const refundFeePart = 1_000n

/** The settled input and the payment of an order that has them still. */
const settled = ({ input, payout, state }: IntentsOrder) =>
  state === "refunded" || state === "failed" ? {} : { input, payout }

const detailRows = (seed: string, order: IntentsOrder, written: Manner): ReadonlyArray<Row> => {
  const { deposits, number, refund, terms: quoted } = order
  const { offer, terms } = quoted
  const { destination, origin } = pricedSides(quoted)
  const { input, payout } = settled(order)
  const isQuoted = written.hasQuotedRefunds && statusOf(order) === "REFUNDED"
  const [amountIn, amountOut] = isQuoted ? [offer.amountIn, offer.amountOut] : [input, payout?.amount]
  const refundFee = written.hasRefundFees ? (refund?.amount ?? 0n) / refundFeePart : 0n
  const deposited = deposits.reduce((sum, { amount, isConfirmed }) => isConfirmed ? sum + amount : sum, 0n)
  const hashes = (kind: string) => input === undefined ? [] : [base58.encode(digest(seed, kind, number))]
  const slippage = input === undefined || payout === undefined
    ? null
    : slippageOf(quoted, input, payout.amount)
  const { origin: { blockchain: from }, destination: { blockchain: to } } = terms
  const depositTransactions = deposits.flatMap(({ isIncluded, transactionReference }) =>
    isIncluded && !written.hasEmptyHashes ? [transaction(from, transactionReference, written)] : []
  )
  const payments = payout === undefined ? [] : [transaction(to, payout.transactionReference, written)]
  const rows: ReadonlyArray<Row> = [
    ["intentHashes", hashes("near-intents intent")],
    ["nearTxHashes", hashes("near-intents transfer")],
    ...amountRows("depositedAmount", origin, deposited === 0n ? undefined : deposited),
    ...amountRows("amountIn", origin, amountIn),
    ...amountRows("amountOut", destination, amountOut),
    ["slippage", slippage],
    ["originChainTxHashes", depositTransactions],
    ["destinationChainTxHashes", payments],
    ...amountRows("refundedAmount", origin, (refund?.amount ?? 0n) - refundFee),
    ["refundReason", refund?.reason ?? null],
    ["refundFee", `${offer.refundFee + refundFee}`],
    ["withdrawFee", `${offer.withdrawFee}`],
  ]
  return rows.map(([path, value]) => [`swapDetails.${path}`, value])
}

export const writeStatus = (seed: string, intents: Intents.Intents, order: IntentsOrder, written: Manner) => {
  const [status, { body }] = states[shownState(order)]
  const rows = orderRows(order, written, Intents.shownAddress(intents, order))
  return follow(body, [
    correlationRow(seed, order),
    ["status", status],
    ["updatedAt", isoTime(order.updatedAt)],
    ...rows.map(([path, value]) => [`quoteResponse.${path}`, value] as const),
    ["quoteResponse.quoteRequest.referral", order.terms.request.referral ?? null],
    ["quoteResponse.signature", signatureOf(seed, order, written)],
    ...detailRows(seed, order, written),
  ])
}
