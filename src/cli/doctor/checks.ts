import { Effect, type Layer, Option, Redacted, Schema } from "effect"
import { OperatorGroup } from "#api/Operator.ts"
import { AccountBody, mostListed } from "#api/OperatorBodies.ts"
import { ProvidersGroup } from "#api/Providers.ts"
import { counted } from "#domain/figures.ts"
import { endingAdvice, endingText, type EndpointEnding } from "#domain/operations/EndpointEnding.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import type { Value } from "#infrastructure/config/Setting.ts"
import type { redisSettings } from "#infrastructure/platform/redis.ts"
import { missingKeys, namedKey, type RecordKey } from "#domain/swaps/RecordKey.ts"
import { version } from "#infrastructure/platform/version.ts"
import type { DatabaseLocation } from "#infrastructure/store/database/DatabaseLocation.ts"
import { hasDatabase } from "#infrastructure/store/database/EmbeddedDatabase.ts"
import { checkAssets } from "#infrastructure/store/knownAssets.ts"
import { migrationStanding } from "#infrastructure/store/database/migrate.ts"
import { EndpointEndingsRepo } from "#infrastructure/store/ops/EndpointEndingsRepo.ts"
import { neededKeys } from "#infrastructure/store/ops/RecordKeysRepo.ts"
import { connectionLayer } from "#infrastructure/store/database/Sql.ts"
import { type CommandFailed, databaseFailed } from "../failures.ts"
import { answerTo, type OperatorClient, readAs } from "../OperatorClient.ts"
import { ProviderSeen } from "../providers.ts"

export interface Finding {
  readonly check: string
  readonly ok: boolean
  readonly detail: string
  /** The remedy of a fault, or an optional improvement of a finding that is well. */
  readonly todo?: string
}

export const well = (check: string, detail: string): Finding => ({ check, ok: true, detail })

const toDo = (ok: boolean) => (check: string, detail: string, todo: string): Finding => ({
  check,
  ok,
  detail,
  todo,
})

export const ill = toDo(false)

/** A finding without a fault, which the operator may still want to change. */
export const advice = toDo(true)

const place = (location: DatabaseLocation): string =>
  location._tag === "Folder" ? `embedded in "${location.folder}"` : "the server of DATABASE_URL responds"

const tables = ({ isNew, pending, tooNew, unnoticed }: Effect.Success<typeof migrationStanding>): Finding => {
  if (tooNew.length > 0) {
    return ill(
      "migrations",
      `version ${version} does not work with the tables of a later version: ${tooNew.join(", ")}`,
      "Use the version that ran last, or a later one",
    )
  }
  if (isNew) return well("migrations", "no tables yet; the first start creates them")
  if (pending.length > 0) {
    return ill("migrations", `pending: ${pending.join(", ")}`, "Run cli migrate, or start the service")
  }
  return unnoticed.length === 0 ? well("migrations", "the tables are up to date") : well(
    "migrations",
    `from a later version, and compatible: ${unnoticed.join(", ")}`,
  )
}

const assets = checkAssets.pipe(
  Effect.as(well("catalogue", "has every asset of the records")),
  Effect.catchTag(
    "AssetsMissing",
    ({ message }) => Effect.succeed(ill("catalogue", message, "Restore the rows of CATALOGUE_FILE")),
  ),
)

/** What a provider has announced of the end of its endpoints: only one that is gone is a fault. */
const endingFinding = (provider: ProviderName) => (ending: EndpointEnding): Finding =>
  (ending.retiredAt === undefined ? advice : ill)(
    `provider ${provider}`,
    `${endingText(ending)}. Used for: ${ending.operations.join(", ")}`,
    endingAdvice,
  )

const endings = Effect.flatMap(EndpointEndingsRepo, ({ recent }) => recent).pipe(
  Effect.map((all) => all.map(({ ending, provider }) => endingFinding(provider)(ending))),
  Effect.provide(EndpointEndingsRepo.layer),
)

/** Whether the keys that records need are there; nothing where none is needed, or where those here cannot be read. */
const keyFindings = (
  needed: ReadonlyArray<RecordKey>,
  present: Option.Option<ReadonlyArray<RecordKey>>,
): ReadonlyArray<Finding> => {
  if (needed.length === 0 || Option.isNone(present)) return []
  const missing = missingKeys(needed, present.value)
  return [
    missing.length === 0 ? well("keys", "all keys of the records are set") : ill(
      "keys",
      `the records need missing keys: ${missing.map(namedKey).join(", ")}`,
      "Set the keys of the service that wrote the records, or restore case-file-key.pem to DATA_DIR",
    ),
  ]
}

