import { Effect, Schema, Struct } from "effect"
import { QuoteNativeParameters, QuoteParameters } from "../api/Quotes.ts"
import { quoteOrder, type QuoteWish } from "../quoting/QuoteOrder.ts"
import { Registry } from "../providers/Registry.ts"
import { accept } from "./accept.ts"
import { queryParameters } from "./rawParameters.ts"
import { parameterReader, type RawParameters, type Read } from "./readParameters.ts"

const required = ["sourceAsset", "destinationAsset", "amount"]

const readHuman = parameterReader(QuoteParameters.mapFields(Struct.map(Schema.optionalKey)), required)
const readNative = parameterReader(QuoteNativeParameters.mapFields(Struct.map(Schema.optionalKey)), required)

const orderFrom = (read: (raw: RawParameters) => Read<QuoteWish>) =>
  Effect.gen(function* () {
    const registry = yield* Registry
    const platforms = yield* registry.enabled
    const { values, faults } = read(yield* queryParameters)
    return yield* accept([faults], quoteOrder(values, platforms.map((provider) => provider.name)))
  })

/** What `/quotes` and `/quote` ask for. */
export const readQuoteOrder = orderFrom(readHuman)

/** What `/quotes-native` and `/quote-native` ask for. */
export const readQuoteNativeOrder = orderFrom(readNative)
