import { BigDecimal, Effect, Option, Result, Schema } from "effect"
import { NativeAmount, noAmount } from "#domain/money/Amount.ts"
import { type AssetId, chainOf } from "#domain/chains/Asset.ts"
import { chainFacts, stateChainBlockMillis } from "#domain/chains/Chain.ts"
import type { Fee } from "#domain/money/Fee.ts"
import { AmountBelowMinimum, type ProviderErrorReason } from "#domain/ProviderError.ts"
import type { Durations, Quote, QuoteRequest } from "#domain/quotes/Quote.ts"
import type { DcaParameters } from "#domain/swaps/SwapRequest.ts"
import { EpochMillis } from "#domain/Time.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { lightSpan } from "#infrastructure/platform/lightSpan.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { checkQuote, sentAmount } from "../Capabilities.ts"
import type { Provider } from "../Provider.ts"
import { Amount, Count, decode, malformed, maybe, ShownSeconds } from "../upstream/values.ts"
import { ceilDivide, estimatedPrice, impactPercent } from "../upstream/prices.ts"
import { coverWire, leastOver, nativeOf, toWire } from "./amounts.ts"
import type { Heard } from "../upstream/transport.ts"
import { belowMinimum, type Client, failAs } from "./client.ts"
import { checkOutput, checkPair, type Conditions, dustOf, payingOf, type PoolState } from "./conditions.ts"
import { assetName, type Family } from "./networks.ts"
import type { Options } from "./settings.ts"

/** `GET /quote/swap`; amounts in the network's units, fees all in the output (thorchain/wire.md 5). */
export const WireQuote = Schema.Struct({
  inbound_address: maybe(Schema.String),
  router: maybe(Schema.String),
  inbound_confirmation_seconds: ShownSeconds,
  outbound_delay_seconds: ShownSeconds,
  streaming_swap_seconds: ShownSeconds,
  max_streaming_quantity: maybe(Count),
  fees: Schema.Struct({
    asset: Schema.String,
    affiliate: maybe(Amount),
    outbound: maybe(Amount),
    liquidity: maybe(Amount),
  }),
  /** Seconds since the epoch; Maya's nodes may leave it out. */
  expiry: maybe(Count),
  dust_threshold: maybe(Amount),
  recommended_min_amount_in: maybe(Amount),
  expected_amount_out: Amount,
})
type WireQuote = typeof WireQuote.Type

/** What a quote is asked for, by a caller who only looks or by one who is going to pay. */
export interface Inquiry {
  readonly sourceAsset: AssetId
  readonly destinationAsset: AssetId
  readonly amount: NativeAmount
  readonly commissionBps: number
  readonly dca?: DcaParameters
  /** Those of a payment; a look needs none. */
  readonly addresses?: { readonly destination: string; readonly refund?: string }
}

export interface Offer {
  readonly wire: WireQuote
  /** Of which nothing is left to take off. */
  readonly output: NativeAmount
  /** In native units of the source asset. */
  readonly minimumDeposit: NativeAmount
  readonly fees: ReadonlyArray<Fee>
  readonly durations: Durations
  /** By our clock. */
  readonly expiresAt: EpochMillis
  /** Until when the contract takes the payment: seconds since the epoch, by the network's clock. */
  readonly contractExpiry: number
}

const toQuery = (family: Family, inquiry: Inquiry, { affiliate }: Options) => ({
  from_asset: assetName(family, inquiry.sourceAsset),
  to_asset: assetName(family, inquiry.destinationAsset),
  amount: `${toWire(inquiry.sourceAsset, inquiry.amount)}`,
  ...optionalMembers(inquiry.addresses, ({ destination, refund }) => ({
    destination,
    ...optionalMembers(refund, (refund_address) => ({ refund_address })),
  })),
  ...optionalMembers(inquiry.dca, ({ chunkIntervalBlocks, numberOfChunks }) => ({
    streaming_interval: `${chunkIntervalBlocks}`,
    streaming_quantity: `${numberOfChunks}`,
  })),
  ...(inquiry.commissionBps === 0 || Option.isNone(affiliate)
    ? {}
    : { affiliate: affiliate.value, affiliate_bps: `${inquiry.commissionBps}` }),
})

const feesOf = ({ fees }: WireQuote, asset: AssetId): ReadonlyArray<Fee> => {
  const fee = (type: Fee["type"], wire: bigint | undefined): ReadonlyArray<Fee> => {
    const amount = nativeOf(asset, wire ?? 0n)
    return amount === undefined || amount === 0n ? [] : [{ type, asset, amount }]
  }
  return [
    ...fee("broker", fees.affiliate),
    ...fee("egress", fees.outbound),
    ...fee("liquidity", fees.liquidity),
  ]
}

