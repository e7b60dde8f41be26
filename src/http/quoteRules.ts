import { Effect } from "effect"
import { quoteOrder, type QuoteWish } from "../quoting/QuoteOrder.ts"
import { Registry } from "../providers/Registry.ts"

/** The order of a wish, or everything that is wrong with it; platforms are those that are enabled now. */
export const quoteOrderOf = Effect.fnUntraced(function* (wish: QuoteWish) {
  const platforms = yield* (yield* Registry).enabled
  return quoteOrder(wish, platforms.map(({ name }) => name))
})
