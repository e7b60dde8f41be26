import { Effect, Schema, Struct } from "effect"
import { QuoteNativeParameters, QuoteParameters } from "../api/Quotes.ts"
import type { Issues } from "../domain/Issues.ts"
import { quoteOrder, type QuoteWish } from "../quoting/QuoteOrder.ts"
import { Registry } from "../providers/Registry.ts"
import { accept } from "./accept.ts"
import { queryParameters } from "./rawParameters.ts"
import { parameterReader, type RawParameters, type Read } from "./readParameters.ts"

const required = ["sourceAsset", "destinationAsset", "amount"]

const readHuman = parameterReader(QuoteParameters.mapFields(Struct.map(Schema.optionalKey)), required)
const readNative = parameterReader(QuoteNativeParameters.mapFields(Struct.map(Schema.optionalKey)), required)

const orderOf = Effect.fnUntraced(function* (wish: QuoteWish, issues: ReadonlyArray<Issues>) {
  const registry = yield* Registry
  const platforms = yield* registry.enabled
  return yield* accept(issues, quoteOrder(wish, platforms.map((provider) => provider.name)))
})

/** The order of a wish of which every parameter could be read. */
export const acceptQuoteOrder = (wish: QuoteWish) => orderOf(wish, [])

const orderFrom = (read: (raw: RawParameters) => Read<QuoteWish>) =>
  Effect.flatMap(queryParameters, (raw) => {
    const { values, issues } = read(raw)
    return orderOf(values, [issues])
  })

/** What `/quotes` and `/quote` ask for. */
export const readQuoteOrder = orderFrom(readHuman)

/** What `/quotes-native` and `/quote-native` ask for. */
export const readQuoteNativeOrder = orderFrom(readNative)
