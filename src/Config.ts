import { Duration, Effect, Option, Result, Schema, Struct } from "effect"
import { Bps } from "./domain/Bps.ts"
import { combineFaults, fault, type Faults, faultsOf, hasFaults, noFaults } from "./domain/Faults.ts"
import { acceptedNetworks, refundAddresses } from "./refundAddresses.ts"
import {
  aDuration,
  anHttpUrl,
  between,
  ChainflipAccount,
  ExplorerUrl,
  Genesis,
  HttpUrl,
  integer,
  numberFrom,
  PositiveDuration,
  PostgresUrl,
  ProviderNames,
  RedisUrl,
} from "./settingKinds.ts"
import { SigningKey } from "./providers/near-intents/signature/SigningKey.ts"
import { resilienceSettings } from "./resilienceSettings.ts"
import { optionalSetting, type Setting, setting } from "./Setting.ts"

const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "none"] as const

const refundAddress = (chain: string) =>
  optionalSetting({
    name: `REFUND_ADDRESS_${chain.toUpperCase()}`,
    defaultNote: "sandbox: its own; live: none",
    schema: Schema.NonEmptyString,
    expected: `an address on ${chain}`,
    meaning: `Where deposits on ${chain} go back to when the caller gives no refundAddress`,
  })

/** Every setting of the service, described once; the README's table is made of it. */
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
    meaning: "Most connections to the Postgres server",
  }),
  redisUrl: optionalSetting({
    name: "REDIS_URL",
    defaultNote: "circuit state is this process's own",
    schema: Schema.RedactedFromValue(RedisUrl),
    expected: "a URL that begins with redis:// or rediss://",
    meaning: "Redis server that several replicas share circuit state through",
  }),
  dataDir: setting({
    name: "DATA_DIR",
    default: "./data",
    schema: Schema.NonEmptyString,
    expected: "a folder, or memory",
    meaning: "Folder of the embedded database and of the sandbox; memory keeps nothing",
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
  chainflipBackendUrl: optionalSetting({
    name: "CHAINFLIP_BACKEND_URL",
    defaultNote: "sandbox's own",
    schema: HttpUrl,
    expected: anHttpUrl,
    meaning: "Chainflip's swap backend, REST: quotes and status",
  }),
  chainflipNodeUrl: optionalSetting({
    name: "CHAINFLIP_NODE_URL",
    defaultNote: "sandbox's own",
    schema: HttpUrl,
    expected: anHttpUrl,
    meaning: "A state-chain node, JSON-RPC: limits",
  }),
  chainflipBrokerUrl: optionalSetting({
    name: "CHAINFLIP_BROKER_URL",
    defaultNote: "sandbox's own",
    schema: Schema.RedactedFromValue(HttpUrl),
    expected: anHttpUrl,
    meaning: "The operator's own broker, JSON-RPC: opens deposit channels. Treated as a secret",
  }),
  chainflipBrokerAccount: optionalSetting({
    name: "CHAINFLIP_BROKER_ACCOUNT",
    defaultNote: "sandbox's own",
    schema: ChainflipAccount,
    expected: "an ss58 account that begins with cF, with its checksum",
    meaning: "The operator's broker account",
  }),
  chainflipExplorerUrl: setting({
    name: "CHAINFLIP_EXPLORER_URL",
    default: "https://scan.chainflip.io/channels/{issuedBlock}-{network}-{channelId}",
    schema: ExplorerUrl,
    expected: "a URL in which {issuedBlock}, {network} and {channelId} may stand",
    meaning: "Template of explorerUrl",
  }),
  chainflipNetwork: setting({
    name: "CHAINFLIP_NETWORK",
    default: "mainnet",
    schema: Schema.Literals(["mainnet", "testnet"]),
    expected: "mainnet or testnet",
    meaning: "Network that addresses are checked against in live mode; the sandbox accepts all networks'",
  }),
  nearIntentsUrl: optionalSetting({
    name: "NEAR_INTENTS_URL",
    defaultNote: "sandbox's own",
    schema: HttpUrl,
    expected: anHttpUrl,
    meaning: "NEAR Intents' 1Click API",
  }),
  nearIntentsToken: optionalSetting({
    name: "NEAR_INTENTS_TOKEN",
    defaultNote: "unset; the upstream then charges 0.2 % more",
    schema: Schema.RedactedFromValue(Schema.NonEmptyString),
    expected: "a token",
    meaning: "Partner token of the 1Click API",
  }),
  nearIntentsKey: setting({
    name: "NEAR_INTENTS_KEY",
    default: "ed25519:reYaWhvwu8Jzo3WUM3zhn6VrhuMEF4eADL17qtRVifc",
    schema: SigningKey,
    expected: "ed25519: and a public key in base58",
    meaning: "Key that 1Click signs its quotes with; the sandbox has its own",
  }),
  nearIntentsFeeAccount: optionalSetting({
    name: "NEAR_INTENTS_FEE_ACCOUNT",
    defaultNote: "sandbox: its own; live: none, so no commission",
    schema: Schema.NonEmptyString,
    expected: "a NEAR account",
    meaning: "The operator's NEAR account, which commission is paid to",
  }),
  nearIntentsExplorerUrl: setting({
    name: "NEAR_INTENTS_EXPLORER_URL",
    default: "https://explorer.near-intents.org/transactions/{depositAddress}",
    schema: ExplorerUrl,
    expected: "a URL in which {depositAddress} may stand",
    meaning: "Template of explorerUrl",
  }),
  refundBitcoin: refundAddress("Bitcoin"),
  refundEthereum: refundAddress("Ethereum"),
  refundArbitrum: refundAddress("Arbitrum"),
  refundSolana: refundAddress("Solana"),
  refundAssethub: refundAddress("Assethub"),
  refundTron: refundAddress("Tron"),
  refundPolkadot: refundAddress("Polkadot"),
  refundBsc: refundAddress("Bsc"),
  ...resilienceSettings,
  statusMaxAge: optionalSetting({
    name: "STATUS_MAX_AGE",
    defaultNote: "live: 6 seconds; sandbox: 0",
    schema: between(Duration.zero),
    expected: 'a duration of at most 1 hour, such as "6 seconds"; 0 seconds looks up every time',
    meaning: "A status that is older is looked up again before it is answered, unless it is final",
  }),
  trackerConcurrency: setting({
    name: "TRACKER_CONCURRENCY",
    default: "16",
    schema: integer(1, 1_000),
    expected: "a number from 1 to 1000",
    meaning: "How many open swaps are looked up at the same time",
  }),
  trackerInterval: optionalSetting({
    name: "TRACKER_INTERVAL",
    defaultNote: "live: 1 second; sandbox: 200 millis",
    schema: PositiveDuration,
    expected: aDuration,
    meaning: "How often the tracker asks what is due",
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
  sandboxSpeed: setting({
    name: "SANDBOX_SPEED",
    default: "60",
    schema: numberFrom(Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 100_000 }))),
    expected: "a number from 0 to 100000",
    meaning: "Simulated seconds for each real second; 0 stands still until POST /sandbox/time",
  }),
  sandboxSeed: setting({
    name: "SANDBOX_SEED",
    default: "sandbox",
    schema: Schema.NonEmptyString,
    expected: "any text",
    meaning: "The same seed and the same requests give the same answers",
  }),
  sandboxGenesis: optionalSetting({
    name: "SANDBOX_GENESIS",
    defaultNote: "the first start",
    schema: Genesis,
    expected: "a date such as 2026-01-01T00:00:00Z",
    meaning: "Simulated time at which the sandbox begins",
  }),
  sandboxPort: setting({
    name: "SANDBOX_PORT",
    default: "9944",
    schema: integer(0, 65_535),
    expected: "a port from 0 to 65535",
    meaning: "Port of `deno task sandbox`",
  }),
  sandboxUrl: optionalSetting({
    name: "SANDBOX_URL",
    defaultNote: "the sandbox runs inside the service",
    schema: HttpUrl,
    expected: anHttpUrl,
    meaning: "A running `deno task sandbox` that several replicas share; controls are forwarded to it",
  }),
}

