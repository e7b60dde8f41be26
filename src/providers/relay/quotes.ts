import { BigDecimal, Effect, Option, Result, Schema } from "effect"
import { NativeAmount, noAmount } from "#domain/money/Amount.ts"
import type { AssetId } from "#domain/chains/Asset.ts"
import { mostBps, shareOf } from "#domain/money/Bps.ts"
import { type ExactOutput, isSent, receivedOf } from "#domain/quotes/ExactOutput.ts"
import type { Fee, FeeType } from "#domain/money/Fee.ts"
import type { MalformedBody, ProviderErrorReason, RequestRefused } from "#domain/ProviderError.ts"
import type { AssetAmount, Quote } from "#domain/quotes/Quote.ts"
import { lightSpan } from "#infrastructure/platform/lightSpan.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import type { Provider } from "../Provider.ts"
import { isSameAddress } from "../upstream/channelNumbers.ts"
import { decode, malformed } from "../upstream/decode.ts"
import { refused } from "../upstream/failures.ts"
import { estimatedPrice } from "../upstream/prices.ts"
import { Amount, Count, maybe, NeededSeconds } from "../upstream/values.ts"
import { servedChains } from "./chains.ts"
import type { Client } from "./client.ts"
import {
  capabilities,
  type Conditions,
  type Currencies,
  type Currency,
  type Pair,
  toPair,
} from "./conditions.ts"
import { checkQuote } from "../Capabilities.ts"
import { failAs, name } from "./errors.ts"
import { inquire, type Inquiry, quoteInquiry } from "./inquiry.ts"
import type { Options } from "./settings.ts"

export const WireCurrency = Schema.Struct({ chainId: Count, address: Schema.String })
export type WireCurrency = typeof WireCurrency.Type

/** A fee; the relayer's is below 0 where the network rewards the direction. */
export const SignedAmount = Schema.Union([
  Amount,
  Schema.String.check(Schema.isPattern(/^-[0-9]{1,78}$/, { expected: "an amount" })),
])

const WireFee = Schema.Struct({ currency: WireCurrency, amount: SignedAmount })
type WireFee = typeof WireFee.Type

const figures = {
  recipient: Schema.String,
  /** Read apart, and only where there are no `fees`: what each of them comes to in US dollars. */
  expandedPriceImpact: Schema.optionalKey(Schema.Unknown),
  currencyIn: Schema.Struct({
    currency: WireCurrency,
    amount: Amount,
    amountUsd: Schema.optionalKey(Schema.Unknown),
  }),
  currencyOut: Schema.Struct({ currency: WireCurrency, amount: Amount, minimumAmount: Amount }),
  /** Seconds, also fractions of one. */
  timeEstimate: NeededSeconds,
}

/** The answer of `POST /quote/v2`, with a deposit address or without, as far as both have it. */
export const WireQuote = Schema.Struct({
  /** Deprecated by the upstream (relay/wire.md 1, quote), so it may be gone. */
  fees: maybe(Schema.Struct({
    /** Read apart, as what the network takes: both are only shown, and no quote hangs on them. */
    gas: Schema.optionalKey(Schema.Unknown),
    relayer: Schema.optionalKey(Schema.Unknown),
    app: maybe(WireFee),
  })),
  details: Schema.Struct({
    ...figures,
    /** Read apart, as the gas is. */
    swapImpact: Schema.optionalKey(Schema.Unknown),
  }),
})
export type WireQuote = typeof WireQuote.Type

export const isCurrency = ({ address, chain }: Currency, wire: WireCurrency): boolean =>
  wire.chainId === servedChains[chain].chainId && isSameAddress(chain, address, wire.address)

/** The first member of an answer that is not about what was asked. */
const mismatch = ({ details }: WireQuote, { amount, pair, recipient }: Inquiry): string | undefined => {
  const asked = receivedOf(amount) ?? noAmount
  const same: ReadonlyArray<readonly [member: string, holds: boolean]> = [
    ["currencyIn.currency", isCurrency(pair.source, details.currencyIn.currency)],
    [
      "currencyIn.amount",
      isSent(amount) ? details.currencyIn.amount === amount : details.currencyIn.amount > 0n,
    ],
    ["currencyOut.currency", isCurrency(pair.destination, details.currencyOut.currency)],
    ["currencyOut.amount", details.currencyOut.amount >= asked],
    [
      "currencyOut.minimumAmount",
      details.currencyOut.minimumAmount <= details.currencyOut.amount &&
      details.currencyOut.minimumAmount >= asked,
    ],
    ["recipient", isSameAddress(pair.destination.chain, details.recipient, recipient)],
  ]
  const [member] = same.find(([, holds]) => !holds) ?? []
  return member === undefined ? undefined : `details.${member}: expected what was asked, got something else`
}

const inBps = BigInt(mostBps)

