import { Schema } from "effect"
import { Argument, Flag } from "effect/cli"
import { mostListed } from "#api/OperatorBodies.ts"
import { TreasuryGroup, TreasuryOrdersGroup } from "#api/Treasury.ts"
import * as Bodies from "#api/Treasury.ts"
import { AffiliateName } from "#domain/accounts/Affiliate.ts"
import { chainFacts } from "#domain/chains/Chain.ts"
import { WithdrawalId, WithdrawalVerdict } from "#domain/operations/Withdrawal.ts"
import { act, group, rows, view } from "./act.ts"
import { amountCell, type Columns, table, timeCell, together } from "./output.ts"
import { argument, assetArgument, flagOf, numberArgument, orderKey } from "./parameters.ts"

const orders = TreasuryOrdersGroup.endpoints
const { affiliates: allAffiliates, treasury: all, withdrawal, withdrawals: allWithdrawals } =
  TreasuryGroup.endpoints

const provider = argument("provider", "Name of a provider", Schema.String)

const reason = Flag.String("reason").pipe(Flag.withDescription("The reason, for the audit log"))

/** A fact of the account at a provider; one without a value is not shown. */
type Fact = readonly [what: string, value: string | undefined]

const figuresOf = (
  { asset, differenceNative, earnedNative, ledgerNative, mismatchSince, ofAffiliatesNative, withdrawnNative }:
    Bodies.TreasuryBody["assets"][number],
): ReadonlyArray<Fact> => [
  ["earned", amountCell(asset, earnedNative)],
  ["earned by affiliates", amountCell(asset, ofAffiliatesNative)],
  ["ledger", amountCell(asset, ledgerNative)],
  ["difference", amountCell(asset, differenceNative)],
  ["unexplained since", timeCell(mismatchSince)],
  ["withdrawn", amountCell(asset, withdrawnNative)],
]

const fundsOf = (
  { asset, bondNative, freeNative, openings, redeemableNative, takers }: NonNullable<
    Bodies.TreasuryBody["funds"]
  >,
): ReadonlyArray<Fact> => [
  ["free", amountCell(asset, freeNative)],
  ["bond", amountCell(asset, bondNative)],
  ["redeemable", amountCell(asset, redeemableNative)],
  [
    "channels it can pay for",
    together(
      ...openings.map(({ chain, channels }) => `${channels ?? "any"} on ${chainFacts(chain).title}`),
    ) ||
    "unknown",
  ],
  [
    "recently opened by",
    together(...takers.map(({ account, channels }) => `${account} (${channels})`)) || "none",
  ],
]

const factsOfAccount = (of: Bodies.TreasuryBody): ReadonlyArray<Fact> => [
  ["account", of.account ?? "not read yet"],
  ["read at", timeCell(of.lookedAt)],
  ["last failure", of.failure && together(timeCell(of.failure.at), of.failure.reason)],
  ["withdrawals", of.withdrawalsEnabled === false ? "paused by the provider" : undefined],
  ["node", of.inSync === false ? "behind its chain" : undefined],
  ["bound to", of.boundAddress && `${of.boundAddress.address} on ${chainFacts(of.boundAddress.chain).title}`],
  ["not compared", of.notCompared],
  ...(of.funds === undefined ? [] : fundsOf(of.funds)),
  ...of.assets.flatMap(figuresOf),
]

/** What is known of the account, a row for each fact. */
const factRows = (of: Bodies.TreasuryBody) =>
  factsOfAccount(of).flatMap(([what, value]) =>
    value === undefined ? [] : [{ provider: of.provider, what, value }]
  )

const noAccount = "No provider account is known. Only a running service can read it (BROKER_URL)"

const standing = view(
  Schema.Array(Bodies.TreasuryBody),
  (all) => all.length === 0 ? noAccount : table(["provider", "what", "value"], all.flatMap(factRows)),
)

export const treasury = act("treasury", all, {
  shows: standing,
  about: "Show your account at each provider: commission, ledger, and the funds that pay for openings",
})

