import { Effect, Option } from "effect"
import { accountSettings, bootstrapSettings, merchantSettings } from "#application/accounts/settings.ts"
import { alertSettings, operatorWebhook } from "#application/alerts/settings.ts"
import { caseFileKeys, caseKeyIds, caseSettings } from "#application/cases/CaseKeys.ts"
import { credentialsDirectory, mode, serviceSettings } from "#infrastructure/config/common.ts"
import { durationOrNone } from "#infrastructure/config/kinds.ts"
import { EnvironmentNames, nearMisses } from "#infrastructure/config/nearMisses.ts"
import { inPageOrder } from "#infrastructure/config/pageOrder.ts"
import { orSettingsWrong, readIn, readTexts } from "#infrastructure/config/read.ts"
import { inGroup, struct, type Value } from "#infrastructure/config/Setting.ts"
import { eventSettings } from "#application/events/settings.ts"
import { httpSettings } from "#interfaces/requests/settings.ts"
import { quotas } from "#application/limits/settings.ts"
import { mcpSettings } from "#interfaces/mcp/settings.ts"
import { historySettings } from "#infrastructure/ops/settings.ts"
import { logSettings } from "#infrastructure/platform/logging.ts"
import { redisSettings } from "#infrastructure/platform/redis.ts"
import { telemetrySettings } from "#infrastructure/platform/telemetry.ts"
import { circuitForget, deadlines, guardSettings } from "#providers/guard/settings.ts"
import { operatorContact } from "#providers/Registry.ts"
import { catalogueFile } from "#providers/completeCatalogue.ts"
import { type Configured, configured, type ProviderDefinition } from "#providers/definition.ts"
import { builtIn, enabledProviders, ProviderDefinitions } from "#providers/mod.ts"
import { quotingSettings } from "#application/quoting/settings.ts"
import { announced } from "#sandbox/announced.ts"
import { sandboxSettings } from "#sandbox/settings.ts"
import { databaseSettings } from "#infrastructure/store/database/settings.ts"
import {
  addressSettings,
  lookupSettings,
  networks,
  networksFit,
  swapSettings,
  trackerSettings,
  vaultSwapSettings,
} from "#application/swapping/settings.ts"
import { fundsSettings, treasurySettings } from "#application/treasury/settings.ts"
import { fingerprintOf } from "#application/webhooks/SecretBox.ts"
import { dispatchSettings, encryptionKey, webhookSettings } from "#application/webhooks/settings.ts"
import { witnessSettings } from "#providers/witness/settings.ts"

/** The settings of every room. A new setting is a line in its room. */
const rooms = (definitions: ReadonlyArray<ProviderDefinition>) =>
  struct({
    mode: inGroup("Service", mode),
    credentialsDirectory: inGroup("Service", credentialsDirectory),
    http: inGroup("Service", httpSettings),
    mcp: inGroup("Agents (MCP)", mcpSettings),
    database: inGroup("Database", databaseSettings, "Records"),
    catalogueFile: inGroup("Catalogue of chains and assets", catalogueFile),
    sandbox: inGroup("Sandbox", sandboxSettings),
    bootstrap: inGroup("Accounts", bootstrapSettings),
    accounts: inGroup("Accounts", accountSettings),
    enabledProviders: inGroup("Providers", enabledProviders(definitions)),
    guard: inGroup("Calls to providers", guardSettings),
    circuitForget: inGroup("Calls to providers", circuitForget),
    surroundings: struct({
      networks: inGroup("Networks", networks),
      lookupTimeout: inGroup("Calls to providers", deadlines.quoteTimeout),
    }),
    addresses: inGroup("Networks", addressSettings, "Your addresses"),
    assets: inGroup(
      "Quoting",
      struct({
        maxAge: durationOrNone({
          name: "ASSETS_MAX_AGE",
          default: "10 seconds",
          meaning: "How long GET /assets reuses a provider's response, and how long HTTP caches may keep it",
        }),
      }),
    ),
    quoting: inGroup("Quoting", quotingSettings, "Keys"),
    swaps: inGroup("Swaps", swapSettings),
    vaultSwaps: inGroup("Swaps", vaultSwapSettings),
    lookups: inGroup("Tracking", lookupSettings),
    tracker: inGroup("Tracking", trackerSettings),
    quotas: inGroup("Rate limits", quotas),
    redis: inGroup("Redis", redisSettings, "Records"),
    treasury: inGroup("Treasury", treasurySettings(networks), "Your addresses"),
    funds: inGroup("Treasury", fundsSettings),
    webhooks: inGroup("Webhooks", webhookSettings, "Keys"),
    dispatch: inGroup("Webhooks", dispatchSettings),
    events: inGroup("Event streams", eventSettings),
    alerts: inGroup("Alerts", alertSettings),
    history: inGroup("Provider history", historySettings),
    witness: inGroup("API checks", witnessSettings),
    cases: inGroup("Case files", caseSettings, "Keys"),
    operatorContact: inGroup("Alerts and support", operatorContact),
    operatorWebhook: inGroup("Alerts and support", operatorWebhook),
    log: inGroup("Service", logSettings),
    merchant: inGroup("Payer's page", merchantSettings),
    telemetry: inGroup("Telemetry", telemetrySettings),
  })

