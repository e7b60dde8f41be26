import { BigDecimal, Effect, Option, Result, Schema } from "effect"
import { NativeAmount } from "#domain/money/Amount.ts"
import type { AssetId } from "#domain/chains/Asset.ts"
import { shareOf } from "#domain/money/Bps.ts"
import { type ExactOutput, isSent, receivedOf } from "#domain/quotes/ExactOutput.ts"
import type { Fee, FeeType } from "#domain/money/Fee.ts"
import type { ProviderErrorReason } from "#domain/ProviderError.ts"
import type { AssetAmount, Quote } from "#domain/quotes/Quote.ts"
import { lightSpan } from "#infrastructure/platform/lightSpan.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import type { Provider } from "../Provider.ts"
import { decode } from "../upstream/values.ts"
import { estimatedPrice } from "../upstream/prices.ts"
import { CurrentWitness, NextVersion } from "../upstream/witness.ts"
import {
  appOf,
  isCurrency,
  type ReadQuote,
  readQuote,
  SignedAmount,
  WireCurrency,
  type WireFees,
  WireQuote,
} from "./answer.ts"
import { type Client, failAs, name } from "./client.ts"
import { capabilities, type Conditions, type Currencies, type Pair } from "./conditions.ts"
import { toPair } from "../upstream/servedChains.ts"
import { checkQuote } from "../Capabilities.ts"
import { inquire, type Inquiry, quoteInquiry } from "./inquiry.ts"
import type { Options, QuoteVersion } from "./settings.ts"

export const assetOf = (currencies: Currencies, wire: WireCurrency): AssetId | undefined =>
  [...currencies.values()].find((currency) => isCurrency(currency, wire))?.asset

const isTold = (fee: unknown): boolean => fee !== undefined && fee !== null

const ShownFee = Schema.Struct({ currency: WireCurrency, amount: SignedAmount })

/** A fee that is only shown, where it can be read. */
const shownFee = (member: string, fee: unknown): typeof ShownFee.Type | undefined =>
  isTold(fee) ? Result.getOrUndefined(decode(ShownFee, fee, ["fees", member])) : undefined

const Share = Schema.Struct({ amount: SignedAmount })
const ShownShares = Schema.Struct({ currency: WireCurrency, swap: Share, execution: Share, platform: Share })

/** What the network takes of a deposit: v3 has three shares of it, whose sum v2 tells as the relayer's fee. */
const networkFee = ({ currency, quoted, relayer, ...fees }: WireFees) => {
  const { execution, platform, swap } = quoted ?? fees
  if (isTold(relayer)) return { member: "relayer", fee: shownFee("relayer", relayer) }
  if (![execution, platform, swap].some(isTold)) return undefined
  const read = decode(ShownShares, { currency, execution, platform, swap }, ["fees"])
  return {
    member: "quoted",
    fee: Result.getOrUndefined(Result.map(read, ({ currency, ...shares }) => ({
      currency,
      amount: Object.values(shares).reduce((sum, { amount }) => sum + BigInt(amount), 0n),
    }))),
  }
}

const toFee = (type: FeeType, asset: AssetId | undefined, units: bigint): ReadonlyArray<Fee> =>
  Option.match(NativeAmount.makeOption(units), {
    onNone: () => [],
    onSome: (amount) => asset === undefined || amount === 0n ? [] : [{ type, asset, amount }],
  })

/**
 * The fees in the contract's order (decision 22). The network's has the gas of the payout in it, which is paid in what
 * comes in. A reward is no fee, one in an unknown currency cannot be told, and what the depositing transaction costs is
 * the user's own. US dollars alone are no amount of an asset: the commission is then as asked, which was compared.
 */
const toFees = (quote: ReadQuote, { appFee, pair }: Inquiry, currencies: Currencies): ReadonlyArray<Fee> => {
  const { fee } = networkFee(quote.fees ?? {}) ?? {}
  const bps = Option.match(appFee, { onNone: () => 0, onSome: ({ bps }) => bps })
  const commission = appOf(quote).amount ?? shareOf(quote.details.currencyIn.amount, bps)
  return [
    ...(fee === undefined ? [] : toFee("network", assetOf(currencies, fee.currency), BigInt(fee.amount))),
    ...toFee("broker", pair.source.asset, BigInt(commission)),
  ]
}

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
  { details: { currencyIn: { amount: sent } } }: ReadQuote,
  { amount }: Inquiry,
): ExactOutput | undefined =>
  isSent(amount) ? undefined : { amount: amount.amount, sendAtMost: sent, sendAtLeast: sent }

/** What arrives: of an output that was asked for nothing more is promised. */
export const outputOf = (
  { details: { currencyOut } }: ReadQuote,
  { amount }: Inquiry,
): { readonly amount: NativeAmount; readonly least: NativeAmount } => {
  const asked = receivedOf(amount)
  return { amount: asked ?? currencyOut.amount, least: asked ?? currencyOut.minimumAmount }
}

/** A quote as ours. Relay's estimate is one figure from deposit to payout: all of it is the swap's. */
const toQuote = (wire: ReadQuote, inquiry: Inquiry, currencies: Currencies): Quote => {
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
  function* (
    client: Client,
    inquiry: Inquiry,
    version?: QuoteVersion,
  ): Effect.fn.Return<ReadQuote, ProviderErrorReason> {
    const { body } = yield* inquire(client, inquiry, version)
    const wire = yield* Effect.fromResult(decode(WireQuote, body))
    return yield* Effect.fromResult(readQuote(wire, inquiry))
  },
)

/** Asks in v3, too, where a rehearsal wants to know whether its answers can be read. */
const tryV3 = (client: Client, inquiry: Inquiry) =>
  Effect.flatMap(
    NextVersion,
    (tell) =>
      tell === undefined ? Effect.void : askPrice(client, inquiry, "v3").pipe(
        Effect.provideService(CurrentWitness, undefined),
        Effect.match({
          onSuccess: () => tell("POST /quote/v3", undefined),
          onFailure: (reason) => tell("POST /quote/v3", reason),
        }),
      ),
  )

export const makeQuotes = (
  client: Client,
  conditions: Conditions,
  { feeRecipient, quoteVersion }: Pick<Options, "feeRecipient" | "quoteVersion">,
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
      if (quoteVersion === "v2") yield* tryV3(client, inquiry)
      const ofNetwork = networkFee(wire.fees ?? {})
      if (ofNetwork !== undefined && ofNetwork.fee === undefined) {
        yield* Effect.logWarning(
          `Left out a fee of the Relay service's: fees.${ofNetwork.member} cannot be read`,
        )
      }
      // An output of nothing is no offer.
      return wire.details.currencyOut.amount === 0n ? [] : [toQuote(wire, inquiry, currencies)]
    },
    failAs("quote"),
    lightSpan("Relay.quotes"),
  )
