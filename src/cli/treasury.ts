import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import type { TreasuryBody, WithdrawalBody, WithdrawalStoryBody } from "../api/TreasuryBodies.ts"
import { assetIds } from "../domain/Asset.ts"
import { formatDecimal } from "../domain/Decimal.ts"
import { IdempotencyKey } from "../domain/Idempotency.ts"
import { WithdrawalId, WithdrawalVerdict } from "../domain/Withdrawal.ts"
import { formatUnits } from "../domain/Amount.ts"
import { OperatorClient, wholeList } from "./OperatorClient.ts"
import { type Columns, print, table, timeCell } from "./output.ts"

const provider = Argument.String("provider").pipe(Argument.withDescription("Name of a provider"))

const asset = Argument.Literals("asset", assetIds).pipe(
  Argument.withDescription("Asset, such as usdc.eth"),
)

const reason = Flag.String("reason").pipe(Flag.withDescription("Why; it stays in the audit log"))

/** Makes it safe to send an order again. */
export const keyFlag = Flag.String("key").pipe(
  Flag.withDescription(
    "Idempotency-Key of the order: sent again with it, the order is answered and not repeated",
  ),
  Flag.withSchema(IdempotencyKey.annotate({ message: "must be 1 to 255 printable ASCII characters" })),
  Flag.optional,
)

/** The headers of an order. */
export const headersOf = (key: Option.Option<IdempotencyKey>) => ({
  headers: Option.match(key, { onNone: () => ({}), onSome: (key) => ({ "idempotency-key": key }) }),
})

interface AssetRow {
  readonly of: TreasuryBody
  readonly asset: TreasuryBody["assets"][number]
}

const assetColumns: Columns<AssetRow> = {
  provider: ({ of }) => of.provider,
  asset: ({ asset }) => asset.asset,
  earned: ({ asset }) => asset.earned === undefined ? undefined : formatDecimal(asset.earned),
  "of affiliates": ({ asset: { ofAffiliates } }) =>
    ofAffiliates === undefined ? undefined : formatDecimal(ofAffiliates),
  ledger: ({ asset }) => formatDecimal(asset.ledger),
  difference: ({ asset }) => asset.difference === undefined ? undefined : formatDecimal(asset.difference),
  "mismatch since": ({ asset }) => timeCell(asset.mismatchSince),
  withdrawn: ({ asset }) => formatDecimal(asset.withdrawn),
}

const fundsOf = ({ funds }: TreasuryBody): ReadonlyArray<string> => {
  if (funds === undefined) return []
  const { asset, bond, free, openings, redeemable, takers } = funds
  const channels = openings.map(({ chain, channels }) => `${chain} ${channels ?? "any"}`).join(", ")
  return [
    `  ${formatDecimal(free)} ${asset} free, ${formatDecimal(bond)} bond, ${
      formatDecimal(redeemable)
    } redeemable`,
    `  channels that it pays for: ${channels === "" ? "unknown" : channels}`,
    `  opened of late by: ${
      takers.length === 0 ? "nobody" : takers.map((taker) => `${taker.account} ${taker.channels}`).join(", ")
    }`,
  ]
}

const standingOf = (of: TreasuryBody): string =>
  [
    `${of.provider}: ${of.account ?? "never seen"}${
      of.lookedAt === undefined ? "" : `, seen ${timeCell(of.lookedAt)}`
    }`,
    ...(of.failure === undefined ? [] : [`  not seen ${timeCell(of.failure.at)}: ${of.failure.reason}`]),
    ...(of.withdrawalsEnabled === false ? ["  the provider pays no withdrawals out for now"] : []),
    ...(of.inSync === false ? ["  its node is behind"] : []),
    ...(of.boundAddress === undefined
      ? []
      : [`  bound to ${of.boundAddress.address} on ${of.boundAddress.chain}`]),
    ...(of.notCompared === undefined ? [] : [`  not compared: ${of.notCompared}`]),
    ...fundsOf(of),
  ].join("\n")

const printTreasury = (all: ReadonlyArray<TreasuryBody>) => {
  const rows = all.flatMap((of) => of.assets.map((asset) => ({ of, asset })))
  const none = "No account of yours is known: only a running service can ask for them (BROKER_URL)"
  return print(
    all.map((of) => ({ ...of })),
    all.length === 0
      ? none
      : [...all.map(standingOf), ...(rows.length === 0 ? [] : [table(assetColumns, rows)])].join("\n"),
  )
}

/** `treasury` */
export const treasury = Command.make(
  "treasury",
  {},
  Effect.fnUntraced(function* () {
    yield* printTreasury(yield* (yield* OperatorClient).treasury.treasury())
  }),
).pipe(
  Command.withDescription(
    "Your account at each provider: what was earned, what the ledger says, what openings are paid from",
  ),
)

