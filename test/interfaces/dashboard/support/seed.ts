import { Effect, Layer } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient } from "effect/sql"
import { Accounts } from "#application/accounts/Accounts.ts"
import type { Merchants } from "#application/accounts/Merchants.ts"
import { Keys } from "#application/accounts/Keys.ts"
import { accountsLayer } from "#application/accounts/mod.ts"
import { writeRecord } from "#test/support/writeRecord.ts"
import { AccountName } from "#domain/accounts/Account.ts"
import { Address } from "#domain/chains/Address.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import type { Failure, SwapStatus } from "#domain/swaps/Swap.ts"
import { BlockIndex, EpochMillis } from "#domain/Time.ts"
import { encodeRequest, encodeStatus } from "#infrastructure/store/database/columns.ts"
import type { RequestErrorsRepo } from "#infrastructure/store/accounts/RequestErrorsRepo.ts"
import type { ProviderHistoryRepo } from "#infrastructure/store/ops/ProviderHistoryRepo.ts"
import { FirstImage, startInMemory } from "#infrastructure/store/database/EmbeddedDatabase.ts"
import { embeddedClient } from "#infrastructure/store/database/Sql.ts"
import { repositories } from "#infrastructure/store/Store.ts"
import { makeFirstAccount, operator } from "#test/support/account.ts"
import { testKey } from "#test/support/broker.ts"
import { preparedDatabases } from "#test/support/prepared/database.ts"
import { anyChannel, swapRequest, waitingStatus } from "#test/support/swap.ts"
import { fillHistory } from "./seedHistory.ts"
import { hostile, longHostile, shortHostile } from "./hostile.ts"

/** The rows that pages are looked at with. */
export const seed = {
  /** The account of an integrator, which has swaps in every state. */
  account: AccountName.make("wallet-one"),
  /** An account whose swaps have hostile texts in every place. */
  hostileAccount: AccountName.make("wallet-two"),
  swaps: {
    waiting: 1,
    expired: 2,
    receiving: 3,
    swapping: 4,
    completed: 5,
    refunded: 6,
    failed: 7,
    stalled: 8,
    hostile: 9,
    long: 10,
    disputed: 14,
  },
  /** An opening of which nobody knows what came of it. */
  unknownOpening: 15,
  /** The upstream's id of a swap of which it tells an end that is disputed. */
  contradicted: "481517",
  /** The number of the journal entry with the longest answer. */
  longEntry: 23,
} as const
export type Seed = typeof seed

const minute = 60_000
const now = Date.now()
const minutesBefore = (at: number, minutes: number): EpochMillis => EpochMillis.make(at - minutes * minute)
const ago = (minutes: number): EpochMillis => minutesBefore(now, minutes)
/** When the swaps that have ended did. In the first minutes of a day that was yesterday. */
export const endedAt = ago(20)
const native = (amount: bigint) => NativeAmount.make(amount)
const hash = "0x5d1f0f9d6ce2cb8f2a4a9ad2b6f1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3"

const deposited = {
  amount: native(150_000_000n),
  transactionReference: hash,
  transactionConfirmations: 1,
  witnessedAt: ago(42),
}
const paid = {
  amount: native(4_512_345_678_901_234_567n),
  transactionReference: hash.replace("5", "6"),
  witnessedAt: ago(12),
}

/** The quote of the completed swap, of which less arrived than was quoted, and more than was promised. */
const quote = {
  amount: deposited.amount,
  quoted: native(4_520_000_000_000_000_000n),
  promised: native(4_474_800_000_000_000_000n),
  expiresAt: ago(61),
}

const failure = (text: string): Failure => ({
  failedAt: ago(20),
  failedBlockIndex: BlockIndex.make("100-1"),
  mode: text === "" ? "DEPOSIT_REJECTED" : text,
  reason: {
    code: text === "" ? "deposit_screening" : text,
    message: text === "" ? "The deposit was rejected by the screening" : text,
  },
})

