import { Effect, Schema, Struct } from "effect"
import { QuoteNativeParameters, QuoteParameters } from "../api/Quotes.ts"
import { quoteOrder, type QuoteWish } from "../quoting/QuoteOrder.ts"
import { Registry } from "../providers/Registry.ts"
import { parameterReader, type RawParameters } from "./readParameters.ts"

/** The order of a wish, or everything that is wrong with it; platforms are those that are enabled now. */
export const quoteOrderOf = Effect.fnUntraced(function* (wish: QuoteWish) {
  const platforms = yield* (yield* Registry).enabled
  return quoteOrder(wish, platforms.map(({ name }) => name))
})

const humanPart = parameterReader(QuoteParameters.mapFields(Struct.map(Schema.optionalKey)), [])
const nativePart = parameterReader(QuoteNativeParameters.mapFields(Struct.map(Schema.optionalKey)), [])

/** The rules of `/quotes` and `/quote` over those of their parameters that can be read. */
export const quoteRules = (raw: RawParameters) => quoteOrderOf(humanPart(raw).values)

/** The rules of `/quotes-native` and `/quote-native` over those of their parameters that can be read. */
export const quoteNativeRules = (raw: RawParameters) => quoteOrderOf(nativePart(raw).values)
