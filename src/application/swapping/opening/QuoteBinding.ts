import { BigDecimal, Duration, Effect, identity, Option, Result, Schema } from "effect"
import type { Caller } from "#domain/accounts/Account.ts"
import { NativeAmount, noAmount } from "#domain/money/Amount.ts"
import type { Bps } from "#domain/money/Bps.ts"
import { TooManyOpenChannels } from "#domain/swaps/Channel.ts"
import { formatDecimal } from "#domain/money/Decimal.ts"
import { combineIssues, hasIssues, issueAbout, type Issues, noIssues } from "#domain/Issues.ts"
import {
  isSent,
  ReceiveExactly,
  type SwapAmount,
  swapAmountText,
  unitsOf,
} from "#domain/quotes/ExactOutput.ts"
import { leastOutput, mostFor, outOfReach, outputAt, Price, priceWithin } from "#domain/money/Price.ts"
import { mayHaveOpened, ProviderError } from "#domain/ProviderError.ts"
import type { QuoteId, RequestedQuote } from "#domain/quotes/BoundQuote.ts"
import { boostedAsset, toleranceWithin } from "#domain/quotes/Quote.ts"
import type { QuoteOffer } from "#domain/quotes/QuoteOffer.ts"
import { swapAmountOf } from "#domain/RequestRules.ts"
import type { StoreEffect, StoreUnavailable } from "#domain/StoreError.ts"
import { type SwapRequest, totalCommission } from "#domain/swaps/SwapRequest.ts"
import { EpochMillis } from "#domain/Time.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { defined } from "#infrastructure/platform/optionalMembers.ts"
import type { IdempotencyRepo, UsedQuote } from "#infrastructure/store/swaps/IdempotencyRepo.ts"
import type { OutboxRepo } from "#infrastructure/store/swaps/OutboxRepo.ts"
import type { SwapInput, SwapTerms } from "./OpeningRules.ts"
import type { KeyTaken, OpeningNotRecorded, Outlook } from "./OpeningRecord.ts"
import { HourPrices } from "../following/judgeOutcome.ts"

/** The quote of an opening was over before anything was opened by it, or another swap was opened by it. */
export class QuoteExpired extends Schema.TaggedError<QuoteExpired>()("QuoteExpired", {
  expiresAt: EpochMillis,
  isUsed: Schema.Boolean,
}) {}

/** A wish with all that its quote pins, and the quote itself. */
export interface BoundInput {
  readonly wish: SwapInput
  readonly offer: QuoteOffer | undefined
}

const contradicts = (name: string, given: unknown, quoted: unknown): Issues =>
  issueAbout(name, `is ${given}, and ${quoted} in the quote`)

/** An issue where a parameter is given, and is not what the quote has. */
const different = <A>(name: string, given: A | undefined, quoted: A | undefined): Issues =>
  given === undefined || given === quoted ? noIssues : contradicts(name, given, quoted ?? "nothing")

const amountNames = ["amount", "amountNative", "amountOut", "amountOutNative"] as const

/** What the quote was for: of an output that was asked for what is sent follows from it. */
const quotedAmount = ({ amount, egress, isOutputExact }: QuoteOffer): SwapAmount =>
  isOutputExact === true ? ReceiveExactly.make({ amount: egress }) : amount

const inWords = (amount: SwapAmount): string =>
  `${unitsOf(amount)} native units${isSent(amount) ? "" : " out"}`

const otherAmount = (wish: SwapInput, offer: QuoteOffer): Issues => {
  const name = amountNames.find((name) => wish[name] !== undefined)
  const given = Result.getOrElse(swapAmountOf(wish), () => undefined)
  const quoted = quotedAmount(offer)
  return name === undefined || (given !== undefined && swapAmountText(given) === swapAmountText(quoted))
    ? noIssues
    : contradicts(name, inWords(given ?? noAmount), inWords(quoted))
}

const pinnedAmount = (wish: SwapInput, offer: QuoteOffer): Partial<SwapInput> => {
  if (amountNames.some((name) => wish[name] !== undefined)) return {}
  return offer.isOutputExact === true ? { amountOutNative: offer.egress } : { amountNative: offer.amount }
}

/** One chunk, like none, is a regular swap. */
const otherChunks = ({ chunkIntervalBlocks, numberOfChunks }: SwapInput, { dca }: QuoteOffer): Issues =>
  combineIssues([
    different("numberOfChunks", numberOfChunks, dca?.numberOfChunks ?? 1),
    different("chunkIntervalBlocks", chunkIntervalBlocks, dca?.chunkIntervalBlocks),
  ])

/** The boost fee is a limit: below the highest fee of the boosted offer the deposit would not be boosted (21). */
const otherBoost = ({ boostFee = 0 }: SwapInput, { boost, sourceAsset }: QuoteOffer): Issues => {
  if (boostFee === 0 || sourceAsset !== boostedAsset) return noIssues
  return boost !== undefined && boostFee >= boost.maximumFeeBps ? noIssues : contradicts(
    "boostFee",
    boostFee,
    boost === undefined ? "no boost" : `${boost.maximumFeeBps} or more`,
  )
}

