import { Duration, Schema } from "effect"
import { Bps } from "./domain/Bps.ts"
import { limitSettings } from "./limitSettings.ts"
import { resilienceSettings } from "./resilienceSettings.ts"
import { optionalSetting, setting } from "./Setting.ts"
import { sandboxSettings } from "./sandboxSettings.ts"
import { telemetrySettings } from "./telemetrySettings.ts"
import { upstreamSettings } from "./upstreamSettings.ts"
import { webhookSettings } from "./webhookSettings.ts"
import {
  aDuration,
  anHttpUrl,
  between,
  HttpUrl,
  integer,
  LogoUrl,
  PositiveDuration,
  PostgresUrl,
  ProviderNames,
  RedisUrl,
} from "./settingKinds.ts"

const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "none"] as const

/** Every setting of the service, described once; config/settings.md is made of it. */
export const settings = {
  host: setting({
    name: "HOST",
    default: "127.0.0.1",
    schema: Schema.NonEmptyString,
    expected: "a host name or address to listen on",
    meaning: "Address to listen on",
  }),
  port: setting({
    name: "PORT",
    default: "8080",
    schema: integer(0, 65_535),
    expected: "a port from 0 to 65535",
    meaning: "Port to listen on; 0 picks a free one, and the chosen URL is logged",
  }),
  publicUrl: optionalSetting({
    name: "PUBLIC_URL",
    defaultNote: "http:// and the host that the caller names",
    schema: HttpUrl,
    expected: anHttpUrl,
    meaning: "Under which clients reach the service, such as through a proxy: URLs of logos begin with it",
  }),
  logoUrl: optionalSetting({
    name: "LOGO_URL",
    defaultNote: "pictures of the service's own, under /logos",
    schema: LogoUrl,
    expected: "a URL that begins with http:// or https:// and has {id} in it",
    meaning: "Template of the URLs of logos; {id} is that of an asset (btc.btc) or of a network (btc)",
  }),
  mode: setting({
    name: "MODE",
    default: "sandbox",
    schema: Schema.Literals(["sandbox", "live"]),
    expected: "sandbox or live",
    meaning: "sandbox: the upstreams are simulated and no money moves. live: the real ones, by their URLs",
  }),
  databaseUrl: optionalSetting({
    name: "DATABASE_URL",
    defaultNote: "embedded database in DATA_DIR",
    schema: Schema.RedactedFromValue(PostgresUrl),
    expected: "a URL that begins with postgres://",
    meaning: "Postgres server that keeps the records",
  }),
  databaseConnections: setting({
    name: "DATABASE_CONNECTIONS",
    default: "10",
    schema: integer(1, 1_000),
    expected: "a number from 1 to 1000",
    meaning: "Most connections to the Postgres server; one of several hears of other replicas' events",
  }),
  databaseTimeout: setting({
    name: "DATABASE_TIMEOUT",
    default: "10 seconds",
    schema: PositiveDuration,
    expected: aDuration,
    meaning:
      "Longest that an operation on the Postgres server may take, with the wait for a connection; then " +
      "the request fails with 503",
  }),
  redisUrl: optionalSetting({
    name: "REDIS_URL",
    defaultNote: "circuit state and rate limits are this process's own",
    schema: Schema.RedactedFromValue(RedisUrl),
    expected: "a URL that begins with redis:// or rediss://",
    meaning:
      "Redis server that several replicas share circuit state and rate limits through; while it cannot be " +
      "used, also at the start, both are this process's own",
  }),
  redisTimeout: setting({
    name: "REDIS_TIMEOUT",
    default: "250 millis",
    schema: PositiveDuration,
    expected: aDuration,
    meaning: "Longest that a call waits for Redis; where it is slower, it counts as one that cannot be used",
  }),
  drainDelay: setting({
    name: "DRAIN_DELAY",
    default: "2 seconds",
    schema: between(Duration.zero),
    expected: 'a duration from 0 to 1 hour, such as "5 seconds"',
    meaning:
      "How long the process goes on serving once it is to stop, with `/readyz` answering 503 so that a balancer " +
      "sends requests elsewhere",
  }),
  eventStreamsMost: setting({
    name: "EVENT_STREAMS_MOST",
    default: "100",
    schema: integer(0, 100_000),
    expected: "a number from 0 to 100000",
    meaning: "How many streams of events one account may have open at a time",
  }),
  eventHeartbeat: setting({
    name: "EVENT_HEARTBEAT",
    default: "15 seconds",
    schema: PositiveDuration,
    expected: aDuration,
    meaning: "How often a stream of events sends a comment, so that nobody on the way takes it for dead",
  }),
  dataDir: setting({
    name: "DATA_DIR",
    default: "./data",
    schema: Schema.NonEmptyString,
    expected: "a folder, or memory",
    meaning: "Folder of the embedded database and of the sandbox; memory keeps nothing",
  }),
  brokerUrl: optionalSetting({
    name: "BROKER_URL",
    defaultNote: "the commands open the database themselves",
    schema: HttpUrl,
    expected: anHttpUrl,
    meaning: "Only for `deno task cli`: the running service that the commands work with",
  }),
  brokerApiKey: optionalSetting({
    name: "BROKER_API_KEY",
    defaultNote: "unset",
    schema: Schema.RedactedFromValue(Schema.NonEmptyString),
    expected: "an API key",
    meaning: "Only for `deno task cli`: an API key of that service with the scope operate",
  }),
  bootstrapKey: optionalSetting({
    name: "BOOTSTRAP_API_KEY",
    defaultNote: "sandbox: made and printed once",
    schema: Schema.RedactedFromValue(Schema.NonEmptyString.check(Schema.isMinLength(24))),
    expected: "24 characters or more",
    meaning: "At the first start with no account: creates the account default with this API key",
  }),
  bootstrapCommissionBps: setting({
    name: "BOOTSTRAP_COMMISSION_BPS",
    default: "0",
    schema: integer(0, 995).pipe(Schema.decodeTo(Bps)),
    expected: "basis points from 0 to 995",
    meaning: "Default commission of that account",
  }),
  providers: setting({
    name: "PROVIDERS",
    default: "chainflip,near-intents",
    schema: ProviderNames,
    expected: "names of providers with commas between them",
    meaning:
      "Enabled providers in order of preference; one that this build does not have is named in the log",
  }),
  ...upstreamSettings,
  ...limitSettings,
  ...resilienceSettings,
  ...telemetrySettings,
  ...webhookSettings,
  idempotencyKeep: setting({
    name: "IDEMPOTENCY_KEEP",
    default: "24 hours",
    schema: between(Duration.hours(24), Duration.days(30)),
    expected: 'a duration from 24 hours to 30 days, such as "2 days"',
    meaning: "How long an Idempotency-Key and the answer under it are kept at least",
  }),
  recordsKeep: setting({
    name: "RECORDS_KEEP",
    default: "90 days",
    schema: between(Duration.days(30), Duration.days(3_650)),
    expected: 'a duration from 30 days to 3650 days, such as "90 days"',
    meaning:
      "How long refused openings are kept, and payloads of /tx-payload after they went stale: a transaction " +
      "of one that comes later is nobody's. Swaps are kept for ever",
  }),
  statusMaxAge: optionalSetting({
    name: "STATUS_MAX_AGE",
    defaultNote: "live: 6 seconds; sandbox: 0",
    schema: between(Duration.zero),
    expected: 'a duration of at most 1 hour, such as "6 seconds"; 0 looks up every time',
    meaning: "A status that is older is looked up again before it is answered, unless it is final",
  }),
  trackerConcurrency: setting({
    name: "TRACKER_CONCURRENCY",
    default: "16",
    schema: integer(1, 1_000),
    expected: "a number from 1 to 1000",
    meaning: "How many open swaps of one provider are looked up at the same time",
  }),
  lookupsPerSecond: setting({
    name: "LOOKUPS_PER_SECOND",
    default: "100",
    schema: integer(1, 100_000),
    expected: "a number from 1 to 100000",
    meaning:
      "Most look-ups of swaps a second at each provider, by this process; what is more waits, or is answered " +
      "as it is stored",
  }),
  followQuietFor: setting({
    name: "FOLLOW_QUIET_SWAPS",
    default: "60 days",
    schema: between(Duration.days(1), Duration.days(3_650)),
    expected: 'a duration from 1 day to 3650 days, such as "60 days"',
    meaning:
      "How long after its last change a swap without a proved end (a payment or refund with its transaction) is " +
      "looked up, slower and slower; then only when its status is asked for",
  }),
  trackerInterval: optionalSetting({
    name: "TRACKER_INTERVAL",
    defaultNote: "live: 1 second; sandbox: 200 millis",
    schema: PositiveDuration,
    expected: aDuration,
    meaning: "How often the tracker asks what is due",
  }),
  assetsMaxAge: setting({
    name: "ASSETS_MAX_AGE",
    default: "10 seconds",
    schema: between(Duration.zero),
    expected: 'a duration of at most 1 hour, such as "10 seconds"',
    meaning: "How long GET /assets uses what a provider said, and how long caches may use the answer",
  }),
  rpcBatchMost: setting({
    name: "RPC_BATCH_MOST",
    default: "20",
    schema: integer(1, 1_000),
    expected: "a number from 1 to 1000",
    meaning: "Most calls in one batch of POST /rpc",
  }),
  rpcBatchConcurrency: setting({
    name: "RPC_BATCH_CONCURRENCY",
    default: "4",
    schema: integer(1, 100),
    expected: "a number from 1 to 100",
    meaning: "How many calls of a batch are under way at the same time",
  }),
  logLevel: setting({
    name: "LOG_LEVEL",
    default: "info",
    schema: Schema.Literals(logLevels),
    expected: `one of ${logLevels.join(", ")}`,
    meaning: "Least level that is logged",
  }),
  logFormat: optionalSetting({
    name: "LOG_FORMAT",
    defaultNote: "pretty on a terminal, else json",
    schema: Schema.Literals(["pretty", "json"]),
    expected: "pretty or json",
    meaning: "Form of log lines",
  }),
  ...sandboxSettings,
}
