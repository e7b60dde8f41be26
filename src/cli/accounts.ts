import { Effect, Option } from "effect"
import { Command } from "effect/cli"
import type { AccountBody } from "../api/OperatorBodies.ts"
import type { PortalLinkBody } from "../api/Portal.ts"
import type { AccountName, AccountTerms } from "../domain/Account.ts"
import type { PageQuery } from "../domain/Page.ts"
import type { RequestErrors } from "../domain/RequestError.ts"
import type { EpochMillis } from "../domain/Time.ts"
import { CommandFailed } from "./failures.ts"
import { OperatorClient, wholeList } from "./OperatorClient.ts"
import { type Columns, print, printOne, printRows, timeCell } from "./output.ts"
import { account, affiliates, commissionBps, date, limit, mcp, origins } from "./parameters.ts"

const columns: Columns<AccountBody> = {
  account: ({ name }) => name,
  "commission bps": ({ commissionBps }) => commissionBps,
  affiliates: ({ affiliates }) => affiliates,
  origins: ({ allowedOrigins }) =>
    allowedOrigins === "*" ? "*" : allowedOrigins.length === 0 ? "none" : allowedOrigins.join(","),
  mcp: ({ mcp }) => mcp,
  suspended: ({ suspended }) => suspended,
  created: ({ createdAt }) => timeCell(createdAt),
}

/** Every account, by name. */
export const allAccounts = Effect.flatMap(
  OperatorClient,
  ({ operator }) =>
    wholeList((query: PageQuery<AccountName>) => operator.accounts({ query }), ({ name }) => name),
)

const flags = { commissionBps, affiliates, origins, mcp }

interface TermFlags {
  readonly commissionBps: Option.Option<AccountTerms["commissionBps"]>
  readonly affiliates: Option.Option<boolean>
  readonly origins: Option.Option<AccountTerms["allowedOrigins"]>
  readonly mcp: Option.Option<boolean>
}

const termsOf = ({ commissionBps, affiliates, origins, mcp }: TermFlags): Partial<AccountTerms> => ({
  ...(Option.isSome(commissionBps) ? { commissionBps: commissionBps.value } : {}),
  ...(Option.isSome(affiliates) ? { affiliates: affiliates.value } : {}),
  ...(Option.isSome(origins) ? { allowedOrigins: origins.value } : {}),
  ...(Option.isSome(mcp) ? { mcp: mcp.value } : {}),
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
      const detail = "Nothing to change: give --commission-bps, --affiliates, --origins or --mcp"
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

/** Over a database nobody knows where the service is, unless `PUBLIC_URL` tells. */
const shownOnce = ({ expiresAt, url }: PortalLinkBody): string =>
  [
    `Link (shown only now): ${url}`,
    `It works once, until ${timeCell(expiresAt)}.`,
    ...(url.startsWith("/") ? ["Put the URL of the service before it: PUBLIC_URL is not set."] : []),
  ].join("\n")

const suspend = Command.make("suspend", { account }, ({ account }) => change(account, { suspended: true }))
  .pipe(Command.withDescription("Let an account only look at the swaps that it has"))

const resume = Command.make("resume", { account }, ({ account }) => change(account, { suspended: false }))
  .pipe(Command.withDescription("Let a suspended account work again"))

const link = Command.make(
  "link",
  { account },
  Effect.fnUntraced(function* ({ account: name }) {
    const made = yield* (yield* OperatorClient).portal.linkPortal({ params: { name } })
    yield* print(made, shownOnce(made))
  }),
).pipe(
  Command.withDescription("Make a portal link, which opens the account's pages once, and show it this once"),
)

const errorColumns: Columns<RequestErrors> = {
  count: ({ count }) => count,
  endpoint: ({ endpoint }) => endpoint,
  status: ({ status }) => status,
  code: ({ code }) => code,
  failure: ({ kind }) => kind,
  parameters: ({ parameters }) => parameters.join(","),
  last: ({ lastAt }) => timeCell(lastAt),
  example: ({ example }) => example,
}

const moment = (name: "from" | "to", at: Option.Option<EpochMillis>) =>
  Option.match(at, { onNone: () => ({}), onSome: (millis) => ({ [name]: millis }) })

const errors = Command.make(
  "errors",
  {
    account,
    from: date("from", "Time of the first requests; a day before --to when not given"),
    to: date("to", "Time of the last requests; now when not given"),
    limit: limit("kinds of failures"),
  },
  Effect.fnUntraced(function* ({ account: name, from, to, limit }) {
    const { operatorRequestErrors } = yield* OperatorClient
    const query = { limit, ...moment("from", from), ...moment("to", to) }
    const found = yield* operatorRequestErrors.list({ params: { name }, query })
    yield* printRows(errorColumns, found, "No request of the account failed in this time")
  }),
).pipe(Command.withDescription("List which requests of an account failed, and how often"))

/** `accounts …` */
export const accounts = Command.make("accounts").pipe(
  Command.withDescription("The accounts of the integrators"),
  Command.withSubcommands([create, list, set, suspend, resume, link, errors]),
)