export const enter = act("enter", orders.enter, {
  takes: {
    provider,
    asset: assetArgument,
    amountNative: argument(
      "amount",
      "Amount in the asset's smallest unit; negative if the balance is below the ledger",
      Schema.String,
    ),
    reason,
  },
  shows: standing,
  about: "Add a permanent entry to the ledger, for money from elsewhere",
  examples: ["enter chainflip usdc.eth 1500000 --reason 'fees of another service'"],
})

const columns: Columns<Bodies.WithdrawalBody> = [
  "id",
  ["at", "requestedAt"],
  "provider",
  [
    "state",
    ({ detail, isContradicted, state }) =>
      together(state, isContradicted ? "contradicted" : undefined, detail),
  ],
  ["amount", ({ amountNative, asset, earnedNative }) => amountCell(asset, amountNative ?? earnedNative)],
  [
    "paid to",
    ({ affiliate, destination, paymentTransaction }) =>
      together(
        destination,
        affiliate && `affiliate ${affiliate}`,
        paymentTransaction && `transaction ${paymentTransaction}`,
      ),
  ],
]

const withdrawalRows = rows(Bodies.WithdrawalBody, columns, "No withdrawals")

export const withdraw = act("withdraw", orders.withdraw, {
  takes: { provider, asset: assetArgument, "idempotency-key": orderKey },
  shows: withdrawalRows,
  about:
    "Withdraw all commission in an asset, to the address of the settings or the bound one. Needs BROKER_URL and a key " +
    "with the scope withdraw",
  examples: ["withdraw chainflip usdc.eth"],
})

const id = numberArgument("id", "Id of a withdrawal", WithdrawalId)

export const withdrawals = group("withdrawals", "Withdrawals and their outcome", [
  act("list", allWithdrawals, {
    always: { limit: mostListed },
    shows: withdrawalRows,
    about: "List the withdrawals, newest first",
  }),
  act("show", withdrawal, {
    takes: { id },
    shows: view(
      Bodies.WithdrawalStoryBody,
      (story) => `${table(columns, [story])}\n\n${table(["at", "state", "detail"], story.steps)}`,
    ),
  }),
  act("decide", orders.decide, {
    takes: {
      id,
      outcome: Argument.Literals("outcome", WithdrawalVerdict.literals).pipe(
        Argument.withDescription("paid: the money arrived; failed: it was never sent, or never arrives"),
      ),
      reason,
    },
    shows: withdrawalRows,
    examples: ["withdrawals decide 7 failed --reason 'no such extrinsic'"],
  }),
])

const name = argument(
  "name",
  "Name of the affiliate in requests",
  AffiliateName.annotate({
    message: "must be 1 to 32 lower-case letters and digits, beginning with a letter, with - between them",
  }),
)

const affiliateRows = rows(Bodies.AffiliateBody, [
  "name",
  ["account", ({ account, provider }) => `${account ?? "registration unknown"} at ${provider}`],
  "withdrawalAddress",
  [
    "earned",
    ({ earned }) => together(...earned.map(({ amountNative, asset }) => amountCell(asset, amountNative))),
  ],
  "registeredAt",
], "No affiliates")

export const affiliates = group("affiliates", "Affiliates, who share the commission", [
  act("list", allAffiliates, {
    shows: affiliateRows,
    about: "List the affiliates, with their commission if the service has read it",
  }),
  act("register", orders.register, {
    takes: {
      provider,
      name,
      account: flagOf("account", Bodies.NewAffiliateBody.fields.account),
      withdrawalAddress: flagOf("withdrawal-address", Bodies.NewAffiliateBody.fields.withdrawalAddress),
    },
    shows: affiliateRows,
    about:
      "Register an affiliate, or name an existing one. Needs BROKER_URL and a key with the scope withdraw",
    examples: ["affiliates register chainflip wallet-one --withdrawal-address 0x2222…"],
  }),
  act("withdraw", orders.withdrawShare, {
    takes: { name, "idempotency-key": orderKey },
    shows: withdrawalRows,
    about: "Pay out an affiliate's share to its registered address",
  }),
])
