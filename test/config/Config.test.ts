import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Option, Redacted, Struct } from "effect"
import { settings } from "../../src/settings.ts"
import { brokerAccount } from "../../src/sandbox/engine/constants.ts"
import { type Environment, issuesOf, readFrom } from "./read.ts"

const noPorts = ["-1", "65536", "80.5", "http"]
const noUrls = ["not a URL", "ftp://host", "host:8080", "/path"]
const negative = ["soon", "5", "-1 second", "5 fortnights"]
const noCounts = ["0", "-1", "1.5", "many"]
const noLimits = ["-1", "10000001", "1.5", "many"]
const noDurations = [...negative, "0 seconds", "0"]

/** Values that do not fit, of every setting; none where any text does. */
const wrong: { readonly [Name in keyof typeof settings]: ReadonlyArray<string> } = {
  host: [],
  port: noPorts,
  publicUrl: noUrls,
  logoUrl: ["https://cdn.example/logo.svg", "cdn/{id}.svg", "https://cdn.example/{name}/{id}.svg"],
  mode: ["Sandbox", "test", "production"],
  databaseUrl: ["mysql://user:hunter2@host/db", "host:5432"],
  databaseConnections: ["0", "1001", "2.5", "many"],
  databaseTimeout: noDurations,
  drainDelay: ["-1 second", "2 hours", "soon"],
  eventStreamsMost: ["-1", "100001", "many"],
  eventHeartbeat: noDurations,
  dataDir: [],
  brokerUrl: noUrls,
  brokerApiKey: [],
  bootstrapKey: ["hunter2", "hunter2hunter2hunter2hu"],
  bootstrapCommissionBps: ["-1", "996", "1.5", "10%"],
  providers: ["Chainflip", "chainflip,,near-intents", "chainflip;near-intents", ","],
  chainflipBackendUrl: noUrls,
  chainflipNodeUrl: noUrls,
  chainflipBrokerUrl: [...noUrls, "ws://hunter2@host"],
  chainflipBrokerAccount: [
    "nobody",
    `${brokerAccount}x`,
    brokerAccount.toLowerCase(),
    "15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5",
  ],
  chainflipExplorerUrl: ["nowhere", "https://host/{what}"],
  chainflipNetwork: ["sandbox", "Mainnet", "perseverance"],
  refundBitcoin: [],
  refundEthereum: [],
  refundArbitrum: [],
  refundSolana: [],
  refundAssethub: [],
  refundTron: [],
  refundPolkadot: [],
  refundBsc: [],
  redisUrl: ["http://host", "host:6379", "redis://host:70000", "redis://host/circuits"],
  redisTimeout: noDurations,
  nearIntentsUrl: noUrls,
  nearIntentsToken: [],
  nearIntentsKey: ["reYaWhvwu8Jzo3WUM3zhn6VrhuMEF4eADL17qtRVifc", "ed25519:short"],
  nearIntentsFeeAccount: [],
  rateLimit: noLimits,
  rateLimitSwap: noLimits,
  rateLimitAccount: noLimits,
  rateLimitAccountSwap: noLimits,
  rateLimitCredentials: noLimits,
  trustedProxies: ["1", "10.0.0.0/33", "proxy.internal", "10.0.0.1;10.0.0.2", "10.0.0.1,"],
  openChannelsMost: ["0", "1000001", "1.5", "many"],
  webhookTimeout: [...noDurations, "2 minutes"],
  webhookConcurrency: noCounts,
  webhookEndpointConcurrency: noCounts,
  webhookInterval: noDurations,
  webhooksMost: noCounts,
  webhookKeep: [...noDurations, "1 hour"],
  webhookEncryptionKey: ["hunter2", "A".repeat(44), "AAAA"],
  chainflipPayloadLifetime: [...noDurations, "999 millis", "4 days"],
  vaultAddresses: [
    "0x1111111111111111111111111111111111111111",
    "chainflip:Dogecoin:0x1111111111111111111111111111111111111111",
    "chainflip:Solana:0x1111111111111111111111111111111111111111",
    "Chainflip:Ethereum:0x1111111111111111111111111111111111111111",
  ],
  nearIntentsExplorerUrl: ["nowhere", "https://host/{what}"],
  quoteDeadline: noDurations,
  quoteGrace: noDurations,
  quoteReuse: [...negative, "5"],
  refusalReuse: [...negative, "5"],
  quoteTimeout: noDurations,
  quoteRetries: ["-1", "11", "1.5"],
  quoteBulkhead: noCounts,
  quoteSlowCall: noDurations,
  openDeadline: noDurations,
  openTimeout: noDurations,
  recordsKeep: [...noDurations, "29 days", "4000 days"],
  idempotencyKeep: [...noDurations, "23 hours", "31 days"],
  openBulkhead: noCounts,
  openFailures: noCounts,
  statusDeadline: noDurations,
  statusTimeout: noDurations,
  statusRetries: ["-1", "11", "1.5"],
  statusBulkhead: noCounts,
  statusSlowCall: noDurations,
  nodeDeadline: noDurations,
  nodeTimeout: noDurations,
  nodeRetries: ["-1", "11", "1.5"],
  nodeBulkhead: noCounts,
  nodeSlowCall: noDurations,
  bulkheadShare: ["0", "1.1", "half"],
  bulkheadWait: [...negative, "2 hours"],
  circuitWindow: noCounts,
  circuitMinimumCalls: noCounts,
  circuitFailureShare: ["0", "1.1", "half"],
  circuitOpenTime: noDurations,
  circuitOpenTimeMost: noDurations,
  circuitRetryAfterMost: noDurations,
  circuitForget: [...noDurations, "59 seconds"],
  statusMaxAge: negative,
  trackerConcurrency: ["0", "1001", "2.5"],
  lookupsPerSecond: ["0", "100001", "many"],
  followQuietFor: ["23 hours", "3651 days", "long"],
  trackerInterval: noDurations,
  assetsMaxAge: negative,
  rpcBatchMost: ["0", "1001", "2.5"],
  rpcBatchConcurrency: ["0", "101", "many"],
  logLevel: ["Info", "verbose", "warning"],
  logFormat: ["JSON", "text"],
  sandboxSpeed: ["-1", "100001", "fast", "NaN", "Infinity"],
  sandboxSeed: [],
  sandboxGenesis: ["yesterday", "2026-13-01T00:00:00Z", "1969-12-31T23:59:59Z"],
  sandboxUrl: noUrls,
  sandboxPort: noPorts,
  otlpEndpoint: noUrls,
  otlpHeaders: ["no header", "=value", "name=%zz", "name=value,other"],
  otlpServiceName: [],
  otlpSampledPart: ["-0.1", "1.1", "half"],
}