const waiting = (): SwapStatus => {
  const status = waitingStatus(swapRequest, anyChannel)
  if (status.depositChannel === undefined) return status
  const depositChannel = {
    ...status.depositChannel,
    depositAddress: Address.make("bcrt1pxw0scc8aj8mjmf8yxvpj3y5sx3a3v4y0nvqxp6hq4fxdnr6zjvrq6wz9uh"),
    createdAt: ago(60),
    estimatedExpiryTime: EpochMillis.make(now + 23 * 60 * minute),
    expectedDepositAmount: native(150_000_000n),
    expectedOutputAmount: native(4_520_000_000_000_000_000n),
  }
  return {
    ...status,
    depositChannel,
    destinationAddress: Address.make("0x1111111111111111111111111111111111111111"),
  }
}

const seen = (): SwapStatus => ({
  ...waiting(),
  swapId: "481516",
  deposit: deposited,
  sourceChainRequiredBlockConfirmations: 3,
  fees: [
    { type: "ingress", asset: "btc.btc", amount: native(1_200n) },
    { type: "network", asset: "usdc.eth", amount: native(150_000n) },
    { type: "broker", asset: "usdc.eth", amount: native(376_250n) },
  ],
})

/** A status with this text in every member that somebody else writes. */
const written = (text: string): SwapStatus => {
  const status = seen()
  return {
    ...status,
    state: "failed",
    swapId: text,
    destinationAddress: Address.make(text),
    deposit: { ...deposited, transactionReference: text, failure: failure(text) },
    swapEgress: { ...paid, transactionReference: text, failure: failure(text) },
    refundEgress: { amount: native(1n), transactionReference: text, failure: failure(text) },
    ...(status.depositChannel === undefined ? {} : {
      depositChannel: {
        ...status.depositChannel,
        depositAddress: Address.make(text),
        reference: text,
        memo: text,
      },
    }),
    ...(status.fillOrKill === undefined ? {} : {
      fillOrKill: { ...status.fillOrKill, refundAddress: Address.make(text) },
    }),
  }
}

const expired = (): SwapStatus => {
  const status = waiting()
  return status.depositChannel === undefined ? status : {
    ...status,
    depositChannel: { ...status.depositChannel, isExpired: true, estimatedExpiryTime: ago(60) },
  }
}

/** The swaps in the order of their ids, with the account of each. */
const statuses: ReadonlyArray<
  readonly [account: AccountName, status: SwapStatus, stalledSince?: EpochMillis]
> = [
  [seed.account, waiting()],
  [seed.account, expired()],
  [seed.account, { ...seen(), state: "receiving" }],
  [seed.account, { ...seen(), state: "swapping" }],
  [seed.account, { ...seen(), state: "completed", swapEgress: paid, quote }],
  [seed.account, {
    ...seen(),
    state: "completed",
    refundEgress: { amount: native(149_000_000n), transactionReference: hash, witnessedAt: ago(5) },
  }],
  [seed.account, { ...seen(), state: "failed", deposit: { ...deposited, failure: failure("") } }],
  [seed.account, { ...seen(), state: "sending" }, ago(95)],
  [seed.hostileAccount, written(hostile), ago(3)],
  [seed.hostileAccount, written(longHostile)],
  [seed.account, { ...seen(), state: "receiving" }, ago(40)],
  [seed.account, { ...seen(), state: "swapping" }, ago(30)],
  [seed.account, { ...seen(), state: "sent", swapEgress: paid }, ago(20)],
  [seed.account, { ...seen(), state: "swapping", swapId: seed.contradicted }, ago(10)],
]

