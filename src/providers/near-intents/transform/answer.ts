import { Result } from "effect"
import { DepositBelowMinimum, MalformedBody } from "../../../domain/ProviderError.ts"
import type { EpochMillis } from "../../../domain/Time.ts"
import { decode } from "../../upstream/decode.ts"
import { isSameAddress } from "../chains.ts"
import { WireDryQuote, type WireEcho, type WireFigures, WireOrder } from "../wire/quote.ts"
import { type Asking, type Inquiry, route } from "./inquiry.ts"

/** The signature does not cover the commission, so nobody but us can see that it was not dropped, nor one added. */
const hasFees = ({ appFees = [] }: WireEcho, inquiry: Inquiry): boolean =>
  appFees.length === inquiry.appFees.length &&
  inquiry.appFees.every(({ recipient, fee }) =>
    appFees.some((echoed) => echoed.recipient === recipient && echoed.fee === fee)
  )

/** The quote of an order, and when it was made. */
export type SignedOrder = WireOrder["quote"] & Pick<WireOrder, "timestamp">

/** The first member of an answer that is not about what was asked. */
const mismatch = (
  { quoteRequest, quote }: { readonly quoteRequest: WireEcho; readonly quote: WireFigures },
  inquiry: Inquiry,
  { dry, deadline }: Asking,
): string | undefined => {
  const { source, destination } = inquiry.pair
  const same: Readonly<Record<keyof WireEcho, boolean>> = {
    dry: quoteRequest.dry === dry,
    swapType: quoteRequest.swapType === route.swapType,
    depositType: quoteRequest.depositType === route.depositType,
    refundType: quoteRequest.refundType === route.refundType,
    recipientType: quoteRequest.recipientType === route.recipientType,
    originAsset: quoteRequest.originAsset === source.id,
    destinationAsset: quoteRequest.destinationAsset === destination.id,
    amount: quoteRequest.amount === `${inquiry.amount}`,
    refundTo: isSameAddress(source.chain, quoteRequest.refundTo, inquiry.refundTo),
    recipient: isSameAddress(destination.chain, quoteRequest.recipient, inquiry.recipient),
    slippageTolerance: quoteRequest.slippageTolerance === inquiry.slippageBps,
    deadline: quoteRequest.deadline === deadline,
    appFees: hasFees(quoteRequest, inquiry),
  }
  const [member] = Object.entries(same).find(([, holds]) => !holds) ?? []
  if (member !== undefined) return `quoteRequest.${member}: expected what was asked, got something else`
  return quote.amountIn === inquiry.amount
    ? undefined
    : `quote.amountIn: expected ${inquiry.amount}, got ${quote.amountIn}`
}

const checked = <A extends { readonly quoteRequest: WireEcho; readonly quote: WireFigures }>(
  answer: A,
  inquiry: Inquiry,
  asking: Asking,
): Result.Result<A, MalformedBody> => {
  const detail = mismatch(answer, inquiry, asking)
  return detail === undefined
    ? Result.succeed(answer)
    : Result.fail(new MalformedBody({ detail, reached: true }))
}

/** What is less than the service takes is no offer, and would only come back. */
const enoughDeposited = <A extends WireFigures>(
  figures: A,
  { amount, pair }: Inquiry,
): Result.Result<A, DepositBelowMinimum> =>
  figures.minAmountIn === undefined || figures.minAmountIn <= amount
    ? Result.succeed(figures)
    : Result.fail(new DepositBelowMinimum({ asset: pair.source.asset, minimum: figures.minAmountIn }))

/** The answer to a dry inquiry, when it is about what was asked. */
export const readDryQuote = (
  body: unknown,
  inquiry: Inquiry,
  deadline: EpochMillis,
): Result.Result<WireFigures, MalformedBody | DepositBelowMinimum> =>
  decode(WireDryQuote, body).pipe(
    Result.flatMap((answer) => checked(answer, inquiry, { dry: true, deadline })),
    Result.flatMap(({ quote }) => enoughDeposited(quote, inquiry)),
  )

/** The answer to one that is not dry, when it is about what was asked. */
export const readOrder = (
  body: unknown,
  inquiry: Inquiry,
  deadline: EpochMillis,
): Result.Result<SignedOrder, MalformedBody | DepositBelowMinimum> =>
  Result.gen(function* () {
    const answer = yield* checked(yield* decode(WireOrder, body), inquiry, { dry: false, deadline })
    return { ...yield* enoughDeposited(answer.quote, inquiry), timestamp: answer.timestamp }
  })