const names = Struct.keys(settings)
const rows = names.flatMap((name) => wrong[name].map((value) => ({ name: settings[name].name, value })))

const secrets: Environment = {
  DATABASE_URL: "postgres://broker:hunter2@db.test/broker",
  BOOTSTRAP_API_KEY: "hunter2-hunter2-hunter2-hunter2",
  CHAINFLIP_BROKER_URL: "https://hunter2@broker.test/rpc/hunter2",
  OTEL_EXPORTER_OTLP_HEADERS: "x-key=hunter2",
}

describe("readSettings", () => {
  it.effect("has the defaults that operators rely on", () =>
    Effect.gen(function* () {
      const read = yield* readFrom({})
      assert.strictEqual(read.host, "127.0.0.1")
      assert.strictEqual(read.port, 8080)
      assert.strictEqual(read.mode, "sandbox")
      assert.isTrue(Option.isNone(read.databaseUrl))
      assert.strictEqual(read.dataDir, "./data")
      assert.isTrue(Option.isNone(read.bootstrapKey))
      assert.strictEqual<number>(read.bootstrapCommissionBps, 0)
      assert.deepStrictEqual<ReadonlyArray<string>>(read.providers, ["chainflip", "near-intents"])
      assert.isTrue(Option.isNone(read.chainflipBackendUrl))
      assert.isTrue(Option.isNone(read.chainflipNodeUrl))
      assert.isTrue(Option.isNone(read.chainflipBrokerUrl))
      assert.isTrue(Option.isNone(read.chainflipBrokerAccount))
      assert.strictEqual(
        read.chainflipExplorerUrl,
        "https://scan.chainflip.io/channels/{issuedBlock}-{network}-{channelId}",
      )
      assert.strictEqual(read.chainflipNetwork, "mainnet")
      assert.isTrue(Option.isNone(read.refundBitcoin))
      assert.deepStrictEqual([read.rateLimit, read.rateLimitSwap, read.rateLimitCredentials], [
        6_000,
        600,
        300,
      ])
      assert.isTrue(Option.isNone(read.trustedProxies))
      assert.strictEqual(read.openChannelsMost, 5_000)
      assert.strictEqual(read.logLevel, "info")
      assert.isTrue(Option.isNone(read.logFormat))
      assert.strictEqual(read.sandboxSpeed, 60)
      assert.isTrue(Option.isNone(read.sandboxUrl))
      assert.strictEqual(read.sandboxPort, 9944)
    }))

  it.effect("takes an empty variable for an unset one", () =>
    Effect.gen(function* () {
      const defaults = yield* readFrom({})
      for (const empty of ["", "  "]) {
        const env = Object.fromEntries(names.map((name) => [settings[name].name, empty]))
        assert.deepStrictEqual(yield* readFrom(env), defaults)
      }
    }))

  it.effect.each(rows)(
    "refuses $name=$value, says what it must be and not what it was",
    ({ name, value }) =>
      Effect.gen(function* () {
        const [sentence = "", ...others] = yield* issuesOf({ [name]: value })
        assert.isEmpty(others)
        assert.isTrue(sentence.startsWith(`${name} must be `), sentence)
        assert.isAbove(sentence.length, `${name} must be `.length)
        assert.notInclude(sentence, "hunter2")
      }),
  )

  it.effect("names everything that is wrong at once", () =>
    Effect.gen(function* () {
      const first = names.flatMap((name) =>
        wrong[name].slice(0, 1).map((value) => [settings[name].name, value] as const)
      )
      const error = yield* Effect.flip(readFrom(Object.fromEntries(first)))
      assert.lengthOf(error.issues, first.length)
      for (const [name] of first) assert.include(error.message, `\n  ${name} must be `)
      assert.notInclude(error.message, "hunter2")
    }))

  it.effect("never shows a secret when the settings are printed", () =>
    Effect.gen(function* () {
      const read = yield* readFrom(secrets)
      assert.notInclude(JSON.stringify(read) + Deno.inspect(read, { depth: 10 }) + `${read}`, "hunter2")
      const key = Option.map(read.bootstrapKey, Redacted.value)
      assert.deepStrictEqual(key, Option.some("hunter2-hunter2-hunter2-hunter2"))
    }))

  it.effect("takes bounds, lists, durations and dates as people write them", () =>
    Effect.gen(function* () {
      const read = yield* readFrom({
        PORT: "0",
        BOOTSTRAP_COMMISSION_BPS: "995",
        BOOTSTRAP_API_KEY: "k".repeat(24),
        PROVIDERS: " near-intents , chainflip ",
        QUOTE_DEADLINE: "250 millis",
        STATUS_MAX_AGE: "1 minute",
        SANDBOX_SPEED: "0.5",
        SANDBOX_GENESIS: "2026-07-29T14:04:24Z",
        CHAINFLIP_BROKER_ACCOUNT: brokerAccount,
        SANDBOX_URL: "http://127.0.0.1:9944",
      })
      assert.strictEqual(read.port, 0)
      assert.strictEqual<number>(read.bootstrapCommissionBps, 995)
      assert.deepStrictEqual<ReadonlyArray<string>>(read.providers, ["near-intents", "chainflip"])
      assert.strictEqual(Duration.toMillis(read.quoteDeadline), 250)
      assert.deepStrictEqual(Option.map(read.statusMaxAge, Duration.toMillis), Option.some(60_000))
      assert.strictEqual(read.sandboxSpeed, 0.5)
      assert.deepStrictEqual<Option.Option<number>>(
        read.sandboxGenesis,
        Option.some(Date.UTC(2026, 6, 29, 14, 4, 24)),
      )
      assert.deepStrictEqual(read.chainflipBrokerAccount, Option.some(brokerAccount))
      assert.deepStrictEqual(
        Option.map(read.sandboxUrl, ({ href }) => href),
        Option.some("http://127.0.0.1:9944/"),
      )
    }))

  it.effect("takes 0 without a unit where nothing is possible, and refuses it where it is not", () =>
    Effect.gen(function* () {
      const read = yield* readFrom({
        QUOTE_CACHE_TTL: "0",
        QUOTE_REFUSAL_TTL: "0 seconds",
        STATUS_MAX_AGE: "0",
        ASSETS_MAX_AGE: "0",
        DRAIN_DELAY: "0",
        BULKHEAD_WAIT: "0",
      })
      const durations = [
        read.quoteReuse,
        read.refusalReuse,
        read.assetsMaxAge,
        read.drainDelay,
        read.bulkheadWait,
      ]
      assert.deepStrictEqual(durations.map(Duration.toMillis), [0, 0, 0, 0, 0])
      assert.deepStrictEqual(Option.map(read.statusMaxAge, Duration.toMillis), Option.some(0))
      const issues = yield* issuesOf({ QUOTE_DEADLINE: "0", QUOTE_GRACE: "0", IDEMPOTENCY_KEEP: "0" })
      assert.lengthOf(issues, 3)
    }))

  it("describes every setting, with a name of its own", () => {
    const all = names.map((name) => settings[name])
    assert.strictEqual(new Set(all.map(({ name }) => name)).size, all.length)
    for (const { name, meaning, defaultText, defaultNote } of all) {
      assert.match(name, /^[A-Z][A-Z_]+$/)
      assert.isAbove(meaning.length, 10, name)
      assert.notStrictEqual(Option.isNone(defaultText), defaultNote === undefined, name)
    }
  })
})
