import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { AlertPlace, subjectOf, type ToldAlert } from "../domain/Alert.ts"
import { OperatorClient } from "./OperatorClient.ts"
import { type Columns, printRows, timeCell } from "./output.ts"
import { limit } from "./parameters.ts"

const columns: Columns<ToldAlert> = {
  id: ({ id }) => id,
  state: ({ state }) => state,
  alert: ({ alert }) => alert.type,
  of: ({ alert }) => subjectOf(alert),
  since: ({ since }) => timeCell(since),
  began: ({ beganAt }) => timeCell(beganAt),
  ended: ({ endedAt }) => timeCell(endedAt),
  problem: ({ problem }) => problem,
  "what to do": ({ action }) => action,
}

const from = Flag.String("from").pipe(
  Flag.withDescription(
    "Alert to start from, by state and id, such as ended-12; the first of all when not given",
  ),
  Flag.withSchema(
    AlertPlace.annotate({ message: "must be the state and the id of an alert, such as ended-12" }),
  ),
  Flag.optional,
)

/** `alerts` */
export const alerts = Command.make(
  "alerts",
  { limit: limit("alerts"), from },
  Effect.fnUntraced(function* ({ limit, from }) {
    const offset = Option.isSome(from) ? { offset: from.value } : {}
    const entries = yield* (yield* OperatorClient).alerts.alerts({ query: { limit, ...offset } })
    yield* printRows(columns, entries, "No alert ever began")
  }),
).pipe(Command.withDescription("List what is wrong and what was, the active alerts first"))
