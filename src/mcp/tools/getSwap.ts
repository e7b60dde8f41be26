import { Effect, Schema } from "effect"
import { SwapRecordBody } from "../../api/SwapRecord.ts"
import { presentRecord } from "../../api/presentSwap.ts"
import { Guidance } from "../../domain/Guidance.ts"
import { Guide } from "../../guidance/Guide.ts"
import { argumentsReader } from "../readArguments.ts"
import { answerBy, type Asks, bodyOf, Detail, type Tool } from "../Tool.ts"
import { findSwap, swapNames } from "./findSwap.ts"
import { summaryOf, SwapSummary, withoutForeignWords } from "./swapSummary.ts"

const input = Schema.Struct({ ...swapNames, detail: Schema.optionalKey(Detail) })
const output = Schema.Struct({
  swap: SwapSummary,
  guidance: Guidance.annotate({ description: "Where it stands and what can be done, in words." }),
  full: Schema.optionalKey(bodyOf("GET /status-by-id")),
})

const write = answerBy(output, withoutForeignWords)
const encodeRecord = Schema.encodeSync(SwapRecordBody)
const read = argumentsReader(input)

/** A swap of the account, as it stands. */
export const lookAtSwap = Effect.fnUntraced(function* (given: unknown) {
  const { detail, ...names } = yield* read(given)
  const record = yield* findSwap(names)
  return write({
    swap: summaryOf(record),
    guidance: yield* (yield* Guide).swap(record),
    ...(detail === "full" ? { full: encodeRecord(presentRecord(record)) } : {}),
  })
})

export const getSwap: Tool<Guide | Asks<typeof findSwap>> = {
  name: "get_swap",
  title: "Look at a swap",
  description:
    "A swap as it stands, by its number, its deposit channel or its deposit transaction (one of the three). `state` " +
    "goes from waiting over receiving, swapping, sending and sent to completed, or to failed. A swap takes minutes: " +
    "look again after a while, not at once. explain_swap tells in words why it waits.",
  scope: "status",
  effects: "reads",
  input,
  output,
  perform: lookAtSwap,
}
