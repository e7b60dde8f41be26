import { Effect, Schema, Struct } from "effect"
import { ExactOutputBody } from "#api/exactOutput.ts"
import { QuoteBody } from "#api/QuoteBodies.ts"
import { QuoteParameters } from "#api/Quotes.ts"
import {
  HumanAmountOut,
  NativeAmountOutText,
  NativeAmountText,
  RankParameter,
  StartParameter,
} from "#api/Parameters.ts"
import { CurrentAccount } from "#api/Authorization.ts"
import { hasIssues, InvalidRequest, issueAbout, type Issues, noIssues } from "#domain/Issues.ts"
import { presentQuote } from "../../requests/present/quotes.ts"
import type { AmountInput } from "#domain/RequestRules.ts"
import { defined } from "#infrastructure/platform/optionalMembers.ts"
import { Quoting } from "#application/quoting/Quoting.ts"
import { answerBy, argumentsReader, bodyOf, Detail, type Tool } from "../Tool.ts"
import { outlookFields, outlookOf } from "./estimateText.ts"

const { amount, ...pair } = QuoteParameters.fields

/** What is to arrive, in place of what is sent. */
export const amountsOut = {
  amountOut: Schema.optionalKey(HumanAmountOut),
  amountOutNative: Schema.optionalKey(NativeAmountOutText),
}

const input = Schema.Struct({
  ...pair,
  rank: Schema.optionalKey(RankParameter),
  start: Schema.optionalKey(StartParameter),
  amount,
  amountNative: Schema.optionalKey(NativeAmountText),
  ...amountsOut,
  detail: Schema.optionalKey(Detail),
})

/** A quote as agents need it: without its route, the boosted figures, and what its place in the list says. */
const SlimQuote = QuoteBody.mapFields(Struct.omit([
  "intermediateAsset",
  "intermediateAmount",
  "intermediateAmountNative",
  "intermediateValueUsd",
  "valueUsdAt",
  "poolInfo",
  "estimatedDurationSeconds",
  "estimatedDurationsSeconds",
  "boostQuote",
  "startPaths",
  "swapParameters",
])).mapFields(Struct.assign({
  exactOutput: Schema.optionalKey(
    Schema.Struct(
      Struct.pick(ExactOutputBody.fields, ["sendAtMostNative", "sendAtLeastNative", "refundFeeNative"]),
    )
      .annotate({ description: "For amountOut: what to send. A surplus comes back, less the fee." }),
  ),
  rank: Schema.Struct(Struct.pick(QuoteBody.fields.rank.fields, ["relativeToBestBps", "reasons"])),
  quoteId: QuoteBody.fields.quoteId.annotate({ description: "For prepare_swap, until expiresAt." }),
  ...outlookFields,
  canPrepare: Schema.Boolean.annotate({
    description:
      "If false, it needs a transaction of the sender's own wallet: never pay to an address for it.",
  }),
}))

const output = Schema.Struct({
  quotes: Schema.Array(SlimQuote).annotate({ description: "The best first." }),
  full: Schema.optionalKey(Schema.Array(bodyOf("GET /quotes"))),
})

const write = answerBy(output)
const encodeQuote = Schema.encodeSync(QuoteBody)
const read = argumentsReader(input)

/** The issues of the ways to say how much: one of them, and no other. */
export const amountIssues = ({ amount, amountNative, amountOut, amountOutNative }: AmountInput): Issues => {
  const [name, other] = Object.entries({ amount, amountNative, amountOut, amountOutNative })
    .flatMap(([name, value]) => value === undefined ? [] : [name])
  if (name === undefined) {
    return issueAbout("amount", "or amountNative, amountOut or amountOutNative is required")
  }
  return other === undefined ? noIssues : issueAbout(name, `and ${other} cannot be used together`)
}

export const getQuotes: Tool<Quoting> = {
  name: "get_quotes",
  title: "Compare the providers' quotes",
  description:
    "Every provider's quote for one of amount, amountNative, amountOut, amountOutNative: what arrives after all fees, how " +
    "long it takes and how reliable the provider is. Nothing is opened or promised. Agree with the human on a quote and a " +
    "slippage tolerance or minimum price, then call prepare_swap.",
  scope: "quote",
  effects: "reads",
  input,
  output,
  perform: Effect.fnUntraced(function* (given) {
    const { amount, amountNative, detail, ...wish } = yield* read(given)
    const issues = amountIssues({ ...wish, ...defined({ amount, amountNative }) })
    if (hasIssues(issues)) return yield* new InvalidRequest({ errors: issues })
    const wanted = amount ?? amountNative
    const asked = { ...wish, ...defined({ amount: wanted }) }
    const answer = yield* (yield* Quoting).answer(yield* CurrentAccount, asked, false)
    const { by, quotes } = answer.identified
    const bodies = quotes.map((quote) => presentQuote(quote, by, answer))
    const slim = bodies.map((body) => ({
      ...body,
      ...outlookOf(body),
      canPrepare: body.startPaths.includes("/swap"),
    }))
    return write({
      quotes: slim,
      ...(detail === "full" ? { full: bodies.map((body) => encodeQuote(body)) } : {}),
    })
  }),
}