const affiliateNumbers = [1, 2, 3, 4] as const

const sharesOf = (wish: SwapInput): number =>
  affiliateNumbers.reduce<number>((sum, number) => sum + (wish[`affiliate${number}CommissionBps`] ?? 0), 0)

/** The commission of a quote is that of all brokers together. */
const otherCommission = (wish: SwapInput, { commissionBps }: QuoteOffer, terms: SwapTerms): Issues => {
  const shared = sharesOf(wish)
  const own = terms.effectiveCommission(wish.commissionBps ?? (shared === 0 ? commissionBps : undefined))
  if (own + shared === commissionBps) return noIssues
  return wish.commissionBps === undefined && shared === 0
    ? issueAbout(
      "quoteId",
      `is of a quote at ${commissionBps} bps, and the account's commission is ${own} bps now`,
    )
    : contradicts("commissionBps", `${own + shared} with all brokers`, commissionBps)
}

/** The price limit that follows from the quote; a recommendation lowers it only within bounds. */
const limitOf = (wish: SwapInput, offer: QuoteOffer, { toleranceMost }: SwapTerms): Price =>
  priceWithin(
    offer.estimatedPrice,
    wish.slippageTolerancePercent ??
      toleranceWithin(toleranceMost, offer.recommendedSlippageTolerancePercent),
  )

/** A quote whose tolerance is everything protects from nothing: a price limit of 0 accepts every price (decision 6). */
const noLimit = (limit: Price): Issues =>
  limit.value > 0n ? noIssues : issueAbout("quoteId", "has no minimum price; add slippageTolerancePercent")

const lowerPrice = ({ minimumPrice }: SwapInput, limit: Price): Issues =>
  minimumPrice === undefined || BigDecimal.isGreaterThanOrEqualTo(minimumPrice, limit)
    ? noIssues
    : issueAbout("minimumPrice", `is below the ${formatDecimal(limit)} of the quote and its tolerance`)

/** Every parameter of a wish that contradicts its quote, apart from the price limit. */
const contradictionsOf = (wish: SwapInput, offer: QuoteOffer, terms: SwapTerms): Issues =>
  combineIssues([
    different("sourceAsset", wish.sourceAsset, offer.sourceAsset),
    different("destinationAsset", wish.destinationAsset, offer.destinationAsset),
    different<string>("platform", wish.platform, offer.platform),
    otherAmount(wish, offer),
    otherChunks(wish, offer),
    otherBoost(wish, offer),
    otherCommission(wish, offer, terms),
  ])

/** The wish with what its quote pins, apart from the price limit; the commission where the wish says nothing of any. */
const pinned = (wish: SwapInput, offer: QuoteOffer): SwapInput => {
  const { chunkIntervalBlocks: _interval, numberOfChunks: _chunks, ...others } = wish
  return {
    ...others,
    ...pinnedAmount(wish, offer),
    platform: offer.platform,
    ...(offer.dca ?? {}),
    ...(wish.commissionBps === undefined && sharesOf(wish) === 0
      ? { commissionBps: offer.commissionBps }
      : {}),
  }
}

/** The wish with all that its quote pins, if it has one. Fails with every parameter that contradicts the quote. */
export const bindToQuote = (wish: SwapInput, terms: SwapTerms): Result.Result<BoundInput, Issues> => {
  if (wish.quoteId === undefined) {
    return wish.slippageTolerancePercent === undefined || wish.unreadable?.includes("quoteId") === true
      ? Result.succeed({ wish, offer: undefined })
      : Result.fail(issueAbout("slippageTolerancePercent", "needs quoteId; without one, use minimumPrice"))
  }
  const offer = Option.getOrUndefined(terms.boundQuote(wish.quoteId))
  if (offer === undefined) {
    return Result.fail(issueAbout("quoteId", "is unknown. Request a new quote from /quotes"))
  }
  const limit = limitOf(wish, offer, terms)
  const issues = combineIssues([
    contradictionsOf(wish, offer, terms),
    noLimit(limit),
    lowerPrice(wish, limit),
  ])
  if (hasIssues(issues)) return Result.fail(issues)
  const { minimumPrice = limit } = wish
  return Result.succeed({ wish: { ...pinned(wish, offer), minimumPrice }, offer })
}

/** The most that is sent for an output that was asked for, at a price limit. */
const mostAt = ({ amount, destinationAsset, egress, sourceAsset }: QuoteOffer, limit: Price): NativeAmount =>
  Option.getOrElse(
    NativeAmount.makeOption(mostFor(egress, limit, sourceAsset, destinationAsset) ?? -1n),
    () => amount,
  )

