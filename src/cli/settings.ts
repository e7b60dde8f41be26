import { Data, Effect, Option, Result } from "effect"
import { databaseLocation } from "../app/databaseLocation.ts"
import type { WebhookSettings } from "../app/webhooks.ts"
import { settingsWrong } from "../Config.ts"
import { combineIssues, hasIssues, issuesOf, issueWith, noIssues } from "../domain/Issues.ts"
import type { ProviderName } from "../domain/ProviderName.ts"
import { settings } from "../settings.ts"
import type { DatabaseLocation } from "../store/DatabaseLocation.ts"
import { CommandFailed } from "./failures.ts"
import type { ServiceOptions } from "./OperatorClient.ts"

/** Where a command works. */
export type Place = Data.TaggedEnum<{
  /** With a running service: `BROKER_URL` and `BROKER_API_KEY` are set. */
  Service: ServiceOptions
  /** In the database of the settings. */
  Database: {
    readonly location: DatabaseLocation
    readonly providers: ReadonlyArray<ProviderName>
    readonly webhookSettings: WebhookSettings
  }
}>
export const Place = Data.taggedEnum<Place>()

const wrongUsage = ({ message }: Error) => new CommandFailed({ kind: "usage", detail: message })

const ofLocation = {
  databaseUrl: settings.databaseUrl.read,
  databaseConnections: settings.databaseConnections.read,
  dataDir: settings.dataDir.read,
}

/** Where the database is, whatever else the settings say. */
export const readLocation = Effect.gen(function* () {
  const results = yield* Effect.all(ofLocation)
  const all = Result.mapError(Result.all(results), () => settingsWrong(issuesOf(Object.values(results))))
  return databaseLocation(yield* Effect.fromResult(all))
}).pipe(Effect.mapError(wrongUsage))

/** Only what the commands need: one for a remote service must not stumble over settings of the service. */
export const readDatabase = Effect.gen(function* () {
  const results = yield* Effect.all({
    ...ofLocation,
    providers: settings.providers.read,
    mode: settings.mode.read,
    webhookEncryptionKey: settings.webhookEncryptionKey.read,
    webhooksMost: settings.webhooksMost.read,
    webhookTimeout: settings.webhookTimeout.read,
  })
  const { dataDir, databaseConnections, databaseUrl, providers, ...webhookSettings } = yield* Effect
    .fromResult(
      Result.mapError(Result.all(results), () => settingsWrong(issuesOf(Object.values(results)))),
    )
  const location = databaseLocation({ dataDir, databaseConnections, databaseUrl })
  return { location, providers, webhookSettings }
}).pipe(Effect.mapError(wrongUsage))

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
  const results = yield* Effect.all({ url: settings.brokerUrl.read, apiKey: settings.brokerApiKey.read })
  const both = Result.all(results)
  const isHalf = Result.isSuccess(both) &&
    Option.isSome(both.success.url) !== Option.isSome(both.success.apiKey)
  const issues = combineIssues([
    issuesOf(Object.values(results)),
    isHalf ? issueWith("BROKER_URL", "BROKER_URL and BROKER_API_KEY must be set together") : noIssues,
  ])
  if (hasIssues(issues)) return yield* settingsWrong(issues)
  const { url, apiKey } = yield* Effect.fromResult(Result.mapError(both, settingsWrong))
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