/** Nobody says how the upstream rounds a share, so both neighbours of the exact one are it. */
const isShare = (share: bigint, amount: bigint, bps: number): boolean => {
  const exact = amount * BigInt(bps)
  return share === exact / inBps || share === (exact + inBps - 1n) / inBps
}

/** US dollars; below 0 where they are taken off. */
const Dollars = Schema.String.check(Schema.isPattern(/^-?[0-9]{1,30}(?:\.[0-9]{1,30})?$/))

const readDollars = Schema.decodeUnknownOption(Dollars)
const readAppImpact = Schema.decodeUnknownOption(Schema.Struct({ app: Schema.Struct({ usd: Dollars }) }))

/** The last digit of what is told in US dollars. */
const lastDigit = 0.000_001

/** Whether the commission in dollars is as asked, give or take a tenth; for answers without `fees`. */
const isAboutShare = ({ details: { currencyIn, expandedPriceImpact } }: WireQuote, bps: number): boolean =>
  Option.match(
    Option.all({ impact: readAppImpact(expandedPriceImpact), amount: readDollars(currencyIn.amountUsd) }),
    {
      onNone: () => bps === 0,
      onSome: ({ amount, impact }) => {
        const share = Number(amount) * bps / mostBps
        return Math.abs(Math.abs(Number(impact.app.usd)) - share) <= share / 10 + lastDigit
      },
    },
  )

const feesDropped = refused(
  "commissionBps",
  `would not be paid by ${name}, which has dropped or changed the app fees of this swap: leave it out, or name ` +
    "another platform",
)

/** Relay can drop app fees silently (relay/wire.md 1, app fees), and a higher one would cost the user more. */
const checkAppFee = (wire: WireQuote, { appFee, pair }: Inquiry): Result.Result<void, RequestRefused> => {
  const { amount } = wire.details.currencyIn
  const bps = Option.match(appFee, { onNone: () => 0, onSome: ({ bps }) => bps })
  if (wire.fees === undefined) return isAboutShare(wire, bps) ? Result.void : Result.fail(feesDropped)
  const { app } = wire.fees
  const taken = app?.amount ?? 0n
  const isAsAsked = typeof taken === "bigint" && isShare(taken, amount, bps) &&
    (app === undefined || taken === 0n || isCurrency(pair.source, app.currency))
  return isAsAsked ? Result.void : Result.fail(feesDropped)
}

/** Whether an answer is about what was asked, with the commission that was asked for. */
export const checkAnswer = (
  wire: WireQuote,
  inquiry: Inquiry,
): Result.Result<void, MalformedBody | RequestRefused> => {
  const detail = mismatch(wire, inquiry)
  return detail === undefined ? checkAppFee(wire, inquiry) : malformed(detail)
}

export const assetOf = (currencies: Currencies, wire: WireCurrency): AssetId | undefined =>
  [...currencies.values()].find((currency) => isCurrency(currency, wire))?.asset

const toFee = (type: FeeType, fee: WireFee | undefined, currencies: Currencies): ReadonlyArray<Fee> => {
  const asset = fee === undefined ? undefined : assetOf(currencies, fee.currency)
  return fee === undefined || asset === undefined || typeof fee.amount === "string" || fee.amount === 0n
    ? []
    : [{ type, asset, amount: fee.amount }]
}

const isTold = (fee: unknown): boolean => fee !== undefined && fee !== null

/** A fee that is only shown, where it can be read. */
const shownFee = (member: string, fee: unknown): WireFee | undefined =>
  isTold(fee) ? Result.getOrUndefined(decode(WireFee, fee, ["fees", member])) : undefined

/** The commission that was asked for, which `checkAppFee` has found in the answer. */
const askedFee = (
  { details: { currencyIn: { amount } } }: WireQuote,
  { appFee, pair: { source } }: Inquiry,
): ReadonlyArray<Fee> =>
  Option.match(appFee, {
    onNone: () => [],
    onSome: ({ bps }) => [
      { type: "broker", asset: source.asset, amount: NativeAmount.make(shareOf(amount, bps)) },
    ],
  })

/**
 * The fees in the contract's order (decision 22). The relayer's has the gas of the payout in it, which is paid in what
 * comes in. A reward is no fee, one in an unknown currency cannot be told, and what the depositing transaction costs is
 * the user's own. US dollars alone are no amount of an asset, so without `fees` only the commission is told.
 */
const toFees = (wire: WireQuote, inquiry: Inquiry, currencies: Currencies): ReadonlyArray<Fee> =>
  wire.fees === undefined ? askedFee(wire, inquiry) : [
    ...toFee("network", shownFee("relayer", wire.fees.relayer), currencies),
    ...toFee("broker", wire.fees.app, currencies),
  ]

