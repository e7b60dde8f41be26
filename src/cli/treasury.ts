import { Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { mostListed } from "../api/OperatorBodies.ts"
import { TreasuryGroup, TreasuryOrdersGroup } from "../api/Treasury.ts"
import {
  AffiliateBody,
  NewAffiliateBody,
  TreasuryBody,
  WithdrawalBody,
  WithdrawalStoryBody,
} from "../api/TreasuryBodies.ts"
import { formatUnits } from "../domain/Amount.ts"
import { AffiliateName } from "../domain/Affiliate.ts"
import { formatDecimal } from "../domain/Decimal.ts"
import { WithdrawalId, WithdrawalVerdict } from "../domain/Withdrawal.ts"
import { act, rows, view } from "./act.ts"
import { type Columns, table, timeCell } from "./output.ts"
import { argument, assetArgument, flagOf, orderKey } from "./parameters.ts"

const orders = TreasuryOrdersGroup.endpoints
const { affiliates: allAffiliates, treasury: all, withdrawal, withdrawals: allWithdrawals } =
  TreasuryGroup.endpoints

const provider = argument("provider", "Name of a provider", Schema.String)

const reason = Flag.String("reason").pipe(Flag.withDescription("Why; it stays in the audit log"))

interface AssetRow {
  readonly of: TreasuryBody
  readonly asset: TreasuryBody["assets"][number]
}

const decimal = (value: Parameters<typeof formatDecimal>[0] | undefined) =>
  value === undefined ? undefined : formatDecimal(value)

const assetColumns: Columns<AssetRow> = [
  ["provider", ({ of }) => of.provider],
  ["asset", ({ asset }) => asset.asset],
  ["earned", ({ asset }) => decimal(asset.earned)],
  ["of affiliates", ({ asset }) => decimal(asset.ofAffiliates)],
  ["ledger", ({ asset }) => decimal(asset.ledger)],
  ["difference", ({ asset }) => decimal(asset.difference)],
  ["mismatch since", ({ asset }) => timeCell(asset.mismatchSince)],
  ["withdrawn", ({ asset }) => decimal(asset.withdrawn)],
]

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

const noAccount = "No account of yours is known: only a running service can ask for them (BROKER_URL)"

const standing = view(Schema.Array(TreasuryBody), (all) => {
  if (all.length === 0) return noAccount
  const rows = all.flatMap((of) => of.assets.map((asset) => ({ of, asset })))
  return [...all.map(standingOf), ...(rows.length === 0 ? [] : [table(assetColumns, rows)])].join("\n")
})

/** `treasury` */
export const treasury = act("treasury", all, {
  shows: standing,
  about: "Your account at each provider: what was earned, what the ledger says, what openings are paid from",
})

/** `enter …` */
export const enter = act("enter", orders.enter, {
  takes: {
    provider,
    asset: assetArgument,
    amountNative: argument(
      "amount",
      "Amount in the asset's smallest unit; negative where there is less than the ledger says",
      Schema.String,
    ),
    reason,
  },
  shows: standing,
  about: "Enter into the ledger what it does not know of, for ever",
  examples: ["enter chainflip usdc.eth 1500000 --reason 'fees of another service'"],
})

const columns: Columns<WithdrawalBody> = [
  "id",
  ["at", "requestedAt"],
  "provider",
  "asset",
  "affiliate",
  ["state", ({ isContradicted, state }) => isContradicted ? `${state}, contradicted` : state],
  [
    "amount",
    ({ amountNative, asset, earnedNative }) => formatUnits(asset, amountNative ?? earnedNative),
  ],
  ["to", "destination"],
  ["transaction", "paymentTransaction"],
  "detail",
]

const withdrawalRows = rows(WithdrawalBody, columns, "No withdrawal")

/** `withdraw …` */
export const withdraw = act("withdraw", orders.withdraw, {
  takes: { provider, asset: assetArgument, "idempotency-key": orderKey },
  shows: withdrawalRows,
  about:
    "Withdraw all that was earned in an asset, to the address of the service's settings or the bound one " +
    "(BROKER_URL, and a key with the scope withdraw)",
  examples: ["withdraw chainflip usdc.eth"],
})

const id = Argument.Int("id").pipe(
  Argument.withDescription("Id of a withdrawal"),
  Argument.withSchema(WithdrawalId),
)

/** `withdrawals …` */
export const withdrawals = Command.make("withdrawals").pipe(
  Command.withDescription("What was withdrawn, and what became of it"),
  Command.withSubcommands([
    act("list", allWithdrawals, {
      always: { limit: mostListed },
      shows: withdrawalRows,
      about: "List the withdrawals, the latest first",
    }),
    act("show", withdrawal, {
      takes: { id },
      shows: view(
        WithdrawalStoryBody,
        (story) => `${table(columns, [story])}\n\n${table(["at", "state", "detail"], story.steps)}`,
      ),
    }),
    act("decide", orders.decide, {
      takes: {
        id,
        outcome: Argument.Literals("outcome", WithdrawalVerdict.literals).pipe(
          Argument.withDescription(
            "paid: it was ordered and has arrived; failed: it was not, or never arrives",
          ),
        ),
        reason,
      },
      shows: withdrawalRows,
      examples: ["withdrawals decide 7 failed --reason 'no such extrinsic'"],
    }),
  ]),
)

const name = argument(
  "name",
  "Name that stands for the affiliate in requests",
  AffiliateName.annotate({
    message: "must be 1 to 32 lower-case letters and digits, beginning with a letter, with - between them",
  }),
)

const affiliateRows = rows(AffiliateBody, [
  "name",
  "provider",
  ["account", ({ account }) => account ?? "perhaps not registered"],
  "withdrawalAddress",
  [
    "earned",
    ({ earned }) => earned.map(({ amount, asset }) => `${formatDecimal(amount)} ${asset}`).join(", "),
  ],
  "registeredAt",
], "No affiliate")

/** `affiliates …` */
export const affiliates = Command.make("affiliates").pipe(
  Command.withDescription("Accounts that share in the commission"),
  Command.withSubcommands([
    act("list", allAffiliates, {
      shows: affiliateRows,
      about: "List the affiliates, with what they have earned where a service has seen it",
    }),
    act("register", orders.register, {
      takes: {
        provider,
        name,
        account: flagOf("account", NewAffiliateBody.fields.account),
        withdrawalAddress: flagOf("withdrawal-address", NewAffiliateBody.fields.withdrawalAddress),
      },
      shows: affiliateRows,
      about: "Register an affiliate, or name one (BROKER_URL, and a key with the scope withdraw)",
      examples: ["affiliates register chainflip wallet-one --withdrawal-address 0x2222…"],
    }),
    act("withdraw", orders.withdrawShare, {
      takes: { name, "idempotency-key": orderKey },
      shows: withdrawalRows,
      about: "Pay an affiliate's share out, to its registered address",
    }),
  ]),
)
