import {
  type AssetId,
  type Fee,
  MalformedBody,
  type NativeAmount,
  noAmount,
  Price,
  type Quote,
  type QuoteRequest,
  toHuman,
} from "@swap-broker/core/domain"
import {
  Amount,
  type AssetSupport,
  decode,
  NeededSeconds,
  type Provider,
  sentAmount,
} from "@swap-broker/core/provider"
import { BigDecimal, Effect, Result, Schema } from "effect"
import { type Client, readAsset, writeAsset } from "./client.ts"
import { failAs, name } from "./errors.ts"

/** `GET /v1/assets`. The asset is any text, as new ones may come. */
const WireAssets = Schema.Array(Schema.Struct({
  asset: Schema.String,
  deposits: Schema.Boolean,
  payouts: Schema.Boolean,
  minimum: Amount,
}))

/** The support of every asset that we know. The exchange may have others. */
const toAssets = (wire: typeof WireAssets.Type): ReadonlyArray<AssetSupport> =>
  wire.flatMap(({ asset: text, deposits, payouts, minimum }) => {
    const asset = readAsset(text)
    return asset === undefined ? [] : [{ asset, ingress: deposits, egress: payouts, minimumDeposit: minimum }]
  })

/** The operation `assets`. */
export const makeAssets = ({ get }: Client): Provider["assets"] =>
  get("/v1/assets").pipe(
    Effect.flatMap((body) => Effect.fromResult(decode(WireAssets, body))),
    Effect.map(toAssets),
    failAs("assets"),
    Effect.withSpan("Template.assets"),
  )

/** The parts of a swap, read as milliseconds. */
export const WireDurations = Schema.Struct({
  deposit: NeededSeconds,
  swap: NeededSeconds,
  payout: NeededSeconds,
})

/** The time of all parts together. */
export const totalOf = ({ deposit, swap, payout }: typeof WireDurations.Type): number =>
  deposit + swap + payout

/** `GET /v1/quote`. */
const WireQuote = Schema.Struct({
  amountIn: Amount,
  /** The output, net of all fees. */
  amountOut: Amount,
  /** The commission, in the asset in. */
  commission: Amount,
  /** The payout's fee, in the asset out. */
  payoutFee: Amount,
  seconds: WireDurations,
})
type WireQuote = typeof WireQuote.Type

const feeOf = (type: Fee["type"], asset: AssetId, amount: NativeAmount): ReadonlyArray<Fee> =>
  amount === noAmount ? [] : [{ type, asset, amount }]

/** The output before the payout's fee for each unit of input. */
const priceOf = (wire: WireQuote, { sourceAsset, destinationAsset }: QuoteRequest): Price => {
  const paid = toHuman(destinationAsset, wire.amountOut)
  const fee = toHuman(destinationAsset, wire.payoutFee)
  return Price.make(BigDecimal.divideUnsafe(BigDecimal.sum(paid, fee), toHuman(sourceAsset, wire.amountIn)))
}

/** The quote. Refuses one for another amount than was requested. */
const toQuote = (
  wire: WireQuote,
  request: QuoteRequest,
  amount: NativeAmount,
): Result.Result<Quote, MalformedBody> => {
  const { destinationAsset, sourceAsset } = request
  const { amountIn, amountOut, commission, payoutFee, seconds } = wire
  if (amountIn !== amount || amountIn === noAmount) {
    return Result.fail(
      new MalformedBody({ detail: `amountIn: expected ${amount}, got ${amountIn}`, reached: true }),
    )
  }
  return Result.succeed({
    platform: name,
    ingress: { asset: sourceAsset, amount: amountIn },
    egress: { asset: destinationAsset, amount: amountOut },
    fees: [...feeOf("broker", sourceAsset, commission), ...feeOf("egress", destinationAsset, payoutFee)],
    pools: [],
    lowLiquidityWarning: false,
    durations: { deposit: seconds.deposit, swap: seconds.swap, egress: seconds.payout },
    totalDuration: totalOf(seconds),
    estimatedPrice: priceOf(wire, request),
    // The exchange recommends no tolerance here; its own page recommends one percent.
    recommendedSlippageTolerancePercent: BigDecimal.fromBigInt(1n),
  })
}

/** The operation `quotes`. */
export const makeQuotes = ({ get }: Client): Provider["quotes"] =>
  Effect.fn("Template.quotes")(function* (request) {
    const amount = yield* Effect.fromResult(sentAmount(name, request.amount))
    const body = yield* get("/v1/quote", {
      from: writeAsset(request.sourceAsset),
      to: writeAsset(request.destinationAsset),
      amount: `${amount}`,
      commissionBps: `${request.commissionBps}`,
    }, request.sourceAsset)
    const wire = yield* Effect.fromResult(decode(WireQuote, body))
    return [yield* Effect.fromResult(toQuote(wire, request, amount))]
  }, failAs("quote"))
