import { Data, Effect, Option } from "effect"
import { caseSettings } from "#application/cases/CaseKeys.ts"
import { serviceSettings } from "#infrastructure/config/common.ts"
import { readOnly, settingsWrong } from "#infrastructure/config/read.ts"
import { struct } from "#infrastructure/config/Setting.ts"
import { issueAbout } from "#domain/Issues.ts"
import { readEnabledProviders, recordKeysOf } from "#settings.ts"
import { databaseLocation } from "#infrastructure/store/database/settings.ts"
import { publicUrl } from "#interfaces/requests/settings.ts"
import { webhookSettings } from "#application/webhooks/settings.ts"
import { CommandFailed } from "./failures.ts"
import type { ServiceOptions } from "./OperatorClient.ts"

/** The place that a command works on. */
export type CommandTarget = Data.TaggedEnum<{
  /** A running service: `BROKER_URL` and `BROKER_API_KEY` are set. */
  Service: ServiceOptions
  Database: Effect.Success<typeof readDatabase>
}>
export const CommandTarget = Data.taggedEnum<CommandTarget>()

const wrongUsage = ({ message }: Error) => new CommandFailed({ kind: "usage", detail: message })

/** The location of the database, regardless of all other settings. */
export const readLocation = Effect.mapError(readOnly(databaseLocation), wrongUsage)

/** Reads only the settings that the commands need: a command for a remote service must not fail over others. */
export const readDatabase = Effect.gen(function* () {
  const settings = yield* readOnly(
    struct({ location: databaseLocation, publicUrl, webhooks: webhookSettings }),
  )
  return { ...settings, providers: yield* readEnabledProviders }
}).pipe(Effect.mapError(wrongUsage))

export const ownRecordKeys = Effect.flatMap(
  readOnly(struct({ cases: caseSettings, webhooks: webhookSettings })),
  recordKeysOf,
).pipe(Effect.mapError(wrongUsage))

/** The database of the settings. A database in memory is refused, as no other process can see it. */
export const databasePlace = Effect.tap(
  readDatabase,
  ({ location }) =>
    location._tag === "Memory"
      ? Effect.fail(
        new CommandFailed({
          kind: "usage",
          detail:
            "DATA_DIR=memory keeps nothing, so there is nothing to work on: set DATABASE_URL or another " +
            "DATA_DIR, or BROKER_URL and BROKER_API_KEY to work with a running service",
        }),
      )
      : Effect.void,
)

/** The running service in the settings, if they name one. */
export const servicePlace = Effect.gen(function* () {
  const { url, apiKey } = yield* readOnly(serviceSettings)
  if (Option.isSome(url) !== Option.isSome(apiKey)) {
    return yield* settingsWrong(issueAbout("BROKER_URL", "and BROKER_API_KEY must be set together"))
  }
  return Option.all({ url, apiKey })
}).pipe(Effect.mapError(wrongUsage))

/** The database of the settings. Refused while BROKER_URL is set: that service may have another database. */
export const ownDatabase = Effect.gen(function* () {
  if (Option.isSome(yield* servicePlace)) {
    return yield* new CommandFailed({
      kind: "usage",
      detail:
        "This works in the database itself, and BROKER_URL names a running service: unset BROKER_URL and " +
        "BROKER_API_KEY, and set DATABASE_URL or DATA_DIR to the database that is meant",
    })
  }
  return yield* databasePlace
})

export const place: Effect.Effect<CommandTarget, CommandFailed> = Effect.gen(function* () {
  const service = yield* servicePlace
  return Option.isSome(service)
    ? CommandTarget.Service(service.value)
    : CommandTarget.Database(yield* databasePlace)
})
