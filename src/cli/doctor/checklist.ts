import { Option } from "effect"
import { databaseLocation } from "../../app/databaseLocation.ts"
import { refundTexts } from "../../app/refundTexts.ts"
import type { Settings } from "../../Config.ts"
import { Chain } from "../../domain/Chain.ts"
import { settings as named } from "../../settings.ts"
import { DatabaseLocation } from "../../store/DatabaseLocation.ts"
import { advice, type Finding, ill, well } from "./Finding.ts"

const keeping = (settings: Settings): Finding =>
  DatabaseLocation.$match(databaseLocation(settings), {
    Server: () => well("records", "kept by the Postgres server of DATABASE_URL"),
    Folder: ({ folder }) =>
      advice(
        "records",
        `kept by the embedded database in "${folder}", which only one process can use`,
        "Set DATABASE_URL for replicas, and for backups while the service runs",
      ),
    Memory: () =>
      ill(
        "records",
        "DATA_DIR=memory: a restart forgets every swap, with the money that is on its way",
        "Set DATABASE_URL, or DATA_DIR to a folder that is kept",
      ),
  })

const refunds = (settings: Settings): Finding => {
  const texts = refundTexts(settings)
  const without = Chain.literals.filter((chain) => Option.isNone(texts[chain]))
  return without.length === 0 ? well("refund addresses", "set for every chain") : advice(
    "refund addresses",
    `none for ${without.join(", ")}: who swaps from there has to give one, or is refused`,
    `Set ${without.map((chain) => `REFUND_ADDRESS_${chain.toUpperCase()}`).join(", ")}`,
  )
}

const encryption = ({ webhookEncryptionKey }: Settings): Finding =>
  Option.isSome(webhookEncryptionKey)
    ? well("encryption key", "the secrets of webhooks are encrypted in the database")
    : advice(
      "encryption key",
      "the secrets of webhooks stand in the database as they are",
      `Set ${named.webhookEncryptionKey.name}, the same on every replica: openssl rand -base64 32`,
    )

const token = ({ nearIntentsToken, nearIntentsUrl }: Settings): Finding => {
  if (Option.isNone(nearIntentsUrl)) return well("tokens", "none is needed: near-intents is not configured")
  return Option.isSome(nearIntentsToken) ? well("tokens", "near-intents has its token") : advice(
    "tokens",
    "near-intents has no token, and charges each swap 0.2 % more",
    `Set ${named.nearIntentsToken.name}`,
  )
}

const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || /^127\.\d+\.\d+\.\d+$/.test(host)

const reach = ({ host, trustedProxies }: Settings): Finding => {
  const proxy = `Put a proxy with TLS in front, and set ${named.trustedProxies.name} to its address`
  if (Option.isSome(trustedProxies)) {
    return well("host", `HOST=${host}, behind the proxies of TRUSTED_PROXIES`)
  }
  return isLoopback(host)
    ? advice("host", `HOST=${host}: only this machine reaches the service`, proxy)
    : advice("host", `HOST=${host}: keys and addresses travel there without TLS`, proxy)
}

const commission = ({ bootstrapCommissionBps, nearIntentsFeeAccount, nearIntentsUrl }: Settings): Finding => {
  if (Option.isSome(nearIntentsUrl) && Option.isNone(nearIntentsFeeAccount)) {
    return advice(
      "commission",
      "near-intents has no account to pay commission to: swaps there earn none",
      `Set ${named.nearIntentsFeeAccount.name}`,
    )
  }
  return bootstrapCommissionBps > 0
    ? well("commission", `the first account begins with ${bootstrapCommissionBps} bps`)
    : advice(
      "commission",
      "the first account begins without commission",
      `Set ${named.bootstrapCommissionBps.name} before the first start, or later: accounts set NAME --commission-bps N`,
    )
}

/** What an operator has to have thought of before real money goes through the service; nothing in the sandbox. */
export const checklist = (settings: Settings): ReadonlyArray<Finding> =>
  settings.mode === "sandbox"
    ? []
    : [keeping, refunds, encryption, token, reach, commission].map((check) => check(settings))