interface ReadLambda extends Struct.Lambda {
  <A>(self: Setting<A>): Setting<A>["read"]
  readonly "~lambda.out": this["~lambda.in"] extends Setting<infer A> ? Setting<A>["read"] : never
}

const readLambda = Struct.lambda<ReadLambda>((one) => one.read)

/** Settings that do not fit: all of them at once, each with its name and what was expected. */
export class SettingsWrong extends Schema.TaggedError<SettingsWrong>()("SettingsWrong", {
  faults: Schema.Array(Schema.String),
}) {
  override get message(): string {
    return ["The settings do not fit:", ...this.faults.map((sentence) => `  ${sentence}`)].join("\n")
  }
}

/** One error of everything that is wrong with the settings. */
export const settingsWrong = (faults: Faults): SettingsWrong =>
  new SettingsWrong({ faults: Object.values(faults).flat() })

const readAll = Effect.suspend(() => Effect.all(Struct.map(settings, readLambda)))

type Results = Effect.Success<typeof readAll>

const isSet = (result: Result.Result<Option.Option<unknown>, Faults>): boolean =>
  Result.isFailure(result) || Option.isSome(result.success)

/** In live mode a provider needs all of its places; Chainflip may be left out where there is another one. */
const missingInLive = (results: Results): Faults => {
  const needed = (name: string, result: Result.Result<Option.Option<unknown>, Faults>): Faults =>
    Result.isSuccess(result) && Option.isNone(result.success)
      ? fault(name, `${name} is required with MODE=live`)
      : noFaults
  if (Result.isFailure(results.mode) || results.mode.success !== "live") return noFaults
  const chainflip = [
    results.chainflipBackendUrl,
    results.chainflipNodeUrl,
    results.chainflipBrokerUrl,
    results.chainflipBrokerAccount,
  ]
  if (isSet(results.nearIntentsUrl) && !chainflip.some(isSet)) return noFaults
  return combineFaults([
    needed("CHAINFLIP_BACKEND_URL", results.chainflipBackendUrl),
    needed("CHAINFLIP_NODE_URL", results.chainflipNodeUrl),
    needed("CHAINFLIP_BROKER_URL", results.chainflipBrokerUrl),
    needed("CHAINFLIP_BROKER_ACCOUNT", results.chainflipBrokerAccount),
  ])
}

