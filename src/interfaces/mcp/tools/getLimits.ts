import { Effect, Schema, Struct } from "effect"
import { CurrentAccount } from "#api/Authorization.ts"
import { PairLimitsBody } from "#api/QuoteBodies.ts"
import { LimitsParameters } from "#api/Quotes.ts"
import { Quoting } from "#application/quoting/Quoting.ts"
import { ofPair } from "#application/quoting/QuotesRequest.ts"
import { accept } from "../../requests/parameterIssues.ts"
import { presentLimits } from "../../requests/present/comparison.ts"
import { answerBy, argumentsReader, type Tool } from "../Tool.ts"

const output = Schema.Struct({
  limits: Schema.Array(PairLimitsBody.mapFields(Struct.omit(["startPaths"]))).annotate({
    description: "Of each provider that swaps the pair.",
  }),
})

const write = answerBy(output)
const read = argumentsReader(LimitsParameters)

export const getLimits: Tool<Quoting> = {
  name: "get_limits",
  title: "Look up the limits of a pair",
  description:
    "The smallest and the largest deposit that each provider takes for a pair, before an amount is chosen.",
  scope: "quote",
  effects: "reads",
  input: LimitsParameters,
  output,
  perform: Effect.fnUntraced(function* (given) {
    const quoting = yield* Quoting
    const order = yield* accept([], yield* quoting.order(ofPair(yield* read(given)), yield* CurrentAccount))
    const { found } = yield* quoting.limits(yield* CurrentAccount, order)
    return write({ limits: found.map(presentLimits(order)) })
  }),
}