/** Every setting of a service with these providers, and of its commands. */
const everySettingWith = (definitions: ReadonlyArray<ProviderDefinition>) =>
  struct({
    rooms: rooms(definitions),
    providers: configured(definitions),
    service: inGroup("Command line", serviceSettings),
  })

/** Every setting of this build. infrastructure/config/settings.md and infrastructure/config/tuning.md are generated from them. */
export const everySetting = everySettingWith(builtIn)

/** The URL of the sandbox inside the service until it listens. */
const notYetListening = new URL("http://sandbox.invalid")

/** The enabled providers alone: a command on a database must not fail over the other settings. */
export const readEnabledProviders = Effect.gen(function* () {
  const definitions = yield* ProviderDefinitions
  const enabled = enabledProviders(definitions)
  const variables = [...enabled.variables, ...definitions.flatMap(({ variables }) => variables)]
  const sources = yield* readTexts({ ...enabled, variables })
  return yield* readIn(enabled, sources, announced(notYetListening))
})

/** The settings of this process, from its environment. Fails with all issues of them. */
export const readSettings = Effect.gen(function* () {
  const definitions = yield* ProviderDefinitions
  const everySetting = everySettingWith(definitions)
  const sources = yield* readTexts(everySetting)
  const { rooms: settings } = yield* readIn(everySetting, sources, announced(notYetListening))
  const providersAt = (sandboxUrl: Option.Option<URL>) =>
    readIn(configured(definitions), sources, announced(Option.getOrElse(sandboxUrl, () => notYetListening)))
  const providers = yield* providersAt(settings.sandbox.url)
  const enabled = providers.filter(({ name }) => settings.enabledProviders.includes(name))
  yield* orSettingsWrong(networksFit(settings.mode, settings.surroundings.networks, enabled))
  /** A provider on real networks beside the sandbox is followed by the clock. */
  const isRealTime = enabled.some(({ isSimulated }) => !isSimulated)
  const paced = <A extends { readonly timeScale: number }>(room: A): A =>
    isRealTime ? { ...room, timeScale: 1 } : room
  return {
    ...settings,
    swaps: paced(settings.swaps),
    vaultSwaps: paced(settings.vaultSwaps),
    lookups: paced(settings.lookups),
    variables: inPageOrder(everySetting.variables),
    /** Whether the operator has set a variable. */
    isSet: (name: string): boolean => sources.texts[name] !== undefined,
    /** The variables of this process that look like settings and are none. */
    nearMisses: nearMisses(yield* EnvironmentNames, everySetting.variables.map(({ name }) => name)),
    /** The configured providers. In sandbox mode their unset URLs are those of this sandbox. */
    providersAt,
    /** Whom to ask. */
    contacts: {
      operator: settings.operatorContact,
      providers: new Map(providers.map(({ contact, name }) => [name, contact])),
    },
    /** Whether a provider goes to the sandbox alone. */
    isSimulated: (platform: Configured["name"]): boolean =>
      providers.some(({ isSimulated, name }) => isSimulated && name === platform),
  }
})

/** The keys of the settings that records need, by fingerprints. */
export const recordKeysOf = (
  { cases, webhooks }: {
    readonly cases: Value<typeof caseSettings>
    readonly webhooks: Pick<Value<typeof webhookSettings>, "encryptionKey">
  },
) =>
  Effect.map(caseKeyIds(cases), (ids) => [
    ...ids.map((fingerprint) => ({ setting: caseFileKeys.name, fingerprint })),
    ...Option.toArray(webhooks.encryptionKey).map((key) => ({
      setting: encryptionKey.name,
      fingerprint: fingerprintOf(key),
    })),
  ])

/** Every setting with its value. */
export type Settings = Effect.Success<typeof readSettings>
