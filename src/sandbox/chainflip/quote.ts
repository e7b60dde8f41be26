import { BigDecimal, Effect, Result, Schema } from "effect"
import { maximumNativeAmount, NativeAmount } from "#domain/money/Amount.ts"
import { type AssetId, chainOf } from "#domain/chains/Asset.ts"
import { findNetworkAsset } from "#domain/chains/payload/contractNumbers.ts"
import { Bps } from "#domain/money/Bps.ts"
import { formatDecimal } from "#domain/money/Decimal.ts"
import type { Fee } from "#domain/money/Fee.ts"
import type { Durations } from "#domain/quotes/Quote.ts"
import { quote } from "../engine/quotes.ts"
import { vaultChains } from "../engine/vaultSwaps.ts"
import type { BoostOffer, Offer, QuoteQuery } from "../engine/View.ts"
import { json } from "../Wire.ts"
import { World } from "../World.ts"
import { decimalAmount, DecimalInput, digits, wireAsset } from "./values.ts"
import { backendMessage, backendRefusal, quoteRefusal } from "./refusals.ts"

/** `GET /v2/quote` (chainflip/wire.md 3.1, 3.2). */

const BooleanText = Schema.Literals(["true", "false"])

/** Digits, or nothing between the equals sign and the next parameter. */
const DigitsOrEmpty = Schema.String.check(Schema.isPattern(/^[0-9]{0,6}$/, { expected: "digits" }))

const Query = Schema.Struct({
  srcChain: Schema.String,
  srcAsset: Schema.String,
  destChain: Schema.String,
  destAsset: Schema.String,
  amount: DecimalInput.check(Schema.isBetweenBigInt({ minimum: 1n, maximum: maximumNativeAmount })),
  brokerCommissionBps: Schema.optionalKey(DigitsOrEmpty),
  isVaultSwap: Schema.optionalKey(BooleanText),
  isOnChain: Schema.optionalKey(BooleanText),
  ccmGasBudget: Schema.optionalKey(DecimalInput),
  ccmMessageLengthBytes: Schema.optionalKey(DigitsOrEmpty),
  dcaEnabled: Schema.optionalKey(BooleanText),
  dcaV2Enabled: Schema.optionalKey(BooleanText),
  expectedResponseTimeMs: Schema.optionalKey(DigitsOrEmpty),
})
type Query = typeof Query.Type

/** The query, if it can be read; a repeated parameter makes it invalid for the backend. */
const readQuery = (query: URLSearchParams): Result.Result<Query, unknown> => {
  const names = [...query.keys()]
  return new Set(names).size === names.length
    ? Schema.decodeUnknownResult(Query)(Object.fromEntries(query))
    : Result.fail("a parameter is given twice")
}

/** The quote that is asked for; undefined where the parameters contradict each other or name no pair. */
const toQuoteQuery = (query: Query): QuoteQuery | undefined => {
  const sourceAsset = findNetworkAsset(query.srcChain, query.srcAsset)
  const destinationAsset = findNetworkAsset(query.destChain, query.destAsset)
  const commissionBps = Bps.makeOption(Number(query.brokerCommissionBps ?? "0"))
  const halfOfCcm = (query.ccmGasBudget === undefined) !== (query.ccmMessageLengthBytes === undefined)
  const ccmGasBudget = NativeAmount.makeOption(query.ccmGasBudget ?? 0n)
  // Swaps between accounts of the network itself are not simulated.
  const isOnChain = query.isOnChain === "true"
  const isVaultSwap = query.isVaultSwap === "true"
  if (sourceAsset === undefined || destinationAsset === undefined || sourceAsset === destinationAsset) return
  if (commissionBps._tag === "None" || ccmGasBudget._tag === "None" || halfOfCcm || isOnChain) return
  if (isVaultSwap && !vaultChains.includes(chainOf(sourceAsset))) return
  return {
    sourceAsset,
    destinationAsset,
    amount: NativeAmount.make(query.amount),
    commissionBps: commissionBps.value,
    // Only the newer switch counts; chunks are offered if it is absent.
    dcaEnabled: query.dcaV2Enabled !== "false",
    isVaultSwap,
    ...(query.ccmGasBudget === undefined ? {} : { ccmGasBudget: ccmGasBudget.value }),
  }
}

