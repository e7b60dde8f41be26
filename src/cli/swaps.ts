import { Effect, Option, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import * as Business from "#api/Business.ts"
import { JournalEntryBody } from "#api/JournalEntry.ts"
import { OperatorGroup } from "#api/Operator.ts"
import { AcceptedEndBody, mostListed, MovedSwapBody } from "#api/OperatorBodies.ts"
import { ProvidersGroup, ReindexedBody } from "#api/Providers.ts"
import { type AssetId, chainOf, factsOf } from "#domain/chains/Asset.ts"
import { CommissionKey } from "#domain/operations/Business.ts"
import { chainFacts } from "#domain/chains/Chain.ts"
import { UtcDay } from "#domain/money/Commission.ts"
import { listAmount } from "#domain/money/listAmount.ts"
import { JournalEntryId } from "#domain/swaps/Journal.ts"
import { statesUnderWay, type StateWord, stateWordOf, stateWords } from "#domain/swaps/StateWord.ts"
import { SwapResult } from "#domain/swaps/Swap.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { act, answers, givenOf, group, perform, rows, view } from "./act.ts"
import { CommandFailed } from "./failures.ts"
import { answerTo, asWritten, type Given, inOneList, readAs } from "./OperatorClient.ts"
import {
  amountCell,
  type Cell,
  type Columns,
  minuteText,
  print,
  table,
  timeCell,
  together,
} from "./output.ts"
import { account, choices, date, day, flagOf, limit, numberArgument, swapId, whose } from "./parameters.ts"

const { acceptEnd, moveSwap, swapJournal } = OperatorGroup.endpoints
const { accountsCommission, accountSwaps, channelCounts, openChannels } = Business.BusinessGroup.endpoints

type Status = NonNullable<JournalEntryBody["status"]>

/** A deposit or a payment: its amount and its transaction. */
const paid = (asset: AssetId, of: Status["deposit"] | Status["swapEgress"]): string | undefined =>
  of && together(
    amountCell(asset, of.amountNative),
    of.transactionReference && `transaction ${of.transactionReference}`,
  )

/** The deposit and the payments of a swap, by their names. */
const payments = (status: Status): ReadonlyArray<readonly [name: string, value: string | undefined]> => [
  ["Deposit", paid(status.sourceAsset, status.deposit)],
  ["Payout", paid(status.destinationAsset, status.swapEgress)],
  ["Fallback payout", paid(status.destinationAsset, status.fallbackEgress)],
  ["Refund", paid(status.sourceAsset, status.refundEgress)],
]

/** Those of an entry. */
const transfers = ({ status }: JournalEntryBody): Cell =>
  status && together(...payments(status).map(([name, value]) => value && `${name.toLowerCase()} ${value}`))

/** The characters of an upstream's body that are shown; the JSON has all of it. */
const shown = 20

/** An asset as people call it. */
const assetName = (asset: AssetId): string =>
  `${factsOf(asset).ticker} on ${chainFacts(chainOf(asset)).title}`

const journal = rows(JournalEntryBody, [
  ["entry", "id"],
  "at",
  ["event", "kind"],
  ["state", ({ status }) => status?.state],
  ["transfers", transfers],
  "detail",
  ["response", ({ upstreamBody }) => upstreamBody?.slice(0, shown)],
])

const wordOf = (
  { stalledSince, status: { depositChannel, result, state } }: Business.AccountSwapBody,
): StateWord =>
  stateWordOf({ state, result, isExpired: depositChannel?.isExpired, isStalled: stalledSince !== undefined })

/** An amount in a list of swaps, `8.4407 eth.eth`; before there is one, the asset alone. */
const brief = (asset: AssetId, of: Status["deposit"] | Status["swapEgress"]): string =>
  of === undefined ? asset : `${listAmount(asset, of.amountNative)} ${asset}`

const swapRows = rows(Business.AccountSwapBody, [
  "id",
  "account",
  ["provider", "platform"],
  ["state", wordOf],
  ["deposit", ({ status: { deposit, sourceAsset } }) => brief(sourceAsset, deposit)],
  ["payout", ({ status: { destinationAsset, swapEgress } }) => brief(destinationAsset, swapEgress)],
  ["created (UTC)", ({ createdAt }) => minuteText(createdAt)],
], "No swaps found")

const unknownRows = rows(Business.UnknownOpeningBody, [
  "id",
  "account",
  ["provider", "platform"],
  ["from", "sourceAsset"],
  ["to", "destinationAsset"],
  "createdAt",
  "reason",
], "No openings with an unknown outcome")

const asked = Business.AccountSwapsParameters.fields

/** The filters of the requests that together list the swaps of some words: filters of one request narrow each other. */
const filtersOf = (words: ReadonlyArray<StateWord>): ReadonlyArray<Given> => {
  const [states, results] = [statesUnderWay, SwapResult.literals].map((all) =>
    all.filter((word) => words.includes(word))
  )
  const has = (word: StateWord, filter: Given) => words.includes(word) ? [filter] : []
  return [
    ...(states?.length ? [{ status: states }] : []),
    ...(results?.length ? [{ result: results }] : []),
    ...has("waiting", { status: ["waiting"], expired: "false" }),
    ...has("expired", { status: ["waiting"], expired: "true" }),
    ...has("stalled", { stalled: "true" }),
    ...has("disputed", { disputed: "true" }),
  ]
}

const onlyUnknown = new CommandFailed({
  kind: "usage",
  detail: "--state unknown lists openings without a swap. Use it alone, or run cli swaps unknown",
})

const list = Command.make(
  "list",
  {
    ...whose,
    words: choices("state", "States, separated by commas; by default all", stateWords),
    asset: flagOf("asset", asked.asset),
    sourceAsset: flagOf("source", asked.sourceAsset),
    destinationAsset: flagOf("destination", asked.destinationAsset),
    createdFrom: date("from", "Only swaps created at this day or time or later, such as 2030-01-31"),
    createdBefore: date("until", "Only swaps created before this day or time"),
    stalled: Flag.Boolean("stalled").pipe(
      Flag.withDescription("Only stalled swaps, or (--no-stalled) only others"),
      Flag.optional,
    ),
    find: flagOf("find", asked.find),
    sort: Flag.Boolean("ascending").pipe(
      Flag.withDescription("List the oldest swaps at the top"),
      Flag.withDefault(false),
      Flag.map((isOn) => isOn ? "ascending" : "descending"),
    ),
    limit: limit("swaps"),
  },
  Effect.fnUntraced(function* ({ words: wanted, ...flags }) {
    const words = Option.getOrElse(wanted, (): ReadonlyArray<StateWord> => [])
    const given = givenOf(flags)
    if (words.includes("unknown")) {
      if (words.length > 1) return yield* onlyUnknown
      const { sort: _, ...others } = given
      return yield* perform(accountSwaps, { ...others, opening: "unknown" }, unknownRows, flags.limit)
    }
    const filters = words.length === 0 ? [{}] : filtersOf(words)
    const texts = yield* Effect.forEach(
      filters,
      (filter) => answerTo(accountSwaps, { ...given, ...filter }, flags.limit),
    )
    const text = yield* inOneList(texts, flags.sort === "ascending", flags.limit)
    yield* print(yield* asWritten(text), yield* swapRows(text))
  }),
).pipe(
  Command.withDescription("List the swaps of all accounts, newest first"),
  Command.withExamples([
    { command: "swaps list --account wallet-one --state failed,sending" },
    { command: "swaps list --state refunded,partlyRefunded" },
    { command: "swaps list --find 0x2222222222222222222222222222222222222222" },
  ]),
  answers(accountSwaps),
)

const unknown = act("unknown", accountSwaps, {
  takes: { ...whose, limit: limit("openings") },
  always: { opening: "unknown" },
  shows: unknownRows,
  about: "List the openings with an unknown outcome, newest first",
})

/** The head above a swap's timeline: its guidance with the advice, then its facts. */
const headOf = ({ account, guidance, id, platform, status, ...swap }: Business.AccountSwapBody): string => {
  const {
    depositChannel,
    destinationAddress,
    destinationAsset,
    fillOrKillParams,
    result,
    sourceAsset,
    state,
  } = status
  const lines: ReadonlyArray<readonly [name: string, value: string | undefined]> = [
    ["Swap", `${id}, ${wordOf({ account, id, platform, status, ...swap })}`],
    ["State", together(state, result && `result ${result}`, timeCell(swap.stalledSince, "stalled since "))],
    ["Account", account],
    ["Provider", platform],
    ["Pair", `${assetName(sourceAsset)} to ${assetName(destinationAsset)}`],
    ...payments(status),
    ["Deposit address", depositChannel?.depositAddress],
    ["Destination address", destinationAddress],
    ["Refund address", fillOrKillParams?.refundAddress],
  ]
  return [
    ...(guidance === undefined ? [] : [guidance.text, ...guidance.whatYouCanDo, ""]),
    ...lines.flatMap(([name, value]) => value === undefined ? [] : [`${`${name}:`.padEnd(21)}${value}`]),
  ].join("\n")
}

const readSwaps = readAs(Schema.Array(Business.AccountSwapBody))

/** A swap and the text of its timeline; the swap is absent where it is not listed. */
export const swapWithJournal = Effect.fnUntraced(function* (id: number) {
  const text = yield* answerTo(swapJournal, { id, limit: mostListed })
  // A list of one swap has its guidance.
  const found = yield* readSwaps(yield* answerTo(accountSwaps, { offset: id, limit: 1 }, 1))
  return { text, swap: found.find((one) => one.id === id) }
})

const show = Command.make(
  "show",
  { id: swapId },
  Effect.fnUntraced(function* ({ id }) {
    const { swap, text } = yield* swapWithJournal(id)
    const head = swap === undefined ? [] : [headOf(swap)]
    yield* print(yield* asWritten(text), [...head, yield* journal(text)].join("\n\n"))
  }),
).pipe(
  Command.withDescription(
    "Print the state and facts of a swap, then its timeline. --json has the provider's responses in full",
  ),
  answers(swapJournal),
)

const foundColumns: Columns<ReindexedBody["found"][number]> = [
  "symbol",
  [
    "amount",
    ({ amountNative, asset }) => asset === undefined ? amountNative : amountCell(asset, BigInt(amountNative)),
  ],
]

export const swaps = group("swaps", "The swaps of all accounts", [
  list,
  unknown,
  show,
  act("accept", acceptEnd, {
    takes: {
      id: swapId,
      entry: numberArgument(
        "entry",
        "The timeline entry with the result, as `swaps show` prints it",
        JournalEntryId,
      ),
    },
    shows: rows(AcceptedEndBody, [["swap", "id"], "entry"]),
    about: "Accept the provider's result of a disputed swap. Check the payments on their chains first",
    examples: ["swaps accept 42 4711"],
  }),
  act("move", moveSwap, {
    takes: { id: swapId, account },
    shows: rows(MovedSwapBody, [["swap", "id"], "account"]),
    about:
      "Move a swap to another account, with its timeline, commission and events. For a transaction that was credited to " +
      "the wrong account",
    examples: ["swaps move 42 wallet-one"],
  }),
  act("reindex", ProvidersGroup.endpoints.reindexSwap, {
    takes: { id: swapId },
    shows: view(
      ReindexedBody,
      ({ found }) =>
        found.length === 0 ? "The provider found no missed deposits" : table(foundColumns, found),
    ),
    about: "Ask the provider to look for missed deposits of a swap. Needs a running service (BROKER_URL)",
    examples: ["swaps reindex 42"],
  }),
])

const sumColumns: Columns<typeof Business.CommissionSumBody.Type> = [
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
  Business.CommissionSumsBody,
  ({ from, sums, to }) => sums.length === 0 ? `No commission from ${from} to ${to}` : table(sumColumns, sums),
)

const millisPerDay = 86_400_000

const dayOf = (millis: number) => UtcDay.make(new Date(millis).toISOString().slice(0, 10))

export const commission = Command.make(
  "commission",
  {
    from: day("from", "First day (UTC), such as 2030-01-01; by default 29 days before the last"),
    to: day("to", "Last day (UTC), included; by default today"),
    by: choices(
      "by",
      "How to group the sums, separated by commas; by default account",
      CommissionKey.literals,
    ),
    ...whose,
    asset: flagOf("asset", Business.CommissionSumsParameters.fields.asset),
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

const channelRows = rows(Business.OpenChannelBody, [
  ["swap", "id"],
  ["account, provider", ({ account, platform }) => together(account, platform)],
  "channel",
  ["pair", ({ destinationAsset, sourceAsset }) => `${sourceAsset} to ${destinationAsset}`],
  ["address", "depositAddress"],
  "state",
  "expiresAt",
], noChannel)

const counts = rows(
  Business.ChannelCountBody,
  ["account", ["provider", "platform"], "channels", "unknown"],
  noChannel,
)

export const channels = Command.make(
  "channels",
  {
    ...whose,
    limit: limit("channels"),
    counts: Flag.Boolean("counts").pipe(
      Flag.withDescription("Print only the number of channels, by account and provider"),
      Flag.withDefault(false),
    ),
  },
  ({ counts: isCounted, ...flags }) =>
    isCounted
      ? perform(channelCounts, {}, counts)
      : perform(openChannels, givenOf(flags), channelRows, flags.limit),
).pipe(
  Command.withDescription("List the open deposit channels of all accounts, oldest at the top"),
  answers(openChannels, channelCounts),
)
