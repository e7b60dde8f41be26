import { Effect, Schema } from "effect"
import { SwapRecordBody } from "#api/SwapRecord.ts"
import { presentRecord } from "#api/presentSwap.ts"
import { Guidance } from "#domain/swaps/Guidance.ts"
import { Guide } from "#application/guidance/Guide.ts"
import { Swaps } from "#application/swapping/Swaps.ts"
import { SwapNetworks } from "#providers/SwapNetworks.ts"
import { requestLanguage } from "../../requests/language.ts"
import { answerBy, argumentsReader, type Asks, bodyOf, Detail, type Tool } from "../Tool.ts"
import { findSwap, summaryOf, swapNames, SwapSummary, withoutForeignWords } from "./swapSummary.ts"

const input = Schema.Struct({ ...swapNames, detail: Schema.optionalKey(Detail) })
const output = Schema.Struct({
  swap: SwapSummary,
  guidance: Guidance,
  full: Schema.optionalKey(bodyOf("GET /status-by-id")),
})

const write = answerBy(output, withoutForeignWords)
const encodeRecord = Schema.encodeSync(SwapRecordBody)
const read = argumentsReader(input)

/** A swap of the account, as it stands. */
export const lookAtSwap = Effect.fnUntraced(function* (given: unknown) {
  const { detail, ...names } = yield* read(given)
  const record = yield* findSwap(names)
  const networks = yield* SwapNetworks
  const { shown } = yield* (yield* Swaps).priced((priceAt) => ({
    swap: summaryOf(record, { ...networks, priceAt }),
    ...(detail === "full" ? { full: encodeRecord(presentRecord(record, { ...networks, priceAt })) } : {}),
  }))
  return write({ ...shown, guidance: yield* (yield* Guide).swap(record, yield* requestLanguage) })
})

export const getSwap: Tool<Guide | Asks<typeof findSwap>> = {
  name: "get_swap",
  title: "Status of a swap",
  description:
    "The present status of a swap, by one of: its number, deposit channel, deposit transaction. A swap takes minutes: " +
    "wait before you ask again. explain_swap has its history.",
  scope: "status",
  effects: "reads",
  input,
  output,
  perform: lookAtSwap,
}
