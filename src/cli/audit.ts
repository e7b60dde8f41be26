import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { actorName, type AuditChange, type AuditEntry, AuditEntryId } from "../domain/Audit.ts"
import { OperatorClient } from "./OperatorClient.ts"
import { type Columns, printRows, timeCell } from "./output.ts"
import { limit } from "./parameters.ts"

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

/** `audit` */
export const audit = Command.make(
  "audit",
  { limit: limit("entries"), from },
  Effect.fnUntraced(function* ({ limit, from }) {
    const offset = Option.isSome(from) ? { offset: from.value } : {}
    const entries = yield* (yield* OperatorClient).operator.audit({ query: { limit, ...offset } })
    yield* printRows(columns, entries, "Nothing was ever changed")
  }),
).pipe(Command.withDescription("List who changed what, the latest first"))