export const sourceAssetOf = (query: URLSearchParams): AssetId | undefined =>
  findNetworkAsset(query.get("srcChain") ?? "", query.get("srcAsset") ?? "")

export const getQuote = Effect.fn("sandbox.backend.quote")(function* (query: URLSearchParams) {
  const read = Result.map(readQuery(query), toQuoteQuery)
  if (Result.isFailure(read) || read.success === undefined) {
    return backendRefusal(400, backendMessage.invalidRequest)
  }
  const asked = read.success
  const offers = yield* World.read(({ network }) => quote(network, asked))
  return Result.match(offers, {
    onFailure: quoteRefusal,
    onSuccess: (offers) => json(200, offers.map((offer) => writeOffer(offer, writeEcho(asked, query)))),
  })
})

/** The part of its request that each quote repeats: a message, and whether it is for a vault swap. */
const writeEcho = ({ ccmGasBudget, isVaultSwap }: QuoteQuery, query: URLSearchParams) => ({
  ...(ccmGasBudget === undefined ? {} : {
    ccmParams: {
      gasBudget: digits(ccmGasBudget),
      messageLengthBytes: Number(query.get("ccmMessageLengthBytes")),
    },
  }),
  ...(isVaultSwap ? { isVaultSwap } : {}),
})
type Echo = ReturnType<typeof writeEcho>

const writeOffer = (offer: Offer, echo: Echo) => ({
  ...writeFigures(offer, echo),
  boostQuote: offer.boostQuote && writeBoost(offer.boostQuote, echo),
})

const writeBoost = (offer: BoostOffer, echo: Echo) => ({
  ...writeFigures(offer, echo),
  estimatedBoostFeeBps: offer.estimatedBoostFeeBps,
  maxBoostFeeBps: offer.maximumBoostFeeBps,
})

/** The figures of an offer. A member without a value is undefined here and absent in JSON. */
const writeFigures = (offer: Offer | BoostOffer, echo: Echo) => ({
  type: offer.dca === undefined ? "REGULAR" : "DCA",
  dcaParams: offer.dca,
  srcAsset: wireAsset(offer.ingress.asset),
  destAsset: wireAsset(offer.egress.asset),
  depositAmount: digits(offer.ingress.amount),
  intermediateAmount: digits(offer.intermediate?.amount),
  egressAmount: digits(offer.egress.amount),
  includedFees: offer.fees.map(writeFee),
  poolInfo: offer.pools.map((pool) => ({
    baseAsset: wireAsset(pool.baseAsset),
    quoteAsset: wireAsset(pool.quoteAsset),
    fee: decimalAmount(pool.fee.asset, pool.fee.amount),
  })),
  lowLiquidityWarning: offer.lowLiquidityWarning,
  ...writeDurations(offer.durations),
  estimatedPrice: formatDecimal(offer.estimatedPrice),
  recommendedSlippageTolerancePercent: percent(offer.recommendedSlippageTolerancePercent),
  recommendedLivePriceSlippageTolerancePercent: offer.recommendedLivePriceSlippageTolerancePercent &&
    percent(offer.recommendedLivePriceSlippageTolerancePercent),
  recommendedRetryDurationMinutes: offer.recommendedRetryDurationMinutes,
  ...echo,
})

/** A percentage as a number: it has at most two places, which a double holds. */
const percent = (value: BigDecimal.BigDecimal): number => BigDecimal.toNumberUnsafe(value)

/** A fee as the backend lists it: `{"type":"INGRESS","chain":…,"asset":…,"amount":"310"}`. */
export const writeFee = (fee: Fee) => ({
  type: fee.type.toUpperCase(),
  ...decimalAmount(fee.asset, fee.amount),
})

const seconds = (millis: number): number => millis / 1_000

/** Durations in seconds, possibly with fractions, and their sum. */
export const writeDurations = ({ deposit, egress, swap }: Durations) => ({
  estimatedDurationSeconds: seconds(deposit + swap + egress),
  estimatedDurationsSeconds: { deposit: seconds(deposit), swap: seconds(swap), egress: seconds(egress) },
})
