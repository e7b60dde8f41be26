import { assert, describe, it } from "#test/support/it.ts"
import { Duration, Effect, Option, Redacted } from "effect"
import { everySetting, type Settings } from "#settings.ts"
import { builtIn } from "#providers/mod.ts"
import { DatabaseLocation } from "#infrastructure/store/database/DatabaseLocation.ts"
import { addressSettings } from "#application/swapping/settings.ts"
import { brokerAccount } from "#sandbox/engine/figures.ts"
import { type Environment, issuesOf, live, readFrom, valueFrom } from "./read.ts"
import { settingsOfSimulated, simulatedNames } from "#test/support/simulated.ts"
import { chainflipSettings } from "#providers/chainflip/settings.ts"

const noPorts = ["-1", "65536", "80.5", "http"]
const noUrls = ["not a URL", "ftp://host", "host:8080", "/path"]
const negative = ["soon", "5", "-1 second", "5 fortnights"]
const noCounts = ["0", "-1", "1.5", "many"]
const noLimits = ["-1", "10000001", "1.5", "many"]
const noDurations = [...negative, "0 seconds", "0"]

/** Values that do not fit, of settings that are alike by their names; none where any text does. */
const alike: ReadonlyArray<readonly [names: RegExp, wrong: ReadonlyArray<string>]> = [
  [/^(?:SANDBOX_)?PORT$/, noPorts],
  [/^(?:BROKER|PUBLIC|SANDBOX)_URL$|_ENDPOINT$/, noUrls],
  [/^RATE_LIMIT/, noLimits],
  [/_SHARE$/, ["0", "1.1", "half"]],
  [/_(?:SUPPORT|TERMS)$/, [
    "ask us",
    "http://help.test",
    "javascript:alert(1)",
    "a@b",
    "https://user@help.test",
  ]],
  [/_RETRIES$/, ["-1", "11", "1.5"]],
  [/_(?:AFTER|FAILING|TTL|WITNESS_INTERVAL)$/, [...negative, "5"]],
  [
    /_(?:DEADLINE|GRACE|HEARTBEAT|INTERVAL|OPEN_TIME|RETRY_AFTER_MOST|SLOW|SLOW_CALL|TIME_MOST|TIMEOUT)$/,
    noDurations,
  ],
  [/_(?:ERRORS_KEEP|MAX_AGE)$/, negative],
  [/_(?:BULKHEAD|CALLS|CONCURRENCY|FAILURES|LEFT|STALLED)$/, noCounts],
  [/^(?:CIRCUIT_WINDOW|MCP_SESSIONS_.*|WEBHOOKS_MOST)$/, noCounts],
  [
    /^(?:REFUND|WITHDRAWAL)_ADDRESS_|^(?:HOST|DATA_DIR|CATALOGUE_FILE|CREDENTIALS_DIRECTORY|BROKER_API_KEY)$/,
    [],
  ],
  [/^(?:NEAR_INTENTS_(?:TOKEN|FEE_ACCOUNT)|RELAY_KEY|SANDBOX_SEED|OTEL_SERVICE_NAME)$/, []],
]

/**
 * The same of every other setting of the house. Those of a provider may stand here or in its own tests, but for its
 * URLs, which all refuse the same.
 */
