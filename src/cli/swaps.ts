import { Effect, Schema } from "effect"
import { Argument, Command } from "effect/cli"
import type { JournalEntryBody } from "../api/JournalEntry.ts"
import { JournalBody } from "../api/Status.ts"
import type { ReindexedBody } from "../api/Providers.ts"
import type { AcceptedEndBody, MovedSwapBody } from "../api/OperatorBodies.ts"
import { JournalEntryId } from "../domain/Journal.ts"
import type { PageQuery } from "../domain/Page.ts"
import { SwapRecordId } from "../domain/SwapRecord.ts"
import { listSwaps } from "./business.ts"
import { OperatorClient, wholeList } from "./OperatorClient.ts"
import { type Cell, type Columns, print, table, timeCell } from "./output.ts"
import { account } from "./parameters.ts"
import { unknownOpenings } from "./unknownOpenings.ts"

type Status = NonNullable<JournalEntryBody["status"]>

/** A deposit or a payment: its amount and its transaction. */
const transfer = (of: Status["deposit"] | Status["swapEgress"]): Cell =>
  of === undefined ? undefined : [`${of.amountNative}`, of.transactionReference ?? ""].join(" ").trimEnd()

/** The characters of an upstream's body that are shown on a line; the JSON has all of it. */
const shown = 60

const columns: Columns<JournalEntryBody> = {
  entry: ({ id }) => `${id}`,
  at: ({ at }) => timeCell(at),
  what: ({ kind }) => kind,
  state: ({ status }) => status?.state,
  deposit: ({ status }) => transfer(status?.deposit),
  payment: ({ status }) => transfer(status?.swapEgress),
  refund: ({ status }) => transfer(status?.refundEgress),
  detail: ({ detail }) => detail,
  "upstream said": ({ upstreamBody }) => upstreamBody?.slice(0, shown),
}

const id = Argument.Int("id").pipe(
  Argument.withDescription("The id of a swap"),
  Argument.withSchema(SwapRecordId),
)

const encode = Schema.encodeSync(JournalBody)

const show = Command.make(
  "show",
  { id },
  Effect.fnUntraced(function* ({ id }) {
    const { operator } = yield* OperatorClient
    const journal = yield* wholeList(
      (query: PageQuery<JournalEntryId>) => operator.swapJournal({ params: { id: `${id}` }, query }),
      ({ id }) => id,
    )
    yield* print(encode(journal), table(columns, journal))
  }),
).pipe(
  Command.withDescription(
    "Print everything that happened to a swap, in order; amounts in native units. --json has what the upstream " +
      "said in full",
  ),
)

const columnsMoved: Columns<MovedSwapBody> = {
  swap: ({ id }) => `${id}`,
  account: ({ account }) => account,
}

const move = Command.make(
  "move",
  { id, account },
  Effect.fnUntraced(function* ({ account, id }) {
    const moved = yield* (yield* OperatorClient).operator.moveSwap({
      params: { id: `${id}` },
      payload: { account },
    })
    yield* print(moved, table(columnsMoved, [moved]))
  }),
).pipe(
  Command.withDescription(
    "Move a swap to another account: its history, deposits, commission and events go with it. For a swap without a " +
      "channel that counts as the wrong one's",
  ),
  Command.withExamples([{ command: "swaps move 42 wallet-one" }]),
)

const columnsAccepted: Columns<AcceptedEndBody> = {
  swap: ({ id }) => `${id}`,
  entry: ({ entry }) => `${entry}`,
}

const entry = Argument.Int("entry").pipe(
  Argument.withDescription("The entry of the swap's journal that tells the end, as `swaps show` numbers it"),
  Argument.withSchema(JournalEntryId),
)

const accept = Command.make(
  "accept",
  { id, entry },
  Effect.fnUntraced(function* ({ entry, id }) {
    const accepted = yield* (yield* OperatorClient).operator.acceptEnd({
      params: { id: `${id}` },
      payload: { entry },
    })
    yield* print(accepted, table(columnsAccepted, [accepted]))
  }),
).pipe(
  Command.withDescription(
    "Accept the end of a disputed swap as its provider tells it, once the payments were looked up on their chains",
  ),
  Command.withExamples([{ command: "swaps accept 42 4711" }]),
)

const columnsFound: Columns<ReindexedBody["found"][number]> = {
  asset: ({ asset }) => asset,
  symbol: ({ symbol }) => symbol,
  amount: ({ amountNative }) => amountNative,
}

const reindex = Command.make(
  "reindex",
  { id },
  Effect.fnUntraced(function* ({ id }) {
    const reindexed = yield* (yield* OperatorClient).providers.reindex(id)
    yield* print(
      reindexed,
      reindexed.found.length === 0 ? "The provider found nothing" : table(columnsFound, reindexed.found),
    )
  }),
).pipe(
  Command.withDescription(
    "Have the provider of a swap look again for deposits that it has overlooked (BROKER_URL); amounts in native units",
  ),
  Command.withExamples([{ command: "swaps reindex 42" }]),
)

/** `swaps …` */
export const swaps = Command.make("swaps").pipe(
  Command.withDescription("The swaps of all accounts"),
  Command.withSubcommands([listSwaps, unknownOpenings, show, accept, move, reindex]),
)
