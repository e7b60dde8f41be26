import { Option, Redacted } from "effect"
import { isPublicAddress, parseAddress } from "#infrastructure/platform/IpAddress.ts"
import type { UpstreamUrl } from "#providers/definition.ts"
import type { Settings } from "#settings.ts"
import { DatabaseLocation } from "#infrastructure/store/database/DatabaseLocation.ts"
import { advice, type Finding, ill, well } from "./checks.ts"

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
export const connectivity = (settings: Settings, places: ReadonlyArray<Way>): Finding => {
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
export const broker = (places: ReadonlyArray<Way>): Finding => {
  const found = places.find(({ setting }) => setting === "CHAINFLIP_BROKER_URL")
  if (found === undefined) return well("broker", "not needed, Chainflip is not configured")
  return isInside(found.url) ? well("broker", "in your own network") : advice(
    "broker",
    `${found.url.host} is on the internet, and a broker's RPC has no authentication`,
    "Let only this service reach it: in your own network, or behind a proxy that asks for a credential",
  )
}

/** Sessions of the dashboard begin over TLS only, and requests of its pages have to come from where it is. */
export const publicUrl = ({ http: { logos } }: Settings): Finding =>
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
export const firstKey = ({ isSet }: Settings): Finding =>
  isSet("BOOTSTRAP_API_KEY")
    ? advice(
      "first key",
      "BOOTSTRAP_API_KEY is set, and is only used at the first start",
      "Unset it after the first start. Issue keys with fewer scopes: cli keys create ACCOUNT --scopes LIST",
    )
    : well("first key", "not in the settings")
