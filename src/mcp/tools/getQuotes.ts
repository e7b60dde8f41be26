import { Effect, Schema, Struct } from "effect"
import { ExactOutputBody } from "../../api/exactOutput.ts"
import { QuoteBody } from "../../api/QuoteBodies.ts"
import { QuoteParameters } from "../../api/Quotes.ts"
import {
  HumanAmountOut,
  NativeAmountOutText,
  NativeAmountText,
  RankParameter,
  StartParameter,
} from "../../api/Parameters.ts"
import { CurrentAccount } from "../../api/Authorization.ts"
import { hasIssues, InvalidRequest, issueAbout, type Issues, noIssues } from "../../domain/Issues.ts"
import { presentQuote } from "../../requests/present/quotes.ts"
import type { AmountWish } from "../../domain/RequestRules.ts"
import { defined } from "../../platform/spread.ts"
import { Quoting } from "../../quoting/Quoting.ts"
import { argumentsReader } from "../readArguments.ts"
import { answerBy, bodyOf, Detail, type Tool } from "../Tool.ts"

const { amount, ...pair } = QuoteParameters.fields

/** In a few words: what promises it, and what it asks for, is with the quotes of REST. */
export const amountsOut = {
  amountOut: Schema.optionalKey(HumanAmountOut.pipe(Schema.annotateEncoded({
    description: "In place of amount: what is to arrive, to the unit.",
  }))),
  amountOutNative: Schema.optionalKey(NativeAmountOutText.pipe(Schema.annotateEncoded({
    description: "The same in the smallest unit.",
  }))),
}

const input = Schema.Struct({
  ...pair,
  // In a few words: the policies themselves are with the quotes of REST.
  rank: Schema.optionalKey(RankParameter.annotate({
    description:
      "What the quotes are sorted by: net (most output, the default), fastest, guaranteed (most at the least price), " +
      "reliable (most, weighed by the share of swaps that completed).",
  })),
  start: Schema.optionalKey(StartParameter.annotate({
    description: "channel (the default, which prepare_swap takes), transaction of one's own wallet, or any.",
  })),
  amount,
  amountNative: Schema.optionalKey(NativeAmountText),
  ...amountsOut,
  detail: Schema.optionalKey(Detail),
})

/** A quote as agents need it: without pools and without the boosted figures. */
const SlimQuote = QuoteBody.mapFields(Struct.pick([
  "quoteId",
  "platform",
  "rank",
  "type",
  "ingressAsset",
  "ingressAmount",
  "ingressAmountNative",
  "egressAsset",
  "egressAmount",
  "egressAmountNative",
  "estimatedPrice",
  "recommendedSlippageTolerancePercent",
  "slippageTolerancePercent",
  "highSlippageWarning",
  "estimatedDurationSeconds",
  "includedFees",
  "lowLiquidityWarning",
  "priceImpactPercent",
  "numberOfChunks",
  "chunkIntervalBlocks",
  "expiresAt",
])).mapFields(Struct.assign({
  exactOutput: Schema.optionalKey(
    Schema.Struct(
      Struct.pick(ExactOutputBody.fields, ["sendAtMostNative", "sendAtLeastNative", "refundFeeNative"]),
    )
      .annotate({
        description: "Of amountOut: what to send. What is over comes back, less the fee.",
      }),
  ),
  quoteId: QuoteBody.fields.quoteId.annotate({
    description:
      "prepare_swap takes it, until expiresAt, and prepares this very offer. Of this account only.",
  }),
  canPrepare: Schema.Boolean.annotate({
    description:
      "Whether prepare_swap takes it. Where not, the provider needs a transaction of the sender's own wallet, which no " +
      "tool here prepares: never pay to an address for such a quote.",
  }),
}))

const output = Schema.Struct({
  quotes: Schema.Array(SlimQuote).annotate({
    description:
      "The best first: by `rank`, else most output, regular before DCA. Empty where a provider has no quote.",
  }),
  full: Schema.optionalKey(Schema.Array(bodyOf("GET /quotes"))),
})

const write = answerBy(output)
const encodeQuote = Schema.encodeSync(QuoteBody)
const read = argumentsReader(input)

/** The issues of the ways to say how much: one of them, and no other. */
export const amountIssues = (
  { amount, amountNative, amountOut, amountOutNative }: AmountWish,
): Issues => {
  const [name, other] = Object.entries({ amount, amountNative, amountOut, amountOutNative })
    .flatMap(([name, value]) => value === undefined ? [] : [name])
  if (name === undefined) {
    return issueAbout("amount", "is required, or amountNative, amountOut or amountOutNative in its place")
  }
  return other === undefined ? noIssues : issueAbout(name, `and ${other} exclude each other`)
}

export const getQuotes: Tool<Quoting> = {
  name: "get_quotes",
  title: "Compare the providers' quotes",
  description:
    "What every provider would pay out for an amount of one asset in another, the best first, with all fees in the " +
    'figures. Give `amount` in human units, as text ("0.25"), or `amountNative` in the smallest unit; or `amountOut`, ' +
    "what is to arrive. A quote opens " +
    "and promises nothing. Show the human the best, agree on a least price, " +
    "then call prepare_swap. `estimatedPrice` is in human units, of the destination for one of the source. A least price: estimatedPrice × (1 − `slippageTolerancePercent` / 100).",
  scope: "quote",
  effects: "reads",
  input,
  output,
  perform: Effect.fnUntraced(function* (given) {
    const { amount, amountNative, detail, ...wish } = yield* read(given)
    const issues = amountIssues({ ...wish, ...defined({ amount, amountNative }) })
    if (hasIssues(issues)) return yield* new InvalidRequest({ errors: issues })
    const wanted = amount ?? amountNative
    const asked = { ...wish, ...(wanted === undefined ? {} : { amount: wanted }) }
    const answer = yield* (yield* Quoting).answer(yield* CurrentAccount, asked, false)
    const { by, quotes } = answer.identified
    const bodies = quotes.map((quote) => presentQuote(quote, by, answer))
    const slim = bodies.map((body) => ({ ...body, canPrepare: body.startPaths.includes("/swap") }))
    return write({
      quotes: slim,
      ...(detail === "full" ? { full: bodies.map((body) => encodeQuote(body)) } : {}),
    })
  }),
}