const wrong: Readonly<Record<string, ReadonlyArray<string>>> = {
  LOGO_URL: ["https://cdn.example/logo.svg", "cdn/{id}.svg", "https://cdn.example/{name}/{id}.svg"],
  MERCHANT_NAME: [" Acme", "x".repeat(61), "Ac\u202Eme"],
  MERCHANT_COLOUR: ["#ffffff", "#0b6b5d;", "green", "0b6b5d"],
  MERCHANT_SUPPORT: ["help", "http://acme.example", "javascript:alert(1)", "https://a@acme.example"],
  MERCHANT_RETURN_URL: ["acme.example", "http://acme.example", "javascript:alert(1)"],
  MERCHANT_LOGO: ["logo.png", "https://cdn.example/logo.png", "data:image/svg+xml;base64,PHN2Zy8+"],
  MODE: ["Sandbox", "test", "production"],
  DATABASE_URL: ["mysql://user:hunter2@host/db", "host:5432"],
  DATABASE_CONNECTIONS: ["0", "1001", "2.5", "many"],
  DRAIN_DELAY: ["-1 second", "2 hours", "soon"],
  EVENT_STREAMS_MOST: ["-1", "100001", "many"],
  MCP: ["yes", "On"],
  MCP_CONFIRMATION_LIFETIME: [...noDurations, "11 minutes"],
  MCP_SESSION_IDLE: [...noDurations, "2 days"],
  BOOTSTRAP_API_KEY: ["hunter2", "hunter2hunter2hunter2hu"],
  BOOTSTRAP_COMMISSION_BPS: ["-1", "996", "1.5", "10%"],
  PROVIDERS: ["Chainflip", "chainflip,,near-intents", "chainflip;near-intents", ","],
  CHAINFLIP_BROKER_URL: ["ws://hunter2@host"],
  CHAINFLIP_BROKER_ACCOUNT: [
    "nobody",
    `${brokerAccount}x`,
    brokerAccount.toLowerCase(),
    "15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5",
  ],
  CHAINFLIP_EXPLORER_URL: ["nowhere", "https://host/{what}"],
  CHAINFLIP_NETWORK: ["regtest", "Mainnet", "perseverance"],
  LEDGER_PATIENCE: [...noDurations, "59 seconds", "8 days"],
  SHARED_ACCOUNTS: ["Chainflip", "one,,two", "one;two"],
  FUNDS_MAX_AGE: [...negative, "2 hours"],
  FUNDS_WINDOW: [...noDurations, "59 seconds", "8 days"],
  FUNDS_RESERVE: ["-1", "1.5", "many"],
  REDIS_URL: ["http://host", "host:6379", "redis://host:70000", "redis://host/circuits"],
  NEAR_INTENTS_KEY: ["reYaWhvwu8Jzo3WUM3zhn6VrhuMEF4eADL17qtRVifc", "ed25519:short"],
  RELAY_FEE_RECIPIENT: ["0x12", "operator.near", `0X${"1".repeat(40)}`],
  THORCHAIN_AFFILIATE: ["a:b", "name/other", "a b", "x".repeat(65)],
  MAYA_AFFILIATE: ["a:b", "name/other"],
  THORCHAIN_ROUTERS: [
    "0xD37BbE5744D730a1d98d8DC97c42F0Ca46aD7146",
    "Shibarium:0xD37BbE5744D730a1d98d8DC97c42F0Ca46aD7146",
    "Bitcoin:0xD37BbE5744D730a1d98d8DC97c42F0Ca46aD7146",
    "Ethereum:0xD37BbE5744D730a1d98d8DC97c42F0Ca46aD7147,",
    "Ethereum=0xD37BbE5744D730a1d98d8DC97c42F0Ca46aD7146",
  ],
  MAYA_ROUTERS: ["Ethereum:", "thorchain:Ethereum:0xe3985E6b61b814F7Cdb188766562ba71b446B46d"],
  TRUSTED_PROXIES: ["1", "10.0.0.0/33", "proxy.internal", "10.0.0.1;10.0.0.2", "10.0.0.1,"],
  OPEN_CHANNELS_MOST: ["0", "1000001", "1.5", "many"],
  DAILY_VOLUME_MOST: ["0", "1000000000001", "1.5", "many"],
  WEBHOOK_TIMEOUT: [...noDurations, "2 minutes"],
  WEBHOOK_KEEP: [...noDurations, "1 hour"],
  OPERATOR_WEBHOOK_URL: ["nowhere", "ftp://hunter2@host", "https://user:hunter2@host/x"],
  OPERATOR_WEBHOOK_SECRET: ["hunter2", "whsec_hunter2", "whsec_AAAA"],
  OPERATOR_WEBHOOK_PRIVATE_DESTINATIONS: ["https://hunter2", "10.0.0.0/33", "a b", "hunter2/8"],
  WEBHOOK_PRIVATE_DESTINATIONS: ["https://hunter2", "10.0.0.0/33", "a b", "hunter2/8"],
  WIRE_WITNESS_QUESTIONS: ["9", "100001", "many"],
  PROVIDER_HISTORY_KEEP: [...noDurations, "1 hour"],
  PROVIDER_HISTORY_PUBLIC: ["yes", "On"],
  ALERT_KEEP: [...noDurations, "1 hour"],
  WEBHOOK_ENCRYPTION_KEY: ["hunter2", "A".repeat(44), "AAAA"],
  CASE_FILE_KEYS: ["hunter2", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----"],
  CHAINFLIP_PAYLOAD_LIFETIME: [...noDurations, "999 millis", "4 days"],
  VAULT_ADDRESSES: [
    "0x1111111111111111111111111111111111111111",
    "chainflip:Shibarium:0x1111111111111111111111111111111111111111",
    "chainflip:Solana:0x1111111111111111111111111111111111111111",
    "Chainflip:Ethereum:0x1111111111111111111111111111111111111111",
  ],
  RELAY_EXPLORER_URL: ["nowhere", "https://host/{what}"],
  NEAR_INTENTS_EXPLORER_URL: ["nowhere", "https://host/{what}"],
  QUOTE_LIFETIME: [...noDurations, "1 millis", "16 minutes"],
  QUOTE_ID_KEY: ["hunter2", "A".repeat(44), "AAAA"],
  RECORDS_KEEP: [...noDurations, "29 days", "4000 days"],
  IDEMPOTENCY_KEEP: [...noDurations, "23 hours", "31 days"],
  BULKHEAD_WAIT: [...negative, "2 hours"],
  CIRCUIT_FORGET: [...noDurations, "59 seconds"],
  OPENINGS_SWEEP_INTERVAL: [...noDurations, "25 hours"],
  SLIPPAGE_TOLERANCE_MOST: ["-1", "51", "some"],
  TRACKER_CONCURRENCY: ["0", "1001", "2.5"],
  LOOKUPS_PER_SECOND: ["0", "100001", "many"],
  FOLLOW_QUIET_SWAPS: ["23 hours", "3651 days", "long"],
  RPC_BATCH_MOST: ["0", "1001", "2.5"],
  RPC_BATCH_CONCURRENCY: ["0", "101", "many"],
  LOG_LEVEL: ["Info", "verbose", "warning"],
  LOG_FORMAT: ["JSON", "text"],
  SANDBOX_SPEED: ["-1", "100001", "fast", "NaN", "Infinity"],
  SANDBOX_GENESIS: ["yesterday", "2026-13-01T00:00:00Z", "1969-12-31T23:59:59Z"],
  OTEL_EXPORTER_OTLP_HEADERS: ["no header", "=value", "name=%zz", "name=value,other"],
  OTEL_TRACES_SAMPLER_ARG: ["-0.1", "1.1", "half"],
}

const variables = new Map(everySetting.variables.map((variable) => [variable.name, variable]))
const names = [...variables.keys()]
const namesOfProviders = builtIn.flatMap(({ variables }) => variables.map(({ name }) => name))
const placesOfProviders = settingsOfSimulated.filter(({ isPlace }) => isPlace).map(({ name }) => name)
const described = (name: string) => wrong[name] ?? alike.find(([names]) => names.test(name))?.[1]
const wrongOf = (name: string): ReadonlyArray<string> => [
  ...described(name) ?? [],
  ...placesOfProviders.includes(name) ? noUrls : [],
]
const rows = names.flatMap((name) => wrongOf(name).map((value) => ({ name, value })))

const secrets: Environment = {
  DATABASE_URL: "postgres://broker:hunter2@db.test/broker",
  BOOTSTRAP_API_KEY: "hunter2-hunter2-hunter2-hunter2",
  CHAINFLIP_BROKER_URL: "https://hunter2@broker.test/rpc/hunter2",
  OTEL_EXPORTER_OTLP_HEADERS: "x-key=hunter2",
  OPERATOR_WEBHOOK_URL: "https://operator.test/hunter2",
  OPERATOR_WEBHOOK_SECRET: "whsec_hunter2hunter2hunter2hunter2hunter2A",
}

describe("readSettings", () => {
  it.effect("has the defaults of the table", function* () {
    const read = yield* readFrom({})
    assert.strictEqual(read.http.hostname, "127.0.0.1")
    assert.strictEqual(read.http.port, 8080)
    assert.strictEqual(read.mode, "sandbox")
    assert.deepStrictEqual(read.database.location, DatabaseLocation.Folder({ folder: "./data" }))
    assert.isTrue(Option.isNone(read.bootstrap.key))
    assert.strictEqual<number>(read.bootstrap.commissionBps, 0)
    assert.deepStrictEqual<ReadonlyArray<string>>(read.enabledProviders, simulatedNames)
    const { explorerUrl } = yield* valueFrom(chainflipSettings, {})
    assert.strictEqual(
      explorerUrl,
      "https://scan.chainflip.io/channels/{issuedBlock}-{network}-{channelId}",
    )
    assert.deepStrictEqual(yield* valueFrom(addressSettings, live), {
      networks: ["mainnet"],
      realNetwork: "mainnet",
      fallbackRefundAddresses: {},
    })
    const { credentials, default: all, swap } = read.quotas
    assert.deepStrictEqual([all?.tokens, swap?.tokens, credentials?.tokens], [6_000, 600, 300])
    assert.isTrue(Option.isNone(read.http.trustedProxies))
    assert.strictEqual(read.swaps.openChannelsMost, 5_000)
    assert.strictEqual(read.log.level, "info")
    assert.isTrue(Option.isNone(read.log.format))
    assert.strictEqual(read.sandbox.world.speed, 60)
    assert.isTrue(Option.isNone(read.sandbox.url))
    assert.strictEqual(read.sandbox.port, 9944)
  })

  it.effect("has other defaults in live mode where time is simulated in the sandbox", function* () {
    const timesOf = ({ dispatch, swaps, tracker }: Settings) =>
      [swaps.statusMaxAge, tracker.pollInterval, dispatch.interval].map(Duration.toMillis)
    assert.deepStrictEqual(timesOf(yield* readFrom({})), [0, 200, 200])
    assert.deepStrictEqual(timesOf(yield* readFrom(live)), [6_000, 1_000, 1_000])
  })

  it.effect("follow swaps by the clock where one of the providers is on a real network", function* () {
    const scalesOf = ({ lookups, swaps, vaultSwaps }: Settings) =>
      [lookups, swaps, vaultSwaps].map(({ timeScale }) => timeScale)
    assert.deepStrictEqual(scalesOf(yield* readFrom({})), [60, 60, 60])
    assert.deepStrictEqual(scalesOf(yield* readFrom({ RELAY_URL: "https://relay.test" })), [1, 1, 1])
    const elsewhere = { RELAY_URL: "https://relay.test", PROVIDERS: "chainflip" }
    assert.deepStrictEqual(scalesOf(yield* readFrom(elsewhere)), [60, 60, 60])
  })

  it.effect("takes an empty variable for an unset one", function* () {
    const { isSet: _, isSimulated: _isSimulated, providersAt: _providers, ...defaults } = yield* readFrom({})
    for (const empty of ["", "  "]) {
      const env = Object.fromEntries(names.map((name) => [name, empty]))
      const { isSet, isSimulated: _, providersAt: _at, ...read } = yield* readFrom(env)
      assert.deepStrictEqual(read, defaults)
      assert.isEmpty(names.filter(isSet))
    }
  })

  it.effect.each(rows)(
    "refuses $name=$value, says what it must be and not what it was",
    function* ({ name, value }) {
      const [sentence = "", ...others] = yield* issuesOf({ [name]: value })
      assert.isEmpty(others)
      assert.isTrue(sentence.startsWith(`${name} must be `), sentence)
      assert.isAbove(sentence.length, `${name} must be `.length)
      assert.notInclude(sentence, "hunter2")
    },
  )

  it.effect("names everything that is wrong at once", function* () {
    const first = names.flatMap((name) =>
      (described(name) ?? []).slice(0, 1).map((value) => [name, value] as const)
    )
    const error = yield* Effect.flip(readFrom(Object.fromEntries(first)))
    assert.lengthOf(error.issues, first.length)
    for (const [name] of first) assert.include(error.message, `\n  ${name} must be `)
    assert.notInclude(error.message, "hunter2")
  })

  it.effect("never shows a secret when the settings are printed", function* () {
    const read = yield* readFrom(secrets)
    assert.notInclude(JSON.stringify(read) + Deno.inspect(read, { depth: 10 }) + `${read}`, "hunter2")
    const key = Option.map(read.bootstrap.key, Redacted.value)
    assert.deepStrictEqual(key, Option.some("hunter2-hunter2-hunter2-hunter2"))
  })

  it.effect("takes bounds, lists, durations and dates as people write them", function* () {
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
    assert.strictEqual(read.http.port, 0)
    assert.strictEqual<number>(read.bootstrap.commissionBps, 995)
    assert.deepStrictEqual<ReadonlyArray<string>>(read.enabledProviders, ["near-intents", "chainflip"])
    assert.strictEqual(Duration.toMillis(read.quoting.deadline), 250)
    assert.deepStrictEqual(Duration.toMillis(read.swaps.statusMaxAge), 60_000)
    assert.strictEqual(read.sandbox.world.speed, 0.5)
    assert.strictEqual<number | undefined>(read.sandbox.world.genesis, Date.UTC(2026, 6, 29, 14, 4, 24))
    const chainflip = yield* valueFrom(chainflipSettings, { CHAINFLIP_BROKER_ACCOUNT: brokerAccount })
    assert.strictEqual(chainflip.brokerAccount, brokerAccount)
    assert.deepStrictEqual(
      Option.map(read.sandbox.url, ({ href }) => href),
      Option.some("http://127.0.0.1:9944/"),
    )
  })

  it.effect("takes 0 without a unit where nothing is possible, and refuses it where it is not", function* () {
    const read = yield* readFrom({
      QUOTE_CACHE_TTL: "0",
      QUOTE_REFUSAL_TTL: "0 seconds",
      STATUS_MAX_AGE: "0",
      ASSETS_MAX_AGE: "0",
      DRAIN_DELAY: "0",
      BULKHEAD_WAIT: "0",
    })
    const durations = [
      read.quoting.reuse.quotes,
      read.quoting.reuse.refusals,
      read.assets.maxAge,
      read.http.drainDelay,
      read.guard.sharing.wait,
      read.swaps.statusMaxAge,
    ]
    assert.deepStrictEqual(durations.map(Duration.toMillis), [0, 0, 0, 0, 0, 0])
    const issues = yield* issuesOf({ QUOTE_DEADLINE: "0", QUOTE_GRACE: "0", IDEMPOTENCY_KEEP: "0" })
    assert.lengthOf(issues, 3)
  })

  it("describes every setting, with a name of its own", () => {
    const ofHouse = names.filter((name) => !namesOfProviders.includes(name))
    assert.isEmpty(ofHouse.filter((name) => described(name) === undefined))
    assert.includeMembers(names, Object.keys(wrong))
    const distinct = new Set(
      everySetting.variables.map((one) => JSON.stringify({ ...one, group: undefined })),
    )
    assert.strictEqual(distinct.size, names.length, "two variables have one name")
    for (const { group, name, meaning, unset } of variables.values()) {
      assert.match(name, /^[A-Z][A-Z_]+$/)
      assert.isAbove(meaning.length, 10, name)
      assert.isNotEmpty(unset, name)
      assert.isNotEmpty(group, name)
    }
  })
})