/** What the deposit costs its sender; told only if the coin is paid out, as Relay states no price of the coin. */
const depositCostOf = (gas: unknown, { destination, source }: Pair): AssetAmount | undefined => {
  const fee = shownFee("gas", gas)
  if (fee === undefined || typeof fee.amount === "string" || fee.amount === 0n) return undefined
  const { amount, currency } = fee
  const side = [source, destination].find((side) => isCurrency(side, currency))
  return side === undefined ? undefined : { asset: side.asset, amount }
}

/** A loss has a minus. */
const WireImpact = Schema.Struct({
  percent: Schema.String.check(Schema.isPattern(/^-?[0-9]{1,3}(?:\.[0-9]{1,8})?$/)),
})

/** The upstream's own figure of how much worse this amount is swapped than a small one, apart from its fees. */
const impactOf = (swapImpact: unknown): BigDecimal.BigDecimal | undefined => {
  const impact = swapImpact === undefined
    ? undefined
    : Result.getOrUndefined(decode(WireImpact, swapImpact, ["details", "swapImpact"]))
  return impact === undefined ? undefined : BigDecimal.max(
    BigDecimal.fromBigInt(0n),
    BigDecimal.negate(BigDecimal.fromStringUnsafe(impact.percent)),
  )
}

/** What is promised of an output that was asked for: its address takes one amount, and fees of refunds are not told. */
export const exactOutputOf = (
  { details: { currencyIn: { amount: sent } } }: WireQuote,
  { amount }: Inquiry,
): ExactOutput | undefined =>
  isSent(amount) ? undefined : { amount: amount.amount, sendAtMost: sent, sendAtLeast: sent }

/** What arrives: of an output that was asked for nothing more is promised. */
export const outputOf = (
  { details: { currencyOut } }: WireQuote,
  { amount }: Inquiry,
): { readonly amount: NativeAmount; readonly least: NativeAmount } => {
  const asked = receivedOf(amount)
  return { amount: asked ?? currencyOut.amount, least: asked ?? currencyOut.minimumAmount }
}

/** A quote as ours. Relay's estimate is one figure from deposit to payout: all of it is the swap's. */
const toQuote = (wire: WireQuote, inquiry: Inquiry, currencies: Currencies): Quote => {
  const { pair, slippageBps } = inquiry
  const assets = { sourceAsset: pair.source.asset, destinationAsset: pair.destination.asset }
  const { currencyIn, swapImpact, timeEstimate } = wire.details
  const { amount } = outputOf(wire, inquiry)
  return {
    platform: name,
    ingress: { asset: assets.sourceAsset, amount: currencyIn.amount },
    egress: { asset: assets.destinationAsset, amount },
    fees: toFees(wire, inquiry, currencies),
    pools: [],
    lowLiquidityWarning: false,
    durations: { deposit: 0, swap: timeEstimate, egress: 0 },
    totalDuration: timeEstimate,
    estimatedPrice: estimatedPrice(assets, currencyIn.amount, amount),
    recommendedSlippageTolerancePercent: BigDecimal.normalize(BigDecimal.make(BigInt(slippageBps), 2)),
    ...optionalMembers(impactOf(swapImpact), (priceImpactPercent) => ({ priceImpactPercent })),
    ...optionalMembers(depositCostOf(wire.fees?.gas, pair), (depositCost) => ({ depositCost })),
    ...optionalMembers(exactOutputOf(wire, inquiry), (exactOutput) => ({ exactOutput })),
  }
}

export const askPrice = Effect.fnUntraced(
  function* (client: Client, inquiry: Inquiry): Effect.fn.Return<WireQuote, ProviderErrorReason> {
    const { body } = yield* inquire(client, inquiry)
    const wire = yield* Effect.fromResult(decode(WireQuote, body))
    yield* Effect.fromResult(checkAnswer(wire, inquiry))
    return wire
  },
)

export const makeQuotes = (
  client: Client,
  conditions: Conditions,
  feeRecipient: Options["feeRecipient"],
): Provider["quotes"] =>
  Effect.fnUntraced(
    function* (request) {
      yield* Effect.fromResult(
        checkQuote({ name, capabilities, hasPayee: Option.isSome(feeRecipient) }, request),
      )
      const currencies = yield* conditions.currencies
      const pair = yield* Effect.fromResult(toPair(currencies, request))
      const inquiry = quoteInquiry(pair, request, feeRecipient)
      const wire = yield* askPrice(client, inquiry)
      // An output of nothing is no offer.
      const { relayer } = wire.fees ?? {}
      if (isTold(relayer) && shownFee("relayer", relayer) === undefined) {
        yield* Effect.logWarning(`Left out a fee of the Relay service's: fees.relayer cannot be read`)
      }
      return wire.details.currencyOut.amount === 0n ? [] : [toQuote(wire, inquiry, currencies)]
    },
    failAs("quote"),
    lightSpan("Relay.quotes"),
  )
