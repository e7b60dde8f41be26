import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { actorName, AuditAction, type AuditChange, type AuditEntry, AuditEntryId } from "../domain/Audit.ts"
import { OperatorClient } from "./OperatorClient.ts"
import { type Columns, printRows, timeCell } from "./output.ts"
import { accountFlag, choices, date, limit } from "./parameters.ts"

/** The subject of a change: a provider, a swap, or an account with its key or its webhook. */
const subjectOf = (change: AuditChange): string => {
  if ("platform" in change) return change.platform
  if ("swapId" in change) return `swap ${change.swapId}`
  if ("webhookId" in change) return `${change.account} ${change.webhookId}`
  return "keyId" in change ? `${change.account} ${change.keyId}` : change.account
}

/** The state before and after a change, in one line. */
const stateOf = (change: AuditChange): string =>
  [
    ...("before" in change && change.before !== undefined ? [JSON.stringify(change.before)] : []),
    ...("after" in change ? [`-> ${JSON.stringify(change.after)}`] : ["-> nothing"]),
  ].join(" ")

const columns: Columns<AuditEntry> = {
  id: ({ id }) => id,
  at: ({ at }) => timeCell(at),
  actor: ({ actor }) => actorName(actor),
  change: ({ change }) => change.action,
  of: ({ change }) => subjectOf(change),
  "before -> after": ({ change }) => stateOf(change),
}

const from = Flag.Int("from").pipe(
  Flag.withDescription("Id of the latest entry to list; the latest of all when not given"),
  Flag.withSchema(AuditEntryId),
  Flag.optional,
)

const actor = Flag.String("actor").pipe(
  Flag.withDescription("Only changes by this one: an account, cli, cli:USER or bootstrap"),
  Flag.optional,
)

/** The members that the given flags ask for. */
const given = <A>(name: string, flag: Option.Option<A>) =>
  Option.match(flag, { onNone: () => ({}), onSome: (value) => ({ [name]: value }) })

/** `audit` */
export const audit = Command.make(
  "audit",
  {
    limit: limit("entries"),
    from,
    account: accountFlag,
    action: choices("action", "Only these changes", AuditAction.literals),
    actor,
    since: date("since", "Time of the first changes"),
    until: date("until", "Time before which the changes were made"),
  },
  Effect.fnUntraced(function* ({ account, action, actor, from, limit, since, until }) {
    const query = {
      limit,
      ...given("offset", from),
      ...given("account", account),
      ...given("action", action),
      ...given("actor", actor),
      ...given("from", since),
      ...given("before", until),
    }
    const entries = yield* (yield* OperatorClient).operator.audit({ query })
    yield* printRows(columns, entries, "No change fits")
  }),
).pipe(
  Command.withDescription("List who changed what, the latest first"),
  Command.withExamples([{ command: "audit --account wallet-one --action key.issued,key.revoked" }]),
)
