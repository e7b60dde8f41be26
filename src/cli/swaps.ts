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
import { type AssetId, chainOf, factsOf } from "../domain/Asset.ts"
import { CommissionKey } from "../domain/Business.ts"
import { chainFacts } from "../domain/Chain.ts"
import { UtcDay } from "../domain/Commission.ts"
import { JournalEntryId } from "../domain/Journal.ts"
import { SwapState } from "../domain/Swap.ts"
import { currentMillis } from "../platform/currentMillis.ts"
import { act, answers, givenOf, perform, rows, view } from "./act.ts"
import { amountCell, type Cell, type Columns, table, timeCell, together } from "./output.ts"
import { account, choices, date, day, flagOf, limit, swapId, whose } from "./parameters.ts"

const { acceptEnd, moveSwap, swapJournal } = OperatorGroup.endpoints
const { accountsCommission, accountSwaps, channelCounts, openChannels } = BusinessGroup.endpoints

type Status = NonNullable<JournalEntryBody["status"]>

/** A deposit or a payment with its name: its amount and its transaction. */
const transfer = (
  name: string,
  asset: AssetId,
  of: Status["deposit"] | Status["swapEgress"],
): string | undefined =>
  of === undefined
    ? undefined
    : `${name} ${[amountCell(asset, of.amountNative), of.transactionReference ?? ""].join(" ").trimEnd()}`

/** What came and what was paid. */
const transfers = ({ status }: JournalEntryBody): Cell =>
  status === undefined ? undefined : together(
    transfer("deposit", status.sourceAsset, status.deposit),
    transfer("payment", status.destinationAsset, status.swapEgress),
    transfer("fallback", status.destinationAsset, status.fallbackEgress),
    transfer("refund", status.sourceAsset, status.refundEgress),
  )

/** The characters of an upstream's body that are shown; the JSON has all of it. */
const shown = 20

/** An asset as people call it. */
const assetName = (asset: AssetId): string =>
  `${factsOf(asset).ticker} on ${chainFacts(chainOf(asset)).title}`

const journal = rows(JournalEntryBody, [
  ["entry", "id"],
  "at",
  ["what", "kind"],
  ["state", ({ status }) => status?.state],
  ["transfers", transfers],
  "detail",
  ["provider's answer", ({ upstreamBody }) => upstreamBody?.slice(0, shown)],
])

const swapRows = rows(AccountSwapBody, [
  "id",
  "account",
  ["provider", "platform"],
  ["state", ({ status }) => status.state],
  [
    "deposit",
    ({ status: { deposit, sourceAsset } }) =>
      deposit === undefined ? assetName(sourceAsset) : amountCell(sourceAsset, deposit.amountNative),
  ],
  [
    "payout",
    ({ status: { destinationAsset, refundEgress, sourceAsset, swapEgress } }) =>
      together(
        amountCell(destinationAsset, swapEgress?.amountNative),
        transfer("refund", sourceAsset, refundEgress),
      ) || assetName(destinationAsset),
  ],
  [
    "created",
    ({ createdAt, stalledSince }) => together(timeCell(createdAt), timeCell(stalledSince, "stalled since ")),
  ],
], "No swaps found")

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
      Flag.withDescription("Only swaps that are stalled, or (--no-stalled) only others"),
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
  about: "List the swaps of all accounts, the latest first",
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
  about: "List the openings of all accounts whose outcome is unknown, the latest first",
})

const foundColumns: Columns<ReindexedBody["found"][number]> = [
  "symbol",
  [
    "amount",
    ({ amountNative, asset }) => asset === undefined ? amountNative : amountCell(asset, BigInt(amountNative)),
  ],
]

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
      about: "Print everything that happened to a swap, in order. --json has the provider's answers in full",
    }),
    act("accept", acceptEnd, {
      takes: {
        id: swapId,
        entry: Argument.Int("entry").pipe(
          Argument.withDescription(
            "The number of the journal entry with the end, as `swaps show` prints it",
          ),
          Argument.withSchema(JournalEntryId),
        ),
      },
      shows: rows(AcceptedEndBody, [["swap", "id"], "entry"]),
      about:
        "Accept the end that the provider reports for a disputed swap, after you have checked its payments on their chains",
      examples: ["swaps accept 42 4711"],
    }),
    act("move", moveSwap, {
      takes: { id: swapId, account },
      shows: rows(MovedSwapBody, [["swap", "id"], "account"]),
      about:
        "Move a swap to another account, with its history, deposits, commission and events. For a swap without a channel " +
        "that was credited to the wrong account",
      examples: ["swaps move 42 wallet-one"],
    }),
    act("reindex", ProvidersGroup.endpoints.reindexSwap, {
      takes: { id: swapId },
      shows: view(
        ReindexedBody,
        ({ found }) => found.length === 0 ? "The provider found nothing" : table(foundColumns, found),
      ),
      about: "Ask the provider of a swap to look again for deposits that it has missed (BROKER_URL)",
      examples: ["swaps reindex 42"],
    }),
  ]),
)

const sumColumns: Columns<typeof CommissionSumBody.Type> = [
  "day",
  ["account, provider", ({ account, platform }) => together(account, platform)],
  [
    "received",
    ({ amountNative, asset, isEstimate }) =>
      `${isEstimate ? "about " : ""}${amountCell(asset, amountNative)}`,
  ],
  ["kept", ({ asset, keptNative }) => amountCell(asset, keptNative)],
  ["charged", ({ asset, chargedNative }) => amountCell(asset, chargedNative)],
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
      "What to group the sums by, with commas; account when not given",
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
  Command.withDescription("Sum the commission that accounts have earned"),
  Command.withExamples([{ command: "commission --from 2030-01-01 --to 2030-01-31 --by account,platform" }]),
  answers(accountsCommission),
)

const noChannel = "No channel is open"

const channelRows = rows(OpenChannelBody, [
  ["swap", "id"],
  ["account, provider", ({ account, platform }) => together(account, platform)],
  "channel",
  ["pair", ({ destinationAsset, sourceAsset }) => `${sourceAsset} to ${destinationAsset}`],
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
      Flag.withDescription("Print only how many there are, by account and provider"),
      Flag.withDefault(false),
    ),
  },
  ({ counts: isCounted, ...flags }) =>
    isCounted
      ? perform(channelCounts, {}, counts)
      : perform(openChannels, givenOf(flags), channelRows, flags.limit),
).pipe(
  Command.withDescription("List the open deposit channels of all accounts, the oldest first"),
  answers(openChannels, channelCounts),
)