/** Tables that lack changes are not asked for more. */
const databaseFindings = Effect.fnUntraced(
  function* (location: DatabaseLocation, present: Option.Option<ReadonlyArray<RecordKey>>) {
    const standing = yield* migrationStanding
    const isUpToDate = standing.pending.length === 0 && standing.tooNew.length === 0
    const keys = keyFindings(yield* neededKeys, present)
    return [
      well("database", place(location)),
      tables(standing),
      ...(isUpToDate ? [yield* assets, ...yield* endings] : []),
      ...keys,
    ]
  },
)

/** Whether the database can be used, with tables, assets and keys as they have to be. Changes nothing. */
export const checkDatabase = Effect.fnUntraced(
  function* (location: DatabaseLocation, present: Option.Option<ReadonlyArray<RecordKey>>) {
    if (location._tag === "Memory") {
      return [well("database", "in memory, nothing is stored (DATA_DIR=memory)")]
    }
    if (location._tag === "Folder" && !(yield* hasDatabase(location.folder))) {
      return [well("database", `none in "${location.folder}" yet; the first start creates it`)]
    }
    return yield* Effect.provide(databaseFindings(location, present), connectionLayer(location))
  },
  Effect.catchTag("FolderInUse", ({ folder }) =>
    Effect.succeed([
      well(
        "database",
        `"${folder}" is in use by another process, most likely the service. Set BROKER_URL and BROKER_API_KEY ` +
          "to check that service",
      ),
    ])),
  Effect.catch((error) => {
    const { detail } = databaseFailed(error)
    const todo = "Start the database server, or correct DATABASE_URL or DATA_DIR"
    return Effect.succeed([ill("database", detail, todo)])
  }),
)

/** A ping to Redis; the client is loaded only when it is used. */
const ping = Effect.fnUntraced(function* (url: Redacted.Redacted<string>) {
  const { NodeRedis, layer } = yield* Effect.promise(() => import("@effect/platform-node/NodeRedis"))
  const redis = layer({
    url: Redacted.value(url),
    socket: { connectTimeout: 3_000, reconnectStrategy: false },
  })
  yield* Effect.gen(function* () {
    const { use } = yield* NodeRedis
    yield* use((client) => client.ping())
  }).pipe(Effect.provide(redis), Effect.timeout("5 seconds"))
})

/** Whether Redis answers, if it is used. */
export const checkRedis = ({ url }: Pick<Value<typeof redisSettings>, "url">) =>
  Option.match(url, {
    onNone: () =>
      Effect.succeed(well("redis", "not used: each replica has its own paused calls and rate limits")),
    onSome: (url) =>
      Effect.match(ping(url), {
        onSuccess: () => well("redis", "responds"),
        onFailure: (error) =>
          ill(
            "redis",
            `no response (${error._tag}). Until then each replica has its own paused calls and rate limits`,
            "Start Redis, or correct or unset REDIS_URL",
          ),
      }),
  })

/** The paused operations, each with the error that paused it last. */
const openCircuits = ({ operations }: ProviderSeen): ReadonlyArray<string> =>
  Object.entries(operations ?? {}).flatMap(([name, { circuit, lastError }]) =>
    circuit === "open" ? [lastError === undefined ? name : `${name} (${lastError.detail})`] : []
  )

const providerFinding = (provider: ProviderSeen): Finding => {
  const check = `provider ${provider.name}`
  if (!provider.enabled) {
    return ill(
      check,
      `switched off: ${provider.disabledReason}`,
      provider.registered === false
        ? "Configure it on the service, or remove it from PROVIDERS"
        : `Switch it on again when the reason is gone: cli providers switch ${provider.name} on --reason TEXT`,
    )
  }
  const open = openCircuits(provider)
  return open.length === 0 ? well(check, "serves") : ill(
    check,
    `paused after repeated errors: ${open.join(", ")}`,
    "Run cli doctor on the service's machine, without BROKER_URL",
  )
}

const readAccounts = readAs(Schema.Array(AccountBody))
const readProviders = readAs(Schema.Array(ProviderSeen))

/** The state of a running service, as far as its operator can see it over HTTP. */
export const checkService = (operator: Layer.Layer<OperatorClient, CommandFailed>) =>
  Effect.gen(function* () {
    const all = yield* readAccounts(yield* answerTo(OperatorGroup.endpoints.accounts, { limit: mostListed }))
    const standing = yield* readProviders(yield* answerTo(ProvidersGroup.endpoints.providers, {}))
    return [
      well("service", `responds and accepts the API key; it has ${counted(all.length, "account")}`),
      ...standing.flatMap((provider) => [
        providerFinding(provider),
        ...provider.endings.map(endingFinding(provider.name)),
      ]),
    ]
  }).pipe(
    Effect.provide(operator),
    Effect.catch(({ detail, kind }) => {
      const todo = kind === "forbidden"
        ? "Set BROKER_API_KEY to a key with the scope operate"
        : "Start the service, or correct BROKER_URL"
      return Effect.succeed([ill("service", detail, todo)])
    }),
  )
