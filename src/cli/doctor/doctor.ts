import { Effect, type Layer, Option, Redacted } from "effect"
import { Command } from "effect/cli"
import { bpsText, counted } from "#domain/figures.ts"
import { nearMissText } from "#infrastructure/config/nearMisses.ts"
import { readSettings, type Settings } from "#settings.ts"
import { CommandFailed } from "../failures.ts"
import type { OperatorClient } from "../OperatorClient.ts"
import { type Columns, print, prints, table } from "../output.ts"
import { ownRecordKeys, readLocation, servicePlace } from "../settings.ts"
import { advice, checkDatabase, checkRedis, checkService, type Finding, ill, well } from "./checks.ts"
import { checkUpstreams } from "./upstreams.ts"
import { bootstrapCommission } from "#application/accounts/settings.ts"
import { caseFileKeys } from "#application/cases/CaseKeys.ts"
import { makeKey } from "#infrastructure/config/kinds.ts"
import { variableOf } from "#infrastructure/config/perChain.ts"
import { Chain, chains } from "#domain/chains/Chain.ts"
import { trustedProxies } from "#interfaces/requests/settings.ts"
import type { UpstreamUrl } from "#providers/definition.ts"
import { DatabaseLocation } from "#infrastructure/store/database/DatabaseLocation.ts"
import { withdrawalAddress } from "#application/treasury/destination.ts"
import { refundAddress } from "#application/swapping/settings.ts"
import { encryptionKey } from "#application/webhooks/settings.ts"
import { feeAccount, token, url } from "#providers/near-intents/settings.ts"
import { isPublicAddress, parseAddress } from "#infrastructure/platform/IpAddress.ts"

const keeping = (settings: Settings): Finding =>
  DatabaseLocation.$match(settings.database.location, {
    Server: () => well("records", "stored on the Postgres server of DATABASE_URL"),
    Folder: ({ folder }) =>
      advice(
        "records",
        `stored in the embedded database in "${folder}", which only one process can use`,
        "Make regular backups: cli backup FILE. For replicas set DATABASE_URL",
      ),
    Memory: () =>
      ill(
        "records",
        "DATA_DIR=memory: a restart loses all swaps, also those in progress",
        "Set DATABASE_URL, or set DATA_DIR to a permanent folder",
      ),
  })

const refunds = (settings: Settings): Finding => {
  const variable = (chain: Chain) => variableOf(refundAddress, chain)
  const without = chains().filter((chain) => !settings.isSet(variable(chain)))
  return without.length === 0 ? well("refund addresses", "set for every chain") : advice(
    "refund addresses",
    `none for ${without.join(", ")}. Swaps from these chains without a refundAddress are refused`,
    `Set ${without.map(variable).join(", ")}`,
  )
}

const caseFiles = ({ database, isSet }: Settings): Finding =>
  isSet(caseFileKeys.name) || !DatabaseLocation.$is("Server")(database.location)
    ? well("case files", "signed by a permanent key")
    : advice(
      "case files",
      "off: replicas need a common key",
      `Set ${caseFileKeys.name}, the same on every replica`,
    )

const encryption = ({ webhooks }: Settings): Finding =>
  Option.isSome(webhooks.encryptionKey)
    ? well("encryption key", "webhook secrets are encrypted in the database")
    : advice(
      "encryption key",
      "webhook secrets are not encrypted in the database",
      `Set ${encryptionKey.name}, the same on every replica: ${makeKey}`,
    )

const tokens = ({ isSet }: Settings): Finding => {
  if (!isSet(url.name)) return well("tokens", "not needed, NEAR Intents is not configured")
  return isSet(token.name) ? well("tokens", "NEAR Intents has its token") : advice(
    "tokens",
    "NEAR Intents has no token, so it charges 0.2 % more for each swap",
    `Set ${token.name}`,
  )
}

const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || /^127\.\d+\.\d+\.\d+$/.test(host)

const reach = ({ http: { hostname: host, ...http } }: Settings): Finding => {
  const proxy = `Put a proxy with TLS in front, and set ${trustedProxies.name} to the proxy's address`
  if (Option.isSome(http.trustedProxies)) {
    return well("host", `HOST=${host}, behind the proxies of TRUSTED_PROXIES`)
  }
  return isLoopback(host)
    ? advice("host", `HOST=${host}: only this machine can reach the service`, proxy)
    : advice("host", `HOST=${host}: keys and addresses travel without TLS`, proxy)
}