/** A swap that is not spread over time takes its turn in the next block. */
const oneBlock = stateChainBlockMillis

const durationsOf = (wire: WireQuote, { destinationAsset, sourceAsset }: Inquiry): Durations => ({
  deposit: chainFacts(chainOf(sourceAsset)).blockMillis / 2 + (wire.inbound_confirmation_seconds ?? 0),
  swap: Math.max(oneBlock, wire.streaming_swap_seconds ?? 0),
  egress: (wire.outbound_delay_seconds ?? 0) + chainFacts(chainOf(destinationAsset)).blockMillis / 2,
})

export const totalOf = ({ deposit, egress, swap }: Durations): number => deposit + swap + egress

/** No quote is good for longer, whatever an answer says. */
const longestLife = 15 * 60_000

/** When an answer goes stale by our clock; a sandbox has a time of its own, which its answers are dated with. */
const expiryOf = ({ expiry }: WireQuote, { answeredAt }: Heard, now: EpochMillis, simulatedTime: boolean) => {
  const left = expiry === undefined ? longestLife : expiry * 1_000 - (simulatedTime ? answeredAt : now)
  return EpochMillis.make(Math.max(0, Math.floor(now + Math.min(left, longestLife))))
}

const readOffer = (
  heard: Heard,
  family: Family,
  inquiry: Inquiry,
  now: EpochMillis,
  simulatedTime: boolean,
): Result.Result<Offer, ProviderErrorReason> =>
  Result.gen(function* () {
    const { destinationAsset, sourceAsset } = inquiry
    const wire = yield* decode(WireQuote, heard.body)
    if (wire.fees.asset.toUpperCase() !== assetName(family, destinationAsset)) {
      return yield* malformed("fees.asset: expected the asset that is paid out, got another")
    }
    const output = nativeOf(destinationAsset, wire.expected_amount_out)
    const advised = coverWire(sourceAsset, wire.recommended_min_amount_in ?? 0n)
    const seen = leastOver(sourceAsset, wire.dust_threshold ?? 0n)
    const minimum = NativeAmount.makeOption(advised > seen ? advised : seen)
    if (output === undefined || Option.isNone(minimum)) {
      return yield* malformed("expected_amount_out: expected an amount that there can be, got more")
    }
    const expiresAt = expiryOf(wire, heard, now, simulatedTime)
    if (expiresAt <= now) return yield* malformed("expiry: expected a time in the future, got a past one")
    if (inquiry.amount < minimum.value) return yield* Result.fail(belowMinimum(sourceAsset, minimum.value))
    // A payment that the contract took later could go to a vault that is retired by then.
    const latest = Math.floor(((simulatedTime ? heard.answeredAt : now) + longestLife) / 1_000)
    return {
      wire,
      output,
      contractExpiry: Math.min(wire.expiry ?? latest, latest),
      minimumDeposit: minimum.value,
      fees: feesOf(wire, destinationAsset),
      durations: durationsOf(wire, inquiry),
      expiresAt,
    }
  })

/** Asks what an amount would come to; opens and reserves nothing. */
export const inquire = Effect.fnUntraced(
  function* (client: Client, family: Family, options: Options, inquiry: Inquiry) {
    const { amount, destinationAsset, sourceAsset } = inquiry
    if (toWire(sourceAsset, amount) === 0n) {
      return yield* Effect.fail<ProviderErrorReason>(
        new AmountBelowMinimum({ detail: "The amount is less than the network can count: swap more" }),
      )
    }
    const heard = yield* client.quote(toQuery(family, inquiry, options), {
      sourceAsset,
      destinationAsset,
      amount,
      paying: inquiry.addresses !== undefined,
    })
    const now = yield* currentMillis
    return yield* Effect.fromResult(readOffer(heard, family, inquiry, now, options.simulatedTime))
  },
)

/** Confirmations that take longer leave prices more time to move. */
const slowDeposit = 5 * 60_000

/** The impact on the price, by the pools as they were found last; fees that are not of the pools are left out. */
const impactOf = (
  { pools }: Pick<PoolState, "pools">,
  { amount, destinationAsset, sourceAsset }: Inquiry,
  { wire: { expected_amount_out, fees } }: Offer,
): BigDecimal.BigDecimal | undefined => {
  const source = pools.get(sourceAsset)?.reserves
  const destination = pools.get(destinationAsset)?.reserves
  if (source === undefined || destination === undefined) return undefined
  const divisor = source.asset * destination.native
  if (divisor === 0n) return undefined
  const atSmallPrice = toWire(sourceAsset, amount) * source.native * destination.asset / divisor
  return impactPercent(atSmallPrice, expected_amount_out + (fees.outbound ?? 0n) + (fees.affiliate ?? 0n))
}

