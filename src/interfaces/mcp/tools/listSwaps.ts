import { Effect, Option, Schema } from "effect"
import { CurrentAccount } from "#api/Authorization.ts"
import { HistoryParameters } from "#api/History.ts"
import { HistoryLimit } from "#api/Parameters.ts"
import { SwapRecordBody } from "#api/SwapRecord.ts"
import { presentRecord } from "#api/presentSwap.ts"
import { SwapResult, SwapState } from "#domain/swaps/Swap.ts"
import { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { accept } from "../../requests/parameterIssues.ts"
import { historyQuery } from "../../requests/historyQuery.ts"
import { defined, optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import type { Registry } from "#providers/Registry.ts"
import { Swaps } from "#application/swapping/Swaps.ts"
import { SwapNetworks } from "#providers/SwapNetworks.ts"
import { answerBy, argumentsReader, bodyOf, Detail, type Tool } from "../Tool.ts"
import { summaryOf, SwapSummary, withoutForeignWords } from "./swapSummary.ts"

const { limit: _limit, result: _result, status: _status, ...filters } = HistoryParameters.fields

/** Few enough for a model to read. */
const defaultLimit = 10

const input = Schema.Struct({
  ...filters,
  limit: Schema.optionalKey(HistoryLimit.pipe(Schema.annotateEncoded({
    description: `At most 500; ${defaultLimit} when absent.`,
  }))),
  status: Schema.optionalKey(
    Schema.Array(SwapState).annotate({
      description: "All when absent.",
      message: `must be a list of ${SwapState.literals.join(", ")}`,
    }),
  ),
  result: Schema.optionalKey(
    Schema.Array(SwapResult).annotate({
      description: "Any when absent.",
      message: `must be a list of ${SwapResult.literals.join(", ")}`,
    }),
  ),
  detail: Schema.optionalKey(Detail),
})

const output = Schema.Struct({
  swaps: Schema.Array(SwapSummary),
  full: Schema.optionalKey(Schema.Array(bodyOf("GET /status-by-id"))),
  next: Schema.optionalKey(SwapRecordId.annotate({ description: "Absent on the last page." })),
})

const write = answerBy(output, withoutForeignWords)
const encodeRecord = Schema.encodeSync(SwapRecordBody)
const read = argumentsReader(input)

export const listSwaps: Tool<Swaps | Registry> = {
  name: "list_swaps",
  title: "List the swaps of the account",
  description:
    "The swaps of this account, newest first, ten at a time. `next` is the `offset` of the next page.",
  scope: "history",
  effects: "reads",
  input,
  output,
  perform: Effect.fnUntraced(function* (given) {
    const { detail, ...asked } = yield* read(given)
    const status = asked.status === undefined || asked.status.length === 0 ? SwapState.literals : asked.status
    const { offset, limit = defaultLimit, ...query } = yield* accept(
      [],
      yield* historyQuery({ ...asked, status }),
    )
    const swaps = yield* Swaps
    const page = yield* swaps.history(yield* CurrentAccount, {
      ...query,
      limit,
      ...optionalMembers(
        Option.getOrUndefined(SwapRecordId.makeOption(offset ?? 0)),
        (offset) => ({ offset }),
      ),
    })
    const networks = yield* SwapNetworks
    const { shown } = yield* swaps.priced((priceAt) => {
      const setting = { ...networks, priceAt }
      return {
        swaps: page.records.map((record) => summaryOf(record, setting)),
        ...(detail === "full"
          ? { full: page.records.map((record) => encodeRecord(presentRecord(record, setting))) }
          : {}),
      }
    })
    return write({ ...shown, ...defined({ next: page.next }) })
  }),
}
