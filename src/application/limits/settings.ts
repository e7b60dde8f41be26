import { Option, Record, Result } from "effect"
import { mostOf } from "#domain/accounts/OwnTerms.ts"
import type { LimitName, Quotas } from "./RateLimits.ts"
import { perMinute as quotaOf } from "./TokenBucket.ts"
import { count, integer } from "#infrastructure/config/kinds.ts"
import { derived, optionalSetting, struct } from "#infrastructure/config/Setting.ts"

/** The highest limit: far above the load of one process, for operators who limit requests elsewhere. */
const mostRequests = mostOf.requestsPerMinute

const perMinute = (name: string, value: number, meaning: string) =>
  count(0, mostRequests, { name, default: value, meaning })

const perMinuteOr = (name: string, otherwise: string, meaning: string) =>
  optionalSetting({
    name,
    unset: `as ${otherwise}`,
    schema: integer(0, mostRequests),
    expected: `a number from 0 to ${mostRequests}`,
    meaning,
  })

const requests = struct({
  default: perMinute(
    "RATE_LIMIT",
    6_000,
    "Requests per minute with one API key, without openings; a burst may use all at once. 0: no limit",
  ),
  swap: perMinute(
    "RATE_LIMIT_SWAP",
    600,
    "Requests per minute with one API key that open or prepare a swap; 0: no limit",
  ),
  account: perMinuteOr(
    "RATE_LIMIT_ACCOUNT",
    "RATE_LIMIT",
    "Requests per minute with all API keys of an account, without openings; 0: no limit",
  ),
  accountSwap: perMinuteOr(
    "RATE_LIMIT_ACCOUNT_SWAP",
    "RATE_LIMIT_SWAP",
    "Requests per minute with all API keys of an account that open or prepare a swap; 0: no limit",
  ),
  credentials: perMinute(
    "RATE_LIMIT_CREDENTIALS",
    300,
    "Invalid API keys per minute from one address (IPv6: one /64). Beyond it, unknown keys are checked one every " +
      "100 ms: a valid one is served, others get a 429. 0: no limit",
  ),
  payer: perMinute(
    "RATE_LIMIT_PAYER",
    240,
    "Requests per minute for the payer's page of one swap, from all readers together; 0: no limit",
  ),
})

/** Requests a minute for each limit; 0 turns a limit off. */
export const quotas = derived(requests, ({ account, accountSwap, ...rest }): Quotas => {
  const tokens: { readonly [Name in LimitName]: number } = {
    ...rest,
    account: Option.getOrElse(account, () => rest.default),
    accountSwap: Option.getOrElse(accountSwap, () => rest.swap),
  }
  return Record.filterMap(tokens, (tokens) => tokens > 0 ? Result.succeed(quotaOf(tokens)) : Result.failVoid)
})
