import { Schema, Struct } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { about, answersWith } from "./endpoint.ts"
import { Authorization, needsScope, RuleFaults } from "./Authorization.ts"
import {
  CommissionBps,
  DestinationAsset,
  HumanAmount,
  HumanAmountOut,
  NativeAmountOutText,
  NativeAmountText,
  Platform,
  QuoteDestinationAddress,
  RankParameter,
  SourceAddress,
  SourceAsset,
  StartParameter,
} from "./Parameters.ts"
import { Gone, NotFound, upstreamProblems } from "./Problems.ts"
import { ComparisonBody, ExplanationBody, LimitsBody, QuoteBody } from "./QuoteBodies.ts"
import { optional } from "#domain/optional.ts"

const success = Schema.Array(QuoteBody).annotate({
  description:
    "The best quote comes first: by `rank`, then the highest payout, then regular before DCA. Empty if the providers " +
    "responded and none has a quote.",
})

const pair = {
  sourceAsset: SourceAsset,
  destinationAsset: DestinationAsset,
  commissionBps: optional(CommissionBps),
  platform: optional(Platform),
  sourceAddress: optional(SourceAddress),
  destinationAddress: optional(QuoteDestinationAddress),
  rank: optional(RankParameter),
  start: optional(StartParameter),
}

/** Parameters of `/quotes` and `/quote`. */
export const QuoteParameters = Schema.Struct({
  ...pair,
  amount: optional(HumanAmount),
  amountOut: optional(HumanAmountOut),
})

/** Parameters of `/quotes-native` and `/quote-native`. */
export const QuoteNativeParameters = Schema.Struct({
  ...pair,
  amount: optional(NativeAmountText),
  amountOutNative: optional(NativeAmountOutText),
})

/** Parameters of `/limits`. */
export const LimitsParameters = Schema.Struct(Struct.omit(pair, ["rank"]))

const providerStatus = {
  "Provider-Status": {
    description:
      "The response of each provider that was asked, as a list of RFC 9651: `ok`, or the `code` of its failure, " +
      "or a `reason` where that has no code; `start` of a provider that was left out as it begins swaps in " +
      "another way, `amount_out` of one that promises no output. Beside `provider_unavailable`, `budget` says " +
      "that the calls which its upstream allows in a minute are needed for others, and `retry-after` in how " +
      "many seconds that can be otherwise. Absent where none was asked.",
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

const regularOnly = "Use `/quotes` or `/quotes-native`, which also list DCA quotes."

/** Quotes between two assets (decisions 17 and 18). */
export class QuotesGroup extends HttpApiGroup.make("quotes").add(
  HttpApiEndpoint.get("quotes", "/quotes", {
    query: QuoteParameters,
    success,
    error: upstreamProblems,
  }).annotateMerge(about(
    "getQuotes",
    "Get quotes",
    "Asks every provider that gives a deposit address for the pair (`start=any`: all providers) at the same time, and lists " +
      "the best quote first. Amounts include the account's commission. Give either `amount`, the deposit, or `amountOut`, the " +
      "payout. The payout is fixed only after the deposit arrives: open the quote by its `quoteId`, which sets a minimum price.",
  )).annotate(OpenApi.Transform, documentStatus),
  HttpApiEndpoint.get("quotesNative", "/quotes-native", {
    query: QuoteNativeParameters,
    success,
    error: upstreamProblems,
  }).annotateMerge(about(
    "getQuotesNative",
    "Get quotes in native units",
    "Lists quotes as `/quotes` does, for clients that calculate with integers: `amount` and `amountOutNative` are in native units.",
  )).annotate(OpenApi.Transform, documentStatus),
  HttpApiEndpoint.get("compare", "/quotes/compare", {
    query: QuoteParameters,
    success: ComparisonBody,
    error: upstreamProblems,
  }).annotateMerge(about(
    "compareQuotes",
    "Compare providers",
    "Lists quotes as `/quotes` does, and the providers without a quote, with the reason, and the minimum deposit. A pair " +
      "without quotes is a 200, too.",
  )).annotate(OpenApi.Transform, documentStatus),
  HttpApiEndpoint.get("limits", "/limits", {
    query: LimitsParameters,
    success: LimitsBody,
    error: upstreamProblems,
  }).annotateMerge(about(
    "getLimits",
    "Get the limits of a pair",
    "Returns the smallest and the largest deposit of each provider, up to 30 seconds old. The opening's own limits apply.",
  )).annotate(OpenApi.Transform, documentStatus),
  HttpApiEndpoint.get("explanation", "/quotes/:quoteId/explanation", {
    params: {
      quoteId: Schema.String.annotate({
        description: "The id of a quote, as a response has it.",
        examples: [
          "q1~chainflip~btc.btc~eth.eth~20000000~6770232456277362137~338523.4~15.1~0~~~1790692455000~09.1~fHtg",
        ],
      }),
    },
    success: ExplanationBody,
    error: [NotFound, Gone],
  }).annotateMerge(about(
    "explainQuote",
    "Explain a quote's rank",
    "Returns all figures that the ranking used. Sort `quotes` by `policy` to get the same order. Stored for 15 minutes, " +
      "then a 410; a 404 if the process that gave the quote no longer has it. The quote stays valid until it expires.",
  )),
  HttpApiEndpoint.get("quote", "/quote", { query: QuoteParameters, success, error: upstreamProblems })
    .annotateMerge(about("getQuote", "Get regular quotes", regularOnly)).annotate(
      OpenApi.Deprecated,
      true,
    ).annotate(OpenApi.Transform, documentStatus),
  HttpApiEndpoint.get("quoteNative", "/quote-native", {
    query: QuoteNativeParameters,
    success,
    error: upstreamProblems,
  }).annotateMerge(about("getQuoteNative", "Get regular quotes in native units", regularOnly))
    .annotate(OpenApi.Deprecated, true).annotate(OpenApi.Transform, documentStatus),
).middleware(RuleFaults).middleware(Authorization).annotateMerge(
  needsScope("quote", {
    title: "Quotes",
    description:
      "Prices for a swap, from several providers. Native amounts are in the smallest unit of an asset: 25000000 is 0.25 BTC.",
  }),
) {}