const textOf = (result: Result.Result<Option.Option<string>, Faults>): Option.Option<string> =>
  Result.getOrElse(result, () => Option.none())

/** Refund addresses have to be of the network that the other settings choose. */
const wrongRefundAddresses = (results: Results): Faults => {
  if (Result.isFailure(results.mode) || Result.isFailure(results.chainflipNetwork)) return noFaults
  const addresses = refundAddresses({
    Bitcoin: textOf(results.refundBitcoin),
    Ethereum: textOf(results.refundEthereum),
    Arbitrum: textOf(results.refundArbitrum),
    Solana: textOf(results.refundSolana),
    Assethub: textOf(results.refundAssethub),
    Tron: textOf(results.refundTron),
    Polkadot: textOf(results.refundPolkadot),
    Bsc: textOf(results.refundBsc),
  }, acceptedNetworks(results.mode.success, results.chainflipNetwork.success))
  return faultsOf([addresses])
}

/** The settings of this process, from its environment; or everything that is wrong with them. */
export const readSettings = Effect.gen(function* () {
  const results = yield* readAll
  const faults = combineFaults([
    faultsOf(Object.values(results)),
    missingInLive(results),
    wrongRefundAddresses(results),
  ])
  if (hasFaults(faults)) return yield* settingsWrong(faults)
  return yield* Effect.fromResult(Result.mapError(Result.all(results), settingsWrong))
})

/** Every setting with its value. */
export type Settings = Effect.Success<typeof readSettings>
