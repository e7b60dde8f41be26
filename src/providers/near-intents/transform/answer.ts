import { Result } from "effect"
import { MalformedBody } from "../../../domain/ProviderError.ts"
import { decode } from "../../upstream/decode.ts"
import { isSameAddress } from "../chains.ts"
import { WireDryQuote, type WireEcho, type WireFigures, WireOrder } from "../wire/quote.ts"
import { type Inquiry, route } from "./inquiry.ts"

/** The signature does not cover the commission, so nobody but us can see that it was not dropped. */
const hasFees = ({ appFees = [] }: WireEcho, inquiry: Inquiry): boolean =>
  inquiry.appFees.every(({ recipient, fee }) =>
    appFees.some((echoed) => echoed.recipient === recipient && echoed.fee === fee)
  )

/** The first member of an answer that is not about what was asked. */
const mismatch = (
  { quoteRequest, quote }: { readonly quoteRequest: WireEcho; readonly quote: WireFigures },
  inquiry: Inquiry,
  dry: boolean,
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
  dry: boolean,
): Result.Result<A, MalformedBody> => {
  const detail = mismatch(answer, inquiry, dry)
  return detail === undefined
    ? Result.succeed(answer)
    : Result.fail(new MalformedBody({ detail, reached: true }))
}

/** The answer to a dry inquiry, when it is about what was asked. */
export const readDryQuote = (body: unknown, inquiry: Inquiry): Result.Result<WireFigures, MalformedBody> =>
  decode(WireDryQuote, body).pipe(
    Result.flatMap((answer) => checked(answer, inquiry, true)),
    Result.map(({ quote }) => quote),
  )

/** The answer to one that is not dry, when it is about what was asked. */
export const readOrder = (
  body: unknown,
  inquiry: Inquiry,
): Result.Result<WireOrder["quote"], MalformedBody> =>
  decode(WireOrder, body).pipe(
    Result.flatMap((answer) => checked(answer, inquiry, false)),
    Result.map(({ quote }) => quote),
  )
