import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import {
  AccountSwapBody,
  AccountSwapsParameters,
  BusinessGroup,
  ChannelCountBody,
  CommissionSumBody,
  CommissionSumsBody,
  CommissionSumsParameters,
  OpenChannelBody,
  UnknownOpeningBody,
} from "../api/Business.ts"
import { JournalEntryBody } from "../api/JournalEntry.ts"
import { OperatorGroup } from "../api/Operator.ts"
import { AcceptedEndBody, mostListed, MovedSwapBody } from "../api/OperatorBodies.ts"
import { ProvidersGroup, ReindexedBody } from "../api/Providers.ts"
import { CommissionKey } from "../domain/Business.ts"
import { UtcDay } from "../domain/Commission.ts"
import { JournalEntryId } from "../domain/Journal.ts"
import { SwapState } from "../domain/Swap.ts"
import { currentMillis } from "../platform/currentMillis.ts"
import { act, givenOf, perform, rows, view } from "./act.ts"
import { type Cell, type Columns, table } from "./output.ts"
import { account, choices, date, day, flagOf, limit, swapId, whose } from "./parameters.ts"

const { acceptEnd, moveSwap, swapJournal } = OperatorGroup.endpoints
const { accountsCommission, accountSwaps, channelCounts, openChannels } = BusinessGroup.endpoints

type Status = NonNullable<JournalEntryBody["status"]>

/** A deposit or a payment: its amount and its transaction. */
const transfer = (of: Status["deposit"] | Status["swapEgress"]): Cell =>
  of === undefined ? undefined : [`${of.amountNative}`, of.transactionReference ?? ""].join(" ").trimEnd()

/** The characters of an upstream's body that are shown on a line; the JSON has all of it. */
const shown = 60

const journal = rows(JournalEntryBody, [
  ["entry", "id"],
  "at",
  ["what", "kind"],
  ["state", ({ status }) => status?.state],
  ["deposit", ({ status }) => transfer(status?.deposit)],
  ["payment", ({ status }) => transfer(status?.swapEgress)],
  ["refund", ({ status }) => transfer(status?.refundEgress)],
  "detail",
  ["upstream said", ({ upstreamBody }) => upstreamBody?.slice(0, shown)],
])

const swapRows = rows(AccountSwapBody, [
  "id",
  "account",
  ["provider", "platform"],
  ["state", ({ status }) => status.state],
  ["from", ({ status }) => status.sourceAsset],
  ["deposit", ({ status }) => status.deposit?.amountNative],
  ["to", ({ status }) => status.destinationAsset],
  ["payment", ({ status }) => status.swapEgress?.amountNative],
  ["refund", ({ status }) => status.refundEgress?.amountNative],
  "createdAt",
  "stalledSince",
], "No swap fits")

const asked = AccountSwapsParameters.fields

const list = act("list", accountSwaps, {
  takes: {
    ...whose,
    status: choices("state", "States with commas between them; all when not given", SwapState.literals),
    asset: flagOf("asset", asked.asset),
    sourceAsset: flagOf("source", asked.sourceAsset),
    destinationAsset: flagOf("destination", asked.destinationAsset),
    createdFrom: date("from", "The first day or time of those listed, such as 2030-01-31"),
    createdBefore: date("until", "The day or time before which those listed were recorded"),
    stalled: Flag.Boolean("stalled").pipe(
      Flag.withDescription("Only those that stay in their state for too long, or (--no-stalled) only others"),
      Flag.optional,
    ),
    find: flagOf("find", asked.find),
    sort: Flag.Boolean("ascending").pipe(
      Flag.withDescription("The oldest first"),
      Flag.withDefault(false),
      Flag.map((isOn) => isOn ? "ascending" : "descending"),
    ),
    limit: limit("swaps"),
  },
  shows: swapRows,
  about: "List the swaps of all accounts, the latest first; amounts in native units",
  examples: [
    "swaps list --account wallet-one --state failed,sending",
    "swaps list --find 0x2222222222222222222222222222222222222222",
  ],
})

const unknown = act("unknown", accountSwaps, {
  takes: { ...whose, limit: limit("openings") },
  always: { opening: "unknown" },
  shows: rows(UnknownOpeningBody, [
    "id",
    "account",
    ["provider", "platform"],
    ["from", "sourceAsset"],
    ["to", "destinationAsset"],
    "createdAt",
    "reason",
  ], "The outcome of every opening is known"),
  about: "List the openings of all accounts of which nobody knows what came of them, the latest first",
})

