import { BigDecimal, Effect, Option, Predicate, Result } from "effect"
import { CurrentAccount } from "#api/Authorization.ts"
import type { NativeAmount } from "#domain/money/Amount.ts"
import { formatDecimal } from "#domain/money/Decimal.ts"
import {
  combineIssues,
  hasIssues,
  type InvalidRequest,
  issueAbout,
  type Issues,
  issuesOf,
  noIssues,
} from "#domain/Issues.ts"
import { isSent, receivedOf, type SwapAmount } from "#domain/quotes/ExactOutput.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import type { QuoteOffer } from "#domain/quotes/QuoteOffer.ts"
import { amountOf } from "#domain/RequestRules.ts"
import type { SwapRequest } from "#domain/swaps/SwapRequest.ts"
import { accept, type RawParameters } from "../../requests/parameterIssues.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { Quoting } from "#application/quoting/Quoting.ts"
import { Swaps } from "#application/swapping/Swaps.ts"
import type { OpeningRequest } from "#application/swapping/opening/SwapRules.ts"
import type { SwapInput } from "#application/swapping/opening/OpeningRules.ts"
import { amountIssues } from "./getQuotes.ts"
import { limitFor } from "./minimumPriceArgument.ts"
import type { Offered } from "./summarise.ts"

/** The arguments of a preparation: the parameters of `/swap`, with the least output in place of the least price. */
export type PreparedInput = SwapInput & { readonly minimumReceived?: BigDecimal.BigDecimal }

/** A preparation whose arguments passed the rules of `/swap`. */
export interface Preparation {
  /** Its price limit is still open where the least output decides on it. */
  readonly order: OpeningRequest
  readonly amount: SwapAmount
  readonly offer: QuoteOffer | undefined
  /** The least that has to arrive; in native units of the destination asset. */
  readonly received: NativeAmount | undefined
  /** The same order with another price limit. */
  readonly at: (limit: BigDecimal.BigDecimal) => Effect.Effect<Result.Result<OpeningRequest, Issues>>
}

const places = 4
const whole = BigDecimal.make(100n, 0)
const mostTolerance = BigDecimal.make(999_999n, places)

/** The tolerance in percent, rounded up, that brings a quote's limit to the person's minimum price. */
const toleranceTo = (
  minimumPrice: BigDecimal.BigDecimal | undefined,
  { estimatedPrice }: QuoteOffer,
): Pick<SwapInput, "slippageTolerancePercent"> => {
  if (minimumPrice === undefined || BigDecimal.isGreaterThanOrEqualTo(minimumPrice, estimatedPrice)) return {}
  const below = BigDecimal.subtract(estimatedPrice, minimumPrice)
  const percent = BigDecimal.divideUnsafe(BigDecimal.multiply(below, whole), estimatedPrice)
  const rounded = BigDecimal.ceil(percent, places)
  return { slippageTolerancePercent: BigDecimal.min(rounded, mostTolerance) }
}

/** The issues of the two ways to say the least: one of them, and not both. */
const leastIssues = ({ minimumPrice, minimumReceived, unreadable = [] }: PreparedInput): Issues => {
  if (unreadable.some((name) => name === "minimumPrice" || name === "minimumReceived")) return noIssues
  if (minimumPrice !== undefined && minimumReceived !== undefined) {
    return issueAbout("minimumPrice", "and minimumReceived cannot be used together")
  }
  if (minimumPrice === undefined && minimumReceived === undefined) {
    return issueAbout("minimumPrice", "or minimumReceived is required")
  }
  return minimumPrice !== undefined && BigDecimal.isZero(minimumPrice)
    ? issueAbout("minimumPrice", "must be above 0; agree with the human on the minimum that they accept")
    : noIssues
}

const missingAmount = (wish: PreparedInput): Issues => {
  const { quoteId, unreadable = [] } = wish
  const isTold = unreadable.some((name) => name === "quoteId" || /^amount(?:Out)?(?:Native)?$/.test(name))
  const isOfQuote = quoteId !== undefined && wish.amount === undefined && wish.amountOut === undefined
  return isTold || isOfQuote ? noIssues : amountIssues(wish)
}

/** A swap in chunks pays out what was swapped before the price fell, however little that is. */
const inChunks = issueAbout(
  "minimumReceived",
  "cannot be promised for a swap in chunks, because some may be refunded; use minimumPrice, which applies to each chunk",
)