const commission = ({ bootstrap, isSet }: Settings): Finding => {
  if (isSet(url.name) && !isSet(feeAccount.name)) {
    return advice(
      "commission",
      "NEAR Intents has no account for commission, so swaps there earn none",
      `Set ${feeAccount.name}`,
    )
  }
  return bootstrap.commissionBps > 0
    ? well("commission", `the first account has ${bpsText(bootstrap.commissionBps)}`)
    : advice(
      "commission",
      "the first account has no commission",
      `Set ${bootstrapCommission.name} before the first start. Afterwards: cli accounts set ACCOUNT --commission-bps N`,
    )
}

const withdrawals = ({ isSet }: Settings): Finding => {
  const variable = (chain: Chain) => variableOf(withdrawalAddress, chain)
  const set = chains().filter((chain) => isSet(variable(chain)))
  return set.length > 0 ? well("withdrawals", `paid to your addresses on ${set.join(", ")}`) : advice(
    "withdrawals",
    "no address is set. Commission can be withdrawn only to an address that is bound on chain",
    `Set ${variable("Ethereum")}, and the same for each other chain that pays you`,
  )
}

/** Endings of names that no registry of the internet gives out. */
const ownNames = /(?:^|\.)(?:localhost|local|internal|lan|svc|home\.arpa)$/

/** Whether a URL leads to a network of the operator's own, by what its host says; a socket has no host. */
const isInside = ({ hostname }: URL): boolean => {
  const host = hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "")
  if (parseAddress(host) !== undefined) return !isPublicAddress(host)
  return !host.includes(".") || ownNames.test(host)
}

/** The modes of a Postgres URL in which nothing is sent without encryption. */
const encryptedModes = ["require", "verify-ca", "verify-full"]

const isEncrypted = (url: URL): boolean =>
  ["https:", "rediss:"].includes(url.protocol) ||
  encryptedModes.includes(url.searchParams.get("sslmode") ?? "")

const parsed = (url: Redacted.Redacted<string>): ReadonlyArray<URL> => {
  const text = Redacted.value(url)
  return URL.canParse(text) ? [new URL(text)] : []
}

/** Where the service sends something: the setting, and the URL, which may hold a secret. */
type Way = Pick<UpstreamUrl, "setting" | "url">

const serversOf = ({ database, redis }: Settings): ReadonlyArray<Way> => [
  ...DatabaseLocation.$match(database.location, {
    Server: ({ url }) => parsed(url).map((url) => ({ setting: "DATABASE_URL", url })),
    Folder: () => [],
    Memory: () => [],
  }),
  ...Option.toArray(redis.url).flatMap(parsed).map((url) => ({ setting: "REDIS_URL", url })),
]

/** Whoever stands on an open way can put another deposit address into an answer. */
const connectivity = (settings: Settings, places: ReadonlyArray<Way>): Finding => {
  const open = [...places, ...serversOf(settings)].filter(({ url }) => !isInside(url) && !isEncrypted(url))
  if (open.length === 0) return well("encryption", "all connections to other networks are encrypted")
  const names = open.map(({ setting }) => setting)
  return ill(
    "encryption",
    `${names.join(", ")}: not encrypted outside your network, where others can read and change the traffic`,
    "Use https://, rediss:// or sslmode=verify-full, or connect through your own network",
  )
}

/** A broker's RPC takes orders from anybody who can reach it. */
const broker = (places: ReadonlyArray<Way>): Finding => {
  const found = places.find(({ setting }) => setting === "CHAINFLIP_BROKER_URL")
  if (found === undefined) return well("broker", "not needed, Chainflip is not configured")
  return isInside(found.url) ? well("broker", "in your own network") : advice(
    "broker",
    `${found.url.host} is on the internet, and a broker's RPC has no authentication`,
    "Let only this service reach it: in your own network, or behind a proxy that asks for a credential",
  )
}

/** Sessions of the dashboard begin over TLS only, and requests of its pages have to come from where it is. */
const publicUrl = ({ http: { logos } }: Settings): Finding =>
  Option.match(logos.publicUrl, {
    onNone: () =>
      advice(
        "public URL",
        "PUBLIC_URL is not set. Links begin with the Host header, which a proxy may change",
        "Set PUBLIC_URL to the https:// URL under which browsers reach the service",
      ),
    onSome: (url) =>
      url.protocol === "https:" ? well("public URL", `${url.origin}, over TLS`) : ill(
        "public URL",
        `${url.origin} has no TLS, so signing in to the dashboard is not possible`,
        "Put a proxy with TLS in front, and set PUBLIC_URL to its https:// URL",
      ),
  })

