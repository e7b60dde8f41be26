import { Effect, Option } from "effect"
import { Command } from "effect/cli"
import type { AccountBody } from "../api/OperatorBodies.ts"
import type { AccountName, AccountTerms } from "../domain/Account.ts"
import type { PageQuery } from "../domain/Page.ts"
import { CommandFailed } from "./failures.ts"
import { OperatorClient, wholeList } from "./OperatorClient.ts"
import { type Columns, printOne, printRows, timeCell } from "./output.ts"
import { account, affiliates, commissionBps, origins } from "./parameters.ts"

const columns: Columns<AccountBody> = {
  account: ({ name }) => name,
  "commission bps": ({ commissionBps }) => commissionBps,
  affiliates: ({ affiliates }) => affiliates,
  origins: ({ allowedOrigins }) =>
    allowedOrigins === "*" ? "*" : allowedOrigins.length === 0 ? "none" : allowedOrigins.join(","),
  suspended: ({ suspended }) => suspended,
  created: ({ createdAt }) => timeCell(createdAt),
}

/** Every account, by name. */
export const allAccounts = Effect.flatMap(
  OperatorClient,
  ({ operator }) =>
    wholeList((query: PageQuery<AccountName>) => operator.accounts({ query }), ({ name }) => name),
)

const flags = { commissionBps, affiliates, origins }

interface TermFlags {
  readonly commissionBps: Option.Option<AccountTerms["commissionBps"]>
  readonly affiliates: Option.Option<boolean>
  readonly origins: Option.Option<AccountTerms["allowedOrigins"]>
}

const termsOf = ({ commissionBps, affiliates, origins }: TermFlags): Partial<AccountTerms> => ({
  ...(Option.isSome(commissionBps) ? { commissionBps: commissionBps.value } : {}),
  ...(Option.isSome(affiliates) ? { affiliates: affiliates.value } : {}),
  ...(Option.isSome(origins) ? { allowedOrigins: origins.value } : {}),
})

const change = Effect.fnUntraced(function* (name: AccountName, terms: Partial<AccountTerms>) {
  yield* printOne(
    columns,
    yield* (yield* OperatorClient).operator.changeAccount({ params: { name }, payload: terms }),
  )
})

const create = Command.make(
  "create",
  { account, ...flags },
  Effect.fnUntraced(function* ({ account, ...terms }) {
    const { operator } = yield* OperatorClient
    const payload = { name: account, ...termsOf(terms) }
    yield* printOne(columns, yield* operator.createAccount({ payload }))
  }),
).pipe(
  Command.withDescription("Create an account; it can call once it has a key"),
  Command.withExamples([{ command: "accounts create wallet-one --commission-bps 25" }]),
)

const list = Command.make(
  "list",
  {},
  Effect.fnUntraced(function* () {
    yield* printRows(columns, yield* allAccounts, "There is no account yet")
  }),
).pipe(Command.withDescription("List the accounts"))

const set = Command.make(
  "set",
  { account, ...flags },
  Effect.fnUntraced(function* ({ account, ...terms }) {
    const changes = termsOf(terms)
    if (Object.keys(changes).length === 0) {
      const detail = "Nothing to change: give --commission-bps, --affiliates or --origins"
      return yield* new CommandFailed({ kind: "usage", detail })
    }
    yield* change(account, changes)
  }),
).pipe(
  Command.withDescription("Change an account; what is not given stays"),
  Command.withExamples([{
    command: "accounts set wallet-one --origins https://app.example --no-affiliates",
  }]),
)

const suspend = Command.make("suspend", { account }, ({ account }) => change(account, { suspended: true }))
  .pipe(Command.withDescription("Let an account only look at the swaps that it has"))

const resume = Command.make("resume", { account }, ({ account }) => change(account, { suspended: false }))
  .pipe(Command.withDescription("Let a suspended account work again"))

/** `accounts …` */
export const accounts = Command.make("accounts").pipe(
  Command.withDescription("The accounts of the integrators"),
  Command.withSubcommands([create, list, set, suspend, resume]),
)