/** Of an output that was asked for nothing less arrives, so that the least price says what is sent for it at the most. */
const alreadyExact = issueAbout(
  "minimumReceived",
  "is only for swaps of a sent amount; an exact output arrives to the unit. Use minimumPrice",
)

const leastReceived = ({ destinationAsset, minimumReceived }: PreparedInput) =>
  minimumReceived === undefined || destinationAsset === undefined
    ? Result.succeed(undefined)
    : amountOf(destinationAsset, minimumReceived, "minimumReceived")

/** Prepares arguments by the rules of `/swap`, but for the person's minimum; or all their issues. */
export const preparationOf = Effect.fnUntraced(
  function* (wish: PreparedInput, unreadable: ReadonlyArray<string> = []) {
    const account = yield* CurrentAccount
    const swaps = yield* Swaps
    const { boundQuote } = yield* Quoting
    const { minimumReceived: _, ...asked } = { ...wish, unreadable }
    const offer = wish.quoteId === undefined
      ? undefined
      : Option.getOrUndefined(boundQuote(account.id, wish.quoteId))
    const at = (minimumPrice: BigDecimal.BigDecimal | undefined) =>
      swaps.request(account, {
        ...asked,
        // Where there is none, an issue of our own names the other way that there is here.
        ...(minimumPrice === undefined || BigDecimal.isZero(minimumPrice)
          ? { unreadable: [...unreadable, "minimumPrice"] }
          : {}),
        ...optionalMembers(minimumPrice, (minimumPrice) => ({
          minimumPrice,
          ...(offer === undefined ? {} : toleranceTo(minimumPrice, offer)),
        })),
      })
    const order = yield* at(wish.minimumPrice)
    const received = leastReceived(wish)
    const { amount, dca } = Result.isSuccess(order)
      ? { amount: undefined, dca: undefined, ...order.success.request }
      : { amount: undefined, dca: undefined }
    const own = combineIssues([
      missingAmount({ ...wish, unreadable }),
      leastIssues({ ...wish, unreadable }),
      wish.minimumReceived !== undefined && dca !== undefined ? inChunks : noIssues,
      wish.minimumReceived !== undefined && receivedOf(amount) !== undefined ? alreadyExact : noIssues,
    ])
    const issues = combineIssues([own, issuesOf([order, received])])
    if (hasIssues(issues) || Result.isFailure(order) || Result.isFailure(received)) return Result.fail(issues)
    if (amount === undefined) return Result.fail(noIssues)
    return Result.succeed<Preparation>({
      order: order.success,
      amount,
      offer,
      received: received.success,
      at,
    })
  },
)

/** The order of a preparation at what is offered for it: its price limit is that of the least output, if one was given. */
export const orderAt = (
  { amount, at, order, received }: Preparation,
  offered: Offered,
): Effect.Effect<OpeningRequest, InvalidRequest> =>
  received === undefined || !isSent(amount)
    ? Effect.succeed(order)
    : Result.match(limitFor({ request: order.request, amount, offered }, received), {
      onFailure: (issues) => accept([], Result.fail(issues)),
      onSuccess: (limit) => Effect.flatMap(at(limit), (order) => accept([], order)),
    })

/** The parameters of `/swap` that open a prepared order with this provider. */
export const openingParameters = (
  raw: RawParameters,
  platform: ProviderName,
  { offer }: Preparation,
  { commissionBps, dca, minimumPrice }: SwapRequest,
): Readonly<Record<string, string>> => {
  const given = Object.entries(raw).flatMap(([name, value]) =>
    Predicate.isString(value) && name !== "minimumReceived" ? [[name, value] as const] : []
  )
  const { slippageTolerancePercent } = offer === undefined
    ? { slippageTolerancePercent: undefined }
    : { slippageTolerancePercent: undefined, ...toleranceTo(minimumPrice, offer) }
  return {
    ...Object.fromEntries(given),
    ...optionalMembers(dca, ({ chunkIntervalBlocks, numberOfChunks }) => ({
      numberOfChunks: `${numberOfChunks}`,
      chunkIntervalBlocks: `${chunkIntervalBlocks}`,
    })),
    ...optionalMembers(
      slippageTolerancePercent,
      (percent) => ({ slippageTolerancePercent: formatDecimal(percent) }),
    ),
    minimumPrice: formatDecimal(minimumPrice),
    commissionBps: `${commissionBps}`,
    platform,
  }
}
