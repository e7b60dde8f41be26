import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import type { AffiliateBody } from "../api/TreasuryBodies.ts"
import { AffiliateName } from "../domain/Affiliate.ts"
import { formatDecimal } from "../domain/Decimal.ts"
import { OperatorClient } from "./OperatorClient.ts"
import { type Columns, print, table, timeCell } from "./output.ts"
import { headersOf, keyFlag, printWithdrawals } from "./treasury.ts"

const provider = Argument.String("provider").pipe(Argument.withDescription("Name of a provider"))

const name = Argument.String("name").pipe(
  Argument.withDescription("Name that stands for the affiliate in requests"),
  Argument.withSchema(AffiliateName.annotate({
    message: "must be 1 to 32 lower-case letters and digits, beginning with a letter, with - between them",
  })),
)

const columns: Columns<AffiliateBody> = {
  name: ({ name }) => name,
  provider: ({ provider }) => provider,
  account: ({ account }) => account ?? "perhaps not registered",
  "withdrawal address": ({ withdrawalAddress }) => withdrawalAddress,
  earned: ({ earned }) => earned.map(({ amount, asset }) => `${formatDecimal(amount)} ${asset}`).join(", "),
  registered: ({ registeredAt }) => timeCell(registeredAt),
}

const printAffiliates = (all: ReadonlyArray<AffiliateBody>) =>
  print(all.map((one) => ({ ...one })), all.length === 0 ? "No affiliate" : table(columns, all))

const list = Command.make(
  "list",
  {},
  Effect.fnUntraced(function* () {
    yield* printAffiliates(yield* (yield* OperatorClient).treasury.affiliates())
  }),
).pipe(Command.withDescription("List the affiliates, with what they have earned where a service has seen it"))

const account = Flag.String("account").pipe(
  Flag.withDescription("Account that the provider knows already, to give it a name"),
  Flag.optional,
)

const withdrawalAddress = Flag.String("withdrawal-address").pipe(
  Flag.withDescription("Address that the share of a new account is paid to, for ever"),
  Flag.optional,
)

const register = Command.make(
  "register",
  { provider, name, account, withdrawalAddress },
  Effect.fnUntraced(function* ({ account, name, provider, withdrawalAddress }) {
    const { treasuryOrders } = yield* OperatorClient
    const payload = {
      provider,
      name,
      ...Option.match(account, { onNone: () => ({}), onSome: (account) => ({ account }) }),
      ...Option.match(withdrawalAddress, {
        onNone: () => ({}),
        onSome: (withdrawalAddress) => ({ withdrawalAddress }),
      }),
    }
    yield* printAffiliates([yield* treasuryOrders.register({ payload })])
  }),
).pipe(
  Command.withDescription(
    "Register an affiliate, or name one (BROKER_URL, and a key with the scope withdraw)",
  ),
  Command.withExamples([{
    command: "affiliates register chainflip wallet-one --withdrawal-address 0x2222…",
  }]),
)

const withdraw = Command.make(
  "withdraw",
  { name, key: keyFlag },
  Effect.fnUntraced(function* ({ key, name }) {
    const { treasuryOrders } = yield* OperatorClient
    yield* printWithdrawals([yield* treasuryOrders.withdrawShare({ params: { name }, ...headersOf(key) })])
  }),
).pipe(Command.withDescription("Pay an affiliate's share out, to its registered address"))

/** `affiliates …` */
export const affiliates = Command.make("affiliates").pipe(
  Command.withDescription("Accounts that share in the commission"),
  Command.withSubcommands([list, register, withdraw]),
)
