import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { AssetId } from "../domain/Asset.ts"
import { ProviderName } from "../domain/ProviderName.ts"
import { EpochMillis } from "../domain/Time.ts"
import { about, answersWith } from "./endpoint.ts"
import { Authorization, needsScope, RuleFaults } from "./Authorization.ts"
import {
  CommissionBps,
  DestinationAsset,
  HumanAmount,
  NativeAmountText,
  Platform,
  QuoteDestinationAddress,
  SourceAddress,
  SourceAsset,
} from "./Parameters.ts"
import { upstreamProblems } from "./Problems.ts"
import { ExactDecimal, FeeBody, NativeText, StartPaths } from "./shape.ts"

const optional = Schema.optionalKey

const PoolInfoBody = Schema.Struct({
  baseAsset: AssetId,
  quoteAsset: AssetId,
  fee: Schema.Struct({ asset: AssetId, amount: ExactDecimal, amountNative: NativeText }),
}).annotate({ identifier: "PoolInfo" })

const amounts = {
  ingressAsset: AssetId,
  ingressAmount: ExactDecimal,
  ingressAmountNative: NativeText,
  intermediateAsset: optional(AssetId),
  intermediateAmount: optional(ExactDecimal),
  intermediateAmountNative: optional(NativeText),
  egressAsset: AssetId,
  egressAmount: ExactDecimal,
  egressAmountNative: NativeText,
  includedFees: Schema.Array(FeeBody),
}

const outlook = {
  lowLiquidityWarning: Schema.Boolean,
  poolInfo: Schema.Array(PoolInfoBody),
  estimatedDurationSeconds: ExactDecimal,
  estimatedDurationsSeconds: Schema.Struct({
    deposit: ExactDecimal,
    swap: ExactDecimal,
    egress: ExactDecimal,
  }),
}

const chunks = { chunkIntervalBlocks: optional(Schema.Int), numberOfChunks: optional(Schema.Int) }

/** The parameters of `startPaths` that open the offer beside them. */
const SwapParametersBody = Schema.Struct({
  sourceAsset: AssetId,
  destinationAsset: AssetId,
  amount: optional(ExactDecimal),
  ...chunks,
  boostFee: optional(Schema.Int),
  commissionBps: optional(Schema.Int),
  platform: ProviderName,
}).annotate({
  identifier: "SwapParameters",
  description:
    "What to give the endpoint of `startPaths`, beside the addresses, so that it opens this very offer. `amount` is " +
    "there where the provider prices each deposit or takes transactions only, and `commissionBps` where the quote was asked for with one. Opened without them, a " +
    "channel may be another provider's, which does not take as little, or swaps at another price.",
})

/** A boost quote: no `type`, no `recommendedSlippageTolerancePercent`, no `estimatedPrice` (decision 21). */
export const BoostQuoteBody = Schema.Struct({
  ...amounts,
  ...outlook,
  estimatedBoostFeeBps: Schema.Int,
  ...chunks,
  swapParameters: SwapParametersBody,
}).annotate({ identifier: "BoostQuote", description: "The faster offer for a Bitcoin deposit." })

/** A provider's offer, with `platform` as its last member (decision 18). */
export const QuoteBody = Schema.Struct({
  type: Schema.Literals(["regular", "dca"]),
  ...amounts,
  recommendedSlippageTolerancePercent: ExactDecimal,
  ...outlook,
  estimatedPrice: ExactDecimal,
  boostQuote: optional(BoostQuoteBody),
  ...chunks,
  expiresAt: optional(EpochMillis.annotate({
    description:
      "Until when the provider stands by the offer, in epoch milliseconds; absent where it says nothing.",
  })),
  startPaths: StartPaths,
  swapParameters: SwapParametersBody,
  platform: ProviderName,
}).annotate({ identifier: "Quote" })
export type QuoteBody = typeof QuoteBody.Type

const success = Schema.Array(QuoteBody).annotate({
  description: "The best first: most output, regular before DCA. Empty when a provider has no quote.",
})

const pair = {
  sourceAsset: SourceAsset,
  destinationAsset: DestinationAsset,
  commissionBps: optional(CommissionBps),
  platform: optional(Platform),
  sourceAddress: optional(SourceAddress),
  destinationAddress: optional(QuoteDestinationAddress),
}

/** Parameters of `/quotes` and `/quote`. */
export const QuoteParameters = Schema.Struct({ ...pair, amount: HumanAmount })

/** Parameters of `/quotes-native` and `/quote-native`. */
export const QuoteNativeParameters = Schema.Struct({ ...pair, amount: NativeAmountText })

const providerStatus = {
  "Provider-Status": {
    description:
      "What each provider that was asked had to say, as a list of RFC 9651: `ok`, or the `code` of its " +
      "failure, or a `reason` where that has no code. Absent where none was asked.",
    schema: { type: "string", examples: ['chainflip;code="upstream_error", near-intents;ok'] },
  },
}

/** The headers of the answers that may hold quotes of providers. */
const askedHeaders = Object.fromEntries(
  ["200", "400", "500", "503"].map((status) => [status, providerStatus]),
)

const documentStatus = (operation: Readonly<Record<string, unknown>>): Record<string, unknown> => ({
  ...operation,
  responses: answersWith(askedHeaders, operation),
})

const regularOnly = "Regular quotes only. Use /quotes or /quotes-native."

/** Quotes between two assets (decisions 17 and 18). */
export class QuotesGroup extends HttpApiGroup.make("quotes").add(
  HttpApiEndpoint.get("quotes", "/quotes", {
    query: QuoteParameters,
    success,
    error: upstreamProblems,
  }).annotateMerge(
    about(
      "getQuotes",
      "Quotes for a human amount",
      "Every provider that serves the pair is asked at once; the answer has the offers of all that " +
        "answered in time, the best first. The account's commission is in the figures. A quote is no " +
        "promise: what a swap brings is decided when the deposit is there, so give `/swap` a " +
        "`minimumPrice`.",
    ),
  ).annotate(OpenApi.Transform, documentStatus),
  HttpApiEndpoint.get("quotesNative", "/quotes-native", {
    query: QuoteNativeParameters,
    success,
    error: upstreamProblems,
  }).annotateMerge(
    about(
      "getQuotesNative",
      "Quotes for an amount in native units",
      "As `/quotes`, with the amount in the smallest unit of the source asset, for callers that " +
        "calculate with integers.",
    ),
  ).annotate(OpenApi.Transform, documentStatus),
  HttpApiEndpoint.get("quote", "/quote", { query: QuoteParameters, success, error: upstreamProblems })
    .annotateMerge(about("getQuote", "Regular quotes for a human amount", regularOnly)).annotate(
      OpenApi.Deprecated,
      true,
    ).annotate(OpenApi.Transform, documentStatus),
  HttpApiEndpoint.get("quoteNative", "/quote-native", {
    query: QuoteNativeParameters,
    success,
    error: upstreamProblems,
  }).annotateMerge(about("getQuoteNative", "Regular quotes for an amount in native units", regularOnly))
    .annotate(OpenApi.Deprecated, true).annotate(OpenApi.Transform, documentStatus),
).middleware(RuleFaults).middleware(Authorization).annotateMerge(
  needsScope("quote", { title: "Quotes", description: "Offers for a swap." }),
) {}
