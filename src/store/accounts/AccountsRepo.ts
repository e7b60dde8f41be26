import { Array, Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Account, type AccountId, type AccountName, type AccountTerms } from "../../domain/Account.ts"
import { AllowedOrigins } from "../../domain/Origin.ts"
import type { PageQuery } from "../../domain/Page.ts"
import type { StoreUnavailable } from "../../domain/StoreError.ts"
import type { EpochMillis } from "../../domain/Time.ts"
import { Timestamp, toTimestamp, WholeNumber } from "../database/columns.ts"
import { storeOperation } from "../database/storeOperation.ts"

/** The columns of `accounts`; no list of origins stands for any. */
export const accountColumns = {
  id: WholeNumber.pipe(Schema.decodeTo(Account.fields.id)),
  name: Account.fields.name,
  commission_bps: Account.fields.commissionBps,
  affiliates: Account.fields.affiliates,
  allowed_origins: Schema.NullOr(AllowedOrigins),
  suspended: Account.fields.suspended,
  created_at: Timestamp,
}

const AccountRow = Schema.Struct(accountColumns)

/** Reads rows of `accounts`. */
export const decodeAccounts = Schema.decodeUnknownEffect(Schema.Array(AccountRow))

/** An account out of its row. */
export const toAccount = (row: typeof AccountRow.Type): Account => ({
  id: row.id,
  name: row.name,
  commissionBps: row.commission_bps,
  affiliates: row.affiliates,
  allowedOrigins: row.allowed_origins ?? "*",
  suspended: row.suspended,
  createdAt: row.created_at,
})

/** The parameter for `allowed_origins`. */
export const originsColumn = ({ allowedOrigins }: AccountTerms): ReadonlyArray<string> | null =>
  allowedOrigins === "*" ? null : allowedOrigins

/** What a new account begins with. */
export interface NewAccount {
  readonly name: AccountName
  readonly terms: AccountTerms
  readonly createdAt: EpochMillis
}

/** Accounts in the database. */
export class AccountsRepo extends Context.Service<AccountsRepo, {
  /** Whether there is any account. */
  readonly isEmpty: Effect.Effect<boolean, StoreUnavailable>
  /** All of them, by name. */
  readonly all: Effect.Effect<ReadonlyArray<Account>, StoreUnavailable>
  /** A part of them, by name. */
  readonly page: (query: PageQuery<AccountName>) => Effect.Effect<ReadonlyArray<Account>, StoreUnavailable>
  readonly find: (name: AccountName) => Effect.Effect<Option.Option<Account>, StoreUnavailable>
  /** Adds one of a name that there is not yet. */
  readonly add: (account: NewAccount) => Effect.Effect<Account, StoreUnavailable>
  readonly change: (id: AccountId, terms: AccountTerms) => Effect.Effect<void, StoreUnavailable>
}>()("swap-broker/store/AccountsRepo") {
  static readonly layer = Layer.effect(
    AccountsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const columns = sql.literal(
        "id, name, commission_bps, affiliates, allowed_origins, suspended, created_at",
      )

      const isEmpty = sql`SELECT 1 FROM accounts LIMIT 1`.pipe(
        Effect.map((rows) => rows.length === 0),
        storeOperation("Accounts.isEmpty"),
      )

      const all = sql`SELECT ${columns} FROM accounts ORDER BY name`.pipe(
        Effect.flatMap(decodeAccounts),
        Effect.map((rows) => rows.map(toAccount)),
        storeOperation("Accounts.all"),
      )

      const page = Effect.fnUntraced(function* ({ limit, offset }: PageQuery<AccountName>) {
        const from = offset === undefined ? sql.literal("") : sql`WHERE name >= ${offset}`
        const rows = yield* sql`SELECT ${columns} FROM accounts ${from} ORDER BY name LIMIT ${limit}`
        return (yield* decodeAccounts(rows)).map(toAccount)
      }, storeOperation("Accounts.page"))

      const find = Effect.fnUntraced(function* (name: AccountName) {
        const rows = yield* sql`SELECT ${columns} FROM accounts WHERE name = ${name}`
        return Option.map(Array.head(yield* decodeAccounts(rows)), toAccount)
      }, storeOperation("Accounts.find"))

      const add = Effect.fnUntraced(function* ({ name, terms, createdAt }: NewAccount) {
        const rows = yield* sql`
          INSERT INTO accounts (name, commission_bps, affiliates, allowed_origins, suspended, created_at)
          VALUES (${name}, ${terms.commissionBps}, ${terms.affiliates}, ${originsColumn(terms)}::text[],
            ${terms.suspended}, ${toTimestamp(createdAt)})
          RETURNING ${columns}`
        const [row] = yield* decodeAccounts(rows)
        return row === undefined
          ? yield* Effect.die("The database did not give the new account back")
          : toAccount(row)
      }, storeOperation("Accounts.add"))

      const change = Effect.fnUntraced(function* (id: AccountId, terms: AccountTerms) {
        yield* sql`
          UPDATE accounts SET
            commission_bps = ${terms.commissionBps}, affiliates = ${terms.affiliates},
            allowed_origins = ${originsColumn(terms)}::text[], suspended = ${terms.suspended}
          WHERE id = ${id}`
      }, storeOperation("Accounts.change"))

      return AccountsRepo.of({ isEmpty, all, page, find, add, change })
    }),
  )
}
