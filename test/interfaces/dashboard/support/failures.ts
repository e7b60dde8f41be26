import { Effect, Layer } from "effect"
import { Accounts } from "#application/accounts/Accounts.ts"
import { AccountName } from "#domain/accounts/Account.ts"
import { EpochMillis } from "#domain/Time.ts"
import { type HourOfErrors, RequestErrorsRepo } from "#infrastructure/store/accounts/RequestErrorsRepo.ts"
import { FirstImage } from "#infrastructure/store/database/EmbeddedDatabase.ts"
import { makeFirstAccount, operator } from "#test/support/account.ts"
import { testKey } from "#test/support/broker.ts"
import { imageWith } from "./seed.ts"

const hourMillis = 3_600_000
const now = Date.now()

/** Accounts whose requests failed, and one whose requests did not. */
export const failing = {
  wallet: AccountName.make("acme-wallet"),
  bot: AccountName.make("kite-bot"),
  pay: AccountName.make("harbor-pay"),
  quiet: AccountName.make("quiet"),
} as const

type Kind = Pick<HourOfErrors, "endpoint" | "status" | "kind" | "example"> & Partial<HourOfErrors>

/** Each with whose requests they were, and how many by hours ago. */
const failures: ReadonlyArray<
  readonly [account: AccountName, kind: Kind, byHoursAgo: Readonly<Record<number, number>>]
> = [
  [failing.pay, {
    endpoint: "openSwap",
    status: 500,
    kind: "OutcomeUnknown",
    example: "The outcome of the request with this Idempotency-Key is unknown. It is on record as swap …",
  }, { 1: 1 }],
  ...Object.values(failing).slice(0, 3).map((name, index) =>
    [name, {
      endpoint: "getQuotes",
      status: 503,
      code: "provider_unavailable",
      kind: "NotCalled",
      example: "",
    }, { 0: 20 - index, 1: 3 }] as const
  ),
  ...["getQuotes", "getQuotesNative", "getSwapStatus", "openSwap"].map((endpoint, index) =>
    [failing.wallet, {
      endpoint,
      status: 429,
      kind: "LimitReached",
      example: "Too many requests: … a minute, of which none is left",
    }, { 10: 20 + index, 11: 36, 12: 1_240, 13: 12 }] as const
  ),
  [failing.bot, {
    endpoint: "openSwap",
    status: 400,
    kind: "InvalidRequest",
    parameters: ["destinationAddress"],
    example: "destinationAddress: must be an address of Ethereum",
  }, Object.fromEntries(Array.from({ length: 24 }, (_, hour) => [hour, 1 + hour % 2]))],
  [failing.wallet, {
    endpoint: "getQuotes",
    status: 400,
    kind: "AmountBelowMinimum",
    code: "amount_below_minimum",
    example: "",
  }, { 1: 2, 5: 3, 9: 1, 17: 5, 40: 9, 200: 70 }],
  [failing.pay, {
    endpoint: "getWebhook",
    status: 404,
    kind: "WebhookUnknown",
    example: "There is no such webhook",
  }, { 4: 2, 90: 1 }],
]

const fill = Effect.gen(function* () {
  const accounts = yield* Accounts
  yield* makeFirstAccount(testKey)
  for (const name of Object.values(failing)) yield* accounts.create(name, {}, operator)
  for (const [name, kind, byHoursAgo] of failures) {
    const { id } = yield* accounts.find(name)
    yield* (yield* RequestErrorsRepo).add(
      Object.entries(byHoursAgo).map(([ago, count]) => {
        const hour = EpochMillis.make(now - now % hourMillis - Number(ago) * hourMillis)
        const lastAt = EpochMillis.make(Math.min(now - 60_000, hour + 2_900_000))
        return { accountId: id, parameters: [], hour, count, lastAt, ...kind }
      }),
    )
  }
})

/** Embedded databases that begin with these failures. */
export const failingDatabases = Layer.effect(FirstImage, imageWith(Effect.orDie(fill)))
