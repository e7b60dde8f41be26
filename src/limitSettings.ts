import { AddressBlocks, integer } from "./settingKinds.ts"
import { optionalSetting, setting } from "./Setting.ts"

/** Far above what one process answers: for those whose limits are elsewhere. */
const mostRequests = 10_000_000

const perMinute = (name: string, value: number, meaning: string) =>
  setting({
    name,
    default: `${value}`,
    schema: integer(0, mostRequests),
    expected: `a number from 0 to ${mostRequests}`,
    meaning,
  })

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