/** The key of the first account is valid until it is revoked, wherever the variable is read. */
const firstKey = ({ isSet }: Settings): Finding =>
  isSet("BOOTSTRAP_API_KEY")
    ? advice(
      "first key",
      "BOOTSTRAP_API_KEY is set, and is only used at the first start",
      "Unset it after the first start. Issue keys with fewer scopes: cli keys create ACCOUNT --scopes LIST",
    )
    : well("first key", "not in the settings")

/** Findings that an operator has to settle before real money goes through the service; none in the sandbox. */
export const checklist = (settings: Settings, places: ReadonlyArray<UpstreamUrl>): ReadonlyArray<Finding> =>
  settings.mode === "sandbox" ? [] : [
    keeping(settings),
    refunds(settings),
    caseFiles(settings),
    encryption(settings),
    tokens(settings),
    reach(settings),
    publicUrl(settings),
    connectivity(settings, places),
    broker(places),
    firstKey(settings),
    commission(settings),
    withdrawals(settings),
  ]

const wrongSettings = (issues: ReadonlyArray<string>): ReadonlyArray<Finding> =>
  issues.map((sentence) =>
    ill("settings", sentence, "Correct it in the environment. All settings: cli deploy env")
  )

const databaseFindings = Effect.gen(function* () {
  return yield* checkDatabase(yield* readLocation, yield* Effect.option(ownRecordKeys))
}).pipe(Effect.catchTag("CommandFailed", () => Effect.succeed<ReadonlyArray<Finding>>([])))

/** Every check that works without a running service. */
const here = Effect.gen(function* () {
  const settings = yield* readSettings
  const rest = yield* Effect.all([
    Effect.map(checkRedis(settings.redis), (finding) => [finding]),
    checkUpstreams(settings),
  ], { concurrency: "unbounded" })
  const configured = yield* settings.providersAt(settings.sandbox.url)
  return [
    well("settings", `fit, MODE=${settings.mode}`),
    ...settings.nearMisses.map((nearMiss) =>
      advice("settings", nearMissText(nearMiss), `Rename it to ${nearMiss.setting}, or unset it`)
    ),
    ...checklist(settings, configured.flatMap(({ places }) => places)),
    ...yield* databaseFindings,
    ...rest.flat(),
  ]
}).pipe(Effect.catchTag(
  "SettingsWrong",
  ({ issues }) => Effect.map(databaseFindings, (found) => [...wrongSettings(issues), ...found]),
))

const stateOf = ({ ok, todo }: Finding): string => ok ? todo === undefined ? "ok" : "ADVICE" : "FAILS"

const columns: Columns<Finding> = ["check", ["state", stateOf], ["found", "detail"]]

/** The findings, and below them each thing to do once, with the checks that ask for it. */
const report = (findings: ReadonlyArray<Finding>): string => {
  const todos = Map.groupBy(findings, ({ todo }) => todo)
  todos.delete(undefined)
  const lines = [...todos].map(([todo, all]) =>
    `- ${[...new Set(all.map(({ check }) => check))].join(", ")}: ${todo}`
  )
  return [table(columns, findings), ...(lines.length === 0 ? [] : ["", "To do:", ...lines])].join("\n")
}

/** `doctor`: checks the service that is set, or else everything that a service would need here. */
export const doctor = (operator: Layer.Layer<OperatorClient, CommandFailed>) =>
  Command.make(
    "doctor",
    {},
    Effect.fnUntraced(function* () {
      const service = yield* servicePlace
      const findings = Option.isSome(service) ? yield* checkService(operator) : yield* here
      yield* print(findings, report(findings))
      const failing = findings.filter(({ ok }) => !ok).length
      if (failing > 0) {
        return yield* new CommandFailed({
          kind: "failed",
          detail: `${failing} of ${counted(findings.length, "check")} failed`,
        })
      }
    }),
  ).pipe(
    Command.withDescription("Check settings, database, upstreams and Redis, and say what to do"),
    prints("`[{check, ok, detail, todo?}]`"),
  )