/** What a swap is opened by: the quote's output, boosted where the swap is, and the least that the limit enforces. */
export const requestedQuote = (
  id: QuoteId | undefined,
  offer: QuoteOffer | undefined,
  boostFee: Bps,
  minimumPrice: Price,
): { readonly quote?: RequestedQuote } => {
  if (id === undefined || offer === undefined) return {}
  const { amount, boost, destinationAsset, egress, estimatedPrice, expiresAt, isOutputExact, ...given } =
    offer
  const { quotedAt, sourceAsset } = given
  const quoted = boostFee > 0 && boost !== undefined ? boost.egress : egress
  const output = { amount, egress: quoted, estimatedPrice, sourceAsset, destinationAsset }
  return {
    quote: {
      id,
      ...defined({ quotedAt }),
      ...(isOutputExact === true
        ? { amount: mostAt(offer, minimumPrice), quoted, promised: quoted }
        : { amount, quoted, promised: leastOutput(output, minimumPrice) }),
      estimatedPrice,
      expiresAt,
    },
  }
}

/** Fails where the quote that a swap is opened by is over. */
export const requireQuote = Effect.fnUntraced(function* ({ quote }: Pick<SwapRequest, "quote">) {
  if (quote === undefined || (yield* currentMillis) < quote.expiresAt) return
  return yield* new QuoteExpired({ expiresAt: quote.expiresAt, isUsed: false })
})

type Failed = TooManyOpenChannels | ProviderError | OpeningNotRecorded | StoreUnavailable | KeyTaken

/** The quote that an opening uses up, if it is by one. */
export const usedQuote = (
  { id: accountId }: Caller,
  { quote }: SwapRequest,
  key: string | undefined,
): UsedQuote | undefined =>
  quote?.id === undefined ? undefined : { accountId, id: quote.id, expiresAt: quote.expiresAt, key }

/** Whether an opening that failed has provably opened nothing. */
export const hasOpenedNothing = (error: Failed): boolean =>
  error instanceof ProviderError ? !mayHaveOpened(error.reason) : error instanceof TooManyOpenChannels

/** Where a quote is marked as used, and the bell that tells every replica to give its id to nobody else. */
interface QuoteUse {
  readonly keys: IdempotencyRepo["Service"]
  readonly doorbell: Pick<OutboxRepo["Service"]["doorbell"], "ring">
}

/** Opens by a quote that opens nothing else; it is given back where provably nothing was opened. */
export const byUnusedQuote = <A, E extends Failed>(
  { doorbell, keys }: QuoteUse,
  quote: UsedQuote | undefined,
  opening: Effect.Effect<A, E>,
): StoreEffect<A, E | QuoteExpired> => {
  if (quote === undefined) return opening
  const use = Effect.flatMap(currentMillis, (now) => keys.useQuote(quote, now)).pipe(
    Effect.tap(() => Effect.sync(() => doorbell.ring(quote.accountId))),
    Effect.filterOrFail(identity, () => new QuoteExpired({ expiresAt: quote.expiresAt, isUsed: true })),
  )
  const giveBack = Effect.catch(
    keys.giveQuoteBack(quote),
    (error) => Effect.logWarning("A quote stays used although it opened nothing", error),
  )
  return Effect.andThen(
    use,
    Effect.tapError(opening, (error) => hasOpenedNothing(error) ? giveBack : Effect.void),
  )
}

/** How far above an hour's price a limit is taken for out of reach: prices move by less than that within the hour. */
const moved = BigDecimal.make(102n, 2)

/** How long the hour's prices are waited for: an opening is not held up for a warning. */
const patience = Duration.millis(50)

const places = 12

/** The price of an hour between the two assets, as far as both are known. */
const priceOfHour = (
  { destinationAsset, sourceAsset }: Pick<SwapRequest, "sourceAsset" | "destinationAsset">,
  usd: Effect.Success<typeof HourPrices.Service>,
): Price | undefined => {
  const source = usd.get(sourceAsset)
  const destination = usd.get(destinationAsset)
  return source === undefined || destination === undefined || destination.value <= 0n
    ? undefined
    : Price.make(BigDecimal.round(BigDecimal.divideUnsafe(source, destination), { scale: places }))
}

const estimateAt = (best: Price, request: SwapRequest): NativeAmount | undefined => {
  const { amount, destinationAsset, sourceAsset } = request
  if (amount === undefined || !isSent(amount)) return undefined
  const output = outputAt(best, amount, sourceAsset, destinationAsset)
  return Option.getOrUndefined(
    NativeAmount.makeOption(output * BigInt(10_000 - totalCommission(request)) / 10_000n),
  )
}

/** Makes the look at a request by the best price that is known: that of its quote, else about that of the hour. */
export const makeOutlook = Effect.map(HourPrices, (prices) => (request: SwapRequest) => {
  const { minimumPrice, quote } = request
  if (quote?.estimatedPrice !== undefined) {
    return Effect.succeed<Outlook>({ outOfReach: outOfReach(minimumPrice, quote.estimatedPrice) })
  }
  return Effect.map(Effect.timeoutOption(prices, patience), (usd): Outlook => {
    const best = Option.isNone(usd) ? undefined : priceOfHour(request, usd.value)
    if (best === undefined) return {}
    const isOut = BigDecimal.isGreaterThan(minimumPrice, BigDecimal.multiply(best, moved))
    return {
      outOfReach: isOut ? { limit: minimumPrice, best } : undefined,
      estimatedOutput: estimateAt(best, request),
    }
  })
})
