import { Data, Effect, Option } from "effect"
import { serviceSettings } from "../config/common.ts"
import { readOnly, settingsWrong } from "../config/read.ts"
import { struct } from "../config/Setting.ts"
import { issueWith } from "../domain/Issues.ts"
import { enabledProviders } from "../providers/mod.ts"
import { databaseLocation } from "../store/database/settings.ts"
import { webhookSettings } from "../webhooks/settings.ts"
import { CommandFailed } from "./failures.ts"
import type { ServiceOptions } from "./OperatorClient.ts"

/** Where a command works. */
export type Place = Data.TaggedEnum<{
  /** With a running service: `BROKER_URL` and `BROKER_API_KEY` are set. */
  Service: ServiceOptions
  /** In the database of the settings. */
  Database: Effect.Success<typeof readDatabase>
}>
export const Place = Data.taggedEnum<Place>()

const wrongUsage = ({ message }: Error) => new CommandFailed({ kind: "usage", detail: message })

/** Where the database is, whatever else the settings say. */
export const readLocation = Effect.mapError(readOnly(databaseLocation), wrongUsage)

/** Only what the commands need: one for a remote service must not stumble over settings of the service. */
export const readDatabase = Effect.mapError(
  readOnly(struct({ location: databaseLocation, providers: enabledProviders, webhooks: webhookSettings })),
  wrongUsage,
)

/** The database of the settings; what is in memory is not for others to see. */
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

/** The running service of the settings, if they name one. */
export const servicePlace = Effect.gen(function* () {
  const { url, apiKey } = yield* readOnly(serviceSettings)
  if (Option.isSome(url) !== Option.isSome(apiKey)) {
    return yield* settingsWrong(issueWith("BROKER_URL", "BROKER_URL and BROKER_API_KEY must be set together"))
  }
  return Option.all({ url, apiKey })
}).pipe(Effect.mapError(wrongUsage))

/**
 * The database of the settings, for commands that work in nothing else: with a service named, they would change a
 * database that whoever types does not mean.
 */
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

/** Where commands work that can do so in both places. */
export const place: Effect.Effect<Place, CommandFailed> = Effect.gen(function* () {
  const service = yield* servicePlace
  return Option.isSome(service) ? Place.Service(service.value) : Place.Database(yield* databasePlace)
})