const amount = Argument.String("amount").pipe(
  Argument.withDescription(
    "Amount in the asset's smallest unit; negative where there is less than the ledger says",
  ),
)

/** `enter …` */
export const enter = Command.make(
  "enter",
  { provider, asset, amount, reason },
  Effect.fnUntraced(function* ({ amount, ...entry }) {
    const { treasuryOrders } = yield* OperatorClient
    yield* printTreasury(yield* treasuryOrders.enter({ payload: { ...entry, amountNative: amount } }))
  }),
).pipe(
  Command.withDescription("Enter into the ledger what it does not know of, for ever"),
  Command.withExamples([{ command: "enter chainflip usdc.eth 1500000 --reason 'fees of another service'" }]),
)

const withdrawalColumns: Columns<WithdrawalBody> = {
  id: ({ id }) => id,
  at: ({ requestedAt }) => timeCell(requestedAt),
  provider: ({ provider }) => provider,
  asset: ({ asset }) => asset,
  affiliate: ({ affiliate }) => affiliate,
  state: ({ isContradicted, state }) => isContradicted ? `${state}, contradicted` : state,
  amount: ({ amountNative, asset, earnedNative }) => formatUnits(asset, amountNative ?? earnedNative),
  to: ({ destination }) => destination,
  transaction: ({ paymentTransaction }) => paymentTransaction,
  detail: ({ detail }) => detail,
}

/** Prints withdrawals. */
export const printWithdrawals = (withdrawals: ReadonlyArray<WithdrawalBody>) =>
  print(
    withdrawals.map((one) => ({ ...one })),
    withdrawals.length === 0 ? "No withdrawal" : table(withdrawalColumns, withdrawals),
  )

/** `withdraw …` */
export const withdraw = Command.make(
  "withdraw",
  { provider, asset, key: keyFlag },
  Effect.fnUntraced(function* ({ key, ...payload }) {
    const { treasuryOrders } = yield* OperatorClient
    yield* printWithdrawals([yield* treasuryOrders.withdraw({ payload, ...headersOf(key) })])
  }),
).pipe(
  Command.withDescription(
    "Withdraw all that was earned in an asset, to the address of the service's settings or the bound one " +
      "(BROKER_URL, and a key with the scope withdraw)",
  ),
  Command.withExamples([{ command: "withdraw chainflip usdc.eth" }]),
)

const id = Argument.Int("id").pipe(
  Argument.withDescription("Id of a withdrawal"),
  Argument.withSchema(WithdrawalId),
)

const list = Command.make(
  "list",
  {},
  Effect.fnUntraced(function* () {
    const client = yield* OperatorClient
    yield* printWithdrawals(
      yield* wholeList(
        (query: { readonly offset?: number; readonly limit: number }) =>
          client.treasury.withdrawals({ query }),
        ({ id }): number => id,
      ),
    )
  }),
).pipe(Command.withDescription("List the withdrawals, the latest first"))

const stepColumns: Columns<WithdrawalStoryBody["steps"][number]> = {
  at: ({ at }) => timeCell(at),
  state: ({ state }) => state,
  detail: ({ detail }) => detail,
}

const show = Command.make(
  "show",
  { id },
  Effect.fnUntraced(function* ({ id }) {
    const story = yield* (yield* OperatorClient).treasury.withdrawal({ params: { id: `${id}` } })
    yield* print({ ...story }, `${table(withdrawalColumns, [story])}\n\n${table(stepColumns, story.steps)}`)
  }),
).pipe(Command.withDescription("Print everything that happened to a withdrawal"))

const outcome = Argument.Literals("outcome", WithdrawalVerdict.literals).pipe(
  Argument.withDescription("paid: it was ordered and has arrived; failed: it was not, or never arrives"),
)

const decide = Command.make(
  "decide",
  { id, outcome, reason },
  Effect.fnUntraced(function* ({ id, ...payload }) {
    const { treasuryOrders } = yield* OperatorClient
    yield* printWithdrawals([yield* treasuryOrders.decide({ params: { id: `${id}` }, payload })])
  }),
).pipe(
  Command.withDescription("Say what became of a withdrawal that nobody else can tell of"),
  Command.withExamples([{ command: "withdrawals decide 7 failed --reason 'no such extrinsic'" }]),
)

/** `withdrawals …` */
export const withdrawals = Command.make("withdrawals").pipe(
  Command.withDescription("What was withdrawn, and what became of it"),
  Command.withSubcommands([list, show, decide]),
)
