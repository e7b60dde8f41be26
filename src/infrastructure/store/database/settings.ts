import { type Duration, Option, Schema } from "effect"
import { dataDir } from "../../config/common.ts"
import { duration, integer } from "../../config/kinds.ts"
import { derived, optionalSetting, setting, struct } from "../../config/Setting.ts"
import { DatabaseLocation } from "./DatabaseLocation.ts"

/** A Postgres URL that can be parsed. The driver would print an invalid one, with its password. */
const PostgresUrl = Schema.NonEmptyString.check(
  Schema.isPattern(/^postgres(?:ql)?:\/\//),
  Schema.makeFilter((text) => URL.canParse(text)),
)

const databaseUrl = optionalSetting({
  name: "DATABASE_URL",
  isTuning: false,
  unset: "none: embedded database",
  schema: Schema.RedactedFromValue(PostgresUrl),
  expected: "a URL that begins with postgres://",
  meaning: "Postgres server that stores the records, in place of the embedded database in DATA_DIR",
})

const connections = setting({
  name: "DATABASE_CONNECTIONS",
  default: "10",
  schema: integer(1, 1_000),
  expected: "a number from 1 to 1000",
  meaning:
    "Maximum number of connections to the Postgres server, one of them for the events of other replicas",
})

const timeout = duration({
  name: "DATABASE_TIMEOUT",
  default: "10 seconds",
  meaning:
    "Timeout of a database operation, with the wait for a connection. After it the request fails with 503",
})

/** The place of the records: a Postgres server, a folder, or memory. */
export const databaseLocation = derived(
  struct({ databaseUrl, connections, dataDir }),
  ({ databaseUrl, connections, dataDir }): DatabaseLocation =>
    Option.match(databaseUrl, {
      onSome: (url) => DatabaseLocation.Server({ url, maximumConnections: connections }),
      onNone: () =>
        dataDir === "memory" ? DatabaseLocation.Memory() : DatabaseLocation.Folder({ folder: dataDir }),
    }),
)

/** Whether no other process can use the same records: the embedded database admits none. */
export const soleProcess = derived(databaseUrl, Option.isNone)

/** The place of the records, and the options of reaching them. */
export const databaseSettings = struct({
  location: databaseLocation,
  /** The deadline of one operation; none for the embedded database, which neither disappears nor hangs. */
  deadline: derived(
    struct({ databaseUrl, timeout }),
    ({ databaseUrl, timeout }): Option.Option<Duration.Duration> => Option.as(databaseUrl, timeout),
  ),
  /** Whether other replicas may write events. Listening for them takes a connection, which must not be the only one. */
  hasReplicas: derived(
    struct({ databaseUrl, connections }),
    ({ databaseUrl, connections }) => Option.isSome(databaseUrl) && connections > 1,
  ),
})