const insert = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const request = yield* encodeRequest(swapRequest)
  const journal = (
    swap: number,
    kind: string,
    at: EpochMillis,
    status: string | null,
    detail: string | null,
    body: string | null,
  ) =>
    sql`
      INSERT INTO swap_journal (swap_id, kind, recorded_at, status, detail, body, body_length)
      VALUES (${swap}, ${kind}, ${new Date(at)}, ${status}::jsonb, ${detail}::text, ${body}::text,
        ${body?.length ?? null}::int)`
  yield* sql`
    INSERT INTO asset_prices
    SELECT asset, date_trunc('hour', ${new Date(now)}::timestamptz, 'UTC') - interval '2 hours', usd FROM (
      VALUES ('btc.btc', 0.000645), ('eth.eth', 0.0000000000000214), ('usdc.eth', 0.000001)
    ) AS priced (asset, usd)`
  for (const [index, [account, status, stalledSince]] of statuses.entries()) {
    const id = index + 1
    const json = yield* encodeStatus(status)
    const first = yield* encodeStatus(waiting())
    yield* sql`
      INSERT INTO swaps (account_id, platform, opening, request, state, status, created_at, updated_at, stalled_since,
        issued_block, network, channel_id, deposit_address)
      VALUES ((SELECT id FROM accounts WHERE name = ${account}), ${"chainflip"}, 'opened', ${request}::jsonb,
        ${status.state}, ${json}::jsonb, ${new Date(ago(120 - id))}, ${new Date(endedAt)},
        ${stalledSince === undefined ? null : new Date(stalledSince)}::timestamptz, ${
      100 + id
    }, 'Bitcoin', ${id},
        ${status.depositChannel?.depositAddress ?? null})`
    const body = account === seed.hostileAccount
      ? longHostile.slice(0, 32_768)
      : JSON.stringify({ state: status.state, id })
    yield* journal(id, "opened", ago(120 - id), first, null, null)
    const enteredAt = stalledSince === undefined ? ago(30 - id) : minutesBefore(stalledSince, 5)
    yield* journal(id, "changed", enteredAt, json, null, body)
    if (stalledSince !== undefined) {
      const detail = account === seed.hostileAccount
        ? longHostile
        : `Still ${status.state}, which should have ended`
      yield* journal(id, "stalled", stalledSince, null, detail, null)
    }
    if (account === seed.hostileAccount) yield* journal(id, "contradicted", ago(2), json, longHostile, body)
    if (status.swapId === seed.contradicted) {
      const end = yield* encodeStatus({ ...status, state: "completed", swapEgress: paid })
      yield* journal(id, "contradicted", ago(9), end, "The deposit was of another amount before", body)
      yield* sql`UPDATE swaps SET lookup_failures = 1 WHERE id = ${id}`
    }
  }
  yield* sql`
    INSERT INTO swaps (account_id, platform, opening, request, created_at, updated_at, opening_failure)
    VALUES ((SELECT id FROM accounts WHERE name = ${seed.hostileAccount}), 'chainflip', 'unknown', ${request}::jsonb,
      ${new Date(ago(3_000))}, ${new Date(ago(3_000))}, ${shortHostile})`
})

const fill = Effect.gen(function* () {
  const accounts = yield* Accounts
  yield* makeFirstAccount(testKey)
  yield* accounts.create(seed.account, {}, operator)
  yield* accounts.create(seed.hostileAccount, {}, operator)
  const keys = yield* Keys
  yield* keys.issue(seed.account, { label: "The app's server" }, operator)
  yield* keys.issue(seed.hostileAccount, { label: shortHostile }, operator)
  yield* insert
  yield* fillHistory
})

/** The image of an embedded database that this has filled. */
export const imageWith = (
  fill: Effect.Effect<
    void,
    unknown,
    SqlClient.SqlClient | Accounts | Keys | Merchants | ProviderHistoryRepo | RequestErrorsRepo
  >,
) =>
  Effect.gen(function* () {
    const database = yield* Effect.provide(startInMemory, preparedDatabases)
    const client = yield* embeddedClient(database)
    const store = Layer.provideMerge(repositories(writeRecord), Layer.succeed(SqlClient.SqlClient, client))
    yield* Effect.provide(fill, Layer.provideMerge(accountsLayer, store))
    return yield* Effect.promise(() => database.dumpDataDir("none"))
  }).pipe(Effect.scoped, Effect.provide(Reactivity.layer), Effect.orDie)

/** Embedded databases that begin with the rows of the seed. */
export const seededDatabases = Layer.effect(FirstImage, imageWith(Effect.orDie(fill)))
