import { Effect, Schema } from "effect"
import { CurrentAccount } from "#api/Authorization.ts"
import { Guidance } from "#domain/swaps/Guidance.ts"
import { type JournalEntry, JournalNote } from "#domain/swaps/Journal.ts"
import { SwapState } from "#domain/swaps/Swap.ts"
import { toIsoDate } from "#domain/Time.ts"
import { Guide } from "#application/guidance/Guide.ts"
import { requestLanguage } from "../../requests/language.ts"
import { Journals } from "#application/swapping/Journals.ts"
import { answerBy, argumentsReader, type Asks, type Tool } from "../Tool.ts"
import { Swaps } from "#application/swapping/Swaps.ts"
import { SwapNetworks } from "#providers/SwapNetworks.ts"
import { findSwap, summaryOf, swapNames, SwapSummary, withoutForeignWords } from "./swapSummary.ts"

const input = Schema.Struct(swapNames)

const output = Schema.Struct({
  swap: SwapSummary,
  guidance: Guidance,
  journal: Schema.Array(Schema.Struct({
    at: Schema.String,
    what: Schema.String,
    state: Schema.optionalKey(SwapState),
  })).annotate({ description: "Newest first." }),
})

const write = answerBy(output, withoutForeignWords)
const read = argumentsReader(input)

/** The most entries that are told: the latest say most. */
const mostEntries = 20

const changes = {
  opened: "The deposit channel was opened",
  found: "The swap was found by its transaction",
  imported: "The swap is older than its journal",
  changed: "The provider reported something new",
  expired: "The channel takes no more deposits",
} as const

/** An entry in our words: what the provider wrote stays in the journal of the REST API. */
const lineOf = ({ at, note }: JournalEntry): (typeof output.Type)["journal"][number] => ({
  at: toIsoDate(at),
  ...JournalNote.$match(note, {
    Change: ({ kind, status }) => ({ what: changes[kind], state: status.state }),
    Contradiction: () => ({
      what: "The provider reported something that is not possible. Nothing was changed",
    }),
    Stall: () => ({
      what: "The swap has been in its state for longer than expected. The operator is informed",
    }),
  }),
})

export const explainSwap: Tool<Guide | Journals | Asks<typeof findSwap>> = {
  name: "explain_swap",
  title: "Explain a swap",
  description:
    "Why a swap waits, what the human can do, and what happened to it so far. Call it when they ask where their money is.",
  scope: "status",
  effects: "reads",
  input,
  output,
  perform: Effect.fnUntraced(function* (given) {
    const record = yield* findSwap(yield* read(given))
    const { items } = yield* (yield* Journals).page(yield* CurrentAccount, record.id, {
      limit: mostEntries,
      sort: "descending",
    })
    const guidance = yield* (yield* Guide).swap(record, yield* requestLanguage)
    const networks = yield* SwapNetworks
    const { shown } = yield* (yield* Swaps).priced((priceAt) => summaryOf(record, { ...networks, priceAt }))
    return write({ swap: shown, guidance, journal: items.map(lineOf) })
  }),
}
