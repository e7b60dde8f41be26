import { AddressBlocks, integer } from "./settingKinds.ts"
import { optionalSetting, setting } from "./Setting.ts"

/** Far above what one process answers: for those whose limits are elsewhere. */
const mostRequests = 10_000_000

const requests = {
  schema: integer(0, mostRequests),
  expected: `a number from 0 to ${mostRequests}`,
}

const perMinute = (name: string, value: number, meaning: string) =>
  setting({ name, default: `${value}`, ...requests, meaning })

/** How much one caller may ask for. */
export const limitSettings = {
  rateLimit: perMinute(
    "RATE_LIMIT",
    6_000,
    "Requests of one API key in a minute, all at once if need be, beside those of RATE_LIMIT_SWAP; 0: no limit",
  ),
  rateLimitSwap: perMinute(
    "RATE_LIMIT_SWAP",
    600,
    "Requests of one API key in a minute that open or prepare a swap; 0: no limit",
  ),
  rateLimitAccount: optionalSetting({
    name: "RATE_LIMIT_ACCOUNT",
    defaultNote: "as RATE_LIMIT",
    ...requests,
    meaning:
      "Requests of all API keys of one account together in a minute, beside those that open or prepare a swap",
  }),
  rateLimitAccountSwap: optionalSetting({
    name: "RATE_LIMIT_ACCOUNT_SWAP",
    defaultNote: "as RATE_LIMIT_SWAP",
    ...requests,
    meaning: "Requests of all API keys of one account together in a minute that open or prepare a swap",
  }),
  rateLimitCredentials: perMinute(
    "RATE_LIMIT_CREDENTIALS",
    300,
    "Wrong API keys from one address (IPv6: from one /64) in a minute; then keys that are new are looked up " +
      "one by one. 0: no limit",
  ),
  trustedProxies: optionalSetting({
    name: "TRUSTED_PROXIES",
    defaultNote: "none: who connects is the caller",
    schema: AddressBlocks,
    expected: "addresses or blocks of them, such as 10.0.0.0/8, with commas between them",
    meaning: "Proxies whose X-Forwarded-For says where a request comes from",
  }),
  openChannelsMost: setting({
    name: "OPEN_CHANNELS_MOST",
    default: "5000",
    schema: integer(1, 1_000_000),
    expected: "a number from 1 to 1000000",
    meaning: "Deposit channels that one account may have open at the same time",
  }),
}
