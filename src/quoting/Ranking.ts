import { Order } from "effect"
import type { ProviderName } from "../domain/ProviderName.ts"
import type { Quote } from "../domain/Quote.ts"

const kind = (quote: Quote): number => quote.dca === undefined ? 0 : 1

/**
 * The order of quotes in an answer: most output first, then regular before DCA, then the operator's order
 * of providers (decision 18).
 */
export const ranking = (preference: ReadonlyArray<ProviderName>): Order.Order<Quote> =>
  Order.combineAll([
    Order.flip(Order.mapInput(Order.BigInt, (quote: Quote) => quote.egress.amount)),
    Order.mapInput(Order.Number, kind),
    Order.mapInput(Order.Number, (quote: Quote) => preference.indexOf(quote.platform)),
  ])
