import { Schema } from "effect"
import { count, durationOrNone, listOf, optionalUrl, port } from "#infrastructure/config/kinds.ts"
import { optionalSetting, setting, struct } from "#infrastructure/config/Setting.ts"
import { AddressBlock } from "#infrastructure/platform/IpAddress.ts"

const LogoUrl = Schema.NonEmptyString.check(
  Schema.makeFilter((template) => {
    const url = template.replaceAll("{id}", "btc.btc")
    return template.includes("{id}") && URL.canParse(url) && /^https?:/.test(url) && !/[{}\s]/.test(url)
  }),
)

/** The URL that URLs of the service begin with. */
export const publicUrl = optionalUrl({
  name: "PUBLIC_URL",
  isTuning: false,
  unset: "the host of the request",
  meaning:
    "URL of the service as its clients see it, with https:// behind a proxy. Links to logos, portal and payer's page begin " +
    "with it",
})

/** The address that the service listens on. */
export const host = setting({
  name: "HOST",
  isTuning: false,
  default: "127.0.0.1",
  schema: Schema.NonEmptyString,
  expected: "a host name or an address",
  meaning: "Address to listen on",
})

/** The proxies that the operator runs itself. */
export const trustedProxies = optionalSetting({
  name: "TRUSTED_PROXIES",
  isTuning: false,
  unset: "none",
  schema: listOf(AddressBlock),
  expected: "addresses or blocks of them, such as 10.0.0.0/8, with commas between them",
  meaning:
    "Your proxies. From them, the header X-Forwarded-For gives the client's address; otherwise it is the address that connects",
})

export const httpSettings = struct({
  hostname: host,
  port: port({
    name: "PORT",
    isTuning: false,
    default: "8080",
    meaning: "Port to listen on; 0 picks a free one, and the chosen URL is logged",
  }),
  trustedProxies,
  drainDelay: durationOrNone({
    name: "DRAIN_DELAY",
    default: "2 seconds",
    meaning:
      "How long a stopping process still accepts requests. Meanwhile `/readyz` responds 503, so that a load balancer " +
      "sends requests elsewhere",
  }),
  logos: struct({
    publicUrl,
    template: optionalSetting({
      name: "LOGO_URL",
      unset: "the service's own pictures, under /logos",
      schema: LogoUrl,
      expected: "a URL that begins with http:// or https:// and has {id} in it",
      meaning: "Template of logo URLs; {id} is an asset (btc.btc) or a chain (btc)",
    }),
  }),
  rpc: struct({
    batchMost: count(1, 1_000, {
      name: "RPC_BATCH_MOST",
      default: 20,
      meaning: "Maximum number of calls in one batch of POST /rpc",
    }),
    batchConcurrency: count(1, 100, {
      name: "RPC_BATCH_CONCURRENCY",
      default: 4,
      meaning: "Calls of one batch in progress at the same time",
    }),
  }),
})