const foundColumns: Columns<ReindexedBody["found"][number]> = ["asset", "symbol", ["amount", "amountNative"]]

/** `swaps …` */
export const swaps = Command.make("swaps").pipe(
  Command.withDescription("The swaps of all accounts"),
  Command.withSubcommands([
    list,
    unknown,
    act("show", swapJournal, {
      takes: { id: swapId },
      always: { limit: mostListed },
      shows: journal,
      about:
        "Print everything that happened to a swap, in order; amounts in native units. --json has what the upstream " +
        "said in full",
    }),
    act("accept", acceptEnd, {
      takes: {
        id: swapId,
        entry: Argument.Int("entry").pipe(
          Argument.withDescription(
            "The entry of the swap's journal that tells the end, as `swaps show` numbers it",
          ),
          Argument.withSchema(JournalEntryId),
        ),
      },
      shows: rows(AcceptedEndBody, [["swap", "id"], "entry"]),
      about:
        "Accept the end of a disputed swap as its provider tells it, once the payments were looked up on their chains",
      examples: ["swaps accept 42 4711"],
    }),
    act("move", moveSwap, {
      takes: { id: swapId, account },
      shows: rows(MovedSwapBody, [["swap", "id"], "account"]),
      about:
        "Move a swap to another account: its history, deposits, commission and events go with it. For a swap without a " +
        "channel that counts as the wrong one's",
      examples: ["swaps move 42 wallet-one"],
    }),
    act("reindex", ProvidersGroup.endpoints.reindexSwap, {
      takes: { id: swapId },
      shows: view(
        ReindexedBody,
        ({ found }) => found.length === 0 ? "The provider found nothing" : table(foundColumns, found),
      ),
      about:
        "Have the provider of a swap look again for deposits that it has overlooked (BROKER_URL); amounts in native units",
      examples: ["swaps reindex 42"],
    }),
  ]),
)

const sumColumns: Columns<typeof CommissionSumBody.Type> = [
  "day",
  "account",
  ["provider", "platform"],
  "asset",
  ["received", ({ amountNative, isEstimate }) => isEstimate ? `about ${amountNative}` : amountNative],
  ["kept", "keptNative"],
  ["charged", "chargedNative"],
  "swaps",
]

const sums = view(
  CommissionSumsBody,
  ({ from, sums, to }) =>
    sums.length === 0 ? `Nothing was earned from ${from} to ${to}` : table(sumColumns, sums),
)

const millisPerDay = 86_400_000

const dayOf = (millis: number) => UtcDay.make(new Date(millis).toISOString().slice(0, 10))

/** `commission` */
export const commission = Command.make(
  "commission",
  {
    from: day("from", "First day (UTC), such as 2030-01-01; 29 days before the last one when not given"),
    to: day("to", "Last day (UTC), itself included; today when not given"),
    by: choices(
      "by",
      "What sums are told apart by, with commas; account when not given",
      CommissionKey.literals,
    ),
    ...whose,
    asset: flagOf("asset", CommissionSumsParameters.fields.asset),
  },
  Effect.fnUntraced(function* (flags) {
    const { to = dayOf(yield* currentMillis), ...given } = givenOf(flags)
    const from = dayOf(Date.parse(`${to}`) - 29 * millisPerDay)
    yield* perform(accountsCommission, { from, to, ...given }, sums)
  }),
).pipe(
  Command.withDescription("Sum the commission that accounts have earned; amounts in native units"),
  Command.withExamples([{ command: "commission --from 2030-01-01 --to 2030-01-31 --by account,platform" }]),
)

const noChannel = "No channel is open"

const channelRows = rows(OpenChannelBody, [
  ["swap", "id"],
  "account",
  ["provider", "platform"],
  "channel",
  ["from", "sourceAsset"],
  ["to", "destinationAsset"],
  ["address", "depositAddress"],
  "state",
  "expiresAt",
], noChannel)

const counts = rows(
  ChannelCountBody,
  ["account", ["provider", "platform"], "channels", "unknown"],
  noChannel,
)

/** `channels` */
export const channels = Command.make(
  "channels",
  {
    ...whose,
    limit: limit("channels"),
    counts: Flag.Boolean("counts").pipe(
      Flag.withDescription("How many there are by account and provider, instead of each"),
      Flag.withDefault(false),
    ),
  },
  ({ counts: isCounted, ...flags }) =>
    isCounted
      ? perform(channelCounts, {}, counts)
      : perform(openChannels, givenOf(flags), channelRows, flags.limit),
).pipe(Command.withDescription("List the open deposit channels of all accounts, the oldest first"))