/** The least that is advised, or pays out more than dust at the price of an offer (and a hundredth, as prices move). */
const leastOf = (found: PoolState, { amount, destinationAsset, sourceAsset }: Inquiry, offer: Offer) => {
  const { expected_amount_out: output, fees: { outbound = noAmount } } = offer.wire
  const payout = toWire(destinationAsset, leastOver(destinationAsset, dustOf(found, destinationAsset))) + 1n
  const value = 101n * toWire(sourceAsset, amount) * (payout + outbound)
  const least = output === 0n ? 0n : coverWire(sourceAsset, ceilDivide(value, 100n * (output + outbound)))
  return least > offer.minimumDeposit ? NativeAmount.makeOption(least) : Option.some(offer.minimumDeposit)
}

const toQuote = ({ name }: Family, inquiry: Inquiry, offer: Offer, found: PoolState): Quote => {
  const depositCost = found.depositCosts.get(inquiry.sourceAsset)
  const { amount, destinationAsset, sourceAsset } = inquiry
  const { durations, expiresAt, fees, output } = offer
  return {
    platform: name,
    ingress: { asset: sourceAsset, amount },
    egress: { asset: destinationAsset, amount: output },
    fees,
    pools: [],
    lowLiquidityWarning: false,
    durations,
    totalDuration: totalOf(durations),
    ...optionalMembers(inquiry.dca, (dca) => ({ dca })),
    estimatedPrice: estimatedPrice(inquiry, amount, output),
    expiresAt,
    recommendedSlippageTolerancePercent: BigDecimal.fromBigInt(durations.deposit > slowDeposit ? 3n : 1n),
    ...optionalMembers(impactOf(found, inquiry, offer), (priceImpactPercent) => ({ priceImpactPercent })),
    ...optionalMembers(
      Option.getOrUndefined(leastOf(found, inquiry, offer)),
      (minimumDeposit) => ({ minimumDeposit }),
    ),
    ...optionalMembers(depositCost, (amount) => ({ depositCost: { asset: sourceAsset, amount } })),
  }
}

/** A swap in chunks is one a block: the shortest interval costs the least time. */
const chunkIntervalBlocks = 1

/** An hour of blocks: more chunks gain next to nothing while the price moves (thorchain/wire.md 5). */
const mostChunks = 600

/** The chunks that would make the swap better; undefined where it is too small for more than one. */
const chunksOf = ({ wire: { max_streaming_quantity = 1 } }: Offer): DcaParameters | undefined => {
  const numberOfChunks = Math.min(max_streaming_quantity, mostChunks)
  return numberOfChunks < 2 ? undefined : { numberOfChunks, chunkIntervalBlocks }
}

/** The operation: a regular quote, and one in chunks where the network would make some. */
export const makeQuotes = (
  client: Client,
  family: Family,
  conditions: Conditions,
  options: Options,
): Provider["quotes"] => {
  const inChunks = (inquiry: Inquiry, offer: Offer, found: PoolState) => {
    const dca = chunksOf(offer)
    if (dca === undefined) return Effect.succeed([])
    const spreadOut = { ...inquiry, dca }
    // The regular offer stands without it.
    return inquire(client, family, options, spreadOut).pipe(
      Effect.map((offer) => [toQuote(family, spreadOut, offer, found)]),
      Effect.catch((reason) => Effect.as(Effect.logDebug("No quote in chunks", reason), [])),
    )
  }

  return Effect.fnUntraced(
    function* (request: QuoteRequest) {
      yield* Effect.fromResult(checkQuote(payingOf(family, options.affiliate), request))
      const found = yield* conditions.current
      const amount = yield* Effect.fromResult(sentAmount(family.name, request.amount))
      yield* Effect.fromResult(checkPair(family, found, { ...request, amount }, false))
      const inquiry: Inquiry = {
        sourceAsset: request.sourceAsset,
        destinationAsset: request.destinationAsset,
        amount,
        commissionBps: request.commissionBps,
      }
      const offer = yield* inquire(client, family, options, inquiry)
      yield* Effect.fromResult(checkOutput(found, request.destinationAsset, offer.output))
      const others = yield* inChunks(inquiry, offer, found)
      return [toQuote(family, inquiry, offer, found), ...others].filter(({ egress }) => egress.amount > 0n)
    },
    failAs(family)("quote"),
    lightSpan(`${family.span}.quotes`),
  )
}
