import { Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Account, AccountId } from "../domain/Account.ts"
import type { Bps } from "../domain/Bps.ts"
import type { StoreUnavailable } from "../domain/StoreError.ts"
import type { EpochMillis } from "../domain/Time.ts"
import { toTimestamp, WholeNumber } from "./columns.ts"
import { storeOperation } from "./storeOperation.ts"

/** What a new account begins with. */
export interface NewAccount {
  readonly name: string
  readonly commissionBps: Bps
  /** SHA-256 of its API key. */
  readonly keyHash: Uint8Array
  readonly createdAt: EpochMillis
}

/** The account that a key belongs to, with the hash that was found. */
export interface KeyMatch {
  readonly account: Account
  readonly keyHash: Uint8Array
}

const AccountRow = Schema.Struct({
  id: WholeNumber.pipe(Schema.decodeTo(AccountId)),
  name: Account.fields.name,
  commission_bps: Account.fields.commissionBps,
  secret_hash: Schema.Uint8Array,
  scopes: Account.fields.scopes,
})
const decodeRows = Schema.decodeUnknownEffect(Schema.Array(AccountRow))

const toMatch = (row: typeof AccountRow.Type): KeyMatch => ({
  account: { id: row.id, name: row.name, commissionBps: row.commission_bps, scopes: row.scopes },
  keyHash: row.secret_hash,
})

/** Any number that nothing else on the server locks. */
const firstAccountLock = 7_281_640_132n

/** Accounts and API keys in the database. */
export class AccountsRepo extends Context.Service<AccountsRepo, {
  /** The account of the key with this hash. */
  readonly findByKeyHash: (keyHash: Uint8Array) => Effect.Effect<Option.Option<KeyMatch>, StoreUnavailable>
  /** Creates an account, but only while there is none at all: of several callers exactly one gets it. */
  readonly createFirst: (account: NewAccount) => Effect.Effect<Option.Option<Account>, StoreUnavailable>
  /** Whether there is any account. */
  readonly isEmpty: Effect.Effect<boolean, StoreUnavailable>
}>()("swap-broker/store/AccountsRepo") {
  static readonly layer = Layer.effect(
    AccountsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const findByKeyHash = Effect.fnUntraced(function* (keyHash: Uint8Array) {
        const rows = yield* sql`
          SELECT accounts.id, name, commission_bps, secret_hash, scopes
          FROM api_keys JOIN accounts ON accounts.id = account_id
          WHERE secret_hash = ${keyHash}`
        return Option.map(Option.fromUndefinedOr((yield* decodeRows(rows))[0]), toMatch)
      }, storeOperation("Accounts.authenticate"))

      const anyAccount = sql`SELECT 1 FROM accounts LIMIT 1`

      const insert = Effect.fnUntraced(function* (account: NewAccount) {
        const createdAt = toTimestamp(account.createdAt)
        const rows = yield* sql`
          WITH account AS (
            INSERT INTO accounts (name, commission_bps, created_at)
            VALUES (${account.name}, ${account.commissionBps}, ${createdAt})
            RETURNING id, name, commission_bps
          ), key AS (
            INSERT INTO api_keys (account_id, secret_hash, created_at)
            SELECT id, ${account.keyHash}, ${createdAt} FROM account
            RETURNING secret_hash, scopes
          )
          SELECT id, name, commission_bps, secret_hash, scopes FROM account, key`
        return Option.map(
          Option.fromUndefinedOr((yield* decodeRows(rows))[0]),
          (row) => toMatch(row).account,
        )
      })

      const createFirst = Effect.fnUntraced(
        function* (account: NewAccount) {
          yield* sql`SELECT pg_advisory_xact_lock(${firstAccountLock})`
          return (yield* anyAccount).length > 0 ? Option.none() : yield* insert(account)
        },
        sql.withTransaction,
        storeOperation("Accounts.bootstrap"),
      )

      return AccountsRepo.of({
        findByKeyHash,
        createFirst,
        isEmpty: Effect.map(anyAccount, (rows) => rows.length === 0).pipe(storeOperation("Accounts.isEmpty")),
      })
    }),
  )
}
